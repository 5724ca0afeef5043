import type { tigris } from "@shedu/client";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { BoardProps } from "../../board";
import type { Say } from "../../boards/seat_name";
import { labelOf, Roving } from "../../boards/roving_focus";
import type { Targets } from "../../boards/targets";
import { cellsOf, contentsOf, occupiedOf, strengthsOf } from "./contents";
import { Ground } from "./terrain";
import { hintsOf } from "./hints";
import { Tints } from "./kingdoms";
import { Highlights } from "./highlights";
import { LastMove, marksOf } from "./marks";
import {
  Building,
  Catastrophe,
  FaceDown,
  Leader,
  Monument,
  On,
  Strength,
  Tile,
  Treasure,
  UnificationMarker,
  Wonder,
} from "./pieces";
import type { At } from "../../boards/outline";
import { spaceKey } from "./spaces";
import { useEarlyTarget } from "./early_target";

type Pieces = (board: tigris.BoardView) => JSX.Element[];

function on(space: At | undefined, piece: JSX.Element): JSX.Element[] {
  return space
    ? [
        <On key={spaceKey(space)} space={space}>
          {piece}
        </On>,
      ]
    : [];
}

const LOW: readonly Pieces[] = [
  (board) => board.tiles.flatMap(({ space, colour }) => on(space, <Tile colour={colour} />)),
  (board) => board.faceDown.flatMap((space) => on(space, <FaceDown />)),
  (board) => board.monuments.flatMap(({ corner, monument }) => on(corner, <Monument monument={monument} />)),
  (board) => (board.wonder ? [<Wonder center={board.wonder} />] : []),
  (board) => board.catastrophes.flatMap((space) => on(space, <Catastrophe />)),
  (board) => on(board.covered, <UnificationMarker />),
  (board) => board.buildings.flatMap(({ space, colour }) => on(space, <Building colour={colour} />)),
  (board) => board.treasures.flatMap((space) => on(space, <Treasure />)),
];

function Leaders({ view, board }: { view: tigris.View; board: tigris.BoardView }): JSX.Element {
  const strengths = strengthsOf(view);
  return (
    <g>
      {board.leaders.map(({ space, seat, leader }) => {
        const strength = space && strengths.get(spaceKey(space));
        return (
          space && (
            <On key={`${seat} ${leader}`} space={space}>
              <Leader colour={leader} seat={seat} />
              {strength && <Strength value={strength.supporters} />}
            </On>
          )
        );
      })}
    </g>
  );
}

const FRAME = "-18 -16 662 460";

interface MapProps {
  view: tigris.View;
  board: tigris.BoardView;
  names: readonly string[];
  happened: BoardProps["happened"];
  targets: Targets;
  say: Say;
}

/** The board between the two rivers. Layers are kept until what they show changes. */
export function RiverMap({ view, board, names, happened, targets, say }: MapProps): JSX.Element {
  const [told, tell] = useState("");
  const title = say("board.tigris.board", "Board");
  const ground = useMemo(() => <Ground board={board} />, [view.options?.board]);
  const pieces = useMemo(
    () => (
      <>
        <Tints kingdoms={view.kingdoms} />
        {LOW.map((draw, layer) => (
          <g key={layer}>{draw(board)}</g>
        ))}
        <Leaders view={view} board={board} />
      </>
    ),
    [view],
  );
  const marks = useMemo(() => <LastMove marks={marksOf(happened)} />, [happened]);
  const spaces = useMemo(() => cellsOf(contentsOf(view, names, say), say), [view, names, title]);
  const hints = useMemo(() => hintsOf(view, targets), [view, targets]);
  const pointed = useEarlyTarget(targets, hints);
  const occupied = useMemo(() => occupiedOf(board), [board]);
  const cells = useMemo(
    () => (
      <>
        <Highlights targets={targets} hints={hints} occupied={occupied} />
        <Roving cells={spaces} targets={pointed} tell={tell} />
      </>
    ),
    [pointed, spaces, occupied],
  );
  return (
    <figure class="river-map">
      <div class="stack">
        <svg viewBox={FRAME} aria-hidden="true">
          {ground}
          {pieces}
          {marks}
        </svg>
        <svg viewBox={FRAME} class="over" role="group" aria-label={title}>
          {cells}
        </svg>
      </div>
      <figcaption aria-hidden="true">{labelOf(spaces, told)}</figcaption>
    </figure>
  );
}
