import type { Decision, LegalAction, Title, View } from "@shedu/client";
import { useEffect, useState } from "preact/hooks";
import type { Choice } from "../board";
import { readStored, writeStored } from "../browser_storage";
import { storeGivenSeat } from "../join";
import { guidedGame, openGame } from "../new_game";
import { preferences } from "../preferences";
import { go } from "../router";
import { removeSeat } from "../seats";
import { server, tableOf } from "../server";
import type { Lesson, Move } from "./teaching";

/** The progress of a guided game, which is a sandbox: the page plays the other seats by the script of the title. */
export interface Progress {
  /** The decisions that were commented so far. */
  hints: readonly { decisionId: string; question: string }[];
  isHidden: boolean;
  /** By seat. */
  tokens: readonly string[];
}

/** So long the page waits before it plays for another seat, so that the player can follow. */
const PAUSE_MILLISECONDS = 700;
const AGAIN_MILLISECONDS = 2_000;

/** Opens a sandbox from the start of a new game, so that every seat belongs to the player. */
export async function startLesson(title: Title, name: string): Promise<void> {
  const { game, seat } = await openGame(title, guidedGame(title, name));
  const table = tableOf(game.gameId);
  const { game: sandbox, seatTokens: tokens } = await table.fork(game.version);
  if (!sandbox) throw new Error("the server's answer lacks the sandbox");
  storeGivenSeat(sandbox, seat, tokens[seat] ?? "");
  writeStored(`guide:${sandbox.gameId}`, { hints: [], isHidden: false, tokens } satisfies Progress);
  // The game was only the way to the sandbox.
  void table.resign().then(
    () => removeSeat(game.gameId),
    () => undefined,
  );
  go(`/games/${sandbox.gameId}`);
}

export function progressOf(gameId: string): Progress | undefined {
  return readStored<Progress | undefined>(`guide:${gameId}`, undefined);
}

/** The progress with this decision in it. */
export function noteDecision(gameId: string, decision: Decision | undefined): Progress | undefined {
  const progress = progressOf(gameId);
  if (!progress || !decision?.prompt || progress.hints.some(({ decisionId }) => decisionId === decision.decisionId)) return progress;
  const hints = [...progress.hints, { decisionId: decision.decisionId, question: decision.prompt.id }];
  const next = { ...progress, hints };
  writeStored(`guide:${gameId}`, next);
  return next;
}

export function hideGuide(gameId: string): void {
  writeStored(`guide:${gameId}`, { ...progressOf(gameId), isHidden: true });
}

/** Plays the other seats of a guided game by the script. */
export function useOtherSeats(gameId: string, view: View, lesson: Lesson | undefined, isShown: boolean): void {
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const tokens = progressOf(gameId)?.tokens;
    const other = view.decisions.find(({ seat }) => seat !== view.seat);
    if (!tokens || !other || !isShown) return;
    const again = () => {
      timer = setTimeout(() => setAttempt((times) => times + 1), AGAIN_MILLISECONDS);
    };
    const act = () => void playFor(gameId, tokens[other.seat] ?? "", lesson).catch(again);
    let timer = setTimeout(act, preferences.get().atOnce ? 0 : PAUSE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [gameId, view.version, lesson, isShown, attempt]);
}

/** The moves of the script that the other seats have made: each is made once. */
const made = new Set<string>();

async function playFor(gameId: string, token: string, lesson: Lesson | undefined): Promise<void> {
  const table = server.table(gameId, token);
  const { decision, actions } = await table.legalActions();
  const question = decision?.prompt?.id ?? "";
  const keyOf = (index: number) => `${gameId} ${question} ${index}`;
  const possible = (lesson?.others[question] ?? []).flatMap((move, index) => {
    const legal = made.has(keyOf(index)) ? undefined : actions.find((action) => isMove(action, move));
    return legal ? [{ legal, index }] : [];
  });
  const [next] = possible;
  const { action } = next?.legal ?? actions[0] ?? {};
  if (!decision || !action) return;
  if (next) made.add(keyOf(next.index));
  await table.play(action, { decisionId: decision.decisionId });
}

/** The choice that the script proposes now: the next one for this question that is legal. */
export function proposal(lesson: Lesson | undefined, { hints }: Progress, choices: readonly Choice[]): Choice | undefined {
  const question = hints.at(-1)?.question ?? "";
  const times = hints.filter((hint) => hint.question === question).length;
  const moves = (lesson?.own[question] ?? []).slice(times - 1);
  return moves.flatMap((move) => choices.find(({ legal }) => isMove(legal, move)) ?? [])[0];
}

/** Whether an action is of the kind of the move and has its values. */
export function isMove({ action }: LegalAction, { kind, ...values }: Move): boolean {
  const found = action?.title?.value?.kind as { case?: string; value?: unknown } | undefined;
  return found?.case === kind && hasValues(found?.value, values);
}

function hasValues(found: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return found === wanted;
  if (typeof found !== "object" || found === null) return false;
  return Object.entries(wanted).every(([name, value]) => hasValues((found as Record<string, unknown>)[name], value));
}
