import { createClient } from "@connectrpc/connect";
import { type Game, newRequestId, type Phrase, type Remark, SheduError, TalkPolicy, TalkService } from "@shedu/client";
import { useEffect, useState } from "preact/hooks";
import { useRequest } from "./components/use_request";
import { tokenFor } from "./seats";
import { TIMEOUT_MILLISECONDS, transport } from "./server";
import { turns } from "./stream_turns";

const calls = createClient(TalkService, transport);
/** So many remarks of a game are kept on the page. */
const MOST = 100;
const PAUSE_MILLISECONDS = 3_000;

/** What is said in a game, oldest first, and how to say something. */
export interface Talk {
  /** Whether this browser has a seat. */
  maySpeak: boolean;
  isFree: boolean;
  remarks: readonly Remark[];
  phrases: readonly Phrase[];
  muted: readonly number[];
  say: (content: { case: "phraseId" | "text"; value: string }) => Promise<void>;
  mute: (seat: number, muted: boolean) => Promise<void>;
}

function authorized(gameId: string): Record<string, string> {
  const token = tokenFor(gameId);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** Follows what is said; undefined where nothing can be said or read. */
export function useTalk(game: Game, seat: number | undefined): Talk | undefined {
  const { gameId, talk } = game;
  const [remarks, setRemarks] = useState<readonly Remark[]>([]);
  const [muted, setMuted] = useState<readonly number[]>([]);
  const [isRefused, setRefused] = useState(false);
  const people = game.seats.filter((found) => !found.botLevel).length;
  const isAlone = people < 2 || (seat === undefined && !talk?.spectators);
  const isOff = isRefused || isAlone || talk?.policy === TalkPolicy.NONE;
  const phrases = useRequest((signal) => (isOff ? Promise.resolve([]) : phrasesOf(game.title, signal)), [game.title, isOff]);
  useEffect(() => {
    if (isOff) return;
    const ended = new AbortController();
    const add = (remark: Remark) => setRemarks((kept) => [...kept, remark].slice(-MOST));
    void follow(gameId, add, ended.signal).then(() => ended.signal.aborted || setRefused(true));
    return () => ended.abort();
  }, [gameId, seat, isOff]);
  if (isOff) return undefined;
  const options = { headers: authorized(gameId), timeoutMs: TIMEOUT_MILLISECONDS };
  return {
    maySpeak: seat !== undefined,
    isFree: talk?.policy === TalkPolicy.FREE_TEXT,
    phrases: phrases.answer ?? [],
    remarks: remarks.filter((remark) => !muted.includes(remark.seat)),
    muted,
    say: async (content) => void (await calls.say({ gameId, content, requestId: newRequestId() }, options)),
    mute: async (mutedSeat, isMuted) => setMuted((await calls.muteSeat({ gameId, mutedSeat, muted: isMuted }, options)).mutedSeats),
  };
}

async function phrasesOf(title: string, signal: AbortSignal): Promise<Phrase[]> {
  const { phrases } = await calls.listPhrases({ title }, { signal, timeoutMs: TIMEOUT_MILLISECONDS });
  return phrases;
}

/** Follows the talk in the turns of this tab, from where it stopped, until the signal or a refusal of the server ends it. */
async function follow(gameId: string, add: (remark: Remark) => void, ended: AbortSignal): Promise<void> {
  let cursor = "";
  for await (const turn of turns(`talk:${gameId}`, () => false, ended)) {
    try {
      for await (const message of calls.watchTalk({ gameId, cursor }, { headers: authorized(gameId), signal: turn.signal })) {
        cursor = message.cursor || cursor;
        if (message.kind.case === "remark") add(message.kind.value);
        if (message.kind.case === "caughtUp" && turn.kind === "look") break;
      }
    } catch (problem) {
      // Where the server cannot be reached, the stream of the game is lost, too, and the banner says so.
      if (!turn.signal.aborted && !SheduError.from(problem).isTransient) return;
    }
    if (!ended.aborted) await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  }
}
