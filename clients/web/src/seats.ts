import { removeStored, readStored, storedKeys, writeStored } from "./browser_storage";

/** A seat that this browser has. Its token is never part of a URL. */
export interface StoredSeat {
  gameId: string;
  title: string;
  seat: number;
  seatToken: string;
  /** The commitment of the game at the time of joining, in hex. */
  commitment: string;
  /** The tokens of all seats, in a sandbox. */
  seatTokens?: string[];
  at: number;
}

export function storedSeat(gameId: string): StoredSeat | undefined {
  return readStored<StoredSeat | undefined>(`seat:${gameId}`, undefined);
}

/** The spectator token of a game, if this browser has one. */
export function storedSpectatorToken(gameId: string): string | undefined {
  return readStored<string | undefined>(`watch:${gameId}`, undefined);
}

/** The token that this browser sends for a game. */
export function tokenFor(gameId: string): string | undefined {
  return storedSeat(gameId)?.seatToken ?? storedSpectatorToken(gameId);
}

export function storeSeat(seat: StoredSeat): void {
  writeStored(`seat:${seat.gameId}`, seat);
}

export function removeSeat(gameId: string): void {
  removeStored(`seat:${gameId}`);
}

/** Newest first. */
export function storedSeats(): StoredSeat[] {
  const seats = storedKeys("seat:").map((key) => readStored<StoredSeat | undefined>(key, undefined));
  return seats.filter((seat) => seat !== undefined).sort((one, other) => other.at - one.at);
}
