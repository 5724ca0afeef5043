import { newRequestId, TicketStatus } from "@shedu/client";
import { readStored, removeStored, writeStored } from "./browser_storage";
import { storeGivenSeat } from "./join";
import { limited, matching } from "./player_calls";
import { server } from "./server";

/** A wish for a game with strangers. It outlives the page: loading again goes on waiting. */
export interface WaitingTicket {
  title: string;
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

export function storedTicket(title: string): WaitingTicket | undefined {
  return readStored<WaitingTicket | undefined>(`ticket:${title}`, undefined);
}

export async function createTicket({ botsAfter, ...wish }: Wish): Promise<WaitingTicket> {
  const bots = botsAfter === undefined ? {} : { botsAfter: { seconds: BigInt(botsAfter), nanos: 0 } };
  const { ticket, ticketToken } = await matching.createTicket({ ...wish, ...bots, requestId: newRequestId() }, limited());
  const waiting = { title: wish.title, ticketId: ticket?.ticketId ?? "", ticketToken, since: Date.now() };
  writeStored(`ticket:${wish.title}`, waiting);
  return waiting;
}

export async function cancelTicket({ title, ticketId, ticketToken }: WaitingTicket): Promise<void> {
  await matching.cancelTicket({ ticketId, ticketToken }, limited());
  removeStored(`ticket:${title}`);
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
