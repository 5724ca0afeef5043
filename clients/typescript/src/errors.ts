import { fromBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { adviceFor, deepestMessage } from "./causes.js";
import { type ErrorInfo, type FieldViolation, readErrorInfo, readFieldViolations, readRetryDelay } from "./details.js";
import { type MissedEvents, MissedEventsSchema } from "./gen/shedu/v1/error_reason_pb.js";

/**
 * The error of a failed call.
 *
 * `reason` is one of ErrorReason without its prefix, such as "GAME_NOT_FOUND", or one of the title if the rules
 * refuse. It is empty if no server answered.
 */
export class SheduError extends Error {
  override readonly name = "SheduError";
  readonly code: Code;
  readonly reason: string;
  /** The rule behind a refusal, such as "TT-2". */
  readonly rule: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly fieldViolations: readonly FieldViolation[];
  /** The events that a stale caller has missed. */
  readonly missed: MissedEvents | undefined;
  /** When to try again, if the server said so. */
  readonly retryAfterMilliseconds: number | undefined;

  constructor(cause: ConnectError) {
    const info = detail(cause, "google.rpc.ErrorInfo", readErrorInfo) ?? NO_INFO;
    const advice = info.reason ? undefined : adviceFor(cause.cause);
    super(advice ?? explained(cause), { cause });
    this.code = advice ? Code.Unimplemented : cause.code;
    this.reason = info.reason;
    this.metadata = info.metadata;
    this.rule = info.metadata["rule"];
    this.fieldViolations = detail(cause, "google.rpc.BadRequest", readFieldViolations) ?? [];
    this.retryAfterMilliseconds = detail(cause, "google.rpc.RetryInfo", readRetryDelay);
    this.missed = cause.findDetails(MissedEventsSchema)[0];
  }

  /** Whether the rules of the title refused the action. */
  get isRefusal(): boolean {
    return this.code === Code.FailedPrecondition && this.rule !== undefined;
  }

  /** Whether the caller had an older version: `missed` has the events since. */
  get isStale(): boolean {
    return this.code === Code.Aborted && this.missed !== undefined;
  }

  /** Whether the same call may succeed later: the server was down, or could not be reached. */
  get isTransient(): boolean {
    return this.code === Code.Unavailable || (this.reason === "" && UNANSWERED.has(this.code));
  }

  static from(problem: unknown): SheduError {
    return problem instanceof SheduError ? problem : new SheduError(ConnectError.from(problem));
  }
}

const NO_INFO: ErrorInfo = { reason: "", domain: "", metadata: {} };
const UNANSWERED = new Set([Code.Unknown, Code.Internal, Code.DeadlineExceeded]);

/** Adds what Node.js says about a connection that failed: "fetch failed" alone helps nobody. */
function explained({ rawMessage, cause }: ConnectError): string {
  const deepest = deepestMessage(cause);
  return deepest && !rawMessage.includes(deepest) ? `${rawMessage}: ${deepest}` : rawMessage;
}

function detail<T>(error: ConnectError, type: string, read: (bytes: Uint8Array) => T): T | undefined {
  for (const found of error.details) {
    if ("type" in found && found.type === type) return read(found.value);
  }
  return undefined;
}
