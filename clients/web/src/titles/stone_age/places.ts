import { stoneAge } from "@shedu/client";
import type { Say } from "../../boards/seat_name";
import type { Resource } from "./goods";

const { Place } = stoneAge;

export const GROUNDS = [Place.HUNTING, Place.FOREST, Place.CLAY_PIT, Place.QUARRY, Place.RIVER] as const;
export const VILLAGE = [Place.TOOL_MAKER, Place.HUT, Place.FIELD] as const;
export const CARD_PLACES = [Place.CARD_1, Place.CARD_2, Place.CARD_3, Place.CARD_4] as const;
export const TILE_PLACES = [Place.TILE_1, Place.TILE_2, Place.TILE_3, Place.TILE_4] as const;

const YIELDS: Partial<Record<stoneAge.Place, Resource | "food">> = {
  [Place.HUNTING]: "food",
  [Place.FOREST]: "wood",
  [Place.CLAY_PIT]: "brick",
  [Place.QUARRY]: "stone",
  [Place.RIVER]: "gold",
};

/** What is rolled for there. */
export function yieldOf(place: stoneAge.Place): Resource | "food" | undefined {
  return YIELDS[place];
}

const NAMES: Record<stoneAge.Place, (say: Say) => string> = {
  [Place.UNSPECIFIED]: () => "",
  [Place.HUNTING]: (say) => say("board.stone_age.hunting", "hunting grounds"),
  [Place.FOREST]: (say) => say("board.stone_age.forest", "forest"),
  [Place.CLAY_PIT]: (say) => say("board.stone_age.clay_pit", "clay pit"),
  [Place.QUARRY]: (say) => say("board.stone_age.quarry", "quarry"),
  [Place.RIVER]: (say) => say("board.stone_age.river", "river"),
  [Place.TOOL_MAKER]: (say) => say("board.stone_age.tool_maker", "tool maker"),
  [Place.HUT]: (say) => say("board.stone_age.hut", "hut"),
  [Place.FIELD]: (say) => say("board.stone_age.field", "field"),
  [Place.CARD_1]: (say) => say("board.stone_age.card_place", "card {slot}", { slot: "1" }),
  [Place.CARD_2]: (say) => say("board.stone_age.card_place", "card {slot}", { slot: "2" }),
  [Place.CARD_3]: (say) => say("board.stone_age.card_place", "card {slot}", { slot: "3" }),
  [Place.CARD_4]: (say) => say("board.stone_age.card_place", "card {slot}", { slot: "4" }),
  [Place.TILE_1]: (say) => say("board.stone_age.tile_place", "building {stack}", { stack: "1" }),
  [Place.TILE_2]: (say) => say("board.stone_age.tile_place", "building {stack}", { stack: "2" }),
  [Place.TILE_3]: (say) => say("board.stone_age.tile_place", "building {stack}", { stack: "3" }),
  [Place.TILE_4]: (say) => say("board.stone_age.tile_place", "building {stack}", { stack: "4" }),
};

export function placeName(place: stoneAge.Place, say: Say): string {
  return NAMES[place](say);
}

export function placeKey(place: stoneAge.Place): string {
  return `place:${place}`;
}
