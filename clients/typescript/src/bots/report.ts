import type { Outcome } from "../gen/shedu/v1/game_pb.js";

const REMEMBERED = 10_000; // decisions whose times are kept

/** Percentiles in milliseconds; null if nothing was measured. */
export interface Latency {
  p50: number | null;
  p99: number | null;
}

/** The results of a bot, with the same names as the reports of the other clients. */
export interface Report {
  /** Games that were played to their end. */
  games: number;
  /** Wins; a first place that n seats share counts 1/n. */
  wins: number;
  /** Decisions that the server accepted. */
  decisions: number;
  /** Failures of the bot: it threw, was too slow, or returned something else than one of the actions. */
  failures: number;
  /** Answers that nobody waited for any more. */
  late: number;
  /** Games that were given up because of an error. */
  lost: number;
  /** How long decisions waited while the bot thought about others. */
  waiting_ms: Latency;
  /** How long the bot took. */
  thinking_ms: Latency;
  /** How long the server took to acknowledge an answer. */
  answering_ms: Latency;
}

/** Collects a report while games are played. */
export class Scores {
  failures = 0;
  late = 0;
  lost = 0;
  private games = 0;
  private wins = 0;
  private decisions = 0;
  private readonly waiting: number[] = [];
  private readonly thinking: number[] = [];
  private readonly answering: number[] = [];

  /** Games that need no more attention. */
  get over(): number {
    return this.games + this.lost;
  }

  thought(waiting: number, thinking: number): void {
    remember(this.waiting, waiting);
    remember(this.thinking, thinking);
  }

  decided(answering: number): void {
    this.decisions++;
    remember(this.answering, answering);
  }

  finished(seat: number, outcome: Outcome | undefined): void {
    this.games++;
    const ranks = outcome?.ranks ?? [];
    if (ranks[seat] === 1) this.wins += 1 / ranks.filter((rank) => rank === 1).length;
  }

  report(): Report {
    const { games, decisions, failures, late, lost } = this;
    return {
      games,
      wins: rounded(this.wins, 1000),
      decisions,
      failures,
      late,
      lost,
      waiting_ms: latency(this.waiting),
      thinking_ms: latency(this.thinking),
      answering_ms: latency(this.answering),
    };
  }
}

function remember(times: number[], milliseconds: number): void {
  if (times.length === REMEMBERED) times.shift();
  times.push(milliseconds);
}

function latency(times: readonly number[]): Latency {
  const ordered = [...times].sort((one, other) => one - other);
  const at = (percent: number) => {
    const found = ordered[Math.floor(((ordered.length - 1) * percent) / 100)];
    return found === undefined ? null : rounded(found, 100);
  };
  return { p50: at(50), p99: at(99) };
}

function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}
