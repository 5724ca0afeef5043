import { type Decision, SheduError, type View } from "@shedu/client";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Choice } from "./board";
import type { LiveGame, Shown } from "./live_game";
import { preferences } from "./preferences";

/** The open decision of this seat, its choices, and those left after pointing. */
export interface DecisionState {
  decision: Decision | undefined;
  choices: readonly Choice[];
  chosen: readonly Choice[];
  /** The only choice left, which waits for confirmation. */
  ready: Choice | undefined;
  sending: boolean;
  problem: SheduError | undefined;
  narrow(choices: readonly Choice[]): void;
  /** Back to all choices. */
  clear(): void;
  play(choice: Choice): void;
}

const NONE: readonly Choice[] = [];

function askedOf(view: View | undefined): Decision | undefined {
  return view?.seat === undefined ? undefined : view.decisions.find((decision) => decision.seat === view.seat);
}

export function useDecision(live: LiveGame, shown: Shown): DecisionState {
  const decision = shown.behind === 0 ? askedOf(shown.view) : undefined;
  const [choices, setChoices] = useState<{ id: string; all: readonly Choice[] }>({ id: "", all: NONE });
  const [pointed, setPointed] = useState<{ id: string; at: readonly Choice[] } | undefined>();
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<SheduError | undefined>();
  const [attempt, setAttempt] = useState(0);
  const current = useRef(decision?.decisionId);
  current.current = decision?.decisionId;

  useEffect(() => {
    if (decision === undefined) return;
    const ended = new AbortController();
    load(live, decision, ended.signal).then(
      (all) => ended.signal.aborted || setChoices({ id: decision.decisionId, all }),
      (found) => ended.signal.aborted || setProblem(SheduError.from(found)),
    );
    return () => ended.abort();
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
      const { events, view } = await live.table.play(choice.legal.action ?? {}, { decisionId: decision.decisionId });
      if (view) live.anticipate(events, view);
    } catch (found) {
      setProblem(SheduError.from(found));
      setPointed(undefined);
      if (current.current === decision.decisionId) setAttempt((times) => times + 1);
    } finally {
      setSending(false);
    }
  };

  const narrow = (some: readonly Choice[]) => {
    setProblem(undefined);
    if (decision) setPointed({ id: decision.decisionId, at: some });
    const only = some.length === 1 ? some[0] : undefined;
    if (only && !preferences.get().confirm) void send(only);
  };

  return {
    decision,
    choices: all,
    chosen: left,
    ready: chosen?.length === 1 ? chosen[0] : undefined,
    sending,
    problem,
    narrow,
    clear: () => setPointed(undefined),
    play: (choice) => void send(choice),
  };
}

async function load(live: LiveGame, decision: Decision, signal: AbortSignal): Promise<readonly Choice[]> {
  const found = await live.table.legalActions({ signal });
  if (found.decision?.decisionId !== decision.decisionId) return NONE;
  return found.actions.map((legal, index) => ({ index, legal }));
}
