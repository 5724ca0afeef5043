import { createStore, type Store } from "./store";

/** Whether the server can be reached: what the connection banner shows. */
export type Reachability = "live" | "lost" | "offline";

const PROBE_MILLISECONDS = 2_000;

let requestsFail = false;
let streamFails = false;
let probe: ReturnType<typeof setTimeout> | undefined;

export const connection: Store<Reachability> = createStore(state());

function state(): Reachability {
  if (!navigator.onLine) return "offline";
  return requestsFail || streamFails ? "lost" : "live";
}

function look(): void {
  connection.set(state());
  clearTimeout(probe);
  if (requestsFail && navigator.onLine) probe = setTimeout(() => void ask(), PROBE_MILLISECONDS);
}

/** A request was answered, or the server could not be reached. */
export function noteRequest(isAnswered: boolean): void {
  requestsFail = !isAnswered;
  look();
}

/** The stream of the open game is up, or lost. */
export function noteStream(isUp: boolean): void {
  streamFails = !isUp;
  look();
}

/** Asks whether the server is back: no page may have a reason of its own to call it. */
async function ask(): Promise<void> {
  const answer = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  noteRequest(answer?.ok ?? false);
}

addEventListener("offline", look);
addEventListener("online", () => {
  look();
  if (requestsFail) void ask();
});
