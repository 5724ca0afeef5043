import { tigrisCards } from "@shedu/client";
import type { JSX } from "preact";
import { Commit, Duel } from "../tigris/duel";
import type { Say } from "../../boards/seat_name";
import type { Targets } from "../../boards/targets";
import { leaderOf, sphere } from "./colours";

interface ConflictProps {
  view: tigrisCards.View;
  names: readonly string[];
  targets: Targets;
  say: Say;
}

/** Both sides of a conflict while cards are being played into it. */
export function ConflictPanel({ view, names, targets, say }: ConflictProps): JSX.Element | null {
  const phase = view.agenda.at(-1)?.kind;
  if (phase?.case !== "conflict") return null;
  const { external, colour, attacker, defender, attackerStrength, defenderStrength, attackerCards, defenderCards } =
    phase.value;
  const leader = leaderOf(colour, say);
  const title = external
    ? say("board.tigris_cards.external", "External conflict: {leader}", { leader })
    : say("board.tigris_cards.internal", "Internal conflict: {leader}", { leader });
  const sides = [
    {
      seat: attacker,
      board: attackerStrength,
      committed: attackerCards,
      total: attackerStrength + (attackerCards ?? 0),
    },
    {
      seat: defender,
      board: defenderStrength,
      committed: defenderCards,
      total: defenderStrength + (defenderCards ?? 0),
    },
  ];
  const [attacking = 0, defending = 0] = sides.map(({ total }) => total);
  const support = sphere(external ? colour : tigrisCards.Colour.RED);
  return (
    <Duel
      title={title}
      colour={sphere(colour)}
      sides={sides}
      leading={attacking > defending ? attacker : defender}
      names={names}
      say={say}
    >
      {[0, 1, 2, 3, 4, 5, 6, 7, 8].map((count) => (
        <Commit key={count} targets={targets} colour={support} count={count} say={say} />
      ))}
    </Duel>
  );
}
