import { tigris } from "@shedu/client";
import type { JSX } from "preact";
import { Token } from "../../art/token";
import { SeatMark } from "../../art/dynasties";
import { nameOf, type Say } from "../say";
import { Offer } from "../spot";
import type { Targets } from "../targets";
import { leaderName, tileName } from "./colours";
import { Leader, Tile } from "./pieces";

interface SideProps {
  seat: number;
  conflict: tigris.ConflictTotals;
  board: number;
  committed: number | undefined;
  names: readonly string[];
  say: Say;
}

function Side({ seat, conflict, board, committed, names, say }: SideProps): JSX.Element {
  const attacks = seat === conflict.attacker;
  const role = attacks ? say("board.tigris.attacker", "attacks") : say("board.tigris.defender", "defends");
  return (
    <div class={`flank${conflict.leading === seat ? " leading" : ""}`}>
      <Token>
        <Leader colour={conflict.colour} seat={seat} />
      </Token>
      <div>
        <SeatMark seat={seat} name={nameOf(names, seat)} /> <span class="faint">{role}</span>
        <div class="sum">
          <b>{attacks ? conflict.attackerTotal : conflict.defenderTotal}</b>
          <span class="faint">
            {board} + {committed ?? "?"}
          </span>
        </div>
      </div>
    </div>
  );
}

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

/** Both sides of a conflict while tiles are being committed, and the own answers to it. */
export function ConflictPanel({ view, names, targets, say }: ConflictProps): JSX.Element | null {
  const phase = view.agenda.at(-1)?.kind;
  const { conflict } = view;
  if (!conflict || phase?.case !== "conflict") return null;
  const { attackerStrength, defenderStrength, attackerCommitted, defenderCommitted } = phase.value;
  const shared = { conflict, names, say };
  return (
    <section class="slab conflict" aria-label={titleOf(conflict, say)}>
      <h3>{titleOf(conflict, say)}</h3>
      <div class="sides">
        <Side {...shared} seat={conflict.attacker} board={attackerStrength} committed={attackerCommitted} />
        <span class="versus" aria-hidden="true">⚔</span>
        <Side {...shared} seat={conflict.defender} board={defenderStrength} committed={defenderCommitted} />
      </div>
      <div class="offers">
        {[0, 1, 2, 3, 4, 5, 6].map((tiles) => (
          <Offer key={tiles} targets={targets} name={`commit:${tiles}`} class="commit" label={say("board.tigris.commit", "Commit {count}: {tile}", { count: String(tiles), tile: tileName(conflict.support, say) })}>
            +{tiles}
            <Token>
              <Tile colour={conflict.support} />
            </Token>
          </Offer>
        ))}
      </div>
    </section>
  );
}
