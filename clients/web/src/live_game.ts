import { type Event, GameStatus, SheduError, type Table, type Update, type View } from "@shedu/client";
import { useEffect, useMemo } from "preact/hooks";
import { noteStream } from "./connection";
import { actorOf } from "./event_facts";
import { preferences } from "./preferences";
import { tokenFor } from "./seats";
import { tableOf } from "./server";
import { tellOtherTabs, type Turn, turns } from "./stream_turns";
import { createStore, type Store, useStore } from "./store";

export type Connection = "connecting" | "live" | "lost";

/** What the page shows of a game now. */
export interface Shown {
  view: View | undefined;
  /** The events that led from the view shown before to this one. */
  happened: readonly Event[];
  /** What happened since this seat acted last: the last whole turn of the others, or the own action. */
  recent: readonly Event[];
  /** Whether the last turn of the others can be shown again. */
  canShowAgain: boolean;
  /** Everything that happened up to the view shown, as far as it is loaded. */
  log: readonly Event[];
  connection: Connection;
  /** How many steps the server is ahead of what is shown. */
  behind: number;
  problem: SheduError | undefined;
}

interface Step {
  events: readonly Event[];
  view: View;
  /** It was shown before, and is in the log already. */
  again?: boolean;
}

/** So many steps of the others are kept to be shown again. */
const MOST_KEPT = 60;
/** The pause after a step that is shown again, in milliseconds. */
const AGAIN_PAUSE = 900;

const BLANK: Shown = {
  view: undefined,
  happened: [],
  recent: [],
  canShowAgain: false,
  log: [],
  connection: "connecting",
  behind: 0,
  problem: undefined,
};

/** A stream sends a heartbeat every 15 seconds, a short call is answered at once; what is silent for longer is lost. */
const SILENCE = { stream: 35_000, look: 8_000 };

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Follows a game and shows its steps one after the other, with a pause after each. */
export class LiveGame {
  readonly shown: Store<Shown> = createStore(BLANK);
  readonly table: Table;
  private readonly ended = new AbortController();
  private readonly waiting: Step[] = [];
  private newest = 0n;
  /** The steps of the others since this seat acted, and the view before them. */
  private turn: { before: View; steps: Step[] } | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(gameId: string) {
    this.table = tableOf(gameId);
  }

  open(): void {
    void this.run();
  }

  close(): void {
    this.ended.abort();
    noteStream(true);
    clearTimeout(this.timer);
  }

  /** Adds a step from the response to an action, before the stream sends it; ignored if it leaves a gap. */
  anticipate(events: readonly Event[], view: View): void {
    if (events[0]?.version === this.newest + 1n) this.add({ events, view });
  }

  /** Shows all waiting steps at once. */
  skip(): void {
    while (this.waiting.length > 0) this.advance();
  }

  private async run(): Promise<void> {
    try {
      const turnsOfTab = turns(this.table.gameId, () => this.isPlaying(), this.ended.signal);
      for await (const turn of turnsOfTab) if (await this.follow(turn)) return;
    } catch (problem) {
      if (!this.ended.signal.aborted) this.change({ problem: SheduError.from(problem), connection: "lost" });
    }
  }

  /** Follows the game for one turn of this tab; whether the game has ended. */
  private async follow({ kind, signal }: Turn): Promise<boolean> {
    const from = this.newest > 0n ? { afterVersion: this.newest } : {};
    for await (const update of this.table.watch({ ...from, signal, silenceMilliseconds: SILENCE[kind] })) {
      this.take(update);
      if (kind === "look" && update.kind === "caughtUp") return false;
    }
    return !signal.aborted;
  }

  /** Whether a hidden tab follows this game, to say that it is the player's turn. */
  private isPlaying(): boolean {
    const { view } = this.shown.get();
    return view?.seat !== undefined && view.game?.status !== GameStatus.FINISHED;
  }

  private take(update: Update): void {
    if (update.kind === "snapshot") this.begin(update.view);
    if (update.kind === "happened") this.add(update);
    if (update.kind === "lost") this.change({ connection: this.shown.get().view ? "lost" : "connecting" });
    if (update.kind === "resumed" || update.kind === "snapshot") this.change({ connection: "live" });
    if (update.kind === "lost" && update.attempt >= 3 && !this.shown.get().view) this.change({ connection: "lost" });
  }

  private begin(view: View): void {
    if (view.version <= this.newest) return;
    this.newest = view.version;
    this.change({ view, happened: [] });
    void this.loadLog(view.version);
  }

  private async loadLog(upTo: bigint): Promise<void> {
    try {
      const events = await this.table.events({ signal: this.ended.signal });
      const past = events.filter((event) => event.version <= upTo);
      this.change({ log: [...past, ...this.shown.get().log.filter((event) => event.version > upTo)] });
    } catch {
      // Without its past the log starts here; the board does not depend on it.
    }
  }

  private add(step: Step): void {
    if (step.view.version <= this.newest) return;
    this.newest = step.view.version;
    tellOtherTabs(this.table.gameId);
    this.waiting.push(step);
    this.change({ behind: this.waiting.length });
    // An action of the player is shown at once, without the pause after the step before.
    if (this.timer === undefined || (this.waiting.length === 1 && isOwn(step))) this.advance();
  }

  /** Shows the last turn of the others once more. */
  showAgain(): void {
    if (!this.turn || this.waiting.length > 0) return;
    this.waiting.push(...this.turn.steps.map((step) => ({ ...step, again: true })));
    this.change({ view: this.turn.before, happened: [], recent: [], behind: this.waiting.length });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.advance(), AGAIN_PAUSE / 2);
  }

  /** What happened since this seat acted last, with this step. */
  private recentWith(step: Step): readonly Event[] {
    const { view, recent } = this.shown.get();
    if (step.again) return [...recent, ...step.events];
    if (isOwn(step) || !view) {
      this.turn = undefined;
      return step.events;
    }
    this.turn ??= { before: view, steps: [] };
    if (this.turn.steps.length < MOST_KEPT) this.turn.steps.push(step);
    return this.turn.steps.flatMap(({ events }) => events);
  }

  private advance(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const step = this.waiting.shift();
    if (step === undefined) return;
    const recent = this.recentWith(step);
    const { log } = this.shown.get();
    this.change({
      view: step.view,
      happened: step.events,
      recent,
      canShowAgain: this.turn !== undefined,
      log: step.again ? log : [...log, ...step.events],
      behind: this.waiting.length,
    });
    this.timer = setTimeout(() => this.advance(), step.again ? AGAIN_PAUSE : this.pause());
  }

  private pause(): number {
    if (document.hidden || preferences.get().atOnce || this.waiting.length > 12) return 0;
    const one = calm.matches ? 250 : 900;
    return one / Math.max(1, this.waiting.length / 3);
  }

  private change(changed: Partial<Shown>): void {
    if (changed.connection) noteStream(changed.connection !== "lost");
    this.shown.set({ ...this.shown.get(), ...changed });
  }
}

function isOwn({ events, view }: Step): boolean {
  return view.seat !== undefined && actorOf(events) === view.seat;
}

/** Reopens the game when the seat or `attempt` changes. */
export function useLiveGame(gameId: string, attempt: number): [LiveGame, Shown] {
  const token = tokenFor(gameId);
  const live = useMemo(() => new LiveGame(gameId), [gameId, token, attempt]);
  useEffect(() => {
    live.open();
    return () => live.close();
  }, [live]);
  return [live, useStore(live.shown)];
}
