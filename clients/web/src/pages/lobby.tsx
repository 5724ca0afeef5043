import { type Game, GameStatus, type Title } from "@shedu/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { titles as catalog } from "../title_catalog";
import { displayNameOf, distinct } from "../player_names";
import { useRequest } from "../components/use_request";
import { InboxNews } from "../components/inbox_news";
import { Loading, ErrorMessage } from "../components/messages";
import { Link } from "../router";
import { useSay } from "../translation";
import { storedSeat } from "../seats";
import { server } from "../server";
import { nameOf } from "../title_facts";

async function look(title: string, signal: AbortSignal): Promise<{ titles: Title[]; open: Game[]; running: Game[] }> {
  const [titles, open, running] = await Promise.all([
    catalog(),
    server.list({ title, status: GameStatus.GATHERING, joinable: true }, signal),
    server.list({ title, status: GameStatus.PLAYING }, signal),
  ]);
  return { titles, open: open.games, running: running.games };
}

export function LobbyPage(): JSX.Element {
  const say = useSay();
  const [title, setTitle] = useState("");
  const { answer, problem, again } = useRequest((signal) => look(title, signal), [title]);
  return (
    <>
      <h1>{say("web.lobby.title", "Lobby")}</h1>
      <p class="ways">
        <label class="inline">
          {say("web.lobby.filter", "Show")}
          <select value={title} onChange={(event) => setTitle(event.currentTarget.value)}>
            <option value="">{say("web.lobby.all", "all games")}</option>
            {answer?.titles.map((found) => (
              <option value={found.title}>{found.displayName}</option>
            ))}
          </select>
        </label>
        <button type="button" onClick={again}>
          {say("web.lobby.refresh", "Refresh")}
        </button>
      </p>
      <InboxNews />
      {problem ? <ErrorMessage problem={problem} again={again} /> : null}
      {!answer && !problem ? <Loading /> : null}
      {answer ? (
        <>
          <h2>{say("web.lobby.open", "Open games")}</h2>
          <GameList games={answer.open} empty={say("web.lobby.none_open", "No public game has a free seat.")} />
          <h2>{say("web.lobby.running", "In progress")}</h2>
          <GameList games={answer.running} empty={say("web.lobby.none_running", "No public game is in progress.")} />
        </>
      ) : null}
    </>
  );
}

export function GameList(props: { games: readonly Game[]; asked?: ReadonlySet<string>; empty: string }): JSX.Element {
  if (props.games.length === 0) return <p class="empty">{props.empty}</p>;
  return (
    <ul class="games">
      {props.games.map((game) => (
        <GameRow key={game.gameId} game={game} asked={props.asked?.has(game.gameId) ?? false} />
      ))}
    </ul>
  );
}

function GameRow({ game, asked }: { game: Game; asked: boolean }): JSX.Element {
  const say = useSay();
  const called = distinct(game.seats.filter((seat) => seat.taken).map((seat) => displayNameOf(seat, say)));
  const names = called.map((name) => name || say("web.nameless", "unnamed player"));
  const taken = String(names.length);
  return (
    <li class="panel game-row">
      <div>
        <strong>{nameOf(game.title)}</strong> {asked ? <span class="badge">{say("web.your_turn", "Your turn")}</span> : null}
        <span class="facts">
          {say("web.lobby.taken", "{taken} of {seats} seats taken", { taken, seats: String(game.seats.length) })}
          {names.length > 0 ? `: ${names.join(", ")}` : ""}
        </span>
      </div>
      <Link to={`/games/${game.gameId}`} class="button">
        {wayIn(game, say)}
        <span class="unseen">: {nameOf(game.title)}</span>
      </Link>
    </li>
  );
}

function wayIn(game: Game, say: ReturnType<typeof useSay>): string {
  if (storedSeat(game.gameId)) return say("web.lobby.back", "Return to game");
  if (game.status === GameStatus.GATHERING) return say("web.lobby.join", "Join");
  return game.status === GameStatus.FINISHED ? say("web.lobby.result", "Result") : say("web.lobby.watch", "Watch");
}
