import { Code, Shedu, SheduError, type Table } from "@shedu/client";
import type { Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { noteRequest } from "./connection";
import { tokenFor } from "./seats";

/** Few and fast retries: a player is waiting, and the page offers to try again. */
const PATIENCE = { firstMilliseconds: 150, longestMilliseconds: 1500, attempts: 4 };
const TIMEOUT_MILLISECONDS = 10_000;

/** Tells the connection banner whether the server answers. Streams tell it themselves, see `live_game.ts`. */
const noteRequests: Interceptor = (next) => async (request) => {
  if (request.stream) return next(request);
  try {
    const response = await next(request);
    noteRequest(true);
    return response;
  } catch (problem) {
    const error = SheduError.from(problem);
    if (error.code !== Code.Canceled) noteRequest(!error.isTransient);
    throw problem;
  }
};

const transport = createConnectTransport({ baseUrl: location.origin, useBinaryFormat: true, interceptors: [noteRequests] });

export const server = new Shedu(location.origin, {
  transport,
  patience: PATIENCE,
  timeoutMilliseconds: TIMEOUT_MILLISECONDS,
});

/** The client of a game, with the token of this browser's seat or as a spectator. */
export function tableOf(gameId: string): Table {
  return server.table(gameId, tokenFor(gameId));
}
