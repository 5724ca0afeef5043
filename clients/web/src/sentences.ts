import type { Event } from "@shedu/client";
import type { Board, Say } from "./board";
import { calledBy, calledThen } from "./names";

function named(names: readonly string[], seat: number): string {
  return names[seat] ?? "";
}

/** An event as a sentence: the board knows the title's own, the table's are told here. */
export function sentenceOf(event: Event, names: readonly string[], board: Board, say: Say): string | undefined {
  const { kind } = event;
  switch (kind.case) {
    case "gameCreated":
      return say("web.event.created", "The table was opened.");
    case "seatTaken": {
      const name = calledThen(calledBy(kind.value, say), named(names, kind.value.seat));
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
      return say("web.event.revoked", "{name} got a new key.", { name: named(names, kind.value.seat) });
    case "seatResigned":
      return kind.value.timedOut
        ? say("web.event.timed_out", "{name} ran out of time and is out.", { name: named(names, kind.value.seat) })
        : say("web.event.resigned", "{name} gave up.", { name: named(names, kind.value.seat) });
    case "seatTakenOver":
      return say("web.event.taken_over", "{name} ran out of time; a bot plays on.", { name: named(names, kind.value.seat) });
    case "seatReclaimed":
      return say("web.event.reclaimed", "{name} is back.", { name: named(names, kind.value.seat) });
    case "proposalMade":
      return say("web.event.proposal", "{name} proposes something.", { name: named(names, kind.value.proposal?.seat ?? 0) });
    case "proposalAnswered":
      return kind.value.accepted
        ? say("web.event.agreed", "{name} agrees.", { name: named(names, kind.value.seat) })
        : say("web.event.disagreed", "{name} does not agree.", { name: named(names, kind.value.seat) });
    case "moveUndone":
      return say("web.event.undone", "{name} took back.", { name: named(names, kind.value.seat) });
    case "gameAbandoned":
      return say("web.event.abandoned", "The game was ended without a winner.");
    case "positionPlaced":
      return say("web.event.placed", "The sandbox begins in the middle of a game.");
    case undefined:
      return say("web.event.unknown", "Something happened that this page does not know. Load it again.");
    default:
      return board.sentence(event, names, say);
  }
}
