import { SheduError } from "@shedu/client";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Attempt, Say } from "./board";
import type { DecisionState } from "./decision";
import type { LiveGame } from "./live_game";
import { announce } from "./components/announcer";
import { useSay } from "./translation";
import { explain } from "./error_messages";

/** Explains why a target on the board cannot be chosen. */
export interface RefusalReason {
  sentence: string;
  refuse(target: string, attempt?: Attempt): void;
  hover(target: string, attempt?: Attempt): void;
}

/** How long the pointer must rest on a target before the server is asked. */
const REST_MILLISECONDS = 250;
const NOTHING = { sentence: "", pressed: false };
const NO_RETRY = { firstMilliseconds: 0, longestMilliseconds: 0, attempts: 1 };

export function useRefusalReason(live: LiveGame, { decision, chosen }: DecisionState): RefusalReason {
  const say = useSay();
  const [shown, setShown] = useState(NOTHING);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const asking = useRef<{ pressed: boolean } | undefined>();

  const cancel = () => {
    clearTimeout(timer.current);
    asking.current = undefined;
  };
  useEffect(() => {
    setShown(NOTHING);
    return cancel;
  }, [decision?.decisionId, chosen]);

  const explained = async (target: string, attempt: Attempt | undefined, pressed: boolean) => {
    const own = (asking.current = { pressed });
    const sentence = decision
      ? await reasonOf(live, decision.decisionId, target, attempt, say)
      : say("web.trouble.not_your_decision", "It is not your turn.");
    if (own !== asking.current) return;
    setShown({ sentence, pressed });
    if (pressed) announce(sentence);
  };

  return {
    sentence: shown.sentence,
    refuse: (target, attempt) => {
      cancel();
      void explained(target, attempt, true);
    },
    hover: (target, attempt) => {
      clearTimeout(timer.current);
      if (!asking.current?.pressed) asking.current = undefined;
      if (attempt) timer.current = setTimeout(() => void explained(target, attempt, false), REST_MILLISECONDS);
      else setShown((now) => (now.pressed || !now.sentence ? now : NOTHING));
    },
  };
}

/** Validates the action on the server without playing it; a general sentence if the server gives no reason. */
async function reasonOf(
  live: LiveGame,
  decisionId: string,
  target: string,
  attempt: Attempt | undefined,
  say: Say,
): Promise<string> {
  const general = say("web.refused", "{target} is not possible now.", { target });
  if (!attempt) return general;
  try {
    await live.table.play(attempt, { decisionId, validateOnly: true, patience: NO_RETRY });
    return general;
  } catch (found) {
    const problem = SheduError.from(found);
    if (!problem.isRefusal) return general;
    return say("web.refused_because", "{target}: {reason}", { target, reason: explain(problem, say) });
  }
}
