import type { BoardProps } from "../board";

/** Translates a sentence, or falls back to its English. */
export type Say = BoardProps["say"];

/** The name of whoever sits there. */
export function nameOf(names: readonly string[], seat: number): string {
  return names[seat] ?? `#${seat + 1}`;
}
