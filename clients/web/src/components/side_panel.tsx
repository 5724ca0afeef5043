import type { Game, View } from "@shedu/client";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Board, Choice } from "../board";
import type { DecisionState } from "../decision";
import type { LiveGame, Shown } from "../live_game";
import type { Past } from "../past_position";
import { preferences, prefer } from "../preferences";
import { Link } from "../router";
import type { Talk } from "../talk";
import { useStore } from "../store";
import { useLanguage, useSay } from "../translation";
import { BoardText } from "./board_text";
import { ChoiceList } from "./choice_list";
import { EventLog } from "./event_log";
import { type Calls, SeatMenu } from "./proposals";
import { Result } from "./result";
import { WatchLink } from "./share_links";
import { TalkPanel } from "./talk_panel";

interface SidePanelProps {
  live: LiveGame;
  deciding: DecisionState;
  shown: Shown;
  view: View;
  game: Game;
  names: readonly string[];
  board: Board;
  calls: Calls;
  over: boolean;
  talk: Talk | undefined;
  /** The earlier position that is shown, and the way to another. */
  past: Past | undefined;
  jump: (version: bigint) => void;
  /** Whether the sheet of a narrow screen is open. */
  open: boolean;
  show: (open: boolean) => void;
}

/** What the board tells beside it, choices in words or the result, the log, and what is needed rarely. */
export function SidePanel(props: SidePanelProps): JSX.Element {
  const say = useSay();
  const language = useLanguage();
  const { deciding, shown, view, game, names, board, over, past, open, show } = props;
  const position = past?.view ?? view;
  // Memoized: pointing at the board renders this component again, and must be fast.
  const known = useMemo(() => <Known board={board} view={position} names={names} />, [position, names, board, language]);
  const log = useMemo(
    () => <Log {...props} />,
    [shown.log, names, board, language, past],
  );
  const more = useMemo(() => <More game={game} view={view} names={names} board={board} />, [view, names, board, language]);
  const pick = (choice: Choice) => {
    show(false);
    deciding.pick(choice);
  };
  return (
    <aside class="side" aria-label={say("web.side", "Players and log")}>
      {known}
      <Sheet open={open} close={() => show(false)}>
        {over ? <Result {...props} log={shown.log} /> : <ChoicesInWords deciding={{ ...deciding, pick }} />}
        {log}
        {props.talk ? <TalkPanel talk={props.talk} names={names} seat={view.seat} /> : null}
        <details class="more-ways">
          <summary>{say("web.more", "More")}</summary>
          {over ? null : <SeatMenu {...props} />}
          {more}
        </details>
      </Sheet>
    </aside>
  );
}

/** The log. An entry closes the sheet, so that its position is seen. */
function Log({ shown, names, board, game, past, jump, show }: SidePanelProps): JSX.Element {
  const say = useSay();
  const jumpAndClose = (version: bigint) => {
    show(false);
    jump(version);
  };
  return (
    <EventLog events={shown.log} names={names} board={board} at={past?.version} jump={jumpAndClose}>
      <Link to={`/games/${game.gameId}/replay`}>{say("web.to_replay", "Replay")}</Link>
    </EventLog>
  );
}

/** Every choice in words: closed until the player wishes to see them. */
function ChoicesInWords({ deciding }: { deciding: DecisionState }): JSX.Element {
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
