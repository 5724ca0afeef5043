import { createStore } from "./store";

/**
 * Browsers open at most six connections to a server, over all tabs. So all tabs share one stream: the tab that was used
 * last has it. The others ask in short calls, one at a time, whether anything is new. Locks of the browser decide whose
 * turn it is; they are released by themselves when a tab is closed.
 */
const STREAM = "shedu:stream";
const LOOK = "shedu:look";

/** Pauses between two short calls of a tab. */
const VISIBLE_MILLISECONDS = 1_000;
const HIDDEN_MILLISECONDS = 5_000;

/** What a tab may do until the signal is aborted: keep a stream open, or look once. */
export interface Turn {
  kind: "stream" | "look";
  signal: AbortSignal;
}

/** The lock of the stream. Without locks, in an old browser, every tab has a stream. */
class StreamLock {
  readonly held = createStore(!navigator.locks);
  private isWanted = false;
  private end: () => void = () => undefined;

  want(isWanted: boolean): void {
    if (!navigator.locks || isWanted === this.isWanted) return;
    this.isWanted = isWanted;
    if (isWanted) this.request(document.hasFocus());
    else this.end();
  }

  /** Takes the lock from another tab: this one is used now. */
  take(): void {
    if (!this.isWanted || this.held.get()) return;
    this.end();
    this.request(true);
  }

  private request(steal: boolean): void {
    const waiting = new AbortController();
    let isOver = false;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.end = () => {
      isOver = true;
      waiting.abort();
      release();
      this.held.set(false);
    };
    const hold = () => {
      if (isOver) return;
      this.held.set(true);
      return held;
    };
    navigator.locks.request(STREAM, steal ? { steal } : { signal: waiting.signal }, hold).catch(() => {
      if (isOver) return;
      // Another tab took it: wait until it is free.
      this.end();
      if (this.isWanted) this.request(false);
    });
  }
}

const lock = new StreamLock();
const takeLock = () => lock.take();
for (const kind of ["focus", "pointerdown", "keydown"]) addEventListener(kind, takeLock, { capture: true });

const channel = new BroadcastChannel("shedu:news");
const told = new EventTarget();
channel.onmessage = ({ data }) => told.dispatchEvent(new Event(String(data)));

/** Tells the other tabs that a game has moved on, so that they look at once. */
export function tellOtherTabs(gameId: string): void {
  channel.postMessage(gameId);
}

/** The turns of this tab to follow a game. A hidden tab looks only if `inBackground`. */
export async function* turns(gameId: string, inBackground: () => boolean, ended: AbortSignal): AsyncGenerator<Turn, void> {
  try {
    while (!ended.aborted) {
      lock.want(!document.hidden);
      if (document.hidden && !inBackground()) await change(ended);
      else if (lock.held.get() && !document.hidden) yield* turn("stream", ended);
      else {
        yield* look(ended);
        await change(ended, document.hidden ? HIDDEN_MILLISECONDS : VISIBLE_MILLISECONDS, gameId);
      }
    }
  } finally {
    lock.want(false);
  }
}

/** Looks repeatedly while the page is visible, such as at the inboxes of several seats. */
export async function* looks(milliseconds: number, inBackground: () => boolean, ended: AbortSignal): AsyncGenerator<Turn, void> {
  while (!ended.aborted) {
    if (!document.hidden || inBackground()) yield* look(ended);
    await change(ended, document.hidden && !inBackground() ? undefined : milliseconds);
  }
}

async function* turn(kind: Turn["kind"], ended: AbortSignal): AsyncGenerator<Turn, void> {
  const controller = new AbortController();
  const stop = onChange(ended, () => controller.abort());
  try {
    yield { kind, signal: controller.signal };
  } finally {
    stop();
    controller.abort();
  }
}

async function* look(ended: AbortSignal): AsyncGenerator<Turn, void> {
  const release = await lookLock(ended);
  try {
    if (!ended.aborted) yield* turn("look", ended);
  } finally {
    release();
  }
}

/** Waits for the lock of short calls; returns what releases it. */
function lookLock(signal: AbortSignal): Promise<() => void> {
  const { locks } = navigator;
  return new Promise((resolve) => {
    const hold = () => new Promise<void>((release) => resolve(release));
    if (!locks) resolve(() => undefined);
    else locks.request(LOOK, { signal }, hold).catch(() => resolve(() => undefined));
  });
}

/** Calls back when the tab is shown or hidden, gets or loses the stream, comes back online, or ends. */
function onChange(ended: AbortSignal, callback: () => void): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  document.addEventListener("visibilitychange", callback, { signal });
  addEventListener("online", callback, { signal });
  ended.addEventListener("abort", callback, { signal });
  const forget = lock.held.subscribe(callback);
  return () => {
    stopped.abort();
    forget();
  };
}

/** Waits for such a change, for the time or for news of the game. */
function change(ended: AbortSignal, milliseconds?: number, gameId?: string): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stop();
      clearTimeout(timer);
      if (gameId) told.removeEventListener(gameId, end);
      resolve();
    };
    const stop = onChange(ended, end);
    const timer = milliseconds === undefined ? undefined : setTimeout(end, milliseconds);
    if (gameId) told.addEventListener(gameId, end);
    if (ended.aborted) end();
  });
}
