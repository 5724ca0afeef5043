import { MatchService, PlayerService } from "@shedu/client";
import { type CallOptions, createClient } from "@connectrpc/connect";
import { TIMEOUT_MILLISECONDS, transport } from "./server";

export const players = createClient(PlayerService, transport);
export const matching = createClient(MatchService, transport);

/** The time limit of a call, and the signal that ends it. */
export function limited(signal?: AbortSignal): CallOptions {
  return { timeoutMs: TIMEOUT_MILLISECONDS, ...(signal ? { signal } : {}) };
}
