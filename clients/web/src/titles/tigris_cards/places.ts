import type { tigrisCards } from "@shedu/client";
import type { Cell } from "../../boards/roving_focus";
import { nameOf, type Say } from "../../boards/seat_name";
import { faceName, leaderOf } from "./colours";

export const PITCH = 86;
export const STEP = 56;
export const CARD = { width: 80, height: 50 } as const;
const MARGIN = 3;

export function columnKey(column: number): string {
  return `column:${column}`;
}

export function gapKey(gap: number): string {
  return `gap:${gap}`;
}

/** The card at a place; without a row, the link to the right of a column. */
export function placeKey({ column, row }: Pick<tigrisCards.Place, "column" | "row">): string {
  return row === undefined ? gapKey(column) : `card:${column},${row}`;
}

/** Where a card is drawn: links lie above the heads they join. */
export function corner({ column, row }: { column: number; row?: number | undefined }): { x: number; y: number } {
  return row === undefined
    ? { x: (column + 0.5) * PITCH + MARGIN, y: MARGIN }
    : { x: column * PITCH + MARGIN, y: (row + 1) * STEP + MARGIN };
}

export function placeName({ column, row }: { column: number; row?: number | undefined }, say: Say): string {
  if (row === undefined) {
    return say("board.tigris_cards.gap", "link between columns {left} and {right}", { left: String(column + 1), right: String(column + 2) });
  }
  return row === 0
    ? say("board.tigris_cards.head", "head of column {column}", { column: String(column + 1) })
    : say("board.tigris_cards.place", "card {row} of column {column}", { column: String(column + 1), row: String(row) });
}

export function cardWords(card: tigrisCards.Card, names: readonly string[], say: Say): string {
  const face = faceName(card.face, say);
  if (!card.leader) return face;
  return say("board.tigris_cards.with_leader", "{card} with the {leader} of {name}", {
    card: face,
    leader: leaderOf(card.leader.colour, say),
    name: nameOf(names, card.leader.seat),
  });
}

function cell(key: string, label: string, place: { column: number; row?: number | undefined }): Cell {
  return { key, label, ...corner(place), ...CARD };
}

function columnCells(view: tigrisCards.View, names: readonly string[], say: Say): Cell[] {
  return (view.table?.columns ?? []).flatMap(({ cards }, column) => {
    const lying = cards.map((card, row) =>
      cell(placeKey({ column, row }), `${placeName({ column, row }, say)}: ${cardWords(card, names, say)}`, {
        column,
        row,
      }),
    );
    if (!view.openColumns.includes(column)) return lying;
    const end = say("board.tigris_cards.end_of_column", "end of column {column}", { column: String(column + 1) });
    return [...lying, cell(columnKey(column), end, { column, row: cards.length })];
  });
}

/** Everything on the table that can be pointed at. */
export function cellsOf(view: tigrisCards.View, names: readonly string[], say: Say): readonly Cell[] {
  const links = (view.table?.links ?? []).map(({ link }, column) => {
    const words = link ? cardWords(link, names, say) : say("board.tigris_cards.no_link", "no link");
    return cell(gapKey(column), `${placeName({ column }, say)}: ${words}`, { column });
  });
  return [...links, ...columnCells(view, names, say)];
}
