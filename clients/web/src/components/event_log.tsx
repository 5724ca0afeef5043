import type { Event } from "@shedu/client";
import type { JSX } from "preact";
import type { Board } from "../board";
import { useSay } from "../translation";
import { sentenceOf } from "../event_sentences";

interface EventLogProps {
  events: readonly Event[];
  names: readonly string[];
  board: Board;
}

/** The events as sentences, newest first. */
export function EventLog({ events, names, board }: EventLogProps): JSX.Element {
  const say = useSay();
  const told = events.map((event) => ({ event, sentence: sentenceOf(event, names, board, say) }));
  return (
    <details class="panel event-log" open>
      <summary>{say("web.log", "Log")}</summary>
      <ol reversed tabIndex={0} aria-label={say("web.log", "Log")}>
        {told
          .filter(({ sentence }) => sentence)
          .reverse()
          .map(({ event, sentence }) => (
            <li key={String(event.version)}>{sentence}</li>
          ))}
      </ol>
    </details>
  );
}
