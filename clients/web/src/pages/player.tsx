import { GameResult, type PlayedGame, type Player, type TitleStatistics } from "@shedu/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { account } from "../account";
import { ErrorMessage, Loading } from "../components/messages";
import { PlayerName } from "../components/player_name";
import { RatingChart } from "../components/rating_chart";
import { useRequest } from "../components/use_request";
import { limited, players } from "../player_calls";
import { Link } from "../router";
import { useStore } from "../store";
import { nameOf } from "../title_facts";
import { useLanguage, useSay } from "../translation";

/** A player: ratings, statistics and, unless it is hidden, the history with a chart of the rating. */
export function PlayerPage({ handle }: { handle: string }): JSX.Element {
  const say = useSay();
  const mine = useStore(account)?.handle === handle;
  const { answer, problem, again } = useRequest((signal) => look(handle, mine, signal), [handle, mine]);
  return (
    <>
      <h1>{handle}</h1>
      {mine ? (
        <p class="ways">
          <Link to="/account" class="button">
            {say("web.account.title", "Your account")}
          </Link>
        </p>
      ) : null}
      {problem ? <ErrorMessage problem={problem} again={again} /> : null}
      {!answer && !problem ? <Loading /> : null}
      {answer ? <Ratings player={answer.player} titles={answer.titles} /> : null}
      {answer?.player.historyHidden && !mine ? (
        <p class="empty">{say("web.trouble.history_hidden", "This player hides their history.")}</p>
      ) : answer ? (
        <History handle={answer.player.handle} titles={answer.player.ratings.map(({ title }) => title)} />
      ) : null}
    </>
  );
}

interface Found {
  player: Player;
  titles: readonly TitleStatistics[];
}

async function look(handle: string, mine: boolean, signal: AbortSignal): Promise<Found> {
  const { player } = await players.getPlayer({ handle }, limited(signal));
  if (!player) throw new Error("the server's answer lacks the player");
  if (player.historyHidden && !mine) return { player, titles: [] };
  const { titles } = await players.getPlayerStatistics({ handle }, limited(signal));
  return { player, titles };
}

function Ratings({ player, titles }: Found): JSX.Element {
  const say = useSay();
  const known = [...new Set([...player.ratings, ...titles].map(({ title }) => title))].sort();
  if (known.length === 0) return <p class="empty">{say("web.player.none", "No games yet.")}</p>;
  return (
    <div class="panel scroll">
      <table class="ratings">
        <thead>
          <tr>
            <th scope="col">{say("web.player.game", "Game")}</th>
            <th scope="col">{say("web.player.rating", "Rating")}</th>
            <th scope="col">{say("web.player.games", "Games")}</th>
            <th scope="col">{say("web.player.won", "Won")}</th>
            <th scope="col">{say("web.player.drawn", "Drawn")}</th>
          </tr>
        </thead>
        <tbody>
          {known.map((title) => {
            const rating = player.ratings.find((found) => found.title === title);
            const total = titles.find((found) => found.title === title)?.total;
            return (
              <tr>
                <th scope="row">
                  <Link to={`/leaderboard/${title}`}>{nameOf(title)}</Link>
                </th>
                <td>{rating ? `${rating.rating} ± ${rating.deviation}` : "–"}</td>
                <td>{total?.games ?? rating?.games ?? 0}</td>
                <td>{total?.won ?? "–"}</td>
                <td>{total?.drawn ?? "–"}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface Pages {
  games: readonly PlayedGame[];
  next: string;
}

/** The finished games, newest first, with the course of the rating in the title that is chosen. */
function History({ handle, titles }: { handle: string; titles: readonly string[] }): JSX.Element {
  const say = useSay();
  const [title, setTitle] = useState(titles[0] ?? "");
  const [more, setMore] = useState<Pages | undefined>();
  const [failed, setFailed] = useState<unknown>();
  const page = (pageToken: string, signal?: AbortSignal) =>
    players.listPlayerGames({ handle, title, pageSize: 50, pageToken }, limited(signal));
  const { answer, problem, again } = useRequest((signal) => page("", signal), [handle, title]);
  const games = [...(answer?.games ?? []), ...(more?.games ?? [])];
  const next = more ? more.next : (answer?.nextPageToken ?? "");
  const choose = (chosen: string) => {
    setMore(undefined);
    setTitle(chosen);
  };
  const showMore = () =>
    page(next).then(
      (found) => setMore({ games: [...(more?.games ?? []), ...found.games], next: found.nextPageToken }),
      setFailed,
    );
  return (
    <section aria-label={say("web.player.history", "History")}>
      <h2 class="history-head">{say("web.player.history", "History")}</h2>
      {titles.length > 1 ? <TitleFilter title={title} titles={titles} choose={choose} /> : null}
      {problem || failed ? <ErrorMessage problem={problem ?? failed} again={again} /> : null}
      <RatingChart games={games} />
      {answer && games.length === 0 ? <p class="empty">{say("web.player.none", "No games yet.")}</p> : null}
      {games.length > 0 ? <Games games={games} handle={handle} /> : null}
      {next ? (
        <p class="ways">
          <button type="button" onClick={showMore}>
            {say("web.player.more", "Show more")}
          </button>
        </p>
      ) : null}
    </section>
  );
}

function TitleFilter(props: { title: string; titles: readonly string[]; choose: (title: string) => void }): JSX.Element {
  const say = useSay();
  return (
    <label class="inline">
      {say("web.lobby.filter", "Show")}
      <select value={props.title} onChange={(event) => props.choose(event.currentTarget.value)}>
        {props.titles.map((title) => (
          <option value={title}>{nameOf(title)}</option>
        ))}
        <option value="">{say("web.lobby.all", "all games")}</option>
      </select>
    </label>
  );
}

function Games({ games, handle }: { games: readonly PlayedGame[]; handle: string }): JSX.Element {
  const say = useSay();
  const language = useLanguage();
  const results: Record<number, string> = {
    [GameResult.WON]: say("web.player.result.won", "Won"),
    [GameResult.DRAWN]: say("web.player.result.drawn", "Drawn"),
    [GameResult.LOST]: say("web.player.lost", "Lost"),
  };
  const day = (game: PlayedGame) => new Date(Number(game.endTime?.seconds ?? 0n) * 1000).toLocaleDateString(language);
  return (
    <ul class="games history">
      {games.map((game) => (
        <li key={game.gameId} class="panel game-row">
          <div>
            <strong>{results[game.result] ?? ""}</strong> {nameOf(game.title)} <Change game={game} />
            <span class="facts">
              {day(game)} ·{" "}
              {game.seats.flatMap((seat, index) => (seat.handle === handle ? [] : [index > 0 ? " " : "", <PlayerName {...seat} />]))}
            </span>
          </div>
          <Link to={`/games/${game.gameId}`} class="button">
            {say("web.lobby.result", "Result")}
            <span class="unseen">: {nameOf(game.title)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Change({ game }: { game: PlayedGame }): JSX.Element | null {
  if (!game.ratingChange) return null;
  const { before, after } = game.ratingChange;
  return (
    <span class="badge">
      {after} ({after < before ? "−" : "+"}
      {Math.abs(after - before)})
    </span>
  );
}
