import { tigris } from "@shedu/client";
import type { JSX } from "preact";
import { Token } from "../../art/token";
import type { Say } from "../../boards/seat_name";
import { useEqualPieces } from "../../boards/equal_pieces";
import { TargetButton } from "../../boards/target_button";
import type { Targets } from "../../boards/targets";
import { COLOURS, leaderName, tileName } from "./colours";
import { Offers } from "./offers";
import { Catastrophe, Leader, Tile } from "./pieces";
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
  const { isMarked, mark } = useEqualPieces(hand);
  return (
    <div class="tokens">
      {hand.map((colour, index) => (
        <TargetButton
          key={index}
          targets={targets}
          name={`tile:${colour}`}
          label={tileName(colour, say)}
          marked={isMarked(index)}
          onPick={() => mark(index)}
        >
          <Token>
            <Tile colour={colour} />
          </Token>
        </TargetButton>
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
    <TargetButton targets={targets} name={`leader:${colour}`} label={name} class={standing ? "away" : ""}>
      <Token>
        <Leader colour={colour} seat={seat} />
      </Token>
      <span class="token-note">{standing ? spaceName(standing) : leader}</span>
    </TargetButton>
  );
}

function Catastrophes({ view, seat, targets, say }: TrayProps): JSX.Element | null {
  const left = view.players[seat]?.catastrophes ?? 0;
  if (left === 0) return null;
  return (
    <TargetButton
      targets={targets}
      name="catastrophe"
      label={say("board.tigris.catastrophes_left", "Catastrophe, {count} left", { count: String(left) })}
    >
      <Token>
        <Catastrophe />
      </Token>
      <span class="token-note">×{left}</span>
    </TargetButton>
  );
}

/** The player's tiles, leaders and catastrophes, and choices that are not on the map. */
export function Tray(props: TrayProps): JSX.Element {
  const { view, say } = props;
  const swapping = view.agenda.at(-1)?.kind.case === "swapping" && view.active === props.seat;
  return (
    <section class="dock tray" aria-label={say("board.tigris.tray", "Your tiles and leaders")}>
      {swapping ? <Swap {...props} /> : <Tiles {...props} />}
      <div class={`tokens ${swapping ? "gone" : ""}`}>
        {COLOURS.map((colour) => (
          <OwnLeader key={colour} {...props} colour={colour} />
        ))}
        <Catastrophes {...props} />
      </div>
      <Offers {...props} />
    </section>
  );
}
