import { tigris } from "@shedu/client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Token } from "../../art/token";
import type { Say } from "../say";
import { Offer, Spot } from "../spot";
import type { Targets } from "../targets";
import { COLOURS, leaderName, look, monumentName, pointName, tileName } from "./colours";
import { Catastrophe, Leader, Monument, Tile } from "./pieces";
import { spaceName } from "./spaces";
import { Swap } from "./swap";

export interface TrayProps {
  view: tigris.View;
  seat: number;
  targets: Targets;
  say: Say;
}

function Tiles({ view, seat, targets, say }: TrayProps): JSX.Element {
  const hand = [...(view.players[seat]?.hand ?? [])].sort();
  return (
    <div class="tokens">
      {hand.map((colour, index) => (
        <Spot key={index} targets={targets} name={`tile:${colour}`} label={tileName(colour, say)}>
          <Token>
            <Tile colour={colour} />
          </Token>
        </Spot>
      ))}
    </div>
  );
}

function OwnLeader({ view, seat, targets, colour, say }: TrayProps & { colour: tigris.Colour }): JSX.Element {
  const standing = view.board?.leaders.find((other) => other.seat === seat && other.leader === colour)?.space;
  const place = standing ? spaceName(standing) : say("board.tigris.off_board", "off the board");
  const leader = leaderName(colour, say);
  const name = say("board.tigris.own_leader", "{leader}, {place}", { leader, place });
  return (
    <Spot targets={targets} name={`leader:${colour}`} label={name} class={standing ? "away" : ""}>
      <Token>
        <Leader colour={colour} seat={seat} />
      </Token>
      <span class="token-note">{standing ? spaceName(standing) : leader}</span>
    </Spot>
  );
}

function Catastrophes({ view, seat, targets, say }: TrayProps): JSX.Element | null {
  const left = view.players[seat]?.catastrophes ?? 0;
  if (left === 0) return null;
  return (
    <Spot
      targets={targets}
      name="catastrophe"
      label={say("board.tigris.catastrophes_left", "Catastrophe, {count} left", { count: String(left) })}
    >
      <Token>
        <Catastrophe />
      </Token>
      <span class="token-note">×{left}</span>
    </Spot>
  );
}

/** Answers that lie on no space of the board. */
function Offers({ view, targets, say }: TrayProps): JSX.Element {
  const monuments = view.board?.unusedMonuments ?? [];
  return (
    <div class="offers">
      {monuments.map((monument) => (
        <Offer key={monument} targets={targets} name={`monument:${monument}`} label={monumentName(monument, say)}>
          <Token side={80}>
            <Monument monument={monument} />
          </Token>
        </Offer>
      ))}
      {COLOURS.map((colour) => (
        <Offer
          key={`withdraw ${colour}`}
          targets={targets}
          name={targets.picked(`leader:${colour}`) ? `withdraw:${colour}` : ""}
          label={say("board.tigris.withdraw", "Withdraw the {leader}", { leader: leaderName(colour, say) })}
        >
          {say("board.tigris.withdraw", "Withdraw the {leader}", { leader: leaderName(colour, say) })}
        </Offer>
      ))}
      {COLOURS.map((colour) => (
        <Offer
          key={`war ${colour}`}
          targets={targets}
          name={`war:${colour}`}
          label={say("board.tigris.fight", "War of the leaders: {leader}", { leader: leaderName(colour, say) })}
        >
          {say("board.tigris.fight", "War of the leaders: {leader}", { leader: leaderName(colour, say) })}
        </Offer>
      ))}
      {COLOURS.map((colour) => (
        <ColourOffer key={colour} colour={colour} targets={targets} say={say} />
      ))}
      <Plain targets={targets} name="wonder" words={say("board.tigris.build_wonder", "Build the wonder")} />
      <Plain targets={targets} name="decline" words={say("board.tigris.decline", "Build nothing")} />
      <Plain targets={targets} name="swap" words={say("board.tigris.swap", "Swap tiles")} />
      <Plain targets={targets} name="end" words={say("board.tigris.end_turn", "End the turn")} />
    </div>
  );
}

function ColourOffer({ colour, targets, say }: { colour: tigris.Colour; targets: Targets; say: Say }): JSX.Element {
  const { class: name, Picture } = look(colour);
  return (
    <Offer targets={targets} name={`colour:${colour}`} class={name} label={pointName(colour, say)}>
      <span class="sphere-ink">
        <Picture />
      </span>
      {pointName(colour, say)}
    </Offer>
  );
}

function Plain({ targets, name, words }: { targets: Targets; name: string; words: string }): JSX.Element {
  return (
    <Offer targets={targets} name={name} label={words}>
      {words}
    </Offer>
  );
}

/** The own tiles, leaders and catastrophes, and what else can be answered. */
export function Tray(props: TrayProps): JSX.Element {
  const { view, say } = props;
  const swapping = view.agenda.at(-1)?.kind.case === "swapping" && view.active === props.seat;
  const leaders = useMemo(() => [...COLOURS].reverse(), []);
  return (
    <section class="slab tray" aria-label={say("board.tigris.tray", "Your tiles and leaders")}>
      <h3>{say("board.tigris.hand", "Your hand")}</h3>
      {swapping ? <Swap {...props} /> : <Tiles {...props} />}
      <div class="tokens">
        {leaders.map((colour) => (
          <OwnLeader key={colour} {...props} colour={colour} />
        ))}
        <Catastrophes {...props} />
      </div>
      <Offers {...props} />
    </section>
  );
}
