import { stoneAge } from "@shedu/client";
import { Art, Hut, Mask, Medicine, Music, Time, Transport, Weaving, Writing } from "./cultures";
import { Pot } from "../../art/seat_marks";
import { Axe } from "./goods_art";
import type { Picture } from "../../art/glyph";
import { Grain } from "../../art/spheres";
import type { Say } from "../../boards/seat_name";
import { goodName, type Resource } from "./goods";

const { Card } = stoneAge;

/** What the upper half gives at once. */
export type Upper =
  | { gives: "dice_for_all" | "tool" | "field" | "draw" | "any_two" }
  | { gives: "food" | "points" | "one_use_tool"; amount: number }
  | { gives: "resource"; good: Resource; amount: number }
  | { gives: "two_dice"; good: Resource };

export type Culture = "medicine" | "art" | "writing" | "pottery" | "time" | "transport" | "music" | "weaving";
export type Trade = "farmer" | "toolmaker" | "hut_builder" | "shaman";

/** What the lower half counts at the end. */
export interface Lower {
  symbol: Culture | Trade;
  /** Of people; 0 for an achievement. */
  people: number;
}

export const CULTURES: readonly Culture[] = [
  "medicine",
  "art",
  "writing",
  "pottery",
  "time",
  "transport",
  "music",
  "weaving",
];
export const TRADES: readonly Trade[] = ["farmer", "toolmaker", "hut_builder", "shaman"];

export const SYMBOLS: Readonly<Record<Culture | Trade, Picture>> = {
  medicine: Medicine,
  art: Art,
  writing: Writing,
  pottery: Pot,
  time: Time,
  transport: Transport,
  music: Music,
  weaving: Weaving,
  farmer: Grain,
  toolmaker: Axe,
  hut_builder: Hut,
  shaman: Mask,
};

type Print = readonly [Upper, Culture | Trade, people?: number];

const DICE: Upper = { gives: "dice_for_all" };
const FIELD: Upper = { gives: "field" };
const food = (amount: number): Upper => ({ gives: "food", amount });
const points = (amount: number): Upper => ({ gives: "points", amount });
const once = (amount: number): Upper => ({ gives: "one_use_tool", amount });
const gift = (good: Resource, amount: number): Upper => ({ gives: "resource", good, amount });
const roll = (good: Resource): Upper => ({ gives: "two_dice", good });

const PRINTS: Record<stoneAge.Card, Print> = {
  [Card.UNSPECIFIED]: [DICE, "art"],
  [Card.MEDICINE_1]: [food(5), "medicine"],
  [Card.MEDICINE_2]: [{ gives: "any_two" }, "medicine"],
  [Card.ART_1]: [roll("gold"), "art"],
  [Card.ART_2]: [{ gives: "tool" }, "art"],
  [Card.WRITING_1]: [DICE, "writing"],
  [Card.WRITING_2]: [{ gives: "draw" }, "writing"],
  [Card.POTTERY_1]: [DICE, "pottery"],
  [Card.POTTERY_2]: [food(7), "pottery"],
  [Card.TIME_1]: [DICE, "time"],
  [Card.TIME_2]: [FIELD, "time"],
  [Card.TRANSPORT_1]: [DICE, "transport"],
  [Card.TRANSPORT_2]: [gift("stone", 2), "transport"],
  [Card.MUSIC_1]: [points(3), "music"],
  [Card.MUSIC_2]: [points(3), "music"],
  [Card.WEAVING_1]: [food(1), "weaving"],
  [Card.WEAVING_2]: [food(3), "weaving"],
  [Card.FARMER_1]: [DICE, "farmer", 1],
  [Card.FARMER_2]: [gift("stone", 1), "farmer", 1],
  [Card.FARMER_3]: [FIELD, "farmer", 1],
  [Card.FARMER_4]: [DICE, "farmer", 2],
  [Card.FARMER_5]: [food(3), "farmer", 2],
  [Card.TOOLMAKER_1]: [once(3), "toolmaker", 1],
  [Card.TOOLMAKER_2]: [once(4), "toolmaker", 1],
  [Card.TOOLMAKER_3]: [DICE, "toolmaker", 2],
  [Card.TOOLMAKER_4]: [DICE, "toolmaker", 2],
  [Card.TOOLMAKER_5]: [once(2), "toolmaker", 2],
  [Card.HUT_BUILDER_1]: [DICE, "hut_builder", 1],
  [Card.HUT_BUILDER_2]: [food(4), "hut_builder", 1],
  [Card.HUT_BUILDER_3]: [DICE, "hut_builder", 2],
  [Card.HUT_BUILDER_4]: [food(2), "hut_builder", 2],
  [Card.HUT_BUILDER_5]: [points(3), "hut_builder", 3],
  [Card.SHAMAN_1]: [gift("gold", 1), "shaman", 1],
  [Card.SHAMAN_2]: [gift("stone", 1), "shaman", 1],
  [Card.SHAMAN_3]: [roll("stone"), "shaman", 1],
  [Card.SHAMAN_4]: [gift("brick", 1), "shaman", 2],
  [Card.SHAMAN_5]: [roll("wood"), "shaman", 2],
};

export function upperOf(card: stoneAge.Card): Upper {
  return PRINTS[card][0];
}

export function lowerOf(card: stoneAge.Card): Lower {
  const [, symbol, people = 0] = PRINTS[card];
  return { symbol, people };
}

const SYMBOL_NAMES: Readonly<Record<Culture | Trade, (say: Say) => string>> = {
  medicine: (say) => say("board.stone_age.medicine", "medicine"),
  art: (say) => say("board.stone_age.art", "art"),
  writing: (say) => say("board.stone_age.writing", "writing"),
  pottery: (say) => say("board.stone_age.pottery", "pottery"),
  time: (say) => say("board.stone_age.time", "time"),
  transport: (say) => say("board.stone_age.transport", "transport"),
  music: (say) => say("board.stone_age.music", "music"),
  weaving: (say) => say("board.stone_age.weaving", "weaving"),
  farmer: (say) => say("board.stone_age.farmer", "farmers"),
  toolmaker: (say) => say("board.stone_age.toolmaker", "toolmakers"),
  hut_builder: (say) => say("board.stone_age.hut_builder", "hut builders"),
  shaman: (say) => say("board.stone_age.shaman", "shamans"),
};

export function symbolName(symbol: Culture | Trade, say: Say): string {
  return SYMBOL_NAMES[symbol](say);
}

export function upperText(upper: Upper, say: Say): string {
  switch (upper.gives) {
    case "dice_for_all":
      return say("board.stone_age.upper.dice_for_all", "a die for everyone");
    case "tool":
      return say("board.stone_age.upper.tool", "a tool");
    case "field":
      return say("board.stone_age.upper.field", "a step on the food track");
    case "draw":
      return say("board.stone_age.upper.draw", "a card from the deck");
    case "any_two":
      return say("board.stone_age.upper.any_two", "any two resources, later");
    case "food":
      return say("board.stone_age.upper.food", "{amount} food", { amount: String(upper.amount) });
    case "points":
      return say("board.stone_age.upper.points", "{amount} points", { amount: String(upper.amount) });
    case "one_use_tool":
      return say("board.stone_age.upper.one_use_tool", "a one-use tool of value {amount}", {
        amount: String(upper.amount),
      });
    case "resource":
      return say("board.stone_age.upper.resource", "{amount} {good}", {
        amount: String(upper.amount),
        good: goodName(upper.good, say),
      });
    case "two_dice":
      return say("board.stone_age.upper.two_dice", "two dice for {good}", { good: goodName(upper.good, say) });
  }
}

/** A card in words: what it gives at once and what it counts at the end. */
export function cardText(card: stoneAge.Card, say: Say): string {
  const { symbol, people } = lowerOf(card);
  const name = symbolName(symbol, say);
  return say("board.stone_age.card_text", "{upper}; {lower}", {
    upper: upperText(upperOf(card), say),
    lower: people ? `${name} ×${people}` : name,
  });
}
