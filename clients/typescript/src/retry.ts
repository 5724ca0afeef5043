import { type CallOptions, Code, ConnectError } from "@connectrpc/connect";
import { SheduError } from "./errors.js";

/** How long to retry while no server answers; each pause is random below a limit that doubles. */
export interface Patience {
  firstMilliseconds: number;
  longestMilliseconds: number;
  attempts: number;
  /** How long a call may take with all its attempts and pauses; 30 seconds unless set. Streams are not limited. */
  totalMilliseconds?: number;
}

const TOTAL_MILLISECONDS = 30_000;
const ATTEMPT_MILLISECONDS = 10_000;
export const PATIENCE: Patience = {
  firstMilliseconds: 100,
  longestMilliseconds: 5000,
  attempts: Number.POSITIVE_INFINITY,
};

export function pauseBefore(attempt: number, patience: Patience, least = 0): number {
  const bound = Math.min(patience.longestMilliseconds, patience.firstMilliseconds * 2 ** attempt);
  return Math.max(least, bound * (0.5 + Math.random() / 2));
}

export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end, { once: true });
  });
}

const TOKEN = /^[!-~]+$/;

/** Returns the headers that send a token. A token that no header can hold is refused before a call. */
export function bearer(token: string | undefined): Record<string, string> {
  const sent = token?.trim();
  if (!sent) return {};
  if (TOKEN.test(sent)) return { Authorization: `Bearer ${sent}` };
  const problem = "a token has only printable ASCII characters, and no spaces";
  throw new SheduError(new ConnectError(problem, Code.Unauthenticated));
}

/** Returns a new id for a request, so that its repeated attempts take effect once. */
export function newRequestId(): string {
  // Not crypto.randomUUID: a page that came over http from another machine does not have it.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function callOptions(headers: Record<string, string>, signal?: AbortSignal, timeoutMs?: number): CallOptions {
  return { headers, ...(signal ? { signal } : {}), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

export interface Limits {
  patience?: Patience | undefined;
  /** The time limit of one attempt. */
  timeoutMilliseconds?: number | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Repeats a call until it is answered, as long as that may help and the patience lasts. A call that timed out may have
 * taken effect; to repeat it is safe, because whatever changes something has a request id, the same in every attempt.
 */
export async function persistently<T>(
  call: (options: CallOptions) => Promise<T>,
  token: string | undefined,
  limits: Limits,
): Promise<T> {
  const headers = bearer(token);
  const { patience = PATIENCE, timeoutMilliseconds = ATTEMPT_MILLISECONDS, signal } = limits;
  const end = performance.now() + (patience.totalMilliseconds ?? TOTAL_MILLISECONDS);
  for (let attempt = 0; ; attempt++) {
    const limit = Math.ceil(Math.max(1, Math.min(timeoutMilliseconds, end - performance.now())));
    try {
      return await call(callOptions(headers, signal, limit));
    } catch (problem) {
      const error = SheduError.from(problem);
      const pause = pauseAfter(error, attempt, patience);
      const isLast = attempt + 1 >= patience.attempts || performance.now() + pause >= end;
      if (isLast || signal?.aborted) throw error;
      await sleep(pause, signal);
    }
  }
}

/** Returns how long to wait before the next attempt; Infinity if waiting does not help. */
function pauseAfter(error: SheduError, attempt: number, patience: Patience): number {
  const asked = error.retryAfterMilliseconds;
  if (error.code === Code.ResourceExhausted) return (asked ?? Number.POSITIVE_INFINITY) * (1 + Math.random() / 10);
  return error.isTransient ? pauseBefore(attempt, patience, asked) : Number.POSITIVE_INFINITY;
}
