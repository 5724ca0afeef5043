import type { JSX } from "preact";
import { Link } from "../router";
import { useSay } from "../translation";
import { levelName } from "./seat_fields";

/** A player as a link to the profile; a hosted bot by its level. */
export function PlayerName({ handle, botLevel }: { handle: string; botLevel: string }): JSX.Element {
  const say = useSay();
  if (botLevel) return <>{say("web.bot", "bot, {level}", { level: levelName(botLevel, say) })}</>;
  if (!handle) return <>{say("web.player.gone", "former player")}</>;
  return <Link to={`/players/${handle}`}>{handle}</Link>;
}
