import { newRequestId, TicketStatus } from "@shedu/client";
import { account } from "./account";
import { readStored, removeStored, writeStored } from "./browser_storage";
import { storeGivenSeat } from "./join";
import { limited, matching } from "./player_calls";
import { server } from "./server";

/** A wish for a game with strangers. It outlives the page: loading again goes on waiting. */
export interface WaitingTicket {
  title: string;
  wish: Wish;
  ticketId: string;
  ticketToken: string;
  /** Milliseconds since 1970. */
  since: number;
}

/** What a player wishes of a game with strangers. */
export interface Wish {
  title: string;
  displayName: string;
  rated: boolean;
  /** Bots take free seats after so many seconds; never if undefined. */
  botsAfter: number | undefined;
}

/** The ticket that this tab cancelled when its page was closed. */
const LEFT = "shedu:left";

export function storedTicket(title: string): WaitingTicket | undefined {
  return readStored<WaitingTicket | undefined>(`ticket:${title}`, undefined);
}

export async function createTicket(whole: Wish): Promise<WaitingTicket> {
  const { botsAfter, ...wish } = whole;
  const bots = botsAfter === undefined ? {} : { botsAfter: { seconds: BigInt(botsAfter), nanos: 0 } };
  const { ticket, ticketToken } = await matching.createTicket({ ...wish, ...bots, requestId: newRequestId() }, limited());
  const waiting = { title: wish.title, wish: whole, ticketId: ticket?.ticketId ?? "", ticketToken, since: Date.now() };
  writeStored(`ticket:${wish.title}`, waiting);
  return waiting;
}

export async function cancelTicket({ title, ticketId, ticketToken }: WaitingTicket): Promise<void> {
  await matching.cancelTicket({ ticketId, ticketToken }, limited());
  removeStored(`ticket:${title}`);
}

/**
 * Cancels as the page is closed, with a call that outlives it. No browser tells closing from loading again: a tab that
 * is loaded again asks anew.
 */
export function leaveTicket({ ticketId, ticketToken }: WaitingTicket): void {
  const mine = account.get();
  const headers = { "Content-Type": "application/json", ...(mine ? { Authorization: `Bearer ${mine.key}` } : {}) };
  const request = { method: "POST", keepalive: true, headers, body: JSON.stringify({ ticketToken }) };
  fetch(`/v1/tickets/${ticketId}:cancel`, request).catch(() => undefined);
  sessionStorage.setItem(LEFT, ticketId);
}

/** Returns the ticket, or a new one with the same wish if this tab cancelled it before it was loaded again. */
export async function resumedTicket(ticket: WaitingTicket): Promise<WaitingTicket> {
  if (sessionStorage.getItem(LEFT) !== ticket.ticketId) return ticket;
  sessionStorage.removeItem(LEFT);
  try {
    await cancelTicket(ticket); // the call of the closed page may still be on its way
  } catch {
    return ticket; // it has led to a game
  }
  return createTicket(ticket.wish);
}

/** Looks once. Returns the game that was found, whose seat is stored; "gone" if nobody is waited for any more. */
export async function lookAtTicket({ title, ticketId, ticketToken }: WaitingTicket, signal: AbortSignal): Promise<string | undefined> {
  const { ticket, seatToken } = await matching.getTicket({ ticketId, ticketToken }, limited(signal));
  if (ticket?.status === TicketStatus.WAITING) return undefined;
  if (ticket?.status !== TicketStatus.MATCHED) {
    removeStored(`ticket:${title}`);
    return "gone";
  }
  storeGivenSeat(await server.table(ticket.gameId, seatToken).game(signal), ticket.seat, seatToken);
  removeStored(`ticket:${title}`);
  return ticket.gameId;
}
