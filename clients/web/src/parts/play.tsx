import type { Decision, Game, View } from "@shedu/client";
import { GameStatus } from "@shedu/client";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { Board, Say } from "../board";
import { useDeciding } from "../deciding";
import type { LiveTable, Shown } from "../live";
import { namesOf, useSteady } from "../names";
import { useRefusing } from "../refusing";
import { Link } from "../router";
import { sayText, useLanguage, useSay } from "../say";
import { sentenceOf } from "../sentences";
import { ring } from "../sound";
import { nameOf } from "../titles";
import { announce } from "./announcer";
import { Asking } from "./asking";
import { BoardText } from "./board_text";
import { ConnectionBar } from "./connection";
import { EventLog } from "./event_log";
import { HotSeat } from "./hot_seat";
import { WatchLink } from "./links";
import { Players } from "./players";
import { Proposals } from "./proposals";
import { Result } from "./result";

export interface PlayProps {
  live: LiveTable;
  shown: Shown;
  view: View;
  game: Game;
  board: Board;
  again: () => void;
}

/** A game under way, or over: the board, what is asked, who plays, and what happened. */
export function Play({ live, shown, view, game, board, again }: PlayProps): JSX.Element {
  const say = useSay();
  const language = useLanguage();
  const names = useSteady(namesOf(game, say));
  const deciding = useDeciding(live, shown);
  const refusing = useRefusing(live, deciding);
  useTelling(shown, names, board);
  useTurnSignal(deciding.decision?.decisionId, sayText(deciding.decision?.prompt));
  const over = game.status === GameStatus.FINISHED && shown.behind === 0;
  // Kept while one points at the board, which is to answer at once.
  const told = useMemo(
    () => (
      <>
        <Players view={view} game={game} names={names} />
        <WatchLink gameId={game.gameId} />
        <BoardText board={board} view={view} names={names} />
        <EventLog events={shown.log} names={names} board={board} />
      </>
    ),
    [view, game, names, board, shown.log, language],
  );
  return (
    <div class={`table ${over ? "over" : ""}`}>
      <header class="table-head">
        <h1>{nameOf(game.title)}</h1>
        <p class="headline" aria-hidden="true">
          {headline(deciding.decision, view, names, say)}
        </p>
        <ConnectionBar shown={shown} />
      </header>
      <section class="board-area" aria-label={say("web.board", "Board")}>
        <board.Component
          view={view}
          seat={view.seat}
          names={names}
          choices={deciding.choices}
          chosen={deciding.chosen}
          narrow={deciding.narrow}
          refuse={refusing.refuse}
          hover={refusing.hover}
          happened={shown.happened}
          say={say}
        />
      </section>
      <aside class="side">
        {over ? (
          <Result live={live} view={view} game={game} names={names} board={board} />
        ) : (
          <Asking deciding={deciding} shown={shown} view={view} names={names} board={board} refused={refusing.sentence} skip={() => live.skip()} />
        )}
        <HotSeat gameId={game.gameId} names={names} asked={view.decisions.map((decision) => decision.seat)} changed={again} />
        {over ? null : <Proposals live={live} view={view} game={game} names={names} />}
        {told}
        <p class="ways">
          <Link to={`/games/${game.gameId}/replay`} class="button">
            {say("web.to_replay", "Look back")}
          </Link>
        </p>
      </aside>
    </div>
  );
}

/** What is asked, in a line above the board, where the screen is too narrow to show the question beside it. */
function headline(decision: Decision | undefined, view: View, names: readonly string[], say: Say): string {
  if (decision) return `${say("web.your_turn", "Your turn")}: ${sayText(decision.prompt)}`;
  const name = view.decisions.map(({ seat }) => names[seat]).join(", ");
  return name && say("web.waiting.for", "Waiting for {name}", { name });
}

/** Every event becomes a sentence for screen readers, in order. */
function useTelling(shown: Shown, names: readonly string[], board: Board): void {
  const say = useSay();
  useEffect(() => {
    announce(...shown.happened.map((event) => sentenceOf(event, names, board, say) ?? ""));
  }, [shown.happened]);
}

/** The title of the tab, a sentence and, if wished for, a sound tell that it is one's turn. */
function useTurnSignal(decisionId: string | undefined, prompt: string): void {
  const say = useSay();
  const asked = useMemo(() => decisionId !== undefined, [decisionId]);
  useEffect(() => {
    document.title = asked ? `● ${say("web.your_turn", "Your turn")} – Shedu` : "Shedu";
    if (asked) {
      announce(`${say("web.your_turn", "Your turn")}: ${prompt}`);
      ring();
    }
    return () => {
      document.title = "Shedu";
    };
  }, [decisionId]);
}
