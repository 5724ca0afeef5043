import type { Event, LegalAction, Table, View } from "@shedu/client";
import type { JSX } from "preact";

/** A legal action. */
export interface Choice {
  readonly index: number;
  readonly legal: LegalAction;
}

/** An illegal action that a click would be; the server explains why it is illegal. */
export type Attempt = Parameters<Table["play"]>[0];

export interface BoardProps {
  /** The whole view; the title's own part is `view.title.value`. */
  view: View;
  /** The seat of the viewer; undefined for a spectator. */
  seat: number | undefined;
  /** By seat. */
  names: readonly string[];
  /** Empty when this seat has no decision. */
  choices: readonly Choice[];
  /** The choices still possible after what was pointed at so far, a subset of `choices`. */
  chosen: readonly Choice[];
  /** Reduces the choices to these; the page lists them, and plays the last one left after confirmation. */
  narrow(choices: readonly Choice[]): void;
  /** A target that cannot be chosen was clicked: the page explains why, with an attempt by the reason of the server. */
  refuse(target: string, attempt?: Attempt): void;
  /** The pointer rests on a target that cannot be chosen; without an attempt, it left it. */
  hover(target: string, attempt?: Attempt): void;
  /** The events that led to this view, to mark and animate. */
  happened: readonly Event[];
  /** The text in the language of the player, or `english`. */
  say: Say;
}

export type Say = (id: string, english: string, args?: Record<string, string>) => string;

export interface Breakdown {
  columns: string[];
  rows: { name: string; cells: string[] }[];
}

/**
 * What `src/titles/<title>/board.tsx` exports as `board`. A title may leave out what the generic board can do for it:
 * it draws the view message as an outline and makes sentences of the names and fields of events.
 */
export interface Board {
  Component: (props: BoardProps) => JSX.Element;
  /** The board as text. */
  describe(view: View, names: readonly string[], say: Say): string;
  /** An event as a sentence; undefined for events that the log leaves out. */
  sentence(event: Event, names: readonly string[], say: Say): string | undefined;
  /** Final scores. */
  breakdown(view: View, names: readonly string[], say: Say): Breakdown;
}
