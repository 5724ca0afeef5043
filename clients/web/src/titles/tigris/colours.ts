import { tigris } from "@shedu/client";
import type { Picture } from "../../art/glyph";
import { Balance, FARMER, Gate, Grain, KING, PRIEST, TempleTower, TRADER } from "../../art/spheres";
import type { Say } from "../../boards/seat_name";

const { Colour, Monument } = tigris;

export const COLOURS = [Colour.RED, Colour.BLUE, Colour.GREEN, Colour.BLACK] as const;
export type Sphere = (typeof COLOURS)[number];

interface Look {
  class: string;
  Picture: Picture;
  /** The outline of its leader. */
  outline: string;
}

const RED: Look = { class: "sphere-red", Picture: TempleTower, outline: PRIEST };
const LOOKS: Record<tigris.Colour, Look> = {
  [Colour.UNSPECIFIED]: RED,
  [Colour.RED]: RED,
  [Colour.BLUE]: { class: "sphere-blue", Picture: Grain, outline: FARMER },
  [Colour.GREEN]: { class: "sphere-green", Picture: Balance, outline: TRADER },
  [Colour.BLACK]: { class: "sphere-black", Picture: Gate, outline: KING },
};

export function look(colour: tigris.Colour): Look {
  return LOOKS[colour];
}

export function tileName(colour: tigris.Colour, say: Say): string {
  switch (colour) {
    case Colour.BLUE:
      return say("board.tigris.farm", "farm");
    case Colour.GREEN:
      return say("board.tigris.market", "market");
    case Colour.BLACK:
      return say("board.tigris.settlement", "settlement");
    default:
      return say("board.tigris.temple", "temple");
  }
}

export function leaderName(colour: tigris.Colour, say: Say): string {
  switch (colour) {
    case Colour.BLUE:
      return say("board.tigris.farmer", "farmer");
    case Colour.GREEN:
      return say("board.tigris.trader", "trader");
    case Colour.BLACK:
      return say("board.tigris.king", "king");
    default:
      return say("board.tigris.priest", "priest");
  }
}

export function pointName(colour: tigris.Colour, say: Say): string {
  switch (colour) {
    case Colour.BLUE:
      return say("board.tigris.harvest", "harvests");
    case Colour.GREEN:
      return say("board.tigris.goods", "goods");
    case Colour.BLACK:
      return say("board.tigris.brick", "bricks");
    default:
      return say("board.tigris.amulet", "amulets");
  }
}

export function buildingName(colour: tigris.Colour, say: Say): string {
  switch (colour) {
    case Colour.BLUE:
      return say("board.tigris.granary", "granary");
    case Colour.GREEN:
      return say("board.tigris.market_hall", "market hall");
    case Colour.BLACK:
      return say("board.tigris.palace", "palace");
    default:
      return say("board.tigris.library", "library");
  }
}

const SHOWN: Record<tigris.Monument, readonly [Sphere, Sphere]> = {
  [Monument.UNSPECIFIED]: [Colour.RED, Colour.RED],
  [Monument.RED_BLUE]: [Colour.RED, Colour.BLUE],
  [Monument.RED_GREEN]: [Colour.RED, Colour.GREEN],
  [Monument.RED_BLACK]: [Colour.RED, Colour.BLACK],
  [Monument.BLUE_GREEN]: [Colour.BLUE, Colour.GREEN],
  [Monument.BLUE_BLACK]: [Colour.BLUE, Colour.BLACK],
  [Monument.GREEN_BLACK]: [Colour.GREEN, Colour.BLACK],
};

/** The two colours a monument shows. */
export function shown(monument: tigris.Monument): readonly [Sphere, Sphere] {
  return SHOWN[monument];
}

export const MONUMENTS = [
  Monument.RED_BLUE,
  Monument.RED_GREEN,
  Monument.RED_BLACK,
  Monument.BLUE_GREEN,
  Monument.BLUE_BLACK,
  Monument.GREEN_BLACK,
] as const;

export function monumentName(monument: tigris.Monument, say: Say): string {
  const [first, second] = shown(monument);
  return say("board.tigris.monument", "monument of {first} and {second}", {
    first: tileName(first, say),
    second: tileName(second, say),
  });
}
