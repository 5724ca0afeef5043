/** Why a bot has no valid answer. Failures of one kind are described once. */
export class BotFailure extends Error {
  constructor(
    readonly kind: string,
    message: string,
  ) {
    super(message);
  }
}

// Frames of this package, of Node.js and of promises say nothing to the author of a bot.
const OWN = new URL(".", import.meta.url).href;
const INNER = /\bnode:|^\s*at async Promise|^\s*at new Promise|\(<anonymous>\)/;

/** Describes what a bot threw, with the functions of the bot that led to it. */
export function thrown(problem: unknown): BotFailure {
  if (problem instanceof BotFailure) return problem;
  if (!(problem instanceof Error)) return new BotFailure(`threw ${String(problem)}`, `it throws ${String(problem)}`);
  const frames = framesOf(problem);
  return new BotFailure(`${problem.name}${frames[0] ?? ""}`, [`${problem.name}: ${problem.message}`, ...frames].join("\n"));
}

function framesOf(problem: Error): string[] {
  const lines = (problem.stack ?? "").split("\n").filter((line) => /^\s*at /.test(line));
  const end = lines.findIndex((line) => line.includes(OWN)); // what called the bot is of no interest to its author
  return (end < 0 ? lines : lines.slice(0, end)).filter((line) => !INNER.test(line));
}

/** Tells people about the first failure of each kind: a bot that fails in every decision would flood a terminal. */
export class FailureLog {
  private readonly described = new Set<string>();

  constructor(private readonly notify: (message: string) => void) {}

  describe(decisionId: string, failure: BotFailure): void {
    if (this.described.has(failure.kind)) return;
    this.described.add(failure.kind);
    this.notify(`decide failed at ${decisionId}: ${failure.message}`);
  }
}
