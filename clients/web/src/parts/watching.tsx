import { SpectatorPolicy } from "@shedu/client";
import type { JSX } from "preact";
import { useSay } from "../say";

/** Who may watch without a seat. */
export type Watching = "public" | "late" | "token" | "none";

const LATE = 20;

export const SPECTATORS = {
  late: { policy: SpectatorPolicy.PUBLIC, delay: LATE },
  token: { policy: SpectatorPolicy.TOKEN },
  none: { policy: SpectatorPolicy.NONE },
} as const;

export function WatchingField(props: { value: Watching; choose: (value: Watching) => void }): JSX.Element {
  const say = useSay();
  const names: Record<Watching, string> = {
    public: say("web.spectators.public", "Whoever may find the game"),
    late: say("web.spectators.late", "Whoever may find the game, {count} events late", { count: String(LATE) }),
    token: say("web.spectators.token", "Whoever has a link for spectators"),
    none: say("web.spectators.none", "Nobody"),
  };
  return (
    <label>
      {say("web.create.spectators", "Who may watch")}
      <select value={props.value} onChange={(event) => props.choose(event.currentTarget.value as Watching)}>
        {Object.entries(names).map(([name, words]) => (
          <option value={name}>{words}</option>
        ))}
      </select>
    </label>
  );
}
