import { type Game, GameStatus, SheduError } from "@shedu/client";
import type { JSX } from "preact";
import { news } from "../inbox";
import { useRequest } from "../components/use_request";
import { InboxNews } from "../components/inbox_news";
import { Loading, ErrorMessage } from "../components/messages";
import { Link } from "../router";
import { useSay } from "../translation";
import { removeSeat, storedSeats } from "../seats";
import { server, tableOf } from "../server";
import { useStore } from "../store";
import { isLostSeat } from "../error_messages";
import { GameList } from "./lobby";

const MOST = 30;

async function look(signal: AbortSignal): Promise<MyGame[]> {
  const kept = storedSeats().slice(0, MOST);
  const games = await Promise.all(kept.map((seat) => gameOf(seat.gameId, signal)));
  return games.filter((game) => game !== undefined);
}

interface MyGame {
  game: Game;
  asked: boolean;
}

/** Removes the seat if the server no longer has the game; reads the game as a spectator if the seat token is invalid. */
async function gameOf(gameId: string, signal: AbortSignal): Promise<MyGame | undefined> {
  try {
    const { game, seat, decisions } = await tableOf(gameId).view({ signal });
    return game && { game, asked: decisions.some((decision) => decision.seat === seat) };
  } catch (problem) {
    if (isLostSeat(problem)) return { game: await server.table(gameId).game(signal), asked: false };
    if (SheduError.from(problem).reason !== "GAME_NOT_FOUND") throw problem;
    removeSeat(gameId);
    return undefined;
  }
}

export function MyGamesPage(): JSX.Element {
  const say = useSay();
  const fresh = [...useStore(news).values()];
  const { answer, problem, again } = useRequest(look, [fresh.map(({ gameId, version }) => `${gameId}/${version}`).join()]);
  const over = ({ game }: MyGame) => game.status === GameStatus.FINISHED;
  const asked = new Set(answer?.filter((mine) => mine.asked).map(({ game }) => game.gameId));
  const gamesOf = (mine: readonly MyGame[] = []) => mine.map(({ game }) => game);
  return (
    <>
      <h1>{say("web.mine.title", "My games")}</h1>
      <p class="lead">{say("web.mine.lead", "Games that this browser has joined. The access keys are stored only here.")}</p>
      <InboxNews />
      {problem ? <ErrorMessage problem={problem} again={again} /> : null}
      {!answer && !problem ? <Loading /> : null}
      {answer ? (
        <>
          <GameList
            games={gamesOf(answer.filter((mine) => !over(mine)))}
            asked={asked}
            empty={say("web.mine.none", "You have no games in progress.")}
          />
          <h2>{say("web.mine.finished", "Finished")}</h2>
          <GameList games={gamesOf(answer.filter(over))} empty={say("web.mine.none_finished", "None yet.")} />
          <p class="ways">
            <Link to="/" class="button">
              {say("web.to_gallery", "All games")}
            </Link>
          </p>
        </>
      ) : null}
    </>
  );
}
