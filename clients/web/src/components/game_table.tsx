import type { Decision, Event, Game, View } from "@shedu/client";
import { GameStatus } from "@shedu/client";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Board, Choice } from "../board";
import { useDragging } from "../boards/dragging";
import { useFlights } from "../boards/flights";
import { useShortcuts } from "../boards/shortcuts";
import { type DecisionState, useDecision } from "../decision";
import { explain } from "../error_messages";
import { type Hint, useHint } from "../hint";
import type { LiveGame, Shown } from "../live_game";
import { namesOf, useStableNames } from "../player_names";
import { type Past, usePast } from "../past_position";
import { type RefusalReason, useRefusalReason } from "../refusal_reason";
import { SheduError } from "@shedu/client";
import { notifyTurn } from "../notifications";
import { sayText, useSay } from "../translation";
import { actorOf } from "../event_facts";
import { sentenceOf } from "../event_sentences";
import { ring, tap } from "../sound";
import { nameOf } from "../title_facts";
import { useTalk } from "../talk";
import { useGuide } from "../teaching/guide";
import { Tips } from "../teaching/tips";
import { ActionBar } from "./action_bar";
import { announce } from "./announcer";
import { ProposalNotices, useCall } from "./proposals";
import { SeatSwitcher } from "./seat_switcher";
import { SidePanel } from "./side_panel";
import { StatusBar } from "./status_bar";
import { NewestRemark } from "./talk_panel";

export interface GameTableProps {
  live: LiveGame;
  shown: Shown;
  view: View;
  game: Game;
  board: Board;
  again: () => void;
}

/** A running or finished game: status bar, board, actions and side panel, which fit the screen without scrolling. */
export function GameTable({ live, shown, view, game, board, again }: GameTableProps): JSX.Element {
  const names = useStableNames(namesOf(game, useSay()));
  const deciding = useDecision(live, shown, board);
  const refusing = useRefusalReason(live, deciding);
  const calls = useCall();
  const { past, jump, back } = usePast(live, shown.log);
  const caption = useCaption(shown, past, names, board);
  const hint = useHint(live, view, game, deciding.decision?.decisionId);
  const guide = useGuide(game.gameId, game.title, view, deciding, shown.behind === 0);
  const advice = useAdvice(hint, names, board);
  const over = game.status === GameStatus.FINISHED && shown.behind === 0;
  const [sheet, setSheet] = useState(false);
  useEffect(() => setSheet(over), [over]);
  const undo = () => calls.ask(() => live.table.proposeUndo(view.undoToVersion));
  useEventAnnouncements(shown, names, board);
  useTurnNotice(game, deciding.decision);
  useDragging();
  useShortcuts({ clear: deciding.clear, undo: view.undoToVersion === undefined ? undefined : undo });
  const talk = useTalk(game, view.seat);
  const asking = { live, view, game, names, calls };
  const table = { deciding, shown, view, game, names, board, over };
  return (
    <div class={`shell ${over ? "over" : ""}`}>
      <StatusBar {...table} caption={caption} past={past !== undefined} refused={refusing.sentence} advice={advice}>
        {over ? null : <ProposalNotices {...asking} />}
        {talk ? <NewestRemark talk={talk} names={names} seat={view.seat} /> : null}
      </StatusBar>
      <BoardArea {...table} refusing={refusing} past={past} advised={hint.events} proposed={guide.proposed} />
      <ActionBar
        {...table}
        skip={() => live.skip()}
        undo={undo}
        showAgain={() => live.showAgain()}
        hint={hint}
        past={past !== undefined}
        back={back}
        openSheet={() => setSheet(!sheet)}
      >
        <SeatSwitcher gameId={game.gameId} names={names} asked={view.decisions.map((decision) => decision.seat)} changed={again} />
      </ActionBar>
      <SidePanel {...table} {...asking} talk={talk} past={past} jump={jump} open={sheet} show={setSheet} />
      {guide.card}
      <Tips title={game.title} view={past?.view ?? view} />
    </div>
  );
}

interface BoardAreaProps {
  deciding: DecisionState;
  refusing: RefusalReason;
  shown: Shown;
  view: View;
  past: Past | undefined;
  /** What a bot would do: it is marked in place of what happened. */
  advised: readonly Event[];
  /** The choice that the guide proposes. */
  proposed: Choice | undefined;
  names: readonly string[];
  board: Board;
}

const NO_CHOICES: readonly Choice[] = [];
const NOTHING: readonly Event[] = [];

/** The board of the title: the current position with its choices, or an earlier one without. */
function BoardArea({ deciding, refusing, shown, view, past, advised, proposed, names, board }: BoardAreaProps): JSX.Element {
  const say = useSay();
  const area = useRef<HTMLElement>(null);
  useFlights(area, past ? NOTHING : shown.happened, view.seat);
  return (
    <section ref={area} class="board-area" aria-label={say("web.board", "Board")}>
      <board.Component
        view={past?.view ?? view}
        seat={view.seat}
        names={names}
        choices={past ? NO_CHOICES : deciding.choices}
        chosen={past ? NO_CHOICES : deciding.chosen}
        proposed={past ? undefined : proposed}
        narrow={deciding.narrow}
        insist={deciding.play}
        refuse={refusing.refuse}
        hover={refusing.hover}
        happened={past?.happened ?? shown.happened}
        recent={past?.happened ?? (advised.length > 0 ? advised : shown.recent)}
        say={say}
      />
    </section>
  );
}

/** What happened last, or led to the earlier position that is shown, in one line. */
function useCaption(shown: Shown, past: Past | undefined, names: readonly string[], board: Board): string {
  const say = useSay();
  const tell = (event: Event) => sentenceOf(event, names, board, say) ?? "";
  if (past) return past.happened.map(tell).join(" ");
  return board.caption?.(shown.happened, names, say) ?? captionOf(shown, tell);
}

/** The last events; after loading, the last event of the log. */
function captionOf({ happened, log }: Shown, tell: (event: Event) => string): string {
  const told = happened.map(tell).filter(Boolean).join(" ");
  const last = told ? undefined : log.findLast((event) => tell(event) !== "");
  return last ? tell(last) : told;
}

/** The hint in words, also for screen readers. */
function useAdvice({ events, isAsking, failed }: Hint, names: readonly string[], board: Board): string {
  const say = useSay();
  const sentences = events.map((event) => sentenceOf(event, names, board, say) ?? "").filter(Boolean);
  const told = board.advice?.(events, names, say) ?? sentences.join(" ");
  const nothing = say("web.hint.pass", "Pass, or end the turn.");
  const advice = events.length > 0 ? say("web.hint.says", "Hint: {move}", { move: told || nothing }) : "";
  const sentence = failed ? explain(SheduError.from(failed), say) : isAsking ? say("web.hint.asking", "A bot is thinking …") : advice;
  useEffect(() => announce(sentence), [sentence]);
  return sentence;
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
function useTurnNotice(game: Game, decision: Decision | undefined): void {
  const say = useSay();
  const asked = decision !== undefined;
  const prompt = sayText(decision?.prompt);
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
  }, [decision?.decisionId]);
}
