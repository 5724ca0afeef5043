import { forget, recall, recalledKeys, remember } from "./keep";

/** A seat this browser has taken. The token stays here: it is never part of an address. */
export interface KeptSeat {
  gameId: string;
  title: string;
  seat: number;
  seatToken: string;
  /** What the luck was bound to when this seat was taken, in hex. */
  commitment: string;
  /** By seat, where all of them are this browser's: in a sandbox. */
  seatTokens?: string[];
  at: number;
}

export function keptSeat(gameId: string): KeptSeat | undefined {
  return recall<KeptSeat | undefined>(`seat:${gameId}`, undefined);
}

/** What opens a game to this browser as a spectator, where one needs it. */
export function keptWatch(gameId: string): string | undefined {
  return recall<string | undefined>(`watch:${gameId}`, undefined);
}

/** What this browser shows to look into a game. */
export function keyTo(gameId: string): string | undefined {
  return keptSeat(gameId)?.seatToken ?? keptWatch(gameId);
}

export function keepSeat(seat: KeptSeat): void {
  remember(`seat:${seat.gameId}`, seat);
}

export function dropSeat(gameId: string): void {
  forget(`seat:${gameId}`);
}

/** Newest first. */
export function keptSeats(): KeptSeat[] {
  const seats = recalledKeys("seat:").map((key) => recall<KeptSeat | undefined>(key, undefined));
  return seats.filter((seat) => seat !== undefined).sort((one, other) => other.at - one.at);
}
