import type { Event, tigrisCards } from "@shedu/client";
import { gapKey, placeKey } from "./places";

function keysAt(kind: tigrisCards.Event["kind"], table: tigrisCards.Table): string[] {
  switch (kind.case) {
    case "cardLaid":
      return [placeKey({ column: kind.value.column, row: (table.columns[kind.value.column]?.cards.length ?? 1) - 1 })];
    case "shipBuilt":
      return [placeKey({ column: kind.value.column, row: kind.value.row })];
    case "linkLaid":
    case "linkTurnedUp":
      return [gapKey(kind.value.gap)];
    case "leaderPlaced":
      return kind.value.place ? [placeKey(kind.value.place)] : [];
    case "treasureExchanged":
      return [placeKey({ column: kind.value.column, row: 0 })];
    default:
      return [];
  }
}

/** The cards on which something happened last. */
export function freshOf(happened: readonly Event[], table: tigrisCards.Table): ReadonlySet<string> {
  const keys = happened.flatMap(({ kind }) => (kind.case === "tigrisCards" ? keysAt(kind.value.kind, table) : []));
  return new Set(keys);
}
