import type { Event, tigris } from "@shedu/client";
import type { JSX } from "preact";
import { On } from "./pieces";
import type { At } from "../../boards/outline";
import { cross, places, spaceKey, square } from "./spaces";

export interface Marks {
  /** Spaces on which something was placed. */
  placed: readonly At[];
  /** Spaces from which something was removed. */
  left: readonly At[];
}

function placed(kind: tigris.Event["kind"]): At[] {
  switch (kind.case) {
    case "leaderPlaced":
    case "tilePlaced":
    case "catastrophePlayed":
    case "buildingRaised":
      return places(kind.value.space);
    case "monumentBuilt":
      return kind.value.corner ? square(kind.value.corner) : [];
    case "wonderBuilt":
      return kind.value.center ? cross(kind.value.center) : [];
    default:
      return [];
  }
}

function left(kind: tigris.Event["kind"]): At[] {
  switch (kind.case) {
    case "leaderPlaced":
      return places(kind.value.origin);
    case "leaderWithdrawn":
    case "leaderSentHome":
    case "treasureTaken":
    case "buildingReturned":
      return places(kind.value.space);
    case "conflictWon":
      return kind.value.removed;
    default:
      return [];
  }
}

/** Marks the spaces that the last events changed. */
export function marksOf(happened: readonly Event[]): Marks {
  const kinds = happened.flatMap(({ kind }) => (kind.case === "tigris" ? [kind.value.kind] : []));
  return { placed: kinds.flatMap(placed), left: kinds.flatMap(left) };
}

const BRACKETS = "M1 11V5a4 4 0 0 1 4-4h6M29 1h6a4 4 0 0 1 4 4v6M39 29v6a4 4 0 0 1-4 4h-6M11 39H5a4 4 0 0 1-4-4v-6";

export function LastMove({ marks }: { marks: Marks }): JSX.Element {
  return (
    <g class="marks">
      {marks.left.map((space) => (
        <On key={`left ${spaceKey(space)}`} space={space}>
          <path d="M13 13 27 27M27 13 13 27" class="mark-left" />
        </On>
      ))}
      {marks.placed.map((space) => (
        <On key={spaceKey(space)} space={space}>
          <path d={BRACKETS} class="mark-edge" />
          <path d={BRACKETS} class="mark-placed" />
        </On>
      ))}
    </g>
  );
}
