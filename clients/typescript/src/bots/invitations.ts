import { Code } from "@connectrpc/connect";
import type { Shedu } from "../client.js";
import { SheduError } from "../errors.js";
import type { InboxItem } from "../gen/shedu/v1/game_service_pb.js";
import type { Runner, SeatBot } from "./runner.js";
import { reclaim } from "./turn.js";

/** A seat, and its items in turn: `work` has ended when all of them are dealt with. */
interface Invited extends SeatBot {
  work: Promise<void>;
  isNew: boolean;
  isOver: boolean;
}

/** Plays all seats of a caller, from one inbox. */
export class Invitations {
  private readonly seats = new Map<string, Invited>();
  private readonly done = new AbortController();

  constructor(
    private readonly runner: Runner,
    private readonly shedu: Shedu,
  ) {}

  /** Reads the inbox until enough games are over, or the signal ends it. */
  async play(signal?: AbortSignal): Promise<void> {
    const end = () => this.done.abort();
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted) end();
    try {
      for await (const update of this.shedu.inbox({ signal: this.done.signal })) {
        if (update.kind === "item" && this.isWanted(update.item)) this.queue(update.item);
        if (this.runner.isDone) return;
      }
    } finally {
      end();
      signal?.removeEventListener("abort", end);
      await Promise.all([...this.seats.values()].map(({ work }) => work));
    }
  }

  private isWanted({ title }: InboxItem): boolean {
    return this.runner.options.title === undefined || this.runner.options.title === title;
  }

  private queue(item: InboxItem): void {
    const seat = this.seatOf(item);
    if (seat === undefined) return;
    seat.work = seat.work.then(async () => {
      if (seat.isOver || this.done.signal.aborted) return;
      try {
        await this.deal(seat, item);
      } catch (problem) {
        seat.isOver = true; // an error ends only this game
        this.runner.lose(item.gameId, problem);
      }
      if (this.runner.isDone) this.done.abort();
    });
  }

  /** Returns the seat of an item; undefined if enough games are under way without it. */
  private seatOf({ gameId, seat }: InboxItem): Invited | undefined {
    const key = `${gameId}/${seat}`;
    const known = this.seats.get(key);
    const { games } = this.runner.options;
    if (known || (games && this.seats.size >= games)) return known;
    const table = this.shedu.table(gameId, undefined, seat);
    const made: Invited = { seat, table, work: Promise.resolve(), isNew: true, isOver: false };
    this.seats.set(key, made);
    return made;
  }

  private async deal(seat: Invited, { gameId, kind }: InboxItem): Promise<void> {
    if (kind.case === "finished") {
      seat.isOver = true;
      return this.runner.finished(seat.seat, kind.value.outcome);
    }
    if (kind.case === "invited") return this.join(gameId, seat.seat);
    if (seat.isNew) await reclaim(seat);
    seat.isNew = false;
    return this.runner.answerAll(seat);
  }

  private async join(gameId: string, seat: number): Promise<void> {
    try {
      await this.shedu.join(gameId, { seat, displayName: this.runner.name });
    } catch (problem) {
      if (SheduError.from(problem).code !== Code.AlreadyExists) throw problem;
    }
  }
}
