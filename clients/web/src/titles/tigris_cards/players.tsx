import type { tigrisCards } from "@shedu/client";
import type { JSX } from "preact";
import { SeatMark } from "../../art/seat_marks";
import { CardToken, Token } from "../../art/token";
import { nameOf, ownFirst, type Say } from "../../boards/seat_name";
import { look } from "../tigris/colours";
import { Catastrophe, Leader, Treasure } from "../tigris/pieces";
import { Face, Ship } from "./cards";
import { COLOURS, colourName, faceName, leaderOf, shipName, SHIPS, sphere } from "./colours";

interface PlayersProps {
  view: tigrisCards.View;
  names: readonly string[];
  say: Say;
}

function Counts({ counts, say }: { counts: readonly number[]; say: Say }): JSX.Element {
  const treasures = counts[COLOURS.length];
  return (
    <span class="pills">
      {COLOURS.map((colour, index) => {
        const { class: name, Picture } = look(sphere(colour));
        return (
          <span key={colour} class={`pill ${name}`} data-tip={colourName(colour, say)}>
            <Picture />
            <span class="unshown">{colourName(colour, say)}</span>
            <span class="tally">{counts[index] ?? 0}</span>
          </span>
        );
      })}
      {treasures !== undefined && (
        <span class="pill treasure-pill" data-tip={say("board.tigris.treasures", "treasures")}>
          <svg class="glyph" viewBox="18 1 22 22" aria-hidden="true">
            <Treasure />
          </svg>
          <span class="unshown">{say("board.tigris.treasures", "treasures")}</span>
          <span class="tally">{treasures}</span>
        </span>
      )}
    </span>
  );
}

function Pile({ pile, say }: { pile: tigrisCards.PileSeen; say: Say }): JSX.Element {
  const top = pile.top === undefined ? say("board.tigris_cards.nothing", "nothing") : faceName(pile.top, say);
  return (
    <span
      class="pile"
      data-tip={say("board.tigris_cards.pile_top", "Pile of {height}, on top: {top}", {
        height: String(pile.height),
        top,
      })}
    >
      {pile.top !== undefined && (
        <CardToken>
          <Face face={pile.top} />
        </CardToken>
      )}
      {say("board.tigris_cards.pile", "pile {height}", { height: String(pile.height) })}
    </span>
  );
}

function Player({ view, seat, names, say }: PlayersProps & { seat: number }): JSX.Element {
  const pile = view.piles[seat];
  const points = view.points[seat];
  const active = view.active === seat && view.ending === undefined;
  return (
    <li class={`player seat-${seat}${active ? " active" : ""}`}>
      <div class="player-head">
        <SeatMark seat={seat} name={nameOf(names, seat)} />
        <span class="faint">
          {say("board.tigris_cards.hand_count", "hand {count}", { count: String(view.handSizes[seat] ?? 0) })}
        </span>
        <span class="idle">
          {view.calamities[seat] && (
            <Token>
              <Catastrophe />
            </Token>
          )}
        </span>
      </div>
      {points ? <Counts counts={points.counts} say={say} /> : pile && <Pile pile={pile} say={say} />}
    </li>
  );
}

/** All players with the sizes of their hands and piles. */
export function Players(props: PlayersProps): JSX.Element {
  const { view, say } = props;
  return (
    <section class="slab">
      <h3>{say("board.tigris.players", "Players")}</h3>
      <ul class="dynasties">
        {ownFirst(view.handSizes.length, view.seat).map((seat) => (
          <Player key={seat} {...props} seat={seat} />
        ))}
      </ul>
    </section>
  );
}

/** Each kingdom with its leaders and how many cards of each colour it holds. */
export function Kingdoms({ view, names, say }: PlayersProps): JSX.Element | null {
  if (view.kingdoms.length === 0) return null;
  return (
    <section class="slab kingdom-list wide">
      <h3>{say("board.tigris.kingdoms", "Kingdoms")}</h3>
      <ul>
        {view.kingdoms.map((kingdom) => (
          <li key={kingdom.firstColumn}>
            <svg viewBox="0 0 20 40" class="swatch" aria-hidden="true">
              <rect
                x="3"
                y="3"
                width="14"
                height="34"
                rx="4"
                class={`kingdom-tint tint-${(kingdom.firstColumn % 8) + 1}`}
              />
            </svg>
            <div>
              <ul>
                {kingdom.leaders.map(({ seat, colour }) => (
                  <li key={colour}>
                    <svg
                      viewBox="0 0 40 40"
                      class="token"
                      role="img"
                      aria-label={`${leaderOf(colour, say)}, ${nameOf(names, seat)}`}
                    >
                      <Leader colour={sphere(colour)} seat={seat} />
                    </svg>
                  </li>
                ))}
              </ul>
              <Counts counts={kingdom.strengths} say={say} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The deck and the ships nobody has built, each at its own place. */
export function Supply({ view, say }: PlayersProps): JSX.Element {
  return (
    <section class="slab supply">
      <h3>{say("board.tigris_cards.supply", "Deck and ships")}</h3>
      <div class="pills">
        <span class="deck">{say("board.tigris_cards.deck", "Deck {count}", { count: String(view.deckSize) })}</span>
        {SHIPS.map((ship) => (
          <span key={ship} class={view.ships.includes(ship) ? "" : "gone"} data-tip={shipName(ship, say)}>
            <CardToken>
              <Ship ship={ship} />
            </CardToken>
            <span class="unshown">{shipName(ship, say)}</span>
          </span>
        ))}
      </div>
    </section>
  );
}
