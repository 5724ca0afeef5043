import type { View } from "@shedu/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Choice } from "../board";
import type { DecisionState } from "../decision";
import { sayText, sentenceCase, useSay } from "../translation";
import { hideGuide, noteDecision, type Progress, progressOf, proposal, useOtherSeats } from "./lesson";
import { type LoadedTeaching, useTeaching } from "./teaching";

/** How many decisions the guide comments. */
const STEPS = 10;

interface GuideState {
  /** The choice that the guide proposes now. */
  proposed: Choice | undefined;
  card: JSX.Element | null;
}

/** A sentence and a proposal for each of the first decisions of a guided game; nothing in other games. */
export function useGuide(gameId: string, title: string, view: View, deciding: DecisionState, isShown: boolean): GuideState {
  const [, redraw] = useState(0);
  const teaching = useTeaching(progressOf(gameId) ? title : undefined);
  useOtherSeats(gameId, view, teaching?.lesson, isShown && teaching !== undefined);
  const progress = noteDecision(gameId, deciding.decision);
  if (!progress || progress.isHidden || !isShown || !teaching || progress.hints.length === 0) return { proposed: undefined, card: null };
  const isDone = progress.hints.length > STEPS;
  const proposed = isDone ? undefined : proposal(teaching.lesson, progress, deciding.choices);
  const close = () => {
    hideGuide(gameId);
    redraw((times) => times + 1);
  };
  return {
    proposed,
    card: <GuideCard teaching={teaching} progress={progress} proposed={proposed} take={deciding.pick} close={close} />,
  };
}

interface CardProps {
  teaching: LoadedTeaching;
  progress: Progress;
  proposed: Choice | undefined;
  take: (choice: Choice) => void;
  close: () => void;
}

function GuideCard({ teaching, progress, proposed, take, close }: CardProps): JSX.Element {
  const say = useSay();
  const [step, steps] = [progress.hints.length, String(STEPS)];
  const isDone = step > STEPS;
  return (
    <aside class="guide" role="status" aria-label={say("web.guide", "Guided game")}>
      <details open>
        <summary>
          {isDone
            ? say("web.guide", "Guided game")
            : say("web.guide.step", "Guided game: decision {step} of {steps}", { step: String(step), steps })}
        </summary>
        <p>
          {isDone
            ? say("web.guide.done", "That was the tour. You know enough to play on; the rules are always in the bar at the top.")
            : (sentenceFor(teaching, progress) ?? say("web.guide.free", "Try what you like: nothing is lost in this game."))}
        </p>
        {proposed ? (
          <button type="button" class="primary proposal-of-guide" onClick={() => take(proposed)}>
            {sentenceCase(sayText(proposed.legal.text))}
          </button>
        ) : null}
        <button type="button" onClick={close}>
          {isDone ? say("web.close", "Close") : say("web.guide.leave", "No more hints")}
        </button>
      </details>
    </aside>
  );
}

/** The sentence for this question, by how often it was asked; the last one again after that. */
function sentenceFor({ texts }: LoadedTeaching, { hints }: Progress): string | undefined {
  const question = hints.at(-1)?.question ?? "";
  const sentences = texts.guide[question] ?? [];
  return sentences[hints.filter((hint) => hint.question === question).length - 1] ?? sentences.at(-1);
}
