import { tigris } from "@shedu/client";
import { drawFrom, drawSeat, noDraw, piecesOf, type TitleLuck } from "../../luck/draws";

/** Temples, farms, markets and settlements. */
const TILES = [57, 36, 30, 30];
/** They lie on the board before the first draw. */
const TEMPLES = { standard: 10, advanced: 14 };

export const luck: TitleLuck<tigris.Event["kind"]> = async (kind, piles, draws) => {
  if (kind.case === "gameBegun") {
    const side = kind.value.options?.board === tigris.BoardSide.ADVANCED ? "advanced" : "standard";
    const bag = piecesOf(TILES).slice(TEMPLES[side]);
    const expected = await drawSeat(kind.value.seats, draws);
    return { kind: "first", piles: { bag }, expected, told: [kind.value.first] };
  }
  if (kind.case !== "tilesDrawn") return noDraw(piles);
  const checked = await drawFrom("bag", "hand", kind.value.tiles, piles, draws);
  // The event tells the tiles in the order of their colours.
  return { ...checked, expected: checked.expected?.slice().sort((one, other) => one - other) };
};
