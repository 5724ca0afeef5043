import type { stoneAge } from "@shedu/client";
import type { ComponentChildren, JSX } from "preact";
import { Axe, Deck, Die, Field, Points } from "./goods_art";
import type { Say } from "../../boards/seat_name";
import { TargetButton } from "../../boards/target_button";
import { type GroundProps, peopleText, placeView, Rings } from "./map";
import { type Amounts, amountsText, PICTURES, RESOURCES, worth } from "./goods";
import { CARD_PLACES, placeKey, TILE_PLACES } from "./places";
import { cardText, lowerOf, SYMBOLS, symbolName, type Upper, upperOf, upperText } from "./card_data";

export function GoodGlyph({ good }: { good: keyof typeof PICTURES }): JSX.Element {
  const Picture = PICTURES[good];
  return (
    <span class={`good-${good}`}>
      <Picture />
    </span>
  );
}

function Effect({ upper }: { upper: Upper }): JSX.Element {
  switch (upper.gives) {
    case "dice_for_all":
      return (
        <>
          {[1, 3, 5].map((face) => (
            <Die key={face} face={face} />
          ))}
        </>
      );
    case "tool":
      return (
        <>
          <Axe />
          +1
        </>
      );
    case "field":
      return (
        <>
          <Field />
          +1
        </>
      );
    case "draw":
      return <Deck />;
    case "any_two":
      return (
        <>
          {RESOURCES.map((good) => (
            <GoodGlyph key={good} good={good} />
          ))}
        </>
      );
    case "food":
      return (
        <>
          {upper.amount}
          <GoodGlyph good="food" />
        </>
      );
    case "points":
      return (
        <>
          {upper.amount}
          <Points />
        </>
      );
    case "one_use_tool":
      return (
        <>
          <Axe />
          {upper.amount}
        </>
      );
    case "resource":
      return (
        <>
          {upper.amount}
          <GoodGlyph good={upper.good} />
        </>
      );
    case "two_dice":
      return (
        <>
          <Die face={2} />
          <Die face={6} />→<GoodGlyph good={upper.good} />
        </>
      );
  }
}

/** A civilization card: what it gives above, what it counts for below. */
export function CivilizationCard({ card, say }: { card: stoneAge.Card; say: Say }): JSX.Element {
  const { symbol, people } = lowerOf(card);
  const Symbol = SYMBOLS[symbol];
  return (
    <span class="civilization">
      <span class="upper">
        <span class="effect">
          <Effect upper={upperOf(card)} />
        </span>
        <small>{upperText(upperOf(card), say)}</small>
      </span>
      <span class={`lower ${people ? "trade" : "culture"}`}>
        <span class="effect">
          {people > 0 && <b>{people}×</b>}
          <Symbol />
        </span>
        <small>{symbolName(symbol, say)}</small>
      </span>
    </span>
  );
}

function Stack({ tile, say }: { tile: stoneAge.TileView; say: Say }): JSX.Element {
  const { exactly, least, most, kinds } = tile;
  if (exactly) return <Fixed amounts={exactly} />;
  const count = least === most ? String(least) : `${least}–${most}`;
  return (
    <>
      <span class="effect">
        <b>{count}</b>
        {RESOURCES.slice(0, kinds ?? RESOURCES.length).map((good) => (
          <span key={good} class="any-good">
            ?
          </span>
        ))}
      </span>
      <small>
        {kinds === undefined
          ? say("board.stone_age.tile_free", "{count} resources of any kind", { count })
          : say("board.stone_age.tile_exact", "{count} resources, kinds: {kinds}", { count, kinds: String(kinds) })}
      </small>
    </>
  );
}

function Fixed({ amounts }: { amounts: Amounts }): JSX.Element {
  return (
    <>
      <span class="effect">
        {RESOURCES.flatMap((good) =>
          Array.from({ length: amounts[good] }, (_, index) => <GoodGlyph key={`${good} ${index}`} good={good} />),
        )}
      </span>
      <small class="worth">
        <Points />
        <b>{worth(amounts)}</b>
      </small>
    </>
  );
}

function tileText(tile: stoneAge.TileView, say: Say): string {
  if (tile.tile === undefined) return say("board.stone_age.empty_stack", "no building left");
  if (tile.exactly) {
    const points = say("board.stone_age.upper.points", "{amount} points", { amount: String(worth(tile.exactly)) });
    return `${amountsText(tile.exactly, say)} = ${points}`;
  }
  const count = tile.least === tile.most ? String(tile.least) : `${tile.least}–${tile.most}`;
  return tile.kinds === undefined
    ? say("board.stone_age.tile_free", "{count} resources of any kind", { count })
    : say("board.stone_age.tile_exact", "{count} resources, kinds: {kinds}", { count, kinds: String(tile.kinds) });
}

interface OnSaleProps extends GroundProps {
  place: stoneAge.Place;
  words: string;
  look: string;
  note: string;
  children: ComponentChildren;
}

/** A card or building with the space for the person who buys it. */
function OnSale({ place, words, look, note, view, names, targets, fresh, arrivals, say, children }: OnSaleProps): JSX.Element {
  const seen = placeView(view, place);
  const label = say("board.stone_age.place_label", "{place}: {people}", {
    place: words,
    people: peopleText(seen?.people ?? [], names, say),
  });
  return (
    <TargetButton
      drawn
      targets={targets}
      name={placeKey(place)}
      label={label}
      class={`${look}${fresh.has(place) ? " just" : ""}`}
    >
      <span class="sale-head">
        <span class="price">{note}</span>
        {seen && <Rings place={seen} arrived={arrivals.get(place)} />}
      </span>
      {children}
    </TargetButton>
  );
}

/** The four cards on display, the cheapest to the right. */
export function Cards(props: GroundProps): JSX.Element {
  const { view, say } = props;
  return (
    <section class="slab">
      <h3>
        {say("board.stone_age.cards", "Civilization cards")} ·{" "}
        {say("board.stone_age.deck", "{count} in the deck", { count: String(view.deckSize) })}
      </h3>
      <div class="on-sale">
        {[...view.cards].reverse().map(({ slot, cost, card }) => {
          const place = CARD_PLACES[slot - 1];
          const words = card === undefined ? say("board.stone_age.sold", "sold") : cardText(card, say);
          const price = say("board.stone_age.price", "costs {cost}", { cost: String(cost) });
          return (
            place && (
              <OnSale key={slot} {...props} place={place} words={`${price}: ${words}`} look="sale" note={String(cost)}>
                {card === undefined ? <span class="sold">{words}</span> : <CivilizationCard key={card} card={card} say={say} />}
              </OnSale>
            )
          );
        })}
      </div>
    </section>
  );
}

/** The open building of each stack. */
export function Tiles(props: GroundProps): JSX.Element {
  const { view, say } = props;
  return (
    <section class="slab">
      <h3>{say("board.stone_age.buildings", "Buildings")}</h3>
      <div class="on-sale">
        {view.tiles.map((tile) => {
          const place = TILE_PLACES[tile.stack - 1];
          const left = say("board.stone_age.stack_left", "{count} more below", { count: String(tile.faceDown) });
          return (
            place && (
              <OnSale
                key={tile.stack}
                {...props}
                place={place}
                words={tileText(tile, say)}
                look="sale building-tile"
                note={left}
              >
                {tile.tile === undefined ? (
                  <span class="sold">{tileText(tile, say)}</span>
                ) : (
                  <span key={tile.tile} class="tile-front">
                    <Stack tile={tile} say={say} />
                  </span>
                )}
              </OnSale>
            )
          );
        })}
      </div>
    </section>
  );
}
