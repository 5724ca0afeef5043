import type { tigris } from "@shedu/client";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { BoardProps } from "../../board";
import type { Say } from "../../boards/seat_name";
import { labelOf, Roving } from "../../boards/roving_focus";
import type { Targets } from "../../boards/targets";
import { cellsOf, contentsOf, occupiedOf, strengthsOf } from "./contents";
import { Ground } from "./terrain";
import { Ghost, pieceInHand } from "./ghost";
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
import { Zoom } from "../../boards/zoom";
import { spaceKey } from "./spaces";
import { useEarlyTarget } from "./early_target";

type Pieces = (board: tigris.BoardView, on: Lay) => JSX.Element[];
type Lay = (space: At | undefined, piece: JSX.Element) => JSX.Element[];

/** Lays pieces on their spaces; those that have just been placed drop onto them. */
function layer(fresh: ReadonlySet<string>): Lay {
  return (space, piece) => {
    if (!space) return [];
    const key = spaceKey(space);
    return [
      <On key={key} space={space}>
        {fresh.has(key) ? <g class="drop">{piece}</g> : piece}
      </On>,
    ];
  };
}

const LOW: readonly Pieces[] = [
  (board, on) => board.tiles.flatMap(({ space, colour }) => on(space, <Tile colour={colour} />)),
  (board, on) => board.faceDown.flatMap((space) => on(space, <FaceDown />)),
  (board, on) => board.monuments.flatMap(({ corner, monument }) => on(corner, <Monument monument={monument} />)),
  (board) => (board.wonder ? [<Wonder center={board.wonder} />] : []),
  (board, on) => board.catastrophes.flatMap((space) => on(space, <Catastrophe />)),
  (board, on) => on(board.covered, <UnificationMarker />),
  (board, on) => board.buildings.flatMap(({ space, colour }) => on(space, <Building colour={colour} />)),
  (board, on) => board.treasures.flatMap((space) => on(space, <Treasure />)),
];

function Leaders({ view, board, fresh }: { view: tigris.View; board: tigris.BoardView; fresh: ReadonlySet<string> }): JSX.Element {
  const strengths = strengthsOf(view);
  return (
    <g>
      {board.leaders.map(({ space, seat, leader }) => {
        const strength = space && strengths.get(spaceKey(space));
        return (
          space && (
            <On key={`${seat} ${leader}`} space={space}>
              <g class={fresh.has(spaceKey(space)) ? "drop" : ""}>
                <Leader colour={leader} seat={seat} />
                {strength && <Strength value={strength.supporters} />}
              </g>
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
  recent: BoardProps["recent"];
  targets: Targets;
  say: Say;
}

/** The board between the two rivers. Layers are kept until what they show changes. */
export function RiverMap({ view, board, names, happened, recent, targets, say }: MapProps): JSX.Element {
  const [told, tell] = useState("");
  const title = say("board.tigris.board", "Board");
  const ground = useMemo(() => <Ground board={board} />, [view.options?.board]);
  const pieces = useMemo(() => {
    const fresh = new Set(marksOf(happened).placed.map(spaceKey));
    const lay = layer(fresh);
    return (
      <>
        <Tints kingdoms={view.kingdoms} />
        {LOW.map((draw, level) => (
          <g key={level}>{draw(board, lay)}</g>
        ))}
        <Leaders view={view} board={board} fresh={fresh} />
      </>
    );
  }, [view]);
  const marks = useMemo(() => <LastMove marks={marksOf(recent)} />, [recent]);
  const spaces = useMemo(() => cellsOf(contentsOf(view, names, say), say), [view, names, title]);
  const hints = useMemo(() => hintsOf(view, targets), [view, targets]);
  const pointed = useEarlyTarget(targets, hints);
  const occupied = useMemo(() => occupiedOf(board), [board]);
  const piece = useMemo(() => pieceInHand(view, targets, say), [view, targets, title]);
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
      <Zoom>
        <div class="stack">
        <svg viewBox={FRAME} aria-hidden="true">
          {ground}
          {pieces}
          {marks}
        </svg>
        <svg viewBox={FRAME} class="over" role="group" aria-label={title}>
          {cells}
          {piece && pointed.lit(told) && <Ghost piece={piece} at={told} say={say} />}
        </svg>
        </div>
      </Zoom>
      <figcaption class="board-note" aria-hidden="true">
        {labelOf(spaces, told)}
      </figcaption>
    </figure>
  );
}
