import type { View } from "@shedu/client";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ZoomButtons } from "../boards/zoom";
import type { DecisionState } from "../decision";
import type { Hint } from "../hint";
import type { Shown } from "../live_game";
import { sayText, sentenceCase, useSay } from "../translation";

interface ActionBarProps {
  deciding: DecisionState;
  shown: Shown;
  view: View;
  skip: () => void;
  undo: () => void;
  showAgain: () => void;
  hint: Hint;
  /** Whether an earlier position is shown, and the way back from it. */
  past: boolean;
  back: () => void;
  /** Opens the log and the rest of the side panel on a narrow screen. */
  openSheet: () => void;
  children: ComponentChildren;
}

/** Confirm, take back, undo and skip, always at the same place below the board. */
export function ActionBar(props: ActionBarProps): JSX.Element {
  const say = useSay();
  const { deciding, shown, view, skip, undo, showAgain, hint, past, back, openSheet, children } = props;
  const canUndo = view.undoToVersion !== undefined && !deciding.ready;
  return (
    <div class="actions" role="group" aria-label={say("web.actions", "Actions")}>
      <ZoomButtons />
      <Answer deciding={deciding} />
      {children}
      {shown.behind > 0 ? (
        <button type="button" class="skip-ahead" onClick={skip}>
          {say("web.skip_ahead", "Skip ahead ({count})", { count: String(shown.behind) })}
        </button>
      ) : null}
      {past ? (
        <button type="button" class="primary to-present" onClick={back}>
          {say("web.past.back", "Back to the current position")}
        </button>
      ) : null}
      {shown.canShowAgain && shown.behind === 0 && !past ? (
        <button type="button" class="show-again" title={say("web.show_again", "Show the last turn again")} onClick={showAgain}>
          ↻ <span>{say("web.show_again", "Show the last turn again")}</span>
        </button>
      ) : null}
      {hint.isOffered && !past ? (
        <button type="button" class="ask-hint" disabled={hint.isAsking} title={say("web.hint.about", "A bot shows what it would do, knowing what you know")} onClick={hint.ask}>
          {say("web.hint", "Hint")}
        </button>
      ) : null}
      <button type="button" class={`undo ${canUndo ? "" : "gone"}`} disabled={!canUndo} onClick={undo}>
        {say("web.undo", "Undo")}
      </button>
      <button type="button" class="open-sheet" aria-label={say("web.sheet", "Log and more")} onClick={openSheet}>
        {say("web.log", "Log")} …
      </button>
    </div>
  );
}

function Answer({ deciding }: { deciding: DecisionState }): JSX.Element | null {
  const say = useSay();
  const confirm = useRef<HTMLButtonElement>(null);
  const { ready, held, sending, choices, chosen } = deciding;
  useEffect(() => {
    if (ready) confirm.current?.focus({ preventScroll: true });
  }, [ready]);
  if (ready) {
    const words = sentenceCase(sayText(ready.legal.text));
    return (
      <div key="confirm" class="confirm" role="group" aria-label={say("web.confirm", "Confirm")}>
        <p title={words}>{words}</p>
        <button ref={confirm} type="button" class="primary" disabled={sending} onClick={() => deciding.play(ready)}>
          {sending ? say("web.sending", "Sending …") : say("web.play", "Confirm")}
        </button>
        <button type="button" disabled={sending} onClick={deciding.clear}>
          {say("web.back", "Back")}
        </button>
      </div>
    );
  }
  if (chosen.length === choices.length && !held) return null;
  const left = held
    ? say("web.choices.where", "{choice}: choose a place on the board", { choice: sentenceCase(sayText(held.legal.text)) })
    : say("web.choices.left", "{count} choices left", { count: String(chosen.length) });
  return (
    <div key="narrowed" class="narrowed">
      <span key={left}>{left}</span>
      <button type="button" onClick={deciding.clear}>
        {say("web.back", "Back")}
      </button>
    </div>
  );
}
