import { type Game, GameStatus, type View } from "@shedu/client";
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Board } from "../board";
import { boardOf } from "../boards";
import { looked } from "../inbox";
import { keepWatch } from "../joining";
import { type LiveTable, type Shown, useLiveTable } from "../live";
import { Gathering, Invited } from "../parts/gathering";
import { useAsked } from "../parts/asked";
import { Loading, Trouble } from "../parts/notice";
import { Play } from "../parts/play";
import { go, Link } from "../router";
import { useSay } from "../say";
import { dropSeat, keptSeat } from "../seats";
import { server } from "../server";
import { isLostSeat } from "../troubles";

export function GamePage({ gameId, invite, watch }: { gameId: string; invite: string; watch: string }): JSX.Element {
  useMemo(() => keepWatch(gameId, watch), [gameId, watch]);
  const [attempt, setAttempt] = useState(0);
  const again = () => setAttempt(attempt + 1);
  useEffect(() => looked(gameId), [gameId]);
  useEffect(() => (watch ? go(`/games/${gameId}`, { replace: true }) : undefined), [gameId, watch]);
  const [live, shown] = useLiveTable(gameId, attempt);
  if (shown.problem) return <Unopened gameId={gameId} invite={invite} shown={shown} again={again} />;
  if (!shown.view?.game) return <Connecting shown={shown} again={again} />;
  return <Opened live={live} shown={shown} view={shown.view} game={shown.view.game} again={again} />;
}

function Connecting({ shown, again }: { shown: Shown; again: () => void }): JSX.Element {
  const say = useSay();
  if (shown.connection !== "lost") return <Loading />;
  return (
    <section class="panel notice" role="alert">
      <p>{say("web.trouble.away", "The server cannot be reached. Your seat and your game are kept; try again in a moment.")}</p>
      <button type="button" class="primary" onClick={again}>
        {say("web.again", "Try again")}
      </button>
    </section>
  );
}

/** What is said of a game that may not be watched, but perhaps be joined. */
const MAY_JOIN = new Set(["NO_SPECTATORS", "SPECTATOR_TOKEN_MISSING"]);

/** A private game cannot be looked at before one sits down; the invitation will do. */
async function hasFreeSeat(gameId: string, invite: string, signal: AbortSignal): Promise<boolean> {
  if (invite !== "") return true;
  const game = await server.table(gameId).game(signal);
  return game.status === GameStatus.GATHERING && game.seats.some((seat) => !seat.taken);
}

interface Unopened {
  gameId: string;
  invite: string;
  shown: Shown;
  again: () => void;
}

/** The server does not show this game to this browser: say why, and offer a way on. */
function Unopened({ gameId, invite, shown, again }: Unopened): JSX.Element {
  const say = useSay();
  const mayJoin = MAY_JOIN.has(shown.problem?.reason ?? "") || (invite !== "" && shown.problem?.reason === "GAME_NOT_FOUND");
  const closed = useAsked((signal) => (mayJoin ? hasFreeSeat(gameId, invite, signal) : Promise.resolve(false)), [gameId, mayJoin]);
  if (mayJoin && !keptSeat(gameId) && closed.answer) return <Invited gameId={gameId} invite={invite} joined={again} />;
  const giveUp = () => {
    dropSeat(gameId);
    again();
  };
  return (
    <Trouble problem={shown.problem} again={shown.problem?.isTransient ? again : undefined}>
      {isLostSeat(shown.problem) ? (
        <button type="button" class="primary" onClick={giveUp}>
          {say("web.seat.drop", "Forget the seat and look at the game from outside")}
        </button>
      ) : null}
      <Link to="/lobby" class="button">
        {say("web.to_lobby", "Go to the lobby")}
      </Link>
      <Link to="/" class="button">
        {say("web.to_gallery", "See the games")}
      </Link>
    </Trouble>
  );
}

interface Opened {
  live: LiveTable;
  shown: Shown;
  view: View;
  game: Game;
  again: () => void;
}

function Opened({ live, shown, view, game, again }: Opened): JSX.Element {
  const board = useBoard(game.title);
  if (game.status === GameStatus.GATHERING) return <Gathering live={live} shown={shown} game={game} changed={again} />;
  if (board === "missing") return <Outdated />;
  if (!board) return <Loading />;
  return <Play live={live} shown={shown} view={view} game={game} board={board} again={again} />;
}

export function useBoard(title: string | undefined): Board | undefined | "missing" {
  const [board, setBoard] = useState<Board | "missing">();
  useEffect(() => {
    if (title === undefined) return;
    boardOf(title).then(
      (found) => setBoard(() => found as Board),
      () => setBoard("missing"),
    );
  }, [title]);
  return board;
}

/** The server has been renewed: parts of this page are no longer to be had. */
export function Outdated(): JSX.Element {
  const say = useSay();
  return (
    <section class="panel notice" role="alert">
      <p>{say("web.outdated", "This page is older than the server, or the server is away. Load it again to go on; nothing is lost.")}</p>
      <button type="button" class="primary" onClick={() => location.reload()}>
        {say("web.broken.reload", "Load again")}
      </button>
    </section>
  );
}
