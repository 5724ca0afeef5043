import type { Draws } from "@shedu/client";

export type DrawKind = "first" | "hand" | "shown" | "rolled";

/** What is left to draw from, by the name of the pile, in the order in which it is numbered before a draw. */
export type Piles = Readonly<Record<string, readonly number[]>>;

/** One event, checked: what it tells of a draw, and what the secret gives. */
export interface CheckedEvent {
  kind: DrawKind;
  /** The piles after the event. */
  piles: Piles;
  /** What the secret gives; undefined where the event draws nothing. */
  expected: readonly number[] | undefined;
  told: readonly number[];
}

/** The oneof of a title's event message. */
export interface EventKind {
  case: string | undefined;
  value?: unknown;
}

/**
 * What `src/titles/<title>/luck.ts` exports as `luck`: recomputes the draw that an event tells of. It knows which
 * pieces the printed game has, and no rule. `Kind` is the oneof of the title's events.
 */
export type TitleLuck<Kind extends EventKind = any> = (
  kind: Kind,
  piles: Piles,
  draws: Draws,
) => CheckedEvent | Promise<CheckedEvent>;

/** For events that draw nothing. */
export function noDraw(piles: Piles): CheckedEvent {
  return { kind: "hand", piles, expected: undefined, told: [] };
}

/** 1, 2, 3 and so on. */
export function numbersTo(last: number): number[] {
  return Array.from({ length: last }, (_, at) => at + 1);
}

/** So many of the first kind, so many of the second, and so on. */
export function piecesOf(counts: readonly number[]): number[] {
  return counts.flatMap((count, at) => Array.from({ length: count }, () => at + 1));
}

/** The seat that begins. */
export async function drawSeat(seats: number, draws: Draws): Promise<number[]> {
  return draws.draw(numbersTo(seats).map((number) => number - 1), 1);
}

/** As many pieces from a pile as the event tells. */
export async function drawFrom(
  pile: string,
  kind: DrawKind,
  told: readonly number[],
  piles: Piles,
  draws: Draws,
): Promise<CheckedEvent> {
  const rest = [...(piles[pile] ?? [])];
  const expected = await draws.draw(rest, Math.min(told.length, rest.length));
  for (const item of expected) rest.splice(rest.indexOf(item), 1);
  return { kind, piles: { ...piles, [pile]: rest }, expected, told };
}

/** Dice with six faces. */
export async function rollDice(faces: readonly number[], piles: Piles, draws: Draws): Promise<CheckedEvent> {
  return { kind: "rolled", piles, expected: await draws.roll(faces.length, 6), told: faces };
}
