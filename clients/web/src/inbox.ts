import type { InboxItem, InboxUpdate } from "@shedu/client";
import { useEffect } from "preact/hooks";
import { noteStream } from "./connection";
import { readStored, writeStored } from "./browser_storage";
import { preferences } from "./preferences";
import { type StoredSeat, storedSeats } from "./seats";
import { server } from "./server";
import { createStore } from "./store";
import { looks, type Turn } from "./stream_turns";

/** The newest unseen inbox item of each game. */
export const news = createStore<ReadonlyMap<string, InboxItem>>(new Map());

/** How many games are followed, the newest ones. */
const FOLLOWED = 10;
const PAUSE_MILLISECONDS = 3_000;
/** A short call that is silent for longer is repeated. */
const SILENCE_MILLISECONDS = 8_000;

/** The cursor to resume an inbox from, and whether its game is over. */
interface Place {
  cursor: string;
  over: boolean;
}

const place = (gameId: string) => readStored<Place>(`inbox:${gameId}`, { cursor: "", over: false });

function tell(gameId: string, item: InboxItem | undefined): void {
  const changed = new Map(news.get());
  if (item) changed.set(gameId, item);
  else changed.delete(gameId);
  news.set(changed);
}

/** Removes the news of a game that the player has opened. */
export function clearNews(gameId: string): void {
  if (news.get().has(gameId)) tell(gameId, undefined);
}

/** Reads what is new in the inbox of one seat, which is opened by the seat token: no account is needed. */
async function look({ gameId, seatToken }: StoredSeat, signal: AbortSignal): Promise<void> {
  const { cursor } = place(gameId);
  let last: InboxItem | undefined;
  for await (const update of server.inbox({ seatToken, cursor, signal, silenceMilliseconds: SILENCE_MILLISECONDS })) {
    if (signal.aborted) return;
    keep(gameId, update);
    if (update.kind === "lost") noteStream(false);
    if (update.kind === "item") last = update.item;
    if (update.kind === "caughtUp") break;
  }
  noteStream(true);
  // An inbox tells a decision until it is made, and the end only once.
  if (last || news.get().get(gameId)?.kind.case !== "finished") tell(gameId, last);
}

function keep(gameId: string, update: InboxUpdate): void {
  if (update.kind !== "item" && update.kind !== "caughtUp") return;
  const over = update.kind === "item" && update.item.kind.case === "finished";
  writeStored(`inbox:${gameId}`, { cursor: update.cursor, over: over || place(gameId).over });
}

/** One seat after the other, so that all take one connection. */
async function lookAtAll({ signal }: Turn): Promise<void> {
  const seats = storedSeats().filter((seat) => !place(seat.gameId).over);
  for (const seat of seats.slice(0, FOLLOWED)) {
    if (signal.aborted) return;
    // It fails if the seat is lost; the page of the game shows that.
    await look(seat, signal).catch(() => undefined);
  }
}

/** Follows the inboxes while the page is visible, and in the background if notifications are on. */
export function useInbox(wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return;
    const ended = new AbortController();
    const run = async () => {
      for await (const turn of looks(PAUSE_MILLISECONDS, () => preferences.get().notify, ended.signal)) await lookAtAll(turn);
    };
    void run();
    return () => {
      ended.abort();
      noteStream(true);
    };
  }, [wanted]);
}
