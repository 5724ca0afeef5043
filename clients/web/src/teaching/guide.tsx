import type { View } from "@shedu/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { readStored, writeStored } from "../browser_storage";
import { useSay } from "../translation";
import { useTeaching } from "./teaching";

/** How many decisions the guide comments. */
const STEPS = 10;

/** The hints that were shown in a guided game, by decision. */
interface Progress {
  hints: readonly { decisionId: string; question: string }[];
  isHidden: boolean;
}

/** Marks a game as guided. */
export function startGuide(gameId: string): void {
  writeStored(`guide:${gameId}`, { hints: [], isHidden: false } satisfies Progress);
}

function progressOf(gameId: string): Progress | undefined {
  return readStored<Progress | undefined>(`guide:${gameId}`, undefined);
}

/** A hint for each of the first decisions of a guided game; nothing in other games. */
export function Guide({ gameId, title, view }: { gameId: string; title: string; view: View }): JSX.Element | null {
  const [, redraw] = useState(0);
  const progress = progressOf(gameId);
  const decision = view.decisions.find(({ seat }) => seat === view.seat);
  if (!progress || progress.isHidden) return null;
  if (decision?.prompt && !progress.hints.some(({ decisionId }) => decisionId === decision.decisionId)) {
    const hints = [...progress.hints, { decisionId: decision.decisionId, question: decision.prompt.id }];
    writeStored(`guide:${gameId}`, { ...progress, hints } satisfies Progress);
  }
  const close = () => {
    writeStored(`guide:${gameId}`, { ...progressOf(gameId), isHidden: true });
    redraw((times) => times + 1);
  };
  return <GuideCard title={title} hints={progressOf(gameId)?.hints ?? []} close={close} />;
}

function GuideCard(props: { title: string; hints: Progress["hints"]; close: () => void }): JSX.Element | null {
  const say = useSay();
  const teaching = useTeaching(props.title);
  const [step, steps] = [props.hints.length, String(STEPS)];
  const question = props.hints.at(-1)?.question;
  if (!teaching || question === undefined) return null;
  const times = props.hints.filter((hint) => hint.question === question).length;
  const sentences = teaching.texts.guide[question] ?? [];
  const isDone = step > STEPS;
  const sentence = isDone
    ? say("web.guide.done", "That was the tour. You know enough to play on; the rules are always in the bar at the top.")
    : (sentences[times - 1] ?? sentences.at(-1) ?? say("web.guide.free", "Try what you like: nothing is lost in this game."));
  return (
    <aside class="guide" role="status" aria-label={say("web.guide", "Guided game")}>
      <details open>
        <summary>
          {isDone
            ? say("web.guide", "Guided game")
            : say("web.guide.step", "Guided game: decision {step} of {steps}", { step: String(step), steps })}
        </summary>
        <p>{sentence}</p>
        <button type="button" onClick={props.close}>
          {isDone ? say("web.close", "Close") : say("web.guide.leave", "No more hints")}
        </button>
      </details>
    </aside>
  );
}
