import { GoAwayReason, type InboxItem, type WatchInboxResponse } from "./gen/shedu/v1/game_service_pb.js";
import { type Interruption, reopening, type StreamOptions } from "./stream.js";

/** An item that needs the attention of the caller. Store `cursor` to resume after it. */
export type InboxUpdate = { kind: "item"; item: InboxItem; cursor: string } | { kind: "caughtUp"; cursor: string } | Interruption;

export interface InboxOptions extends StreamOptions {
  /** The last cursor received; by default the stream begins with what is pending. */
  cursor?: string;
}

export type OpenInbox = (cursor: string, signal: AbortSignal) => AsyncIterable<WatchInboxResponse>;

/** Streams an inbox without end, that of a seat until its game is over. Items that are still pending after a reconnect are not repeated. */
export async function* followInbox(open: OpenInbox, options: InboxOptions = {}): AsyncGenerator<InboxUpdate, void> {
  let cursor = options.cursor ?? "";
  const told = new Set<string>();
  for await (const received of reopening((signal) => open(cursor, signal), options)) {
    if (received.kind !== "message") {
      yield received;
      continue;
    }
    const { kind, cursor: next } = received.message;
    cursor = next || cursor;
    if (kind.case === "caughtUp") yield { kind: "caughtUp", cursor };
    if (kind.case === "goAway" && kind.value.reason === GoAwayReason.FINISHED) return;
    if (kind.case !== "item" || told.has(keyOf(kind.value))) continue;
    told.add(keyOf(kind.value));
    yield { kind: "item", item: kind.value, cursor };
  }
}

/** Returns a key that is the same for two copies of an item. */
function keyOf({ gameId, seat, version, kind }: InboxItem): string {
  const question = kind.case === "decision" ? kind.value.decisionId : kind.case === "proposal" ? kind.value.proposalId : version;
  return `${gameId}/${seat}/${kind.case}/${question}`;
}
