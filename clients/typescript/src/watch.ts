import { Code, ConnectError } from "@connectrpc/connect";
import { SheduError } from "./errors.js";
import type { Event, View } from "./gen/shedu/v1/game_pb.js";
import { GoAwayReason, type WatchGameResponse } from "./gen/shedu/v1/game_service_pb.js";
import { type Interruption, reopening, type StreamOptions } from "./stream.js";

/** An update for a watcher. Views and events come in order, each version once, also across reconnects. */
export type Update =
  | { kind: "snapshot"; view: View }
  | { kind: "happened"; events: Event[]; view: View }
  | { kind: "caughtUp"; version: bigint }
  | Interruption;

export interface WatchOptions extends StreamOptions {
  /** The last version already seen; by default the stream begins now. 0 begins with the first event. */
  afterVersion?: bigint;
}

export type OpenGame = (afterVersion: bigint | undefined, signal: AbortSignal) => AsyncIterable<WatchGameResponse>;

/** Streams a game until its end, over as many connections as needed. */
export async function* follow(open: OpenGame, options: WatchOptions = {}): AsyncGenerator<Update, void> {
  const course = new Course(options.afterVersion);
  for await (const received of reopening((signal) => open(course.version, signal), options)) {
    if (received.kind === "message") yield* course.take(received.message);
    else yield received;
    if (course.finished) return;
  }
}

/** The position of a watcher. */
class Course {
  finished = false;
  version: bigint | undefined;
  private begun = false;

  constructor(afterVersion: bigint | undefined) {
    this.version = afterVersion;
  }

  *take({ kind }: WatchGameResponse): Generator<Update> {
    if (kind.case === "snapshot") yield* this.begin(kind.value);
    if (kind.case === "happened" && kind.value.view) yield* this.go(kind.value.events, kind.value.view);
    if (kind.case === "caughtUp") yield { kind: "caughtUp", version: kind.value.version };
    if (kind.case === "goAway") this.finished = kind.value.reason === GoAwayReason.FINISHED;
  }

  private *begin(view: View): Generator<Update> {
    if (this.version !== undefined && view.version > this.version) throw gap(this.version, view.version);
    if (!this.begun) yield { kind: "snapshot", view };
    this.begun = true;
    this.version ??= view.version;
  }

  private *go(events: Event[], view: View): Generator<Update> {
    const seen = this.version ?? 0n;
    const fresh = events.filter((event) => event.version > seen);
    const [first] = fresh;
    if (first === undefined) return;
    if (first.version !== seen + 1n) throw gap(seen, first.version);
    this.version = view.version;
    yield { kind: "happened", events: fresh, view };
  }
}

function gap(seen: bigint, version: bigint): SheduError {
  return new SheduError(new ConnectError(`the stream leaps from version ${seen} to ${version}`, Code.DataLoss));
}
