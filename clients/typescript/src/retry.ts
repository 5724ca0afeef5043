import { type CallOptions, Code } from "@connectrpc/connect";
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

export function callOptions(headers: Record<string, string>, signal?: AbortSignal, timeoutMs?: number): CallOptions {
  return { headers, ...(signal ? { signal } : {}), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

/** Repeats a call that may be repeated until it is answered. A call that timed out is not repeated. */
export async function persistently<T>(call: () => Promise<T>, patience = PATIENCE, signal?: AbortSignal): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (problem) {
      const error = SheduError.from(problem);
      const isWorthIt = error.isTransient && error.code !== Code.DeadlineExceeded;
      if (!isWorthIt || attempt + 1 >= patience.attempts || signal?.aborted) throw error;
      await sleep(pauseBefore(attempt, patience, error.retryAfterMilliseconds), signal);
    }
  }
}
