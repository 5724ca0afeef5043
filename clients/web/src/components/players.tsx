import type { Game, Seat, View } from "@shedu/client";
import type { JSX } from "preact";
import { useSay } from "../translation";
import { Clock } from "./clock";
import { levelName } from "./seat_fields";

/** The players with their clocks, and who has an open decision. */
export function Players({ view, game, names }: { view: View; game: Game; names: readonly string[] }): JSX.Element {
  const say = useSay();
  const asked = new Set(view.decisions.map((decision) => decision.seat));
  return (
    <section class="players" aria-label={say("web.players", "Players")}>
      <ol>
        {game.seats.map((seat) => (
          <li class={`seat-${seat.seat}${asked.has(seat.seat) ? " asked" : ""}`} data-tip={names[seat.seat]}>
            <span class="name">
              <bdi>{names[seat.seat]}</bdi>
              {seat.seat === view.seat ? <span class="you"> ({say("web.you", "you")})</span> : null} <Standing seat={seat} />
            </span>
            {asked.has(seat.seat) ? <span class="unseen">{say("web.thinking", "thinking")}</span> : null}{" "}
            <Clock view={view} seat={seat.seat} />
          </li>
        ))}
      </ol>
      {view.seat === undefined ? <p class="facts">{say("web.watching", "You are watching.")}</p> : null}
    </section>
  );
}

function Standing({ seat }: { seat: Seat }): JSX.Element | null {
  const say = useSay();
  const words = [
    seat.resigned ? say("web.seat.resigned", "resigned") : "",
    seat.takenOver ? say("web.seat.taken_over", "a bot is playing") : "",
    seat.botLevel && !seat.takenOver && !seat.displayName ? say("web.bot", "bot, {level}", { level: levelName(seat.botLevel, say) }) : "",
  ].filter(Boolean);
  return words.length > 0 ? <span class="facts">{words.join(", ")}</span> : null;
}
