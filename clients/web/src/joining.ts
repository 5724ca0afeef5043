import type { Game, Joined } from "@shedu/client";
import { recall, remember } from "./keep";
import { keepSeat, keptWatch } from "./seats";
import { server } from "./server";

export const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Takes a seat, adds to the luck, and keeps the token in this browser. */
export async function sitDown(
  gameId: string,
  wishes: { displayName: string; inviteCode?: string; seat?: number },
): Promise<Joined> {
  const clientSeed = crypto.getRandomValues(new Uint8Array(16));
  const joined = await server.join(gameId, { ...wishes, displayName: wishes.displayName.trim(), clientSeed });
  keepGiven(joined.game, joined.seat, joined.seatToken);
  return joined;
}

/** Keeps a seat that a call other than joining handed out. */
export function keepGiven(game: Game, seat: number, seatToken: string, seatTokens?: string[]): void {
  const all = seatTokens ? { seatTokens } : {};
  keepSeat({ gameId: game.gameId, title: game.title, seat, seatToken, commitment: hex(game.commitment), at: Date.now(), ...all });
}

/** The invitation to a private game, for those who opened it to pass on. */
export function keepInvite(gameId: string, inviteCode: string): void {
  if (inviteCode) remember(`invite:${gameId}`, inviteCode);
}

/** What opens a game to spectators, for those who opened it to pass on and for those who got it. */
export function keepWatch(gameId: string, spectatorToken: string): void {
  if (spectatorToken) remember(`watch:${gameId}`, spectatorToken);
}

/** The link to send to spectators, where they need one. */
export function watchLinkTo(gameId: string): string | undefined {
  const token = keptWatch(gameId);
  return token && `${location.origin}/games/${gameId}#watch=${encodeURIComponent(token)}`;
}

/** The link to send to others. The fragment is not sent to servers. */
export function linkTo(gameId: string): string {
  const invite = recall(`invite:${gameId}`, "");
  return `${location.origin}/games/${gameId}${invite ? `#invite=${encodeURIComponent(invite)}` : ""}`;
}
