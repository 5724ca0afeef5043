import { equals } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import type { Shedu } from "../client.js";
import { SheduError } from "../errors.js";
import { ActionSchema, type Outcome } from "../gen/shedu/v1/game_pb.js";
import type { LegalAction } from "../gen/shedu/v1/game_service_pb.js";
import { BotFailure, FailureLog, thrown } from "./failures.js";
import { Invitations } from "./invitations.js";
import { type Report, Scores } from "./report.js";
import { isOver, reclaim, type Seated, type Turn, turnOf } from "./turn.js";

/** A bot: returns one of the actions of the turn, at once or by a promise. */
export type Decide = (turn: Turn) => LegalAction | Promise<LegalAction>;

export interface RunnerOptions {
  /** A bot that keeps no state, or that can be asked about several games in turn. */
  decide?: Decide;
  /** Creates a bot for each game, which may keep state; used without `decide`. One that is too slow is replaced. */
  newBot?: () => Decide;
  /** Is shown to others in the game. */
  name?: string;
  /** The only title that `run` plays; all by default. */
  title?: string;
  /** After how many games `run` ends; never by default. */
  games?: number;
  /** How many decisions the bot is asked for at a time, never two of one seat; 1 by default. */
  parallel?: number;
  /**
   * How long a promise of the bot may take, a minute by default; after it the decision counts as a failure. Nothing can
   * interrupt a bot that computes without awaiting anything.
   */
  decisionMilliseconds?: number;
  /** What to do where the bot fails: play the first legal action, which is the default, or resign. */
  onFailure?: "first" | "resign";
  /** Is told what people should know, such as why the bot failed: each kind of failure once. */
  notify?: (message: string) => void;
}

/** A seat that is played; `bot` is undefined until it is asked, and after it was too slow. */
export interface SeatBot extends Seated {
  bot?: Decide | undefined;
}

/** Plays for a bot, many games at once, through restarts of the server. */
export class Runner {
  readonly name: string;
  readonly options: Readonly<RunnerOptions>;
  private readonly scores = new Scores();
  private readonly failures: FailureLog;
  private readonly waiting: (() => void)[] = [];
  private free: number;

  constructor(options: RunnerOptions) {
    if (!options.decide && !options.newBot) throw new TypeError("a runner needs decide or newBot");
    if ((options.games ?? 0) < 0) throw new RangeError(`games is ${options.games}, less than 0`);
    this.name = options.name ?? "bot";
    this.options = options;
    this.failures = new FailureLog((message) => this.notify(message));
    this.free = Math.max(1, options.parallel ?? 1);
  }

  /** How the bot has fared until now. */
  get report(): Report {
    return this.scores.report();
  }

  /** Whether as many games are over as `games` says. */
  get isDone(): boolean {
    return this.options.games ? this.scores.over >= this.options.games : false;
  }

  /** Plays one seat to the end of its game. It needs no identity. */
  async play({ seat, table }: Seated): Promise<Outcome | undefined> {
    const playing: SeatBot = { seat, table };
    await reclaim(playing);
    for await (const update of table.watch()) {
      if (update.kind !== "snapshot" && update.kind !== "happened") continue;
      if (update.view.decisions.some((decision) => decision.seat === seat)) await this.answerAll(playing);
    }
    const { outcome } = await table.game();
    this.scores.finished(seat, outcome);
    return outcome;
  }

  /** Plays these seats at the same time. An error in one game does not end the others: it is told and counted. */
  async playAll(seats: Iterable<Seated>): Promise<Report> {
    await Promise.all([...seats].map((seat) => this.play(seat).catch((problem) => this.lose(seat.table.gameId, problem))));
    return this.report;
  }

  /**
   * Plays every game that the caller has a seat in or is invited to, over one inbox, until `games` are over or the signal
   * ends it. It needs an identity. After a crash of the program it continues all games.
   */
  async run(shedu: Shedu, signal?: AbortSignal): Promise<Report> {
    await new Invitations(this, shedu).play(signal);
    return this.report;
  }

  /** Answers the decisions of a seat until it has none. */
  async answerAll(seat: SeatBot): Promise<void> {
    for (let turn = await turnOf(seat); turn !== undefined; turn = await turnOf(seat)) await this.answer(seat, turn);
  }

  finished(seat: number, outcome: Outcome | undefined): void {
    this.scores.finished(seat, outcome);
  }

  lose(gameId: string, problem: unknown): void {
    this.scores.lost++;
    this.notify(`game ${gameId} is left alone: ${SheduError.from(problem).message}`);
  }

  notify(message: string): void {
    this.options.notify?.(`${this.name}: ${message}`);
  }

  /** Asks the bot and plays what it says. That the decision is no longer open is no error. */
  private async answer(seat: SeatBot, turn: Turn): Promise<void> {
    const thought = await this.think(seat, turn).catch(thrown);
    if (thought instanceof BotFailure) {
      this.scores.failures++;
      this.failures.describe(turn.decision.decisionId, thought);
    }
    const began = performance.now();
    try {
      if (thought instanceof BotFailure && this.options.onFailure === "resign") await turn.table.resign();
      else await playedBy(turn, thought instanceof BotFailure ? turn.actions[0] : thought);
      this.scores.decided(performance.now() - began);
    } catch (problem) {
      if (SheduError.from(problem).code !== Code.Aborted && !isOver(problem)) throw problem;
      this.scores.late++; // the clock, an undo or another process answered
      await reclaim(turn);
    }
  }

  private async think(seat: SeatBot, turn: Turn): Promise<LegalAction> {
    const asked = performance.now();
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    const began = performance.now();
    try {
      const answered = Promise.resolve().then(() => (seat.bot ??= this.options.decide ?? this.options.newBot?.())?.(turn));
      const action = await inTime(answered, this.options.decisionMilliseconds ?? 60_000, seat);
      this.scores.thought(began - asked, performance.now() - began);
      return legal(turn, action);
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}

async function inTime<T>(answer: Promise<T>, milliseconds: number, seat: SeatBot): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      seat.bot = undefined; // it may still be at work; another one goes on
      reject(new BotFailure("slow", `no answer after ${milliseconds / 1000} s`));
    }, milliseconds);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the action that the bot chose, from the list of legal ones. */
function legal({ actions }: Turn, chosen: LegalAction | undefined): LegalAction {
  const found = actions.find((each) => each === chosen || isSame(each, chosen));
  if (found === undefined) throw new BotFailure("wrong", "it returns none of the legal actions");
  return found;
}

function isSame(one: LegalAction, other: LegalAction | undefined): boolean {
  return one.action !== undefined && other?.action !== undefined && equals(ActionSchema, one.action, other.action);
}

async function playedBy({ table, decision }: Turn, chosen: LegalAction | undefined): Promise<void> {
  if (chosen?.action === undefined) throw SheduError.from(new Error("a decision without legal actions"));
  await table.play(chosen.action, { decisionId: decision.decisionId });
}
