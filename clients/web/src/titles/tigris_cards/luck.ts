import type { tigrisCards } from "@shedu/client";
import { drawFrom, drawSeat, noDraw, piecesOf, type TitleLuck } from "../../luck/draws";

/** By colour. */
const CARDS = [40, 65, 40, 40];

export const luck: TitleLuck<tigrisCards.Event["kind"]> = async (kind, piles, draws) => {
  if (kind.case === "gameBegun") {
    // The seat is drawn here, but the first turn is the event that tells it.
    return noDraw({ deck: piecesOf(CARDS), first: await drawSeat(kind.value.seats, draws) });
  }
  if (kind.case === "turnBegun" && piles["first"]) {
    const deck = piles["deck"] ?? [];
    return { kind: "first", piles: { deck }, expected: piles["first"], told: [kind.value.seat] };
  }
  return kind.case === "cardsDrawn" ? drawFrom("deck", "hand", kind.value.cards, piles, draws) : noDraw(piles);
};
