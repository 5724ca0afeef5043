import type { Game, Joined } from "@shedu/client";
import { readStored, writeStored } from "./browser_storage";
import { storeSeat, storedSpectatorToken } from "./seats";
import { server } from "./server";

export const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Joins a game with a random client seed, and stores the seat token. */
export async function joinGame(
  gameId: string,
  wishes: { displayName: string; inviteCode?: string; seat?: number },
): Promise<Joined> {
  const clientSeed = crypto.getRandomValues(new Uint8Array(16));
  const joined = await server.join(gameId, { ...wishes, displayName: wishes.displayName.trim(), clientSeed });
  storeGivenSeat(joined.game, joined.seat, joined.seatToken);
  return joined;
}

/** Stores a seat that another call than `join` returned: a fork or a rematch. */
export function storeGivenSeat(game: Game, seat: number, seatToken: string, seatTokens?: string[]): void {
  const all = seatTokens ? { seatTokens } : {};
  storeSeat({ gameId: game.gameId, title: game.title, seat, seatToken, commitment: hex(game.commitment), at: Date.now(), ...all });
}

/** Stores the invite code of a game, to show the link to its creator. */
export function storeInvite(gameId: string, inviteCode: string): void {
  if (inviteCode) writeStored(`invite:${gameId}`, inviteCode);
}

/** Stores the spectator token of a game: its creator shares it, others got it by link. */
export function storeSpectatorToken(gameId: string, spectatorToken: string): void {
  if (spectatorToken) writeStored(`watch:${gameId}`, spectatorToken);
}

/** The spectator link, if the game needs one. */
export function watchLinkTo(gameId: string): string | undefined {
  const token = storedSpectatorToken(gameId);
  return token && `${location.origin}/games/${gameId}#watch=${encodeURIComponent(token)}`;
}

/** The invitation link. Its code is in the fragment, which browsers do not send to servers. */
export function linkTo(gameId: string): string {
  const invite = readStored(`invite:${gameId}`, "");
  return `${location.origin}/games/${gameId}${invite ? `#invite=${encodeURIComponent(invite)}` : ""}`;
}
