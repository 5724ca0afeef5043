import type { Event } from "@shedu/client";
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Board } from "../board";
import { isBeginning, seatOf } from "../event_facts";
import { sentenceOf } from "../event_sentences";
import { useLanguage, useSay } from "../translation";

interface EventLogProps {
  events: readonly Event[];
  names: readonly string[];
  board: Board;
  /** The version whose position is shown instead of the current one. */
  at?: bigint | undefined;
  /** Shows the position after an event. */
  jump: (version: bigint) => void;
  /** Beside the heading. */
  children?: ComponentChildren;
}

/** The events as sentences in groups by turn, the newest last and in view. Each entry leads to its position. */
export function EventLog({ events, names, board, at, jump, children }: EventLogProps): JSX.Element {
  const say = useSay();
  const language = useLanguage();
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [events]);
  const told = useMemo(
    () =>
      events.flatMap((event) => {
        const sentence = sentenceOf(event, names, board, say);
        return sentence ? [{ event, sentence }] : [];
      }),
    [events, names, board, language],
  );
  return (
    <section class="event-log" aria-label={say("web.log", "Log")}>
      <div class="log-head">
        <h3>{say("web.log", "Log")}</h3>
        {children}
      </div>
      <ol ref={list} aria-label={say("web.log", "Log")} onKeyDown={moveFocus}>
        {told.map(({ event, sentence }, index) => (
          <li key={String(event.version)} class={lookOf(event)}>
            <button
              type="button"
              tabIndex={index === told.length - 1 ? 0 : -1}
              aria-current={event.version === at ? "step" : undefined}
              onClick={() => jump(event.version)}
            >
              {sentence}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

function lookOf(event: Event): string {
  const seat = seatOf(event);
  return (seat === undefined ? "" : `seat-${seat}`) + (isBeginning(event) ? " begins" : "");
}

/** One entry is in the tab order; the arrow keys move to the others. */
function moveFocus(event: JSX.TargetedKeyboardEvent<HTMLOListElement>): void {
  const entry = (event.target as Element).closest("li");
  const next = { ArrowUp: entry?.previousElementSibling, ArrowDown: entry?.nextElementSibling }[event.key];
  if (!next) return;
  next.querySelector("button")?.focus();
  event.preventDefault();
}
