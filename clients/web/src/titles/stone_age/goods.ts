import { stoneAge } from "@shedu/client";
import { Brick, Food, Gold, Stone, Wood } from "./goods_art";
import type { Picture } from "../../art/glyph";
import type { Say } from "../../boards/seat_name";

const { Good } = stoneAge;

export type Resource = "wood" | "brick" | "stone" | "gold";
export const RESOURCES: readonly Resource[] = ["wood", "brick", "stone", "gold"];
export type Amounts = Readonly<Record<Resource, number>>;
export const NOTHING: Amounts = { wood: 0, brick: 0, stone: 0, gold: 0 };

/** What one is worth on a building tile. */
const VALUES: Amounts = { wood: 3, brick: 4, stone: 5, gold: 6 };

export function worth(amounts: Amounts): number {
  return RESOURCES.reduce((sum, resource) => sum + amounts[resource] * VALUES[resource], 0);
}

export function total(amounts: Amounts): number {
  return RESOURCES.reduce((sum, resource) => sum + amounts[resource], 0);
}

export const PICTURES: Readonly<Record<Resource | "food", Picture>> = {
  food: Food,
  wood: Wood,
  brick: Brick,
  stone: Stone,
  gold: Gold,
};

const NAMES: Record<stoneAge.Good, Resource | "food"> = {
  [Good.UNSPECIFIED]: "food",
  [Good.FOOD]: "food",
  [Good.WOOD]: "wood",
  [Good.BRICK]: "brick",
  [Good.STONE]: "stone",
  [Good.GOLD]: "gold",
};

export function goodOf(good: stoneAge.Good): Resource | "food" {
  return NAMES[good];
}

/** How much of the sum of dice and tools gives one unit. */
export const DIVISORS: Readonly<Record<Resource | "food", number>> = { food: 2, wood: 3, brick: 4, stone: 5, gold: 6 };

export function goodName(good: Resource | "food", say: Say): string {
  switch (good) {
    case "food":
      return say("board.stone_age.food", "food");
    case "wood":
      return say("board.stone_age.wood", "wood");
    case "brick":
      return say("board.stone_age.brick", "brick");
    case "stone":
      return say("board.stone_age.stone", "stone");
    case "gold":
      return say("board.stone_age.gold", "gold");
  }
}

export function amountsText(amounts: Amounts | undefined, say: Say): string {
  const some = RESOURCES.filter((resource) => (amounts?.[resource] ?? 0) > 0);
  const words = some.map((resource) => `${amounts?.[resource] ?? 0} ${goodName(resource, say)}`);
  return words.join(", ") || say("board.stone_age.nothing", "nothing");
}
