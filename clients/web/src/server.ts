import { Shedu, type Table } from "@shedu/client";
import { keyTo } from "./seats";

/** A person waits: a failure is told soon, with a way to try again. */
const PATIENCE = { firstMilliseconds: 150, longestMilliseconds: 1500, attempts: 4 };

export const server = new Shedu(location.origin, { patience: PATIENCE });

/** The game through the eyes of the seat this browser has taken, if it did, or of a spectator. */
export function tableOf(gameId: string): Table {
  return server.table(gameId, keyTo(gameId));
}
