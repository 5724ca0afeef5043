import { type Game, GameStatus, type View } from "@shedu/client";
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Board } from "../board";
import { boardOf } from "../boards/load";
import { clearNews } from "../inbox";
import { storeSpectatorToken } from "../join";
import { type LiveGame, type Shown, useLiveGame } from "../live_game";
import { WaitingRoom, Invited } from "../components/waiting_room";
import { useRequest } from "../components/use_request";
import { useRevealedView } from "../components/revealed";
import { Loading, ErrorMessage } from "../components/messages";
import { GameTable } from "../components/game_table";
import { go, Link } from "../router";
import { useRulesOf } from "../teaching/rules_drawer";
import { useSay } from "../translation";
import { removeSeat, storedSeat } from "../seats";
import { server } from "../server";
import { isLostSeat } from "../error_messages";

export function GamePage({ gameId, invite, watch }: { gameId: string; invite: string; watch: string }): JSX.Element {
  useMemo(() => storeSpectatorToken(gameId, watch), [gameId, watch]);
  const [attempt, setAttempt] = useState(0);
  const again = () => setAttempt(attempt + 1);
  useEffect(() => clearNews(gameId), [gameId]);
  useEffect(() => (watch ? go(`/games/${gameId}`, { replace: true }) : undefined), [gameId, watch]);
  const [live, shown] = useLiveGame(gameId, attempt);
  if (shown.problem) return <Unopened gameId={gameId} invite={invite} shown={shown} again={again} />;
  if (!shown.view?.game) return <Connecting shown={shown} again={again} />;
  return <Opened live={live} shown={shown} view={shown.view} game={shown.view.game} again={again} />;
}

function Connecting({ shown, again }: { shown: Shown; again: () => void }): JSX.Element {
  const say = useSay();
  if (shown.connection !== "lost") return <Loading />;
  return (
    <section class="panel notice" role="alert">
      <p>{say("web.trouble.away", "The server cannot be reached. Your seat and your game are safe. Try again in a moment.")}</p>
      <button type="button" class="primary" onClick={again}>
        {say("web.again", "Try again")}
      </button>
    </section>
  );
}

/** Errors of games that may not be watched, but can perhaps be joined. */
const MAY_JOIN = new Set(["NO_SPECTATORS", "SPECTATOR_TOKEN_MISSING"]);

/** Whether the game can be joined. A private game cannot be read before joining, so its invitation must do. */
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

/** The server refuses to show the game: explains why, and offers to join or to leave the page. */
function Unopened({ gameId, invite, shown, again }: Unopened): JSX.Element {
  const say = useSay();
  const mayJoin = MAY_JOIN.has(shown.problem?.reason ?? "") || (invite !== "" && shown.problem?.reason === "GAME_NOT_FOUND");
  const closed = useRequest((signal) => (mayJoin ? hasFreeSeat(gameId, invite, signal) : Promise.resolve(false)), [gameId, mayJoin]);
  if (mayJoin && !storedSeat(gameId) && closed.answer) return <Invited gameId={gameId} invite={invite} joined={again} />;
  const giveUp = () => {
    removeSeat(gameId);
    again();
  };
  return (
    <ErrorMessage problem={shown.problem} again={shown.problem?.isTransient ? again : undefined}>
      {isLostSeat(shown.problem) ? (
        <button type="button" class="primary" onClick={giveUp}>
          {say("web.seat.drop", "Give up this seat and watch")}
        </button>
      ) : null}
      <Link to="/lobby" class="button">
        {say("web.to_lobby", "Go to the lobby")}
      </Link>
      <Link to="/" class="button">
        {say("web.to_gallery", "All games")}
      </Link>
    </ErrorMessage>
  );
}

interface Opened {
  live: LiveGame;
  shown: Shown;
  view: View;
  game: Game;
  again: () => void;
}

function Opened({ live, shown, view: own, game, again }: Opened): JSX.Element {
  const view = useRevealedView(live, own);
  const board = useBoard(game.title);
  useRulesOf(game.title);
  if (game.status === GameStatus.GATHERING) return <WaitingRoom live={live} shown={shown} game={game} changed={again} />;
  if (board === "missing") return <Outdated />;
  if (!board) return <Loading />;
  return <GameTable live={live} shown={shown} view={view} game={game} board={board} again={again} />;
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

/** The server has a newer bundle, so chunks of this page no longer exist. */
export function Outdated(): JSX.Element {
  const say = useSay();
  return (
    <section class="panel notice" role="alert">
      <p>{say("web.outdated", "This page is older than the server, or the server is unavailable. Reload the page; your game is safe.")}</p>
      <button type="button" class="primary" onClick={() => location.reload()}>
        {say("web.broken.reload", "Reload")}
      </button>
    </section>
  );
}
