import { type CallOptions, Code, ConnectError } from "@connectrpc/connect";
import { SheduError } from "./errors.js";

/** How long to retry while no server answers; each pause is random below a limit that doubles. */
export interface Patience {
  firstMilliseconds: number;
  longestMilliseconds: number;
  attempts: number;
}

export const PATIENCE: Patience = { firstMilliseconds: 100, longestMilliseconds: 5000, attempts: 8 };

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

export function callOptions(headers: Record<string, string>, signal?: AbortSignal, timeoutMs?: number): CallOptions {
  return { headers, ...(signal ? { signal } : {}), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

/**
 * Repeats a call that may be repeated until it is answered: no server was reached, or a limit asks for a short pause. A
 * call that timed out is not repeated.
 */
export async function persistently<T>(call: () => Promise<T>, patience = PATIENCE, signal?: AbortSignal): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (problem) {
      const error = SheduError.from(problem);
      if (!isWorthIt(error, patience) || attempt + 1 >= patience.attempts || signal?.aborted) throw error;
      await sleep(pauseBefore(attempt, patience, error.retryAfterMilliseconds), signal);
    }
  }
}

function isWorthIt({ code, isTransient, retryAfterMilliseconds }: SheduError, patience: Patience): boolean {
  if (code !== Code.ResourceExhausted) return isTransient && code !== Code.DeadlineExceeded;
  return retryAfterMilliseconds !== undefined && retryAfterMilliseconds <= patience.longestMilliseconds;
}
