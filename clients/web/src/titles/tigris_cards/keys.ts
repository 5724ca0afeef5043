import type { tigrisCards } from "@shedu/client";
import type { KeysOf } from "../../boards/targets";
import { columnKey, gapKey, placeKey } from "./places";

type Kind = tigrisCards.Action["kind"];
type Standing = ReadonlyMap<tigrisCards.Colour, string>;

function answering(kind: Kind): string[] {
  switch (kind.case) {
    case "takePoint":
      return ["take"];
    case "decline":
      return ["decline"];
    case "buildShip":
      return [`ship:${kind.value.ship}`];
    case "chooseConflict":
      return [`conflict:${kind.value.colour}`];
    case "commitCards":
      return [`commit:${kind.value.count}`];
    case "exchangeTreasure":
      return [placeKey({ column: kind.value.column, row: 0 })];
    case "takeIncome":
      return [`income:${kind.value.colour}`, `hand:${kind.value.colour}`];
    default:
      return [];
  }
}

function acting(kind: Kind, standing: Standing): string[] {
  switch (kind.case) {
    case "layCard":
      return [`hand:${kind.value.colour}`, columnKey(kind.value.column)];
    case "layLink":
      return [`hand:${kind.value.colour}`, gapKey(kind.value.gap)];
    case "placeLeader":
      return [`leader:${kind.value.colour}`, ...(kind.value.place ? [placeKey(kind.value.place)] : [])];
    case "withdrawLeader":
      return [
        `leader:${kind.value.colour}`,
        `withdraw:${kind.value.colour}`,
        standing.get(kind.value.colour) ?? "withdraw",
      ];
    case "playCalamity":
      return ["calamity", ...(kind.value.place ? [placeKey(kind.value.place)] : [])];
    case "endTurn":
      return ["end"];
    default:
      return answering(kind);
  }
}

/** Where the viewer's own leaders stand, as keys. */
export function standingOf(view: tigrisCards.View): Standing {
  const found = new Map<tigrisCards.Colour, string>();
  const note = (card: tigrisCards.Card | undefined, column: number, row?: number): void => {
    const { leader } = card ?? {};
    if (leader && leader.seat === view.seat)
      found.set(leader.colour, row === undefined ? gapKey(column) : placeKey({ column, row }));
  };
  view.table?.columns.forEach(({ cards }, column) => cards.forEach((card, row) => note(card, column, row)));
  view.table?.links.forEach(({ link }, gap) => note(link, gap));
  return found;
}

/** The targets of each choice. */
export function keysOf(view: tigrisCards.View): KeysOf {
  const standing = standingOf(view);
  return ({ legal }) => {
    const title = legal.action?.title;
    return title?.case === "tigrisCards" ? acting(title.value.kind, standing) : [];
  };
}
