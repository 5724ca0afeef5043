import { SheduError } from "@shedu/client";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Attempt, Say } from "./board";
import type { Deciding } from "./deciding";
import type { LiveTable } from "./live";
import { announce } from "./parts/announcer";
import { useSay } from "./say";
import { explain } from "./troubles";

/** Why what was pointed at is not possible. */
export interface Refusing {
  sentence: string;
  refuse(target: string, attempt?: Attempt): void;
  hover(target: string, attempt?: Attempt): void;
}

/** How long the pointer rests before the server is asked. */
const REST_MILLISECONDS = 250;
const NOTHING = { sentence: "", pressed: false };
const ONCE = { firstMilliseconds: 0, longestMilliseconds: 0, attempts: 1 };

export function useRefusing(live: LiveTable, { decision, chosen }: Deciding): Refusing {
  const say = useSay();
  const [shown, setShown] = useState(NOTHING);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const asking = useRef<{ pressed: boolean } | undefined>();

  const forget = () => {
    clearTimeout(timer.current);
    asking.current = undefined;
  };
  useEffect(() => {
    setShown(NOTHING);
    return forget;
  }, [decision?.decisionId, chosen]);

  const explained = async (target: string, attempt: Attempt | undefined, pressed: boolean) => {
    const own = (asking.current = { pressed });
    const sentence = decision
      ? await reasonOf(live, decision.decisionId, target, attempt, say)
      : say("web.trouble.not_your_decision", "Nothing is asked of you now.");
    if (own !== asking.current) return;
    setShown({ sentence, pressed });
    if (pressed) announce(sentence);
  };

  return {
    sentence: shown.sentence,
    refuse: (target, attempt) => {
      forget();
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

/** Asks the server, which changes nothing; a general sentence where it has no reason to give. */
async function reasonOf(
  live: LiveTable,
  decisionId: string,
  target: string,
  attempt: Attempt | undefined,
  say: Say,
): Promise<string> {
  const general = say("web.refused", "{target} is not possible now.", { target });
  if (!attempt) return general;
  try {
    await live.table.play(attempt, { decisionId, validateOnly: true, patience: ONCE });
    return general;
  } catch (found) {
    const problem = SheduError.from(found);
    if (!problem.isRefusal) return general;
    return say("web.refused_because", "{target}: {reason}", { target, reason: explain(problem, say) });
  }
}
