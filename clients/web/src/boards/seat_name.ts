import type { BoardProps } from "../board";

/** Returns the text with this id in the language of the player, or the English one. */
export type Say = BoardProps["say"];

/** The name of the player at a seat. */
export function nameOf(names: readonly string[], seat: number): string {
  return names[seat] ?? `#${seat + 1}`;
}

/** All seats in the order of play, the viewer's own first. */
export function ownFirst(seats: number, own: number | undefined): number[] {
  return Array.from({ length: seats }, (_, step) => ((own ?? 0) + step) % seats);
}
