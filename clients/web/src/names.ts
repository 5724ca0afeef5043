import type { Game } from "@shedu/client";
import type { Say } from "./board";

/** By seat; who gave no name is called after the seat. */
export function namesOf(game: Game, say: Say): string[] {
  return game.seats.map((seat) => seat.displayName || say("web.seat", "Seat {number}", { number: String(seat.seat + 1) }));
}
