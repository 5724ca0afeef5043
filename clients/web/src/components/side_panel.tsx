import type { View } from "@shedu/client";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Board } from "../board";
import type { DecisionState } from "../decision";
import { preferences, prefer } from "../preferences";
import { useStore } from "../store";
import { useSay } from "../translation";
import { ChoiceList } from "./choice_list";

/** Every choice in words: closed until the player wishes to see them. */
export function ChoicesInWords({ deciding }: { deciding: DecisionState }): JSX.Element {
  const say = useSay();
  const { words } = useStore(preferences);
  const count = deciding.chosen.length;
  return (
    <details class="words" open={words} onToggle={(event) => prefer({ words: event.currentTarget.open })}>
      <summary>
        {say("web.choices.in_words", "Choices in words")} <span class="count">{count}</span>
      </summary>
      {words && !deciding.ready ? <ChoiceList deciding={deciding} /> : null}
    </details>
  );
}

interface SheetProps {
  open: boolean;
  close: () => void;
  children: ComponentChildren;
}

/** The lower part of the side panel; on a narrow screen a sheet that covers the board while it is open. */
export function Sheet({ open, close, children }: SheetProps): JSX.Element {
  const say = useSay();
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const covers = sheet.current !== null && getComputedStyle(sheet.current).position === "fixed";
    if (open && covers) sheet.current?.focus({ preventScroll: true });
  }, [open]);
  return (
    <div
      class={`sheet ${open ? "open" : ""}`}
      ref={sheet}
      tabIndex={-1}
      onKeyDown={(event) => event.key === "Escape" && close()}
    >
      <button type="button" class="close-sheet" onClick={close}>
        {say("web.sheet.close", "Back to the board")}
      </button>
      {children}
    </div>
  );
}

/** What a board tells beside it. */
export function Known(props: { board: Board; view: View; names: readonly string[] }): JSX.Element | null {
  const say = useSay();
  const { Aside } = props.board;
  if (!Aside) return null;
  return (
    <div class="known" tabIndex={0} role="region" aria-label={say("web.players", "Players")}>
      <Aside view={props.view} names={props.names} say={say} />
    </div>
  );
}
