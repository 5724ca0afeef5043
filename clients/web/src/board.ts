import type { Event, LegalAction, Table, View } from "@shedu/client";
import type { JSX } from "preact";

/** One thing the server says is legal. */
export interface Choice {
  readonly index: number;
  readonly legal: LegalAction;
}

/** What someone would have done by pointing there; the server says why not. */
export type Attempt = Parameters<Table["play"]>[0];

export interface BoardProps {
  /** The whole view; the title's own part is `view.title.value`. */
  view: View;
  /** Whose eyes; undefined for a spectator. */
  seat: number | undefined;
  /** By seat. */
  names: readonly string[];
  /** Empty when nothing is asked of this seat. */
  choices: readonly Choice[];
  /** The choices still possible after what was pointed at so far, a subset of `choices`. */
  chosen: readonly Choice[];
  /** Pointing at a target narrows to these; the shell shows them, and plays when one is left and confirmed. */
  narrow(choices: readonly Choice[]): void;
  /** Something illegal was pointed at: the shell explains, with the server's reason if it knows what was attempted. */
  refuse(target: string, attempt?: Attempt): void;
  /** The pointer rests on something illegal; without an attempt, on nothing such any more. */
  hover(target: string, attempt?: Attempt): void;
  /** The events that led to this view, to mark and animate. */
  happened: readonly Event[];
  /** The sentence in the language of the person; `english` where there is none. */
  say: Say;
}

export type Say = (id: string, english: string, args?: Record<string, string>) => string;

export interface Breakdown {
  columns: string[];
  rows: { name: string; cells: string[] }[];
}

/** What each `src/boards/<title>.tsx` exports as `board`. */
export interface Board {
  Component: (props: BoardProps) => JSX.Element;
  /** The board as text. */
  describe(view: View, names: readonly string[], say: Say): string;
  /** An event as a sentence; undefined for one that nobody needs to be told. */
  sentence(event: Event, names: readonly string[], say: Say): string | undefined;
  /** Final scores. */
  breakdown(view: View, names: readonly string[], say: Say): Breakdown;
}
