import type { Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { Shedu } from "../client.js";
import { SheduError } from "../errors.js";
import { Runner, type RunnerOptions } from "./runner.js";

/** The exit code of a program whose bot failed in a decision, or that left a game because of an error. */
export const FAILED = 1;
/** The exit code of a program that cannot play: its address, its token or another setting is wrong. */
export const CANNOT_PLAY = 2;

const QUIET_MILLISECONDS = 500; // how long calls fail before people are told
const SIGNALS = { SIGINT: 2, SIGTERM: 15 } as const;
const FOREVER = Number.POSITIVE_INFINITY;
const PATIENCE = { firstMilliseconds: 50, longestMilliseconds: 2000, attempts: FOREVER, totalMilliseconds: FOREVER };

declare const process: {
  readonly env: Readonly<Record<string, string | undefined>>;
  exit(code: number): never;
  on(signal: keyof typeof SIGNALS, listener: () => void): void;
};

/**
 * Makes a program of a bot, with Node.js: it plays every game that the bot is invited to, waits while no server answers,
 * and ends the process with the exit code 0, FAILED or CANNOT_PLAY.
 *
 * SHEDU_URL and SHEDU_TOKEN say where and as whom it plays, SHEDU_GAMES after how many games it ends. Messages for people
 * go to the standard error output. The report is the last line of the standard output, also when SIGTERM or Ctrl-C ends
 * the program.
 */
export async function runProgram(options: RunnerOptions): Promise<never> {
  const tell = options.notify ?? ((message: string) => console.error(message));
  try {
    return process.exit(await play(new Runner({ ...options, games: options.games ?? gamesWanted(), notify: tell })));
  } catch (problem) {
    tell(`${options.name ?? "bot"}: ${explanation(problem)}`);
    return process.exit(CANNOT_PLAY);
  }
}

async function play(runner: Runner): Promise<number> {
  const address = (process.env["SHEDU_URL"] || "http://localhost:8080").replace(/\/$/, "");
  const shedu = connect(address, runner);
  for (const [signal, number] of Object.entries(SIGNALS) as [keyof typeof SIGNALS, number][]) {
    process.on(signal, () => {
      print(runner);
      process.exit(128 + number); // as shells do
    });
  }
  runner.notify(`connecting to ${address}`);
  await shedu.titles();
  runner.notify(`connected to ${address}, waiting for invitations and decisions`);
  try {
    const { failures, lost } = await runner.run(shedu);
    return failures > 0 || lost > 0 ? FAILED : 0;
  } finally {
    print(runner);
  }
}

function connect(address: string, runner: Runner): Shedu {
  const interceptors = [waitingFor(address, (message) => runner.notify(message))];
  const transport = createConnectTransport({ baseUrl: address, useBinaryFormat: true, interceptors });
  return new Shedu(address, { transport, patience: PATIENCE, identity: process.env["SHEDU_TOKEN"] ?? "" });
}

/** Tells people once when no server has answered for a while, and once when one answers again. */
function waitingFor(address: string, tell: (message: string) => void): Interceptor {
  let deadSince: number | undefined;
  let told = false;
  const answered = () => {
    if (told) tell(`${address} is back`);
    deadSince = undefined;
    told = false;
  };
  const failed = (error: SheduError) => {
    if (!error.isTransient) return answered(); // an error that the server itself sent is an answer
    deadSince ??= performance.now();
    if (told || performance.now() - deadSince < QUIET_MILLISECONDS) return;
    told = true;
    tell(`waiting for ${address}: ${error.message}`);
  };
  return (next) => async (request) => {
    try {
      const response = await next(request);
      answered();
      return response;
    } catch (problem) {
      if (!request.signal.aborted) failed(SheduError.from(problem));
      throw problem;
    }
  };
}

function print(runner: Runner): void {
  console.log(JSON.stringify(runner.report));
}

function gamesWanted(): number {
  const value = process.env["SHEDU_GAMES"]?.trim() ?? "";
  if (!/^-?\d*$/.test(value)) throw new RangeError(`SHEDU_GAMES is not a number: ${value}`);
  return Number(value);
}

function explanation(problem: unknown): string {
  if (problem instanceof RangeError) return problem.message;
  const error = SheduError.from(problem);
  const text = error.reason ? `${error.message} (${error.reason})` : error.message;
  if (!error.reason.startsWith("TOKEN_")) return text;
  const token = process.env["SHEDU_TOKEN"];
  return `the server ${token ? "does not accept the token in SHEDU_TOKEN" : "needs a token, and SHEDU_TOKEN is not set"}: ${text}`;
}
