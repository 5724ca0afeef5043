import { type Game, GameStatus, type View } from "@shedu/client";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { LiveGame } from "../live_game";
import { createStore, useStore } from "../store";
import { useSay } from "../translation";
import { ErrorMessage } from "./messages";
import { useRequest } from "./use_request";

/** The seat whose view of the finished game is shown; undefined for the player's own. */
const shownSeat = createStore<number | undefined>(undefined);

/** The view to show: when the game is over, that of the chosen seat with all that it knew. */
export function useRevealedView(live: LiveGame, view: View): View {
  const seat = useStore(shownSeat);
  const isOver = view.game?.status === GameStatus.FINISHED;
  useEffect(() => () => shownSeat.set(undefined), [live]);
  const { answer } = useRequest(
    async (signal) => (isOver && seat !== undefined ? live.table.view({ asSeat: seat, signal }) : undefined),
    [live, seat, isOver],
  );
  return isOver && seat !== undefined && answer ? answer : view;
}

/** However the game ended, every seat can be looked at, as far as its creator allows. */
export function ViewAs({ live, game, names }: { live: LiveGame; game: Game; names: readonly string[] }): JSX.Element {
  const say = useSay();
  const seat = useStore(shownSeat);
  const { problem } = useRequest(
    async (signal) => (seat === undefined ? undefined : live.table.view({ asSeat: seat, signal })),
    [live, seat],
  );
  return (
    <div class="view-as" role="group" aria-label={say("web.replay.eyes", "View as")}>
      <span class="facts">{say("web.replay.eyes", "View as")}</span>
      {game.seats.map((one) => (
        <button
          type="button"
          aria-pressed={seat === one.seat}
          onClick={() => shownSeat.set(seat === one.seat ? undefined : one.seat)}
        >
          {names[one.seat]}
        </button>
      ))}
      {problem ? <ErrorMessage problem={problem} /> : null}
    </div>
  );
}
