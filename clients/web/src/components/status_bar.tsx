import type { Game, View } from "@shedu/client";
import type { ComponentChildren, JSX, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Board } from "../board";
import type { DecisionState } from "../decision";
import type { Shown } from "../live_game";
import { sayText, useSay } from "../translation";
import { sentenceOf } from "../event_sentences";
import { explain } from "../error_messages";
import { nameOf } from "../title_facts";
import { Players } from "./players";
import { winners } from "./result";

/** Longer questions are written smaller on narrow screens, where they take several lines. */
const LONG = 44;

interface StatusBarProps {
  deciding: DecisionState;
  shown: Shown;
  view: View;
  game: Game;
  names: readonly string[];
  board: Board;
  over: boolean;
  /** One line about what happened, or why something cannot be chosen. */
  caption: string;
  /** An earlier position is shown. */
  past: boolean;
  refused: string;
  /** A hint that the player asked for. */
  advice: string;
  /** Notices that are shown below the bar, above the board. */
  children: ComponentChildren;
}

/** Whose turn it is, what is asked, what happened last, the clocks, and the connection. Its height never changes. */
export function StatusBar(props: StatusBarProps): JSX.Element {
  const say = useSay();
  const { deciding, view, game, names, over } = props;
  const section = useRetainedFocus([deciding.decision?.decisionId, deciding.ready, over]);
  return (
    <header class="table-head">
      <h1>{nameOf(game.title)}</h1>
      <section class="asking" ref={section} tabIndex={-1} data-decision={deciding.decision?.decisionId} aria-label={say("web.asking", "Your decision")}>
        <Prompt {...props} />
        <Caption {...props} />
        <Problem {...props} />
      </section>
      <Players view={view} game={game} names={names} />
      <div class="notices">
        {props.children}
      </div>
    </header>
  );
}

/** Why something cannot be chosen, a hint, or what happened last. */
function Caption({ refused, advice, caption }: StatusBarProps): JSX.Element {
  const sentence = refused || advice || caption;
  return (
    <p class={refused ? "refused" : advice ? "advice" : "caption"} title={sentence}>
      {sentence || "\u00a0"}
    </p>
  );
}

/** A changed text is a new element: its lines are not those of the earlier text at other places. */
function Prompt({ deciding, shown, view, game, names, over, past }: StatusBarProps): JSX.Element {
  const say = useSay();
  if (past) return <h2 class="prompt">{say("web.past", "An earlier position")}</h2>;
  if (over) return <h2 class="prompt">{winners(game, names, say)}</h2>;
  if (deciding.decision) {
    const prompt = sayText(deciding.decision.prompt);
    return (
      <h2 key={prompt} class={`prompt mine${prompt.length > LONG ? " long" : ""}`} title={prompt}>
        <span class="badge">{say("web.your_turn", "Your turn")}</span> {prompt}
      </h2>
    );
  }
  if (shown.behind > 0) return <h2 class="prompt">{say("web.showing", "Showing what happened …")}</h2>;
  return <Waiting view={view} names={names} />;
}

function Waiting({ view, names }: { view: View; names: readonly string[] }): JSX.Element {
  const say = useSay();
  const { decisions } = view;
  const first = decisions[0];
  if (!first) return <h2 class="prompt">{say("web.waiting.nobody", "Waiting …")}</h2>;
  const name = decisions.map(({ seat }) => names[seat] ?? "").join(", ");
  const prompt = sayText(first.prompt);
  return (
    <h2 key={`${name}: ${prompt}`} class="prompt">
      {say("web.waiting.for", "Waiting for {name}", { name })} <span class="facts">{prompt}</span>
    </h2>
  );
}

/** Keeps the keyboard focus at the table when the focused element disappears, also when the game ends. */
function useRetainedFocus(changes: readonly unknown[]): RefObject<HTMLElement> {
  const section = useRef<HTMLElement>(null);
  const inside = useRef(false);
  useEffect(() => {
    const note = (event: FocusEvent) => {
      inside.current = section.current?.closest(".shell")?.contains(event.target as Node) ?? false;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  useEffect(() => {
    if (inside.current && document.activeElement === document.body) section.current?.focus({ preventScroll: true });
  }, changes);
  return section;
}

/** The error of the last action and, if it was stale, the events that the player missed. */
function Problem({ deciding, names, board }: StatusBarProps): JSX.Element | null {
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
