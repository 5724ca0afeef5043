import { Code } from "@connectrpc/connect";
import { SheduError } from "./errors.js";
import { type Patience, PATIENCE, pauseBefore, sleep } from "./retry.js";

export interface StreamOptions {
  signal?: AbortSignal;
  /** A stream that is silent for longer counts as broken. */
  silenceMilliseconds?: number;
  patience?: Patience;
}

/** Reports that the connection was lost, or resumed. */
export type Interruption = { kind: "lost"; error: SheduError | undefined; attempt: number } | { kind: "resumed" };

export type Received<M> = { kind: "message"; message: M } | Interruption;

/** Reopens a stream whenever it ends, until the receiver stops. `open` makes the request that resumes it. */
export async function* reopening<M>(
  open: (signal: AbortSignal) => AsyncIterable<M>,
  options: StreamOptions,
): AsyncGenerator<Received<M>, void> {
  let isLost = false;
  for (let attempt = 0; !options.signal?.aborted; attempt++) {
    const connection = new Connection(open, options);
    let error: SheduError | undefined;
    try {
      for await (const message of connection.messages()) {
        if (isLost) yield { kind: "resumed" };
        isLost = false;
        attempt = 0;
        yield { kind: "message", message };
      }
    } catch (problem) {
      error = connection.isSilent ? undefined : SheduError.from(problem);
      if (options.signal?.aborted) return;
      if (error !== undefined && !isPassing(error)) throw error;
    } finally {
      connection.close();
    }
    isLost = true;
    yield { kind: "lost", error, attempt };
    await rest(attempt, options, error);
  }
}

async function rest(attempt: number, options: StreamOptions, error: SheduError | undefined): Promise<void> {
  const pause = pauseBefore(attempt, options.patience ?? PATIENCE, error?.retryAfterMilliseconds);
  await sleep(pause, options.signal).catch(() => undefined);
}

function isPassing({ code, isTransient, retryAfterMilliseconds }: SheduError): boolean {
  if (code === Code.ResourceExhausted) return retryAfterMilliseconds !== undefined;
  return isTransient || code === Code.Canceled;
}

/** One stream, which ends when it is aborted or silent for too long. */
class Connection<M> {
  isSilent = false;
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly open: (signal: AbortSignal) => AsyncIterable<M>;
  private readonly options: StreamOptions;
  private readonly end = () => this.controller.abort();

  constructor(open: (signal: AbortSignal) => AsyncIterable<M>, options: StreamOptions) {
    this.open = open;
    this.options = options;
    options.signal?.addEventListener("abort", this.end, { once: true });
  }

  async *messages(): AsyncGenerator<M> {
    this.listen();
    for await (const message of this.open(this.controller.signal)) {
      this.listen();
      yield message;
    }
  }

  close(): void {
    clearTimeout(this.timer);
    this.options.signal?.removeEventListener("abort", this.end);
    this.controller.abort();
  }

  private listen(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.isSilent = true;
      this.end();
    }, this.options.silenceMilliseconds ?? 45_000);
  }
}
