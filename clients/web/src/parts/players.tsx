import type { Game, View } from "@shedu/client";
import type { JSX } from "preact";
import { useSay } from "../say";

/** Who sits where, and who is asked. */
export function Players({ view, game, names }: { view: View; game: Game; names: readonly string[] }): JSX.Element {
  const say = useSay();
  const asked = new Set(view.decisions.map((decision) => decision.seat));
  return (
    <section class="panel players" aria-label={say("web.players", "Players")}>
      <ol>
        {game.seats.map(({ seat }) => (
          <li class={asked.has(seat) ? "asked" : ""}>
            <span class="name">
              {names[seat]}
              {seat === view.seat ? ` (${say("web.you", "you")})` : ""}
            </span>
            {asked.has(seat) ? <span class="badge">{say("web.thinking", "thinking")}</span> : null}
          </li>
        ))}
      </ol>
      {view.seat === undefined ? <p class="facts">{say("web.watching", "You are watching.")}</p> : null}
    </section>
  );
}
