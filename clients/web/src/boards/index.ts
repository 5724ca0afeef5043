import type { Board } from "../board";
import { plain } from "./plain";

const BOARDS: Record<string, () => Promise<{ board: Board }>> = {
  tides: () => import("./tides"),
  tigris: () => import("./tigris"),
  tigris_cards: () => import("./tigris_cards"),
  stone_age: () => import("./stone_age"),
};

/** The board of a title, loaded when it is first needed; a title without one is shown as text. */
export async function boardOf(title: string): Promise<Board> {
  const load = BOARDS[title];
  return load ? (await load()).board : plain;
}
