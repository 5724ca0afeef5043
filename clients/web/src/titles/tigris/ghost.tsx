import type { tigris } from "@shedu/client";
import type { JSX } from "preact";
import type { Say } from "../../boards/seat_name";
import type { Targets } from "../../boards/targets";
import { sentenceCase } from "../../translation";
import { COLOURS, leaderName, tileName } from "./colours";
import { Catastrophe, Leader, On, Tile } from "./pieces";
import { COLUMNS, SIDE, spaceKey, spaceName, SPACES } from "./spaces";

interface Piece {
  name: string;
  drawn: JSX.Element;
}

/** The piece that the player is about to place: chosen from the hand, or waiting for its space. */
export function pieceInHand(view: tigris.View, targets: Targets, say: Say): Piece | undefined {
  const phase = view.agenda.at(-1)?.kind;
  const asked = targets.asked ? phase : undefined;
  const tile = asked?.case === "placingTile" ? asked.value.colour : COLOURS.find((colour) => targets.picked(`tile:${colour}`));
  if (tile !== undefined) return { name: tileName(tile, say), drawn: <Tile colour={tile} /> };
  const leader =
    asked?.case === "placingLeader" ? asked.value.leader : COLOURS.find((colour) => targets.picked(`leader:${colour}`));
  if (leader !== undefined) return { name: leaderName(leader, say), drawn: <Leader colour={leader} seat={view.seat ?? 0} /> };
  if (asked?.case !== "placingCatastrophe" && !targets.picked("catastrophe")) return undefined;
  return { name: say("board.tigris.catastrophe", "catastrophe"), drawn: <Catastrophe /> };
}

const LETTER = 7.4;

/** The piece on the space that is pointed at, with words such as "Priest to O8", before it is placed. */
export function Ghost({ piece, at, say }: { piece: Piece; at: string; say: Say }): JSX.Element | null {
  const space = SPACES.find((found) => spaceKey(found) === at);
  if (!space) return null;
  const words = sentenceCase(say("board.tigris.piece_to", "{piece} to {space}", { piece: piece.name, space: spaceName(space) }));
  const width = words.length * LETTER + 14;
  const left = Math.min(Math.max(space.column * SIDE + SIDE / 2 - width / 2, 0), COLUMNS * SIDE - width);
  const top = space.row === 0 ? SIDE + 3 : space.row * SIDE - 22;
  return (
    <g class="ghost" aria-hidden="true">
      <On space={space}>{piece.drawn}</On>
      <rect x={left} y={top} width={width} height="19" rx="9.5" />
      <text x={left + width / 2} y={top + 14}>
        {words}
      </text>
    </g>
  );
}
