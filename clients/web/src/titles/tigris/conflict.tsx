import { tigris } from "@shedu/client";
import type { JSX } from "preact";
import { Commit, Duel } from "./duel";
import type { Say } from "../../boards/seat_name";
import type { Targets } from "../../boards/targets";
import { leaderName } from "./colours";

interface ConflictProps {
  view: tigris.View;
  names: readonly string[];
  targets: Targets;
  say: Say;
}

function titleOf(conflict: tigris.ConflictTotals, say: Say): string {
  const leader = leaderName(conflict.colour, say);
  return conflict.kind === tigris.ConflictKind.WAR
    ? say("board.tigris.war_of", "War: {leader}", { leader })
    : say("board.tigris.revolt_of", "Revolt: {leader}", { leader });
}

/** Both sides of a conflict while tiles are committed, and the player's choices. */
export function ConflictPanel({ view, names, targets, say }: ConflictProps): JSX.Element | null {
  const phase = view.agenda.at(-1)?.kind;
  const { conflict } = view;
  if (!conflict || phase?.case !== "conflict") return null;
  const { attackerStrength, defenderStrength, attackerCommitted, defenderCommitted } = phase.value;
  const sides = [
    { seat: conflict.attacker, board: attackerStrength, committed: attackerCommitted, total: conflict.attackerTotal },
    { seat: conflict.defender, board: defenderStrength, committed: defenderCommitted, total: conflict.defenderTotal },
  ];
  return (
    <Duel
      title={titleOf(conflict, say)}
      colour={conflict.colour}
      sides={sides}
      leading={conflict.leading}
      names={names}
      say={say}
    >
      {[0, 1, 2, 3, 4, 5, 6].map((tiles) => (
        <Commit key={tiles} targets={targets} colour={conflict.support} count={tiles} say={say} />
      ))}
    </Duel>
  );
}
