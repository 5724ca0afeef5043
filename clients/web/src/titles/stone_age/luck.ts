import type { stoneAge } from "@shedu/client";
import { drawFrom, drawSeat, noDraw, numbersTo, rollDice, type TitleLuck } from "../../luck/draws";

const CARDS = 36;
const TILES = 28;

export const luck: TitleLuck<stoneAge.Event["kind"]> = async (kind, piles, draws) => {
  switch (kind.case) {
    case "gameBegun": {
      const all = { deck: numbersTo(CARDS), tiles: numbersTo(TILES) };
      const expected = await drawSeat(kind.value.seats, draws);
      return { kind: "first", piles: all, expected, told: [kind.value.startPlayer] };
    }
    case "cardRevealed":
      return drawFrom("deck", "shown", [kind.value.card], piles, draws);
    case "tileRevealed":
      return drawFrom("tiles", "shown", [kind.value.tile], piles, draws);
    case "cardDrawn":
      return drawFrom("deck", "hand", [kind.value.card ?? 0], piles, draws);
    case "diceRolled":
    case "diceForAllRolled":
      return rollDice(kind.value.faces, piles, draws);
    default:
      return noDraw(piles);
  }
};
