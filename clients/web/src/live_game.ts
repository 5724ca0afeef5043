import { type Event, GameStatus, SheduError, type Table, type Update, type View } from "@shedu/client";
import { useEffect, useMemo } from "preact/hooks";
import { noteStream } from "./connection";
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
  /** Everything that happened up to the view shown, as far as it is loaded. */
  log: readonly Event[];
  connection: Connection;
  /** How many steps the server is ahead of what is shown. */
  behind: number;
  problem: SheduError | undefined;
}

type Step = { events: readonly Event[]; view: View };

const BLANK: Shown = {
  view: undefined,
  happened: [],
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
    if (this.timer === undefined) this.advance();
  }

  private advance(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const step = this.waiting.shift();
    if (step === undefined) return;
    const log = [...this.shown.get().log, ...step.events];
    this.change({ view: step.view, happened: step.events, log, behind: this.waiting.length });
    this.timer = setTimeout(() => this.advance(), this.pause());
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
