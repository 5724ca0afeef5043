import type { tides } from "@shedu/client";
import { drawFrom, noDraw, numbersTo, type TitleLuck } from "../../luck/draws";

const CARDS = 18;

export const luck: TitleLuck<tides.Event["kind"]> = (kind, piles, draws) => {
  if (kind.case === "gameBegun") return noDraw({ pile: numbersTo(CARDS) });
  return kind.case === "cardsDrawn" ? drawFrom("pile", "hand", kind.value.cards, piles, draws) : noDraw(piles);
};
