import type { InboxItem, InboxUpdate } from "@shedu/client";
import { useEffect } from "preact/hooks";
import { recall, remember } from "./keep";
import { type KeptSeat, keptSeats } from "./seats";
import { server } from "./server";
import { createStore } from "./store";

/** What wants attention, by game: the newest of each. */
export const news = createStore<ReadonlyMap<string, InboxItem>>(new Map());

/** A browser opens few connections to one server at a time, over all its tabs; the newest tables are followed. */
const FOLLOWED = 3;

/** Where an inbox goes on, and whether its game is over. */
interface Place {
  cursor: string;
  over: boolean;
}

const place = (gameId: string) => recall<Place>(`inbox:${gameId}`, { cursor: "", over: false });

function tell(gameId: string, item: InboxItem | undefined): void {
  const changed = new Map(news.get());
  if (item) changed.set(gameId, item);
  else changed.delete(gameId);
  news.set(changed);
}

/** Nothing of this game is news any more: it was looked at. */
export function looked(gameId: string): void {
  if (news.get().has(gameId)) tell(gameId, undefined);
}

/** Each seat has an inbox of its own, which its token opens; no account is needed. */
async function follow(seat: KeptSeat, signal: AbortSignal): Promise<void> {
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
  remember(`inbox:${gameId}`, { cursor: update.cursor, over: over || place(gameId).over });
}

function followAll(signal: AbortSignal): void {
  const seats = keptSeats().filter((seat) => !place(seat.gameId).over);
  // A seat that was lost has no inbox; its page says so.
  for (const seat of seats.slice(0, FOLLOWED)) void follow(seat, signal).catch(() => undefined);
}

/** Follows the inboxes while the page is in sight. */
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
