import type { tigris } from "@shedu/client";
import type { ComponentChildren, JSX } from "preact";
import { SeatMark } from "../../art/seat_marks";
import { Token } from "../../art/token";
import { nameOf, type Say } from "../../boards/seat_name";
import { Offer } from "../../boards/target_button";
import type { Targets } from "../../boards/targets";
import { tileName } from "./colours";
import { Leader, Tile } from "./pieces";

export interface Side {
  seat: number;
  /** Strength before anything of the hand is added. */
  board: number;
  /** Added from the hand; undefined until it is decided. */
  committed: number | undefined;
  total: number;
}

interface DuelProps {
  title: string;
  /** Of the two leaders. */
  colour: tigris.Colour;
  /** The attacker first. */
  sides: readonly Side[];
  leading: number;
  names: readonly string[];
  say: Say;
  children: ComponentChildren;
}

function SideView({
  side,
  role,
  colour,
  leading,
  names,
}: Pick<DuelProps, "colour" | "leading" | "names"> & { side: Side; role: string }): JSX.Element {
  return (
    <div class={`flank${leading === side.seat ? " leading" : ""}`}>
      <Token>
        <Leader colour={colour} seat={side.seat} />
      </Token>
      <div>
        <SeatMark seat={side.seat} name={nameOf(names, side.seat)} /> <span class="faint">{role}</span>
        <div class="sum">
          <b>{side.total}</b>
          <span class="faint">
            {side.board} + {side.committed ?? "?"}
          </span>
        </div>
      </div>
    </div>
  );
}

/** Both sides of a conflict with their totals, and the player's choices. */
export function Duel({ title, sides, say, children, ...shared }: DuelProps): JSX.Element {
  const roles = [say("board.tigris.attacker", "attacks"), say("board.tigris.defender", "defends")];
  return (
    <section class="slab conflict pop" aria-label={title}>
      <h3>{title}</h3>
      <div class="sides">
        {sides.map((side, index) => (
          <SideView key={side.seat} {...shared} side={side} role={roles[index] ?? ""} />
        ))}
      </div>
      <div class="offers">{children}</div>
    </section>
  );
}

/** A button that commits this many tiles to the conflict. */
export function Commit({
  targets,
  colour,
  count,
  say,
}: {
  targets: Targets;
  colour: tigris.Colour;
  count: number;
  say: Say;
}): JSX.Element {
  const label = say("board.tigris.commit", "Commit {count}: {tile}", {
    count: String(count),
    tile: tileName(colour, say),
  });
  return (
    <Offer targets={targets} name={`commit:${count}`} class="commit" label={label}>
      +{count}
      <Token>
        <Tile colour={colour} />
      </Token>
    </Offer>
  );
}
