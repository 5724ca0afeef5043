import type { LeaderboardEntry } from "@shedu/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { account } from "../account";
import { PlayerName } from "../components/player_name";
import { ErrorMessage, Loading } from "../components/messages";
import { useRequest } from "../components/use_request";
import { limited, players } from "../player_calls";
import { go } from "../router";
import { useStore } from "../store";
import { titles } from "../title_catalog";
import { nameOf } from "../title_facts";
import { useSay } from "../translation";

const PAGE = 50;

/** The best players of a title, or those around the player of this browser. */
export function LeaderboardPage({ title }: { title: string }): JSX.Element {
  const say = useSay();
  const mine = useStore(account);
  const [aroundMe, setAroundMe] = useState(false);
  const catalog = useRequest(titles, []);
  const { answer, problem, again } = useRequest(
    (signal) => players.listLeaderboard({ title, aroundMe, pageSize: PAGE }, limited(signal)),
    [title, aroundMe, mine],
  );
  return (
    <>
      <h1>{say("web.leaderboard.title", "Leaderboard")}</h1>
      <p class="ways">
        <label class="inline">
          {say("web.lobby.filter", "Show")}
          <select value={title} onChange={(event) => go(`/leaderboard/${event.currentTarget.value}`, { replace: true })}>
            {(catalog.answer ?? []).map((found) => (
              <option value={found.title}>{nameOf(found)}</option>
            ))}
          </select>
        </label>
        {mine ? (
          <label class="check">
            <input type="checkbox" checked={aroundMe} onChange={(event) => setAroundMe(event.currentTarget.checked)} />
            {say("web.leaderboard.around_me", "Around me")}
          </label>
        ) : null}
      </p>
      {problem ? <ErrorMessage problem={problem} again={again} /> : null}
      {!answer && !problem ? <Loading /> : null}
      {answer ? (
        <p class="facts">
          {say("web.leaderboard.about", "Players with at least {least} rated games: {count}", {
            least: String(answer.minGames),
            count: String(answer.players),
          })}
        </p>
      ) : null}
      {answer && answer.entries.length > 0 ? <Board entries={answer.entries} /> : null}
    </>
  );
}

function Board({ entries }: { entries: readonly LeaderboardEntry[] }): JSX.Element {
  const say = useSay();
  return (
    <div class="panel scroll">
      <table class="leaderboard">
        <thead>
          <tr>
            <th scope="col">{say("web.player.place", "Place")}</th>
            <th scope="col">{say("web.player.name", "Player")}</th>
            <th scope="col">{say("web.player.rating", "Rating")}</th>
            <th scope="col">{say("web.player.games", "Games")}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr aria-current={entry.me ? "true" : undefined}>
              <td>{entry.place}</td>
              <th scope="row">
                <PlayerName handle={entry.handle} botLevel={entry.botLevel} />
              </th>
              <td>{entry.rating?.rating}</td>
              <td>{entry.rating?.games}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
