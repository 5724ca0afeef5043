import type { Decision, Game, View } from "@shedu/client";
import { GameStatus } from "@shedu/client";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { Board, Say } from "../board";
import { useDecision } from "../decision";
import type { LiveGame, Shown } from "../live_game";
import { namesOf, useStableNames } from "../player_names";
import { useRefusalReason } from "../refusal_reason";
import { notifyTurn } from "../notifications";
import { Link } from "../router";
import { sayText, useLanguage, useSay } from "../translation";
import { sentenceOf } from "../event_sentences";
import { ring } from "../sound";
import { nameOf } from "../title_facts";
import { announce } from "./announcer";
import { DecisionPanel } from "./decision_panel";
import { BoardText } from "./board_text";
import { EventLog } from "./event_log";
import { SeatSwitcher } from "./seat_switcher";
import { WatchLink } from "./share_links";
import { Players } from "./players";
import { Proposals } from "./proposals";
import { Result } from "./result";

export interface GameTableProps {
  live: LiveGame;
  shown: Shown;
  view: View;
  game: Game;
  board: Board;
  again: () => void;
}

/** A running or finished game: board, decision, players and log. */
export function GameTable({ live, shown, view, game, board, again }: GameTableProps): JSX.Element {
  const say = useSay();
  const language = useLanguage();
  const names = useStableNames(namesOf(game, say));
  const deciding = useDecision(live, shown);
  const refusing = useRefusalReason(live, deciding);
  useEventAnnouncements(shown, names, board);
  useTurnNotice(game, deciding.decision?.decisionId, sayText(deciding.decision?.prompt));
  const over = game.status === GameStatus.FINISHED && shown.behind === 0;
  // Memoized: pointing at the board renders this component again, and must be fast.
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
          <DecisionPanel deciding={deciding} shown={shown} view={view} names={names} board={board} refused={refusing.sentence} skip={() => live.skip()} />
        )}
        <SeatSwitcher gameId={game.gameId} names={names} asked={view.decisions.map((decision) => decision.seat)} changed={again} />
        {over ? null : <Proposals live={live} view={view} game={game} names={names} />}
        {told}
        <p class="ways">
          <Link to={`/games/${game.gameId}/replay`} class="button">
            {say("web.to_replay", "Replay")}
          </Link>
        </p>
      </aside>
    </div>
  );
}

/** The decision in one line above the board, for narrow screens where the panel is below it. */
function headline(decision: Decision | undefined, view: View, names: readonly string[], say: Say): string {
  if (decision) return `${say("web.your_turn", "Your turn")}: ${sayText(decision.prompt)}`;
  const name = view.decisions.map(({ seat }) => names[seat]).join(", ");
  return name && say("web.waiting.for", "Waiting for {name}", { name });
}

/** Announces every event to screen readers, in order. */
function useEventAnnouncements(shown: Shown, names: readonly string[], board: Board): void {
  const say = useSay();
  useEffect(() => {
    announce(...shown.happened.map((event) => sentenceOf(event, names, board, say) ?? ""));
  }, [shown.happened]);
}

/** Tells the player that it is their turn: in the title of the tab, to screen readers and, if enabled, by a sound. */
function useTurnNotice(game: Game, decisionId: string | undefined, prompt: string): void {
  const say = useSay();
  const asked = useMemo(() => decisionId !== undefined, [decisionId]);
  useEffect(() => {
    document.title = asked ? `● ${say("web.your_turn", "Your turn")} – Shedu` : "Shedu";
    if (asked) {
      announce(`${say("web.your_turn", "Your turn")}: ${prompt}`);
      ring();
      void notifyTurn(game.gameId, nameOf(game.title), prompt);
    }
    return () => {
      document.title = "Shedu";
    };
  }, [decisionId]);
}
