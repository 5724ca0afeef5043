import { type Decision, newRequestId, SheduError, type View } from "@shedu/client";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Board, Choice, Confirmation } from "./board";
import type { LiveGame, Shown } from "./live_game";
import { type Confirming, preferences } from "./preferences";

/** The open decision of this seat, its choices, and those left after pointing. */
export interface DecisionState {
  decision: Decision | undefined;
  choices: readonly Choice[];
  chosen: readonly Choice[];
  /** The only choice left, which waits for confirmation. */
  ready: Choice | undefined;
  /** The only choice left, which waits for its second target on the board. */
  held: Choice | undefined;
  sending: boolean;
  problem: SheduError | undefined;
  narrow(choices: readonly Choice[]): void;
  /** Takes one choice of the list in words. */
  pick(choice: Choice): void;
  /** Back to all choices. */
  clear(): void;
  play(choice: Choice): void;
}

const NONE: readonly Choice[] = [];
/** The pause before the choices are asked for again, after the server did not answer. */
const LOAD_AGAIN_MILLISECONDS = 2000;

function askedOf(view: View | undefined): Decision | undefined {
  return view?.seat === undefined ? undefined : view.decisions.find((decision) => decision.seat === view.seat);
}

interface Pointed {
  id: string;
  at: readonly Choice[];
  /** How many targets narrowed the choices, one after the other. */
  steps: number;
}

/** Whether the last choice left is sent without confirmation. */
function isSent(confirmation: Confirmation, mode: Confirming, steps: number): boolean {
  if (mode !== "turn" || confirmation === "hold") return mode === "instant" && confirmation !== "hold";
  return confirmation === "none" || (confirmation === "step" && steps > 1);
}

export function useDecision(live: LiveGame, shown: Shown, board: Board): DecisionState {
  const decision = shown.behind === 0 ? askedOf(shown.view) : undefined;
  const [choices, setChoices] = useState<{ id: string; all: readonly Choice[] }>({ id: "", all: NONE });
  const [pointed, setPointed] = useState<Pointed | undefined>();
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<SheduError | undefined>();
  const [attempt, setAttempt] = useState(0);
  const requestOf = useRequestIds();
  const current = useRef(decision?.decisionId);
  current.current = decision?.decisionId;

  useEffect(() => {
    if (decision === undefined) return;
    const ended = new AbortController();
    let again: ReturnType<typeof setTimeout> | undefined;
    load(live, decision, ended.signal).then(
      (all) => {
        if (ended.signal.aborted) return;
        setProblem((found) => (found?.isTransient ? undefined : found));
        setChoices({ id: decision.decisionId, all });
      },
      (found) => {
        if (ended.signal.aborted) return;
        const failed = SheduError.from(found);
        setProblem(failed);
        if (failed.isTransient) again = setTimeout(() => setAttempt((times) => times + 1), LOAD_AGAIN_MILLISECONDS);
      },
    );
    return () => {
      clearTimeout(again);
      ended.abort();
    };
  }, [live, decision?.decisionId, attempt]);

  const all = decision && choices.id === decision.decisionId ? choices.all : NONE;
  // While moves of others are shown nothing can be chosen; what was chosen before is restored afterwards.
  const chosen = decision && pointed?.id === decision.decisionId ? pointed.at : undefined;
  const left = chosen ?? all;

  const send = async (choice: Choice) => {
    if (decision === undefined || sending) return;
    setSending(true);
    setProblem(undefined);
    try {
      const { decisionId } = decision;
      const requestId = requestOf(`${decisionId} ${choice.index}`);
      const { events, view } = await live.table.play(choice.legal.action ?? {}, { decisionId, requestId });
      if (view) live.anticipate(events, view);
    } catch (found) {
      setProblem(SheduError.from(found));
      setPointed(undefined);
      if (current.current === decision.decisionId) setAttempt((times) => times + 1);
    } finally {
      setSending(false);
    }
  };

  const confirmationOf = (choice: Choice): Confirmation =>
    shown.view && board.confirmation ? board.confirmation(choice, shown.view) : "ask";
  const take = (some: readonly Choice[], steps: number, kind: (choice: Choice) => Confirmation) => {
    setProblem(undefined);
    if (decision) setPointed({ id: decision.decisionId, at: some, steps });
    const only = some.length === 1 ? some[0] : undefined;
    if (only && isSent(kind(only), preferences.get().confirming, steps)) void send(only);
  };
  const only = chosen?.length === 1 ? chosen[0] : undefined;
  const isHeld = only !== undefined && confirmationOf(only) === "hold" && preferences.get().confirming !== "always";

  return {
    decision,
    choices: all,
    chosen: left,
    ready: isHeld ? undefined : only,
    held: isHeld ? only : undefined,
    sending,
    problem,
    narrow: (some) => take(some, chosen && some.length < chosen.length ? (pointed?.steps ?? 0) + 1 : 1, confirmationOf),
    pick: (choice) => take([choice], 1, (found) => (confirmationOf(found) === "hold" ? "none" : confirmationOf(found))),
    clear: () => setPointed(undefined),
    play: (choice) => void send(choice),
  };
}

/** Returns the same id for the same choice: sent again, as after a time-out, it is played once and answered alike. */
function useRequestIds(): (choice: string) => string {
  const known = useRef(new Map<string, string>());
  return (choice) => {
    const id = known.current.get(choice) ?? newRequestId();
    known.current.set(choice, id);
    return id;
  };
}

async function load(live: LiveGame, decision: Decision, signal: AbortSignal): Promise<readonly Choice[]> {
  const found = await live.table.legalActions({ signal });
  if (found.decision?.decisionId !== decision.decisionId) return NONE;
  return found.actions.map((legal, index) => ({ index, legal }));
}
