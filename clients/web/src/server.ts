import { Shedu, type Table } from "@shedu/client";
import { tokenFor } from "./seats";

/** Few and fast retries: a player is waiting, and the page offers to try again. */
const PATIENCE = { firstMilliseconds: 150, longestMilliseconds: 1500, attempts: 4 };

export const server = new Shedu(location.origin, { patience: PATIENCE });

/** The client of a game, with the token of this browser's seat or as a spectator. */
export function tableOf(gameId: string): Table {
  return server.table(gameId, tokenFor(gameId));
}
