import type { Event } from "@shedu/client";
import type { Board, Say } from "./board";

/** An event as a sentence: the board knows the title's own, the table's are told here. */
export function sentenceOf(event: Event, names: readonly string[], board: Board, say: Say): string | undefined {
  const { kind } = event;
  switch (kind.case) {
    case "gameCreated":
      return say("web.event.created", "The table was opened.");
    case "seatTaken": {
      const name = kind.value.displayName || names[kind.value.seat] || "";
      return say("web.event.seat_taken", "{name} sat down.", { name });
    }
    case "seatLeft":
      return say("web.event.seat_left", "Seat {number} is free again.", { number: String(kind.value.seat + 1) });
    case "gameStarted":
      return say("web.event.started", "The game began.");
    case "gameFinished":
      return say("web.event.finished", "The game is over.");
    case "seedRevealed":
      return say("web.event.seed", "The secret behind the luck was revealed.");
    case "seatTokensRevoked":
      return say("web.event.revoked", "{name} got a new key.", { name: names[kind.value.seat] ?? "" });
    case undefined:
      return say("web.event.unknown", "Something happened that this page does not know. Load it again.");
    default:
      return board.sentence(event, names, say);
  }
}
