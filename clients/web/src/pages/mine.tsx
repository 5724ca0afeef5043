import { type Game, GameStatus, SheduError } from "@shedu/client";
import type { JSX } from "preact";
import { news } from "../inbox";
import { useAsked } from "../parts/asked";
import { Attention } from "../parts/attention";
import { Loading, Trouble } from "../parts/notice";
import { Link } from "../router";
import { useSay } from "../say";
import { dropSeat, keptSeats } from "../seats";
import { server, tableOf } from "../server";
import { useStore } from "../store";
import { isLostSeat } from "../troubles";
import { GameList } from "./lobby";

const MOST = 30;

async function look(signal: AbortSignal): Promise<MyGame[]> {
  const kept = keptSeats().slice(0, MOST);
  const games = await Promise.all(kept.map((seat) => gameOf(seat.gameId, signal)));
  return games.filter((game) => game !== undefined);
}

interface MyGame {
  game: Game;
  asked: boolean;
}

/** A game that is gone from the server is forgotten here as well; a seat that is lost is shown from outside. */
async function gameOf(gameId: string, signal: AbortSignal): Promise<MyGame | undefined> {
  try {
    const { game, seat, decisions } = await tableOf(gameId).view({ signal });
    return game && { game, asked: decisions.some((decision) => decision.seat === seat) };
  } catch (problem) {
    if (isLostSeat(problem)) return { game: await server.table(gameId).game(signal), asked: false };
    if (SheduError.from(problem).reason !== "GAME_NOT_FOUND") throw problem;
    dropSeat(gameId);
    return undefined;
  }
}

export function MinePage(): JSX.Element {
  const say = useSay();
  const fresh = [...useStore(news).values()];
  const { answer, problem, again } = useAsked(look, [fresh.map(({ gameId, version }) => `${gameId}/${version}`).join()]);
  const over = ({ game }: MyGame) => game.status === GameStatus.FINISHED;
  const asked = new Set(answer?.filter((mine) => mine.asked).map(({ game }) => game.gameId));
  const gamesOf = (mine: readonly MyGame[] = []) => mine.map(({ game }) => game);
  return (
    <>
      <h1>{say("web.mine.title", "My tables")}</h1>
      <p class="lead">{say("web.mine.lead", "The seats this browser has taken. The keys to them never leave it but to this server.")}</p>
      <Attention />
      {problem ? <Trouble problem={problem} again={again} /> : null}
      {!answer && !problem ? <Loading /> : null}
      {answer ? (
        <>
          <GameList
            games={gamesOf(answer.filter((mine) => !over(mine)))}
            asked={asked}
            empty={say("web.mine.none", "You sit at no table.")}
          />
          <h2>{say("web.mine.finished", "Finished")}</h2>
          <GameList games={gamesOf(answer.filter(over))} empty={say("web.mine.none_finished", "None yet.")} />
          <p class="ways">
            <Link to="/" class="button">
              {say("web.to_gallery", "See the games")}
            </Link>
          </p>
        </>
      ) : null}
    </>
  );
}
