import type { Event, Game, View } from "@shedu/client";
import { GameStatus } from "@shedu/client";
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Board, Choice } from "../board";
import { useDragging } from "../boards/dragging";
import { useShortcuts } from "../boards/shortcuts";
import { useDecision } from "../decision";
import type { LiveGame, Shown } from "../live_game";
import { namesOf, useStableNames } from "../player_names";
import { usePast } from "../past_position";
import { useRefusalReason } from "../refusal_reason";
import { notifyTurn } from "../notifications";
import { Link } from "../router";
import { sayText, useLanguage, useSay } from "../translation";
import { actorOf } from "../event_facts";
import { sentenceOf } from "../event_sentences";
import { ring, tap } from "../sound";
import { nameOf } from "../title_facts";
import { ActionBar } from "./action_bar";
import { announce } from "./announcer";
import { BoardText } from "./board_text";
import { EventLog } from "./event_log";
import { ProposalNotices, SeatMenu, useCall } from "./proposals";
import { Result } from "./result";
import { SeatSwitcher } from "./seat_switcher";
import { WatchLink } from "./share_links";
import { ChoicesInWords, Known, Sheet } from "./side_panel";
import { StatusBar } from "./status_bar";

export interface GameTableProps {
  live: LiveGame;
  shown: Shown;
  view: View;
  game: Game;
  board: Board;
  again: () => void;
}

const NO_CHOICES: readonly Choice[] = [];

/** A running or finished game: status bar, board, actions and side panel, which fit the screen without scrolling. */
export function GameTable({ live, shown, view, game, board, again }: GameTableProps): JSX.Element {
  const say = useSay();
  const language = useLanguage();
  const names = useStableNames(namesOf(game, say));
  const deciding = useDecision(live, shown, board);
  const refusing = useRefusalReason(live, deciding);
  const calls = useCall();
  useEventAnnouncements(shown, names, board);
  useTurnNotice(game, deciding.decision?.decisionId, sayText(deciding.decision?.prompt));
  const over = game.status === GameStatus.FINISHED && shown.behind === 0;
  const [sheet, setSheet] = useState(false);
  useEffect(() => setSheet(over), [over]);
  const { past, jump, back } = usePast(live, shown.log);
  const position = past ?? { view, happened: shown.happened };
  const undo = () => calls.ask(() => live.table.proposeUndo(view.undoToVersion));
  useDragging();
  useShortcuts({ clear: deciding.clear, undo: view.undoToVersion === undefined ? undefined : undo });
  const inSheet = {
    ...deciding,
    pick: (choice: Choice) => {
      setSheet(false);
      deciding.pick(choice);
    },
  };
  const talk = { live, view, game, names, calls };
  // Memoized: pointing at the board renders this component again, and must be fast.
  const known = useMemo(() => <Known board={board} view={position.view} names={names} />, [position.view, names, board, language]);
  const log = useMemo(
    () => (
      <EventLog events={shown.log} names={names} board={board} at={past?.version} jump={jump}>
        <Link to={`/games/${game.gameId}/replay`}>{say("web.to_replay", "Replay")}</Link>
      </EventLog>
    ),
    [shown.log, names, board, language, past],
  );
  const more = useMemo(() => <More game={game} view={view} names={names} board={board} />, [view, names, board, language]);
  const tell = (event: Event) => sentenceOf(event, names, board, say) ?? "";
  const caption = past
    ? past.happened.map(tell).join(" ")
    : (board.caption?.(shown.happened, names, say) ?? captionOf(shown, tell));
  return (
    <div class={`shell ${over ? "over" : ""}`}>
      <StatusBar {...{ deciding, shown, view, game, names, board, over, caption }} past={past !== undefined} refused={refusing.sentence}>
        {over ? null : <ProposalNotices {...talk} />}
      </StatusBar>
      <section class="board-area" aria-label={say("web.board", "Board")}>
        <board.Component
          view={position.view}
          seat={view.seat}
          names={names}
          choices={past ? NO_CHOICES : deciding.choices}
          chosen={past ? NO_CHOICES : deciding.chosen}
          narrow={deciding.narrow}
          insist={deciding.play}
          refuse={refusing.refuse}
          hover={refusing.hover}
          happened={position.happened}
          recent={past ? past.happened : shown.recent}
          say={say}
        />
      </section>
      <ActionBar
        {...{ deciding, shown, view }}
        skip={() => live.skip()}
        undo={undo}
        showAgain={() => live.showAgain()}
        past={past !== undefined}
        back={back}
        openSheet={() => setSheet(!sheet)}
      >
        <SeatSwitcher gameId={game.gameId} names={names} asked={view.decisions.map((decision) => decision.seat)} changed={again} />
      </ActionBar>
      <aside class="side" aria-label={say("web.side", "Players and log")}>
        {known}
        <Sheet open={sheet} close={() => setSheet(false)}>
          {over ? <Result live={live} view={view} game={game} names={names} board={board} /> : <ChoicesInWords deciding={inSheet} />}
          {log}
          <details class="more-ways">
            <summary>{say("web.more", "More")}</summary>
            {over ? null : <SeatMenu {...talk} />}
            {more}
          </details>
        </Sheet>
      </aside>
    </div>
  );
}

/** What happened last, in one line; after loading, the last event of the log. */
function captionOf({ happened, log }: Shown, tell: (event: Event) => string): string {
  const told = happened.map(tell).filter(Boolean).join(" ");
  const last = told ? undefined : log.findLast((event) => tell(event) !== "");
  return last ? tell(last) : told;
}

function More(props: { game: Game; view: View; names: readonly string[]; board: Board }): JSX.Element {
  const say = useSay();
  return (
    <>
      <p class="facts">
        {say(
          "web.keys",
          "Keys: 1 to 9 choose a piece or a button, the name of a space such as O8 goes there, arrows move, Enter takes, Esc goes back, U undoes.",
        )}
      </p>
      <WatchLink gameId={props.game.gameId} />
      <BoardText board={props.board} view={props.view} names={props.names} />
    </>
  );
}

/** Announces every event to screen readers, in order. */
function useEventAnnouncements(shown: Shown, names: readonly string[], board: Board): void {
  const say = useSay();
  useEffect(() => {
    announce(...shown.happened.map((event) => sentenceOf(event, names, board, say) ?? ""));
    if (shown.happened.length > 0 && actorOf(shown.happened) !== shown.view?.seat) tap();
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
