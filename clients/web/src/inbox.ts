import type { InboxItem, InboxUpdate } from "@shedu/client";
import { useEffect } from "preact/hooks";
import { readStored, writeStored } from "./browser_storage";
import { type StoredSeat, storedSeats } from "./seats";
import { server } from "./server";
import { createStore } from "./store";

/** The newest unseen inbox item of each game. */
export const news = createStore<ReadonlyMap<string, InboxItem>>(new Map());

/** How many games are followed. Browsers open at most six connections to a server, over all tabs. */
const FOLLOWED = 3;

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

/** Follows the inbox of one seat, which is opened by the seat token: no account is needed. */
async function follow(seat: StoredSeat, signal: AbortSignal): Promise<void> {
  const { gameId, seatToken } = seat;
  const pending: InboxItem[] = [];
  let isOpen = false;
  for await (const update of server.inbox({ seatToken, cursor: place(gameId).cursor, signal })) {
    if (signal.aborted) return;
    keep(gameId, update);
    if (update.kind === "item" && isOpen) tell(gameId, update.item);
    if (update.kind === "item") pending.push(update.item);
    if (update.kind === "caughtUp" && !isOpen) {
      isOpen = true;
      const last = pending.at(-1);
      if (last || news.get().get(gameId)?.kind.case !== "finished") tell(gameId, last);
    }
  }
}

function keep(gameId: string, update: InboxUpdate): void {
  if (update.kind !== "item" && update.kind !== "caughtUp") return;
  const over = update.kind === "item" && update.item.kind.case === "finished";
  writeStored(`inbox:${gameId}`, { cursor: update.cursor, over: over || place(gameId).over });
}

function followAll(signal: AbortSignal): void {
  const seats = storedSeats().filter((seat) => !place(seat.gameId).over);
  // The stream fails if the seat is lost; the page of the game shows that.
  for (const seat of seats.slice(0, FOLLOWED)) void follow(seat, signal).catch(() => undefined);
}

/** Follows the inboxes while the page is visible. */
export function useInbox(wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return;
    let ended = new AbortController();
    const look = () => {
      ended.abort();
      ended = new AbortController();
      if (!document.hidden) followAll(ended.signal);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      ended.abort();
    };
  }, [wanted]);
}
