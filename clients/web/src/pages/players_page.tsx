import type { JSX } from "preact";
import { ErrorMessage, Loading } from "../components/messages";
import { useRequest } from "../components/use_request";
import type { Route } from "../router";

/** Pages about players, their ratings and games with strangers. They load when they are opened. */
export function PlayersPage({ here }: { here: Route }): JSX.Element {
  const { answer, problem, again } = useRequest(() => import("./players_pages"), []);
  if (problem) return <ErrorMessage problem={problem} again={again} />;
  if (!answer) return <Loading />;
  switch (here.page) {
    case "play":
      return <answer.PlayPage title={here.title} />;
    case "leaderboard":
      return <answer.LeaderboardPage title={here.title} />;
    case "player":
      return <answer.PlayerPage handle={here.handle} />;
    default:
      return <answer.AccountPage />;
  }
}
