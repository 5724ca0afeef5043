import type { Event, Game, View } from "@shedu/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Board } from "../board";
import type { LiveGame } from "../live_game";
import { storeGivenSeat, storeInvite, storeSpectatorToken } from "../join";
import { go, Link } from "../router";
import { sentenceCase, useSay } from "../translation";
import { FairnessProof } from "./fairness";
import { ErrorMessage } from "./messages";
import { ScoreChart } from "./score_chart";
import { ViewAs } from "./revealed";
import { ShareImageButton } from "./share_image_button";

interface ResultProps {
  live: LiveGame;
  view: View;
  game: Game;
  names: readonly string[];
  board: Board;
  log: readonly Event[];
}

/** Winner, reason of the end, scores and the proof of fair luck. */
export function Result({ live, view, game, names, board, log }: ResultProps): JSX.Element {
  const say = useSay();
  const { columns, rows } = board.breakdown(view, names, say);
  return (
    <section class="result">
      <h2>{winners(game, names, say)}</h2>
      <p class="facts">{say(`outcome.${game.outcome?.reason ?? ""}`, reasonOf(game))}</p>
      <div class="scroll" tabIndex={0} role="region" aria-label={say("web.finished.scores", "Scores")}>
        <table>
          <thead>
            <tr>
              <td />
              {rows.map((row) => (
                <th scope="col">{row.name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {columns.map((column, index) => (
              <tr>
                <th scope="row">{sentenceCase(column)}</th>
                {rows.map((row) => (
                  <td>{row.cells[index]}</td>
                ))}
              </tr>
            ))}
            <tr class="place">
              <th scope="row">{say("web.finished.place", "Rank")}</th>
              {rows.map((_, seat) => (
                <td>{game.outcome?.ranks[seat]}</td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
      <ScoreChart live={live} board={board} view={view} names={names} log={log} />
      <ViewAs live={live} game={game} names={names} />
      <FairnessProof live={live} game={game} />
      <div class="ways">
        {view.seat === undefined ? null : <Rematch live={live} />}
        <ShareImageButton game={game} names={names} headline={winners(game, names, say)} />
        <Link to={`/create/${game.title}`} class="button">
          {say("web.finished.another", "New game")}
        </Link>
      </div>
    </section>
  );
}

/** Creates a game with the same players; for the others the button joins the game that the first one created. */
function Rematch({ live }: { live: LiveGame }): JSX.Element {
  const say = useSay();
  const [problem, setProblem] = useState<unknown>();
  const ask = async () => {
    try {
      const { game, seat, seatToken, inviteCode, spectatorToken } = await live.table.rematch();
      if (!game) return;
      storeGivenSeat(game, seat, seatToken);
      storeInvite(game.gameId, inviteCode);
      storeSpectatorToken(game.gameId, spectatorToken);
      go(`/games/${game.gameId}`);
    } catch (found) {
      setProblem(found);
    }
  };
  return (
    <>
      <button type="button" class="primary" onClick={ask}>
        {say("web.finished.rematch", "Rematch")}
      </button>
      {problem ? <ErrorMessage problem={problem} /> : null}
    </>
  );
}

function reasonOf(game: Game): string {
  return (game.outcome?.reason ?? "").toLowerCase().replaceAll("_", " ");
}

export function winners(game: Game, names: readonly string[], say: ReturnType<typeof useSay>): string {
  if (!game.outcome?.ranks.length) return say("web.finished.nobody", "The game ended without a winner");
  const first = names.filter((_, seat) => game.outcome?.ranks[seat] === 1);
  if (first.length === 1) return say("web.finished.won", "{name} wins", { name: first[0] ?? "" });
  return say("web.finished.shared", "{names} share the victory", { names: first.join(", ") });
}
