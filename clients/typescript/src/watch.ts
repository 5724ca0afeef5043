import { Code } from "@connectrpc/connect";
import { SheduError } from "./errors.js";
import type { Event, View } from "./gen/shedu/v1/game_pb.js";
import { GoAwayReason, type WatchGameResponse } from "./gen/shedu/v1/game_service_pb.js";
import { type Patience, PATIENCE, pauseBefore, sleep } from "./retry.js";

/** What a watcher is told. Views and events come in order, each version once, whatever happens to the connection. */
export type Update =
  | { kind: "snapshot"; view: View }
  | { kind: "happened"; events: Event[]; view: View }
  | { kind: "caughtUp"; version: bigint }
  | { kind: "lost"; error: SheduError | undefined; attempt: number }
  | { kind: "resumed" };

export interface WatchOptions {
  /** The last version already seen; left out, begin now. 0 begins with the first event. */
  afterVersion?: bigint;
  signal?: AbortSignal;
  /** A stream that is silent for longer is taken for dead. */
  silenceMilliseconds?: number;
  patience?: Patience;
}

export type Open = (afterVersion: bigint | undefined, signal: AbortSignal) => AsyncIterable<WatchGameResponse>;

/** Follows a game to its end, over as many connections as it takes. */
export async function* follow(open: Open, options: WatchOptions = {}): AsyncGenerator<Update, void> {
  const course = new Course(options.afterVersion);
  for (let attempt = 0; !course.finished; ) {
    const connection = new Connection(open, options);
    try {
      for await (const message of connection.messages(course.version)) {
        if (course.isLost) yield course.find();
        attempt = 0;
        yield* course.take(message);
      }
      if (course.finished || options.signal?.aborted) return;
      yield course.lose(undefined, attempt);
    } catch (problem) {
      if (options.signal?.aborted) return;
      const error = connection.isSilent ? undefined : SheduError.from(problem);
      if (error !== undefined && !isPassing(error)) throw error;
      yield course.lose(error, attempt);
      await sleep(pauseBefore(attempt, options.patience ?? PATIENCE, error?.retryAfterMilliseconds), options.signal);
    } finally {
      connection.close();
    }
    attempt++;
  }
}

function isPassing(error: SheduError): boolean {
  return error.isTransient || error.code === Code.ResourceExhausted || error.code === Code.Canceled;
}

/** How far a watcher has got. */
class Course {
  finished = false;
  isLost = false;
  version: bigint | undefined;
  private begun = false;

  constructor(afterVersion: bigint | undefined) {
    this.version = afterVersion;
  }

  lose(error: SheduError | undefined, attempt: number): Update {
    this.isLost = true;
    return { kind: "lost", error, attempt };
  }

  find(): Update {
    this.isLost = false;
    return { kind: "resumed" };
  }

  *take({ kind }: WatchGameResponse): Generator<Update> {
    if (kind.case === "snapshot") yield* this.begin(kind.value);
    if (kind.case === "happened" && kind.value.view) yield* this.go(kind.value.events, kind.value.view);
    if (kind.case === "caughtUp") yield { kind: "caughtUp", version: kind.value.version };
    if (kind.case === "goAway") this.finished = kind.value.reason === GoAwayReason.FINISHED;
  }

  private *begin(view: View): Generator<Update> {
    if (!this.begun) yield { kind: "snapshot", view };
    this.begun = true;
    this.version ??= view.version;
  }

  private *go(events: Event[], view: View): Generator<Update> {
    const seen = this.version ?? 0n;
    const fresh = events.filter((event) => event.version > seen);
    if (fresh.length === 0) return;
    this.version = view.version;
    yield { kind: "happened", events: fresh, view };
  }
}

/** One stream, ended from outside or by its silence. */
class Connection {
  isSilent = false;
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly open: Open;
  private readonly options: WatchOptions;
  private readonly end = () => this.controller.abort();

  constructor(open: Open, options: WatchOptions) {
    this.open = open;
    this.options = options;
    options.signal?.addEventListener("abort", this.end, { once: true });
    if (options.signal?.aborted) this.end();
  }

  async *messages(afterVersion: bigint | undefined): AsyncGenerator<WatchGameResponse> {
    this.listen();
    for await (const message of this.open(afterVersion, this.controller.signal)) {
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
