import { commitment, type Fairness, type Game, luckKey } from "@shedu/client";
import type { JSX } from "preact";
import { hex } from "../join";
import type { LiveGame } from "../live_game";
import type { Recomputed } from "../luck/recompute";
import { useSay } from "../translation";
import { storedSeat } from "../seats";
import { explain } from "../error_messages";
import { useRequest } from "./use_request";

export interface Proof {
  fairness: Fairness;
  /** Whether the seed hashes to the published commitment; undefined if the seed is not revealed. */
  holds: boolean | undefined;
  /** Whether it is the commitment that this browser stored when it joined; undefined if it did not join. */
  unchanged: boolean | undefined;
  /** Every draw, recomputed; undefined if the seed is not revealed. */
  draws: Recomputed | undefined;
}

async function prove(live: LiveGame, game: Game, signal: AbortSignal): Promise<Proof> {
  const fairness = await live.table.fairness(signal);
  const published = hex(game.commitment);
  const seen = storedSeat(game.gameId)?.commitment;
  const made = fairness.seed === undefined ? undefined : hex(await commitment(game.gameId, fairness.seed));
  return {
    fairness,
    holds: made === undefined ? undefined : made === published && published === hex(fairness.commitment),
    unchanged: seen === undefined ? undefined : seen === published,
    draws: await drawAgain(live, game, fairness, signal),
  };
}

async function drawAgain(
  live: LiveGame,
  game: Game,
  fairness: Fairness,
  signal: AbortSignal,
): Promise<Recomputed | undefined> {
  if (fairness.seed === undefined) return undefined;
  const { recompute } = await import("../luck/recompute");
  const key = await luckKey(fairness.seed, fairness.clientSeeds);
  return recompute(game.title, await live.table.events({ signal }), key);
}

/** Checks in this browser that all draws follow from the seed that the server committed to before anyone joined. */
export function FairnessProof({ live, game }: { live: LiveGame; game: Game }): JSX.Element {
  const say = useSay();
  const { answer: proof, problem } = useRequest((signal) => prove(live, game, signal), [game.gameId]);
  return (
    <details class="fairness">
      <summary>
        {say("web.fairness", "Was the luck fair?")} <strong>{proof ? verdict(proof, say) : "…"}</strong>
      </summary>
      {problem ? <p>{explain(problem, say)}</p> : null}
      {proof ? <Evidence proof={proof} game={game} /> : null}
    </details>
  );
}

function verdict(proof: Proof, say: ReturnType<typeof useSay>): string {
  if (proof.holds === undefined) return say("web.fairness.untold", "cannot be checked");
  return proof.holds && proof.unchanged !== false && proof.draws?.wrong === undefined
    ? `✓ ${say("web.fairness.holds", "verified")}`
    : `✗ ${say("web.fairness.broken", "check failed")}`;
}

function Evidence({ proof, game }: { proof: Proof; game: Game }): JSX.Element {
  const say = useSay();
  return (
    <>
      <p>
        {say(
          "web.fairness.text",
          "Before anyone joined, the server published a commitment: a hash of its secret seed. The seed is public now, and this browser has computed the hash again. Every draw follows from this seed and the seeds of the players.",
        )}
      </p>
      <dl>
        <dt>{say("web.fairness.commitment", "Commitment")}</dt>
        <dd class="code">{hex(game.commitment)}</dd>
        <dt>{say("web.fairness.seed", "Seed")}</dt>
        <dd class="code">{proof.fairness.seed ? hex(proof.fairness.seed) : say("web.fairness.hidden", "not revealed")}</dd>
        <dt>{say("web.fairness.client_seeds", "Seeds of the players")}</dt>
        {proof.fairness.clientSeeds.map((seed) => (
          <dd class="code">{seed.length > 0 ? hex(seed) : "–"}</dd>
        ))}
      </dl>
      {proof.draws ? <DrawnAgain draws={proof.draws} /> : null}
      {proof.unchanged === undefined ? null : (
        <p>
          {proof.unchanged
            ? say("web.fairness.unchanged", "It is the commitment that this browser saw when you joined.")
            : say("web.fairness.changed", "It differs from the commitment that this browser saw when you joined.")}
        </p>
      )}
    </>
  );
}

function DrawnAgain({ draws }: { draws: Recomputed }): JSX.Element {
  const say = useSay();
  const kinds: Record<keyof Recomputed["same"], string> = {
    first: say("web.fairness.first", "Starting player"),
    hand: say("web.fairness.hand", "Draws to a hand"),
    shown: say("web.fairness.shown", "Cards and buildings revealed"),
    rolled: say("web.fairness.rolled", "Dice rolls"),
  };
  const counts = Object.entries(draws.same).filter(([, count]) => count > 0) as [keyof typeof kinds, number][];
  return (
    <>
      <p class="draws">{outcomeOf(draws, say)}</p>
      <dl class="kinds">
        {counts.map(([kind, count]) => (
          <div>
            <dt>{kinds[kind]}</dt> <dd>{count}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function outcomeOf(draws: Recomputed, say: ReturnType<typeof useSay>): string {
  const count = String(Object.values(draws.same).reduce((sum, one) => sum + one, 0));
  if (draws.wrong !== undefined) {
    const step = String(draws.wrong);
    return say("web.fairness.wrong", "The draw in event {step} does not follow from the seed. The {count} draws before it match.", { step, count });
  }
  if (draws.unknown === "no_luck_module") {
    return say("web.fairness.no_luck", "This page cannot recompute the draws of this game. `shedu verify` can.");
  }
  if (draws.unknown === "forked") {
    return say("web.fairness.middle", "This game was forked from another game. Its draws are checked by `shedu verify`, not here.");
  }
  const numbers = String(draws.numbers);
  return say("web.fairness.draws", "This browser recomputed all {count} draws of the game from {numbers} random numbers. All of them match.", { count, numbers });
}
