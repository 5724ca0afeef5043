import type { tigris } from "@shedu/client";
import type { JSX } from "preact";
import { nameOf, type Say } from "../../boards/seat_name";
import { leaderName, look, monumentName } from "./colours";
import { outline } from "../../boards/outline";
import { Leader } from "./pieces";
import { spaceName, SPACE } from "./spaces";

const TINTS = 8;

function foremost(kingdom: tigris.Kingdom): number {
  return Math.min(...kingdom.leaders.map(({ seat, leader }) => seat * 4 + leader));
}

/** A tint for each kingdom. It follows the first leader of the kingdom, and is unique for up to eight kingdoms. */
export function tintsOf(kingdoms: readonly tigris.Kingdom[]): ReadonlyMap<tigris.Kingdom, number> {
  const taken = new Set<number>();
  const tints = new Map<tigris.Kingdom, number>();
  for (const kingdom of [...kingdoms].sort((one, other) => foremost(one) - foremost(other))) {
    const wished = foremost(kingdom) % TINTS;
    const free = Array.from({ length: TINTS }, (_, step) => (wished + step) % TINTS).find((tint) => !taken.has(tint));
    taken.add(free ?? wished);
    tints.set(kingdom, free ?? wished);
  }
  return tints;
}

/** The kingdoms on the board, each with its own colour and kind of line. */
export function Tints({ kingdoms }: { kingdoms: readonly tigris.Kingdom[] }): JSX.Element {
  const tints = tintsOf(kingdoms);
  return (
    <g aria-hidden="true">
      {kingdoms.map((kingdom) => (
        <path
          key={foremost(kingdom)}
          d={outline(kingdom.spaces, SPACE, -1, 8)}
          class={`kingdom-tint tint-${(tints.get(kingdom) ?? 0) + 1}`}
        />
      ))}
    </g>
  );
}

function LeaderEntry({
  leader,
  names,
  say,
}: {
  leader: tigris.KingdomLeader;
  names: readonly string[];
  say: Say;
}): JSX.Element {
  const words = say(
    "board.tigris.leader_at",
    "{leader} of {name} at {space}: supporters {supporters}, temples beside {temples}",
    {
      leader: leaderName(leader.leader, say),
      name: nameOf(names, leader.seat),
      space: leader.space ? spaceName(leader.space) : "",
      supporters: String(leader.supporters),
      temples: String(leader.temples),
    },
  );
  const Temple = look(1).Picture;
  return (
    <li data-tip={words}>
      <svg viewBox="0 0 40 40" class="token" role="img" aria-label={words}>
        <Leader colour={leader.leader} seat={leader.seat} />
      </svg>
      <span aria-hidden="true" class="tally">
        <b>{leader.supporters}</b>
        <span class="temples">
          <Temple />
          {leader.temples}
        </span>
      </span>
    </li>
  );
}

/** The kingdoms with their leaders and strengths. */
export function KingdomList({
  view,
  names,
  say,
}: {
  view: tigris.View;
  names: readonly string[];
  say: Say;
}): JSX.Element | null {
  if (view.kingdoms.length === 0) return null;
  const tints = tintsOf(view.kingdoms);
  return (
    <section class="slab kingdom-list">
      <h3>{say("board.tigris.kingdoms", "Kingdoms")}</h3>
      <ul>
        {view.kingdoms.map((kingdom) => (
          <li
            key={foremost(kingdom)}
            data-tip={kingdom.monuments.map((monument) => monumentName(monument, say)).join(", ")}
          >
            <svg viewBox="0 0 20 40" class="swatch" aria-hidden="true">
              <rect
                x="3"
                y="3"
                width="14"
                height="34"
                rx="4"
                class={`kingdom-tint tint-${(tints.get(kingdom) ?? 0) + 1}`}
              />
            </svg>
            <ul>
              {kingdom.leaders.map((leader) => (
                <LeaderEntry key={leader.seat * 4 + leader.leader} leader={leader} names={names} say={say} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}
