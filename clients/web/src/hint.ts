import { type Event, ForkPolicy, type Game, GameStatus, type Table, type View } from "@shedu/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { seatOf } from "./event_facts";
import type { LiveGame } from "./live_game";
import { server } from "./server";
import { useTitle } from "./title_catalog";

/** What a bot would do now in place of the player. */
export interface Hint {
  /** Whether the game allows hints, and the player has a decision. */
  isOffered: boolean;
  isAsking: boolean;
  failed: unknown;
  /** The events of the bot's action; empty before the bot was asked. */
  events: readonly Event[];
  ask(): void;
}

/** A bot that thinks longest is the best adviser. */
const ADVISER = "search";
/** Luck of the sandbox is not that of the game. */
const LUCK = /(Rolled|Drawn|Revealed|Received|Slid|Counted|Gained|Scored)$/;
const NONE: Found = { decisionId: "", isAsking: false, failed: undefined, events: [] };

interface Found extends Pick<Hint, "isAsking" | "failed" | "events"> {
  decisionId: string;
}

/** Asks a bot in a sandbox of what the player knows. The hint is forgotten with the decision. */
export function useHint(live: LiveGame, view: View, game: Game, decisionId: string | undefined): Hint {
  const levels = useTitle(game.title)?.bots ?? [];
  const [found, setFound] = useState(NONE);
  const asking = useRef<AbortController>();
  useEffect(() => () => asking.current?.abort(), [decisionId]);
  const level = (levels.find((bot) => bot.level === ADVISER) ?? levels.find((bot) => bot.default))?.level;
  const isAllowed = game.forks !== ForkPolicy.AFTER_END && game.status === GameStatus.PLAYING;
  const ask = async () => {
    if (decisionId === undefined || level === undefined) return;
    const controller = (asking.current = new AbortController());
    const tell = (now: Partial<Found>) => {
      if (!controller.signal.aborted) setFound({ ...NONE, decisionId, ...now });
    };
    tell({ isAsking: true });
    try {
      tell({ events: await suggestion(live.table, view, level, controller.signal) });
    } catch (failed) {
      tell({ failed });
    }
  };
  const { isAsking, failed, events } = found.decisionId === decisionId ? found : NONE;
  return {
    isOffered: isAllowed && decisionId !== undefined && level !== undefined,
    isAsking,
    failed,
    events,
    ask: () => void ask(),
  };
}

/** What a bot does in the player's seat of a sandbox, up to the first stroke of luck. */
async function suggestion(table: Table, view: View, level: string, signal: AbortSignal): Promise<readonly Event[]> {
  const seats = view.game?.seats ?? [];
  const { game, seatTokens } = await table.fork(undefined, seats.map(({ seat }) => (seat === view.seat ? level : "")));
  const seatOfSandbox = (seat: number) => server.table(game?.gameId ?? "", seatTokens[seat]);
  try {
    return withoutLuck(await ownAction(seatOfSandbox(view.seat ?? 0), view, game?.version ?? 0n, signal));
  } finally {
    void end(seats.flatMap(({ seat }) => (seat === view.seat ? [] : [seatOfSandbox(seat)])));
  }
}

/** The events of the player's seat until another one is asked: some titles take several answers for one move. */
async function ownAction(sandbox: Table, own: View, afterVersion: bigint, signal: AbortSignal): Promise<readonly Event[]> {
  const events: Event[] = [];
  for await (const update of sandbox.watch({ afterVersion, signal })) {
    if (update.kind !== "happened") continue;
    if (update.events[0]?.seat === own.seat) events.push(...update.events);
    const isAskedAgain = update.view.decisions.some(({ seat }) => seat === own.seat);
    if (events.length > 1 || (events.length > 0 && !isAskedAgain)) return events;
  }
  return events;
}

function withoutLuck(events: readonly Event[]): readonly Event[] {
  const seat = events[0]?.seat;
  const end = events.findIndex((event, index) => index > 0 && (LUCK.test(kindOf(event)) || (seatOf(event) ?? seat) !== seat));
  return end < 0 ? events : events.slice(0, end);
}

function kindOf({ kind }: Event): string {
  return (kind.value as { kind?: { case?: string } } | undefined)?.kind?.case ?? "";
}

/** Ends the sandbox, so that it is no open game of the player: the seats beside the bot resign. */
async function end(seats: readonly Table[]): Promise<void> {
  for (const seat of seats) await seat.resign().catch(() => undefined);
}
