import { commitment, type Fairness, type Game, luckKey } from "@shedu/client";
import type { JSX } from "preact";
import { hex } from "../joining";
import type { LiveTable } from "../live";
import type { Recomputed } from "../luck/recompute";
import { useSay } from "../say";
import { keptSeat } from "../seats";
import { explain } from "../troubles";
import { useAsked } from "./asked";

export interface Proof {
  fairness: Fairness;
  /** The seed gives the commitment that was published; undefined where the seed is not told. */
  holds: boolean | undefined;
  /** It is the commitment this browser saw when it sat down; undefined where it did not. */
  unchanged: boolean | undefined;
  /** Every draw, made anew; undefined where the seed is not told. */
  draws: Recomputed | undefined;
}

async function prove(live: LiveTable, game: Game, signal: AbortSignal): Promise<Proof> {
  const fairness = await live.table.fairness(signal);
  const published = hex(game.commitment);
  const seen = keptSeat(game.gameId)?.commitment;
  const made = fairness.seed === undefined ? undefined : hex(await commitment(game.gameId, fairness.seed));
  return {
    fairness,
    holds: made === undefined ? undefined : made === published && published === hex(fairness.commitment),
    unchanged: seen === undefined ? undefined : seen === published,
    draws: await drawAgain(live, fairness, signal),
  };
}

async function drawAgain(live: LiveTable, fairness: Fairness, signal: AbortSignal): Promise<Recomputed | undefined> {
  if (fairness.seed === undefined) return undefined;
  const { recompute } = await import("../luck/recompute");
  const key = await luckKey(fairness.seed, fairness.clientSeeds);
  return recompute(await live.table.events({ signal }), key);
}

/** Checks in this browser that the luck is the one the server bound itself to before anyone sat down. */
export function FairnessProof({ live, game }: { live: LiveTable; game: Game }): JSX.Element {
  const say = useSay();
  const { answer: proof, problem } = useAsked((signal) => prove(live, game, signal), [game.gameId]);
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
  if (proof.holds === undefined) return say("web.fairness.untold", "not to be checked");
  return proof.holds && proof.unchanged !== false && proof.draws?.wrong === undefined
    ? `✓ ${say("web.fairness.holds", "proved")}`
    : `✗ ${say("web.fairness.broken", "the proof fails")}`;
}

function Evidence({ proof, game }: { proof: Proof; game: Game }): JSX.Element {
  const say = useSay();
  return (
    <>
      <p>
        {say(
          "web.fairness.text",
          "Before anyone sat down the server published a fingerprint of its secret. The secret is told now, and this browser has made the fingerprint of it anew. Every draw follows from the secret and what each player added.",
        )}
      </p>
      <dl>
        <dt>{say("web.fairness.commitment", "Fingerprint")}</dt>
        <dd class="code">{hex(game.commitment)}</dd>
        <dt>{say("web.fairness.seed", "Secret")}</dt>
        <dd class="code">{proof.fairness.seed ? hex(proof.fairness.seed) : say("web.fairness.hidden", "not told")}</dd>
        <dt>{say("web.fairness.client_seeds", "What the players added")}</dt>
        {proof.fairness.clientSeeds.map((seed) => (
          <dd class="code">{seed.length > 0 ? hex(seed) : "–"}</dd>
        ))}
      </dl>
      {proof.draws ? <DrawnAgain draws={proof.draws} /> : null}
      {proof.unchanged === undefined ? null : (
        <p>
          {proof.unchanged
            ? say("web.fairness.unchanged", "It is the fingerprint this browser saw when you sat down.")
            : say("web.fairness.changed", "It is not the fingerprint this browser saw when you sat down.")}
        </p>
      )}
    </>
  );
}

function DrawnAgain({ draws }: { draws: Recomputed }): JSX.Element {
  const say = useSay();
  const kinds: Record<keyof Recomputed["same"], string> = {
    first: say("web.fairness.first", "Who begins"),
    hand: say("web.fairness.hand", "Draws to a hand"),
    shown: say("web.fairness.shown", "Cards and buildings turned up"),
    rolled: say("web.fairness.rolled", "Rolls of dice"),
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
    return say("web.fairness.wrong", "Event {step} tells of a draw that the secret does not give; {count} draws before it are right.", { step, count });
  }
  if (draws.unknown) {
    return say("web.fairness.middle", "This game began in the middle of another: its draws are checked by `shedu verify`, not here.");
  }
  const numbers = String(draws.numbers);
  return say("web.fairness.draws", "This browser has made all {count} draws of the game anew, from {numbers} numbers: each is as the game told it.", { count, numbers });
}
