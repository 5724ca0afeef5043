import { stoneAge } from "@shedu/client";
import type { Teaching } from "../../teaching/teaching";
import { Deck, Points } from "./goods_art";
import { PlaceScene } from "./scenes";
import "../../art/boards.css";
import "./stone_age.css";
import "./stone_age_scenes.css";

const { Place } = stoneAge;

const ABOUT: Record<stoneAge.Place, string> = {
  [Place.UNSPECIFIED]: "",
  [Place.HUNTING]: "hunting",
  [Place.FOREST]: "forest",
  [Place.CLAY_PIT]: "clay_pit",
  [Place.QUARRY]: "quarry",
  [Place.RIVER]: "river",
  [Place.TOOL_MAKER]: "tool_maker",
  [Place.HUT]: "hut",
  [Place.FIELD]: "field",
  [Place.CARD_1]: "cards",
  [Place.CARD_2]: "cards",
  [Place.CARD_3]: "cards",
  [Place.CARD_4]: "cards",
  [Place.TILE_1]: "buildings",
  [Place.TILE_2]: "buildings",
  [Place.TILE_3]: "buildings",
  [Place.TILE_4]: "buildings",
};

export const teaching: Teaching = {
  legend: [
    ["hunting", <PlaceScene place={Place.HUNTING} />],
    ["forest", <PlaceScene place={Place.FOREST} />],
    ["clay_pit", <PlaceScene place={Place.CLAY_PIT} />],
    ["quarry", <PlaceScene place={Place.QUARRY} />],
    ["river", <PlaceScene place={Place.RIVER} />],
    ["tool_maker", <PlaceScene place={Place.TOOL_MAKER} />],
    ["hut", <PlaceScene place={Place.HUT} />],
    ["field", <PlaceScene place={Place.FIELD} />],
    ["cards", <Deck />],
    ["buildings", <Points />],
  ],
  about: (target) => (target.startsWith("place:") ? [ABOUT[Number(target.slice(6)) as stoneAge.Place]] : []),
  chapters: [
    ["setup", ["SA-1", "SA-2", "SA-3"]],
    ["place", ["SA-10", "SA-11", "SA-12", "SA-13"]],
    ["resolve", ["SA-20", "SA-21", "SA-22", "SA-23", "SA-24", "SA-25", "SA-26"]],
    ["feed", ["SA-30", "SA-31"]],
    ["end", ["SA-40", "SA-41", "SA-42", "SA-43", "SA-44"]],
  ],
  lesson: {
    own: {
      "stone_age.prompt.place": [
        { kind: "placePeople", place: Place.FIELD },
        { kind: "placePeople", place: Place.HUNTING, people: 2 },
        { kind: "placePeople", place: Place.FOREST, people: 2 },
        { kind: "placePeople", place: Place.CARD_1 },
        { kind: "placePeople", place: Place.HUNTING },
      ],
      "stone_age.prompt.resolve": [
        { kind: "resolvePlace", place: Place.FOREST },
        { kind: "resolvePlace", place: Place.FIELD },
        { kind: "resolvePlace", place: Place.HUNTING },
        { kind: "resolvePlace", place: Place.CARD_1 },
      ],
      "stone_age.prompt.buy_card": [{ kind: "pay" }],
    },
    others: {
      "stone_age.prompt.place": [
        { kind: "placePeople", place: Place.TOOL_MAKER },
        { kind: "placePeople", place: Place.CLAY_PIT, people: 2 },
        { kind: "placePeople", place: Place.HUNTING, people: 2 },
      ],
    },
  },
  texts: {
    en: () => import("./teaching_en.json"),
    es: () => import("./teaching_es.json"),
    pt: () => import("./teaching_pt.json"),
  },
};
