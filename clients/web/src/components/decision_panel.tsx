import type { View } from "@shedu/client";
import type { JSX, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Board } from "../board";
import type { DecisionState } from "../decision";
import type { Shown } from "../live_game";
import { sayText, sentenceCase, useSay } from "../translation";
import { sentenceOf } from "../event_sentences";
import { explain } from "../error_messages";
import { ChoiceList } from "./choice_list";

interface DecisionPanelProps {
  deciding: DecisionState;
  shown: Shown;
  view: View;
  names: readonly string[];
  board: Board;
  refused: string;
  skip: () => void;
}

/** The open decision with its choices, or whom the game waits for. */
export function DecisionPanel(props: DecisionPanelProps): JSX.Element {
  const say = useSay();
  const { deciding, shown, view, names } = props;
  const section = useRetainedFocus([deciding.decision?.decisionId, deciding.ready]);
  return (
    <section class="panel asking" ref={section} tabIndex={-1} aria-label={say("web.asking", "Your decision")}>
      {deciding.decision ? (
        <>
          <h2 class="prompt mine">
            <span class="badge">{say("web.your_turn", "Your turn")}</span> {sayText(deciding.decision.prompt)}
          </h2>
          <Answer deciding={deciding} />
        </>
      ) : (
        <Waiting view={view} names={names} />
      )}
      {props.refused ? <p class="refused">{props.refused}</p> : null}
      <Problem {...props} />
      {shown.behind > 0 ? (
        <p class="ways">
          <button type="button" onClick={props.skip}>
            {say("web.skip_ahead", "Skip ahead ({count})", { count: String(shown.behind) })}
          </button>
        </p>
      ) : null}
    </section>
  );
}

/** Keeps the keyboard focus in this panel when the focused button disappears. */
function useRetainedFocus(changes: readonly unknown[]): RefObject<HTMLElement> {
  const section = useRef<HTMLElement>(null);
  const inside = useRef(false);
  useEffect(() => {
    const note = (event: FocusEvent) => {
      inside.current = section.current?.contains(event.target as Node) ?? false;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  useEffect(() => {
    if (inside.current && document.activeElement === document.body) section.current?.focus({ preventScroll: true });
  }, changes);
  return section;
}

function Waiting({ view, names }: { view: View; names: readonly string[] }): JSX.Element {
  const say = useSay();
  if (view.decisions.length === 0) return <h2 class="prompt">{say("web.waiting.nobody", "Waiting …")}</h2>;
  return (
    <div>
      {view.decisions.map((decision) => (
        <h2 class="prompt" key={decision.decisionId}>
          {say("web.waiting.for", "Waiting for {name}", { name: names[decision.seat] ?? "" })}
          <span class="facts"> {sayText(decision.prompt)}</span>
        </h2>
      ))}
    </div>
  );
}

function Answer({ deciding }: { deciding: DecisionState }): JSX.Element {
  const say = useSay();
  const confirm = useRef<HTMLButtonElement>(null);
  const { ready, sending } = deciding;
  useEffect(() => {
    if (ready) confirm.current?.focus({ preventScroll: true });
  }, [ready]);
  if (!ready) return <ChoiceList deciding={deciding} />;
  return (
    <div class="confirm" role="group" aria-label={say("web.confirm", "Confirm")}>
      <p>{sentenceCase(sayText(ready.legal.text))}</p>
      <p class="ways">
        <button ref={confirm} type="button" class="primary" disabled={sending} onClick={() => deciding.play(ready)}>
          {sending ? say("web.sending", "Sending …") : say("web.play", "Confirm")}
        </button>
        <button type="button" disabled={sending} onClick={deciding.clear}>
          {say("web.back", "Back")}
        </button>
      </p>
    </div>
  );
}

/** The error of the last action and, if it was stale, the events that the player missed. */
function Problem({ deciding, names, board }: DecisionPanelProps): JSX.Element | null {
  const say = useSay();
  const { problem } = deciding;
  if (!problem) return null;
  const missed = problem.missed?.events.map((event) => sentenceOf(event, names, board, say)).filter(Boolean) ?? [];
  return (
    <div class="notice" role="alert">
      <p>{explain(problem, say)}</p>
      {missed.length > 0 ? (
        <ul>
          {missed.map((sentence) => (
            <li>{sentence}</li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
