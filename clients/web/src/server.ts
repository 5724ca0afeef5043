import { Code, Shedu, SheduError, type Table } from "@shedu/client";
import type { Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { account, needsAccount } from "./account";
import { noteRequest } from "./connection";
import { tokenFor } from "./seats";

/** Few and fast retries: a player is waiting, and the page offers to try again. */
export const TIMEOUT_MILLISECONDS = 10_000;
const PATIENCE = {
  firstMilliseconds: 150,
  longestMilliseconds: 1500,
  attempts: 4,
  totalMilliseconds: TIMEOUT_MILLISECONDS,
};

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

/** Calls that everyone may make on a server without identities. */
const OPEN_CALLS = new Set(["ListGames", "CreateGame", "JoinGame", "CreateTicket"]);

/** A call without the token of a seat is made by the account of this browser, if it has one. */
const identify: Interceptor = (next) => async (request) => {
  const key = account.get()?.key;
  const isAnonymous = !request.header.has("Authorization") && key === undefined;
  if (key !== undefined && !request.header.has("Authorization")) request.header.set("Authorization", `Bearer ${key}`);
  try {
    return await next(request);
  } catch (problem) {
    const isRefused = SheduError.from(problem).code === Code.Unauthenticated;
    if (isRefused && isAnonymous && OPEN_CALLS.has(request.method.name)) needsAccount.set(true);
    throw problem;
  }
};

const interceptors = [noteRequests, identify];
export const transport = createConnectTransport({ baseUrl: location.origin, useBinaryFormat: true, interceptors });

export const server = new Shedu(location.origin, {
  transport,
  patience: PATIENCE,
  timeoutMilliseconds: TIMEOUT_MILLISECONDS,
});

/** The client of a game, with the token of this browser's seat or as a spectator. */
export function tableOf(gameId: string): Table {
  return server.table(gameId, tokenFor(gameId));
}
