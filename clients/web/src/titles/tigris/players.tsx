import type { tigris } from "@shedu/client";
import type { JSX } from "preact";
import { Token } from "../../art/token";
import { SeatMark } from "../../art/seat_marks";
import { nameOf, ownFirst, type Say } from "../../boards/seat_name";
import { COLOURS, look, monumentName, MONUMENTS, pointName, tileName } from "./colours";
import { Catastrophe, Leader, Monument, Treasure } from "./pieces";

interface PlayersProps {
  view: tigris.View;
  names: readonly string[];
  say: Say;
}

function Pills({ counts, say }: { counts: readonly (number | string)[]; say: Say }): JSX.Element {
  return (
    <>
      {COLOURS.map((colour, index) => {
        const { class: name, Picture } = look(colour);
        return (
          <span key={colour} class={`pill ${name}`} data-tip={pointName(colour, say)}>
            <Picture />
            <span class="unshown">{pointName(colour, say)}</span>
            <span class="tally">{counts[index] ?? "?"}</span>
          </span>
        );
      })}
    </>
  );
}

function Player({ view, seat, names, say }: PlayersProps & { seat: number }): JSX.Element | null {
  const player = view.players[seat];
  if (!player) return null;
  const standing = new Set(view.board?.leaders.filter((leader) => leader.seat === seat).map(({ leader }) => leader));
  const tiles = String(player.hiddenHand ?? player.hand.length);
  return (
    <li class={`player seat-${seat}${view.active === seat && view.ended === undefined ? " active" : ""}`}>
      <div class="player-head">
        <SeatMark seat={seat} name={nameOf(names, seat)} />
        <span class="faint">{say("board.tigris.hand_count", "hand {count}", { count: tiles })}</span>
        <span class="idle" data-tip={say("board.tigris.leaders_off", "leaders off the board")}>
          {COLOURS.map((colour) => (
            <span key={colour} class={standing.has(colour) ? "gone" : ""}>
              <Token>
                <Leader colour={colour} seat={seat} />
              </Token>
            </span>
          ))}
          {Array.from({ length: player.catastrophes }, (_, index) => (
            <Token key={`catastrophe ${index}`}>
              <Catastrophe />
            </Token>
          ))}
        </span>
      </div>
      <div class="pills">
        <Pills counts={player.points} say={say} />
        <span class="pill treasure-pill" data-tip={say("board.tigris.treasures", "treasures")}>
          <svg class="glyph" viewBox="18 1 22 22" aria-hidden="true">
            <Treasure />
          </svg>
          <span class="unshown">{say("board.tigris.treasures", "treasures")}</span>
          <span class="tally">{player.treasures ?? "?"}</span>
        </span>
      </div>
    </li>
  );
}

/** All players, with what the viewer may know of them. */
export function Players(props: PlayersProps): JSX.Element {
  return (
    <section class="slab">
      <h3>{props.say("board.tigris.players", "Players")}</h3>
      <ul class="dynasties">
        {ownFirst(props.view.players.length, props.view.seat).map((seat) => (
          <Player key={seat} {...props} seat={seat} />
        ))}
      </ul>
    </section>
  );
}

/** Unused monuments, each at its own place, and tiles that the viewer has not seen. */
export function Supply({ view, say }: PlayersProps): JSX.Element {
  const unused = new Set(view.board?.unusedMonuments);
  return (
    <section class="slab supply">
      <h3>{say("board.tigris.supply", "Monuments left")}</h3>
      <div class="tokens">
        {MONUMENTS.map((monument) => (
          <span key={monument} class={unused.has(monument) ? "" : "gone"} data-tip={monumentName(monument, say)}>
            <Token side={80}>
              <Monument monument={monument} />
            </Token>
            <span class="unshown">{monumentName(monument, say)}</span>
          </span>
        ))}
      </div>
      <h3>{say("board.tigris.unseen", "Tiles not seen yet")}</h3>
      <div class="pills">
        {COLOURS.map((colour, index) => {
          const { class: name, Picture } = look(colour);
          return (
            <span key={colour} class={`pill ${name}`} data-tip={tileName(colour, say)}>
              <Picture />
              <span class="unshown">{tileName(colour, say)}</span>
              <span class="tally">{view.unseen[index] ?? 0}</span>
            </span>
          );
        })}
        {view.bag !== undefined && (
          <span class="bag">{say("board.tigris.bag", "{count} in the bag", { count: String(view.bag) })}</span>
        )}
      </div>
    </section>
  );
}
