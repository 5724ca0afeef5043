import { tides } from "@shedu/client";
import type { Picture } from "../../art/glyph";
import { Garden, Library, NoSuit, Palace, Stronghold, Temple } from "./suits";
import type { Say } from "../../boards/seat_name";

const { Card, Suit } = tides;

export const SUITS = [Suit.PALACE, Suit.LIBRARY, Suit.GARDEN, Suit.TEMPLE, Suit.STRONGHOLD] as const;

const PICTURES: Record<tides.Suit, Picture> = {
  [Suit.UNSPECIFIED]: NoSuit,
  [Suit.PALACE]: Palace,
  [Suit.LIBRARY]: Library,
  [Suit.GARDEN]: Garden,
  [Suit.TEMPLE]: Temple,
  [Suit.STRONGHOLD]: Stronghold,
};

export function suitPicture(suit: tides.Suit): Picture {
  return PICTURES[suit];
}

const SUIT_CLASSES: Record<tides.Suit, string> = {
  [Suit.UNSPECIFIED]: "suit-none",
  [Suit.PALACE]: "suit-palace",
  [Suit.LIBRARY]: "suit-library",
  [Suit.GARDEN]: "suit-garden",
  [Suit.TEMPLE]: "suit-temple",
  [Suit.STRONGHOLD]: "suit-stronghold",
};

export function suitClass(suit: tides.Suit): string {
  return SUIT_CLASSES[suit];
}

export function suitName(suit: tides.Suit, say: Say): string {
  switch (suit) {
    case Suit.PALACE:
      return say("board.tides.palace", "palace");
    case Suit.LIBRARY:
      return say("board.tides.library", "library");
    case Suit.GARDEN:
      return say("board.tides.garden", "garden");
    case Suit.TEMPLE:
      return say("board.tides.temple", "temple");
    case Suit.STRONGHOLD:
      return say("board.tides.stronghold", "stronghold");
    case Suit.UNSPECIFIED:
      return say("board.tides.no_suit", "no suit");
  }
}

/** The printed effect of a card: points, symbol and suits. */
export interface Effect {
  points: number;
  sign: "more" | "each" | "set" | "all" | "lacking" | "singles" | "best" | "ties" | "doubles";
  suits: readonly tides.Suit[];
}

interface Print {
  suit: tides.Suit;
  effect: Effect;
}

function print(suit: tides.Suit, sign: Effect["sign"], points: number, ...suits: tides.Suit[]): Print {
  return { suit, effect: { points, sign, suits } };
}

const { PALACE, LIBRARY, GARDEN, TEMPLE, STRONGHOLD, UNSPECIFIED } = Suit;

export const PRINTS: Record<tides.Card, Print> = {
  [Card.UNSPECIFIED]: print(UNSPECIFIED, "ties", 0),
  [Card.KINGS_NEST]: print(PALACE, "ties", 0),
  [Card.ANCIENT_DIVIDE]: print(PALACE, "more", 7, STRONGHOLD),
  [Card.ETERNAL_PALACE]: print(PALACE, "each", 3, LIBRARY),
  [Card.GREAT_LIBRARY_OF_AHM]: print(LIBRARY, "more", 7, TEMPLE),
  [Card.MANA_WELL]: print(LIBRARY, "set", 9, PALACE, STRONGHOLD, TEMPLE),
  [Card.CITADELS_OF_THE_PROPHETS]: print(LIBRARY, "each", 3, GARDEN),
  [Card.GOLDEN_ZIGGURAT]: print(GARDEN, "more", 7, PALACE),
  [Card.GODS_BATHS]: print(GARDEN, "each", 3, STRONGHOLD),
  [Card.MAZE_OF_THE_DAMNED]: print(GARDEN, "all", 13, ...SUITS),
  [Card.EYE_OF_THE_NORTH]: print(STRONGHOLD, "lacking", 3),
  [Card.JINNS_SHACKLES]: print(STRONGHOLD, "each", 3, TEMPLE),
  [Card.OLD_MANS_PASS]: print(STRONGHOLD, "more", 7, LIBRARY),
  [Card.BLOOD_TEAR_SPRING]: print(TEMPLE, "more", 7, GARDEN),
  [Card.SKY_PILLARS]: print(TEMPLE, "set", 5, LIBRARY, GARDEN),
  [Card.VESTIBULE]: print(TEMPLE, "each", 3, PALACE),
  [Card.MOLEHILL]: print(UNSPECIFIED, "singles", 8),
  [Card.ROOF_OF_THE_WORLD]: print(UNSPECIFIED, "doubles", 0),
  [Card.SAPPHIRE_PORT]: print(UNSPECIFIED, "best", 8),
};

export function effectText({ points, sign, suits }: Effect, say: Say): string {
  const number = String(points);
  const suit = suits.map((one) => suitName(one, say)).join(" + ");
  switch (sign) {
    case "more":
      return say("board.tides.effect.more", "{points} for more of {suit} than the opponent", { points: number, suit });
    case "each":
      return say("board.tides.effect.each", "{points} for each {suit}", { points: number, suit });
    case "set":
      return say("board.tides.effect.set", "{points} for each set of {suit}", { points: number, suit });
    case "all":
      return say("board.tides.effect.all", "{points} for all five suits", { points: number });
    case "lacking":
      return say("board.tides.effect.lacking", "{points} for each suit lacking", { points: number });
    case "singles":
      return say("board.tides.effect.singles", "{points} for more single suits", { points: number });
    case "best":
      return say("board.tides.effect.best", "{points} for the best scoring card", { points: number });
    case "ties":
      return say("board.tides.effect.ties", "Wins every tie");
    case "doubles":
      return say("board.tides.effect.doubles", "Doubles the most numerous suit");
  }
}
