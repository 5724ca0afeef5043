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
  /** The choice that a guide proposes: its targets are marked. */
  proposed?: Choice | undefined;
  /** Reduces the choices to these; the page lists them, and plays the last one left after confirmation. */
  narrow(choices: readonly Choice[]): void;
  /** Plays a choice at once, because what was clicked next belongs to the decision after it. */
  insist(choice: Choice): void;
  /** A target that cannot be chosen was clicked: the page explains why, with an attempt by the reason of the server. */
  refuse(target: string, attempt?: Attempt): void;
  /** The pointer rests on a target that cannot be chosen; without an attempt, it left it. */
  hover(target: string, attempt?: Attempt): void;
  /** The events that led to this view, to animate. */
  happened: readonly Event[];
  /** What happened since this seat acted last, to mark. */
  recent: readonly Event[];
  /** The text in the language of the player, or `english`. */
  say: Say;
}

export type Say = (id: string, english: string, args?: Record<string, string>) => string;

/** What is told beside the board. */
export interface AsideProps {
  view: View;
  /** By seat. */
  names: readonly string[];
  say: Say;
}

/**
 * What happens when one choice is left: it is sent; it waits for a second target, and `insist` sends it; it is
 * confirmed, unless it took two targets to choose it; it is confirmed.
 */
export type Confirmation = "none" | "hold" | "step" | "ask";

export interface Breakdown {
  columns: string[];
  rows: { name: string; cells: string[] }[];
}

/**
 * What `src/titles/<title>/board.tsx` exports as `board`. A title may leave out what the generic board can do for it:
 * it draws the view message as an outline and makes sentences of the names and fields of events.
 */
export interface Board {
  /** The board and the player's own pieces. It fills the space that the page gives it, and never grows beyond. */
  Component: (props: BoardProps) => JSX.Element;
  /** The players and what they have, beside the board, or above it on a narrow screen. */
  Aside?: (props: AsideProps) => JSX.Element | null;
  /** Whether a choice must be confirmed, which is for what cannot be undone; if it is absent, all are. */
  confirmation?(choice: Choice, view: View): Confirmation;
  /** The board as text. */
  describe(view: View, names: readonly string[], say: Say): string;
  /** What just happened in one short line; undefined if its sentences do. */
  caption?(events: readonly Event[], names: readonly string[], say: Say): string | undefined;
  /** A hint in words: what a bot would do; undefined if the sentences of its events say it. */
  advice?(events: readonly Event[], names: readonly string[], say: Say): string | undefined;
  /** An event as a sentence; undefined for events that the log leaves out. */
  sentence(event: Event, names: readonly string[], say: Say): string | undefined;
  /** What each seat has at a position, for the chart at the end; undefined for what the view hides. */
  points?(view: View, say: Say): { what: string; bySeat: readonly (number | undefined)[] };
  /** Final scores. */
  breakdown(view: View, names: readonly string[], say: Say): Breakdown;
}
