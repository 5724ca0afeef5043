import type { Event } from "@shedu/client";
import type { Board, Say } from "./board";
import { displayNameOf, nameAtTheTime } from "./player_names";

function named(names: readonly string[], seat: number): string {
  return names[seat] ?? "";
}

/** An event as a sentence: events of a title by its board, all others here. */
export function sentenceOf(event: Event, names: readonly string[], board: Board, say: Say): string | undefined {
  const { kind } = event;
  switch (kind.case) {
    case "gameCreated":
      return say("web.event.created", "The game was created.");
    case "seatTaken": {
      const name = nameAtTheTime(displayNameOf(kind.value, say), named(names, kind.value.seat));
      return say("web.event.seat_taken", "{name} joined.", { name });
    }
    case "seatLeft":
      return say("web.event.seat_left", "Seat {number} is free again.", { number: String(kind.value.seat + 1) });
    case "gameStarted":
      return say("web.event.started", "The game started.");
    case "gameFinished":
      return say("web.event.finished", "The game is over.");
    case "seedRevealed":
      return say("web.event.seed", "The random seed was revealed.");
    case "seatTokensRevoked":
      return say("web.event.revoked", "{name} got a new access key.", { name: named(names, kind.value.seat) });
    case "seatResigned":
      return kind.value.timedOut
        ? say("web.event.timed_out", "{name} ran out of time and is out of the game.", { name: named(names, kind.value.seat) })
        : say("web.event.resigned", "{name} resigned.", { name: named(names, kind.value.seat) });
    case "seatTakenOver":
      return say("web.event.taken_over", "{name} ran out of time; a bot plays on.", { name: named(names, kind.value.seat) });
    case "seatReclaimed":
      return say("web.event.reclaimed", "{name} is back.", { name: named(names, kind.value.seat) });
    case "proposalMade":
      return say("web.event.proposal", "{name} makes a proposal.", { name: named(names, kind.value.proposal?.seat ?? 0) });
    case "proposalAnswered":
      return kind.value.accepted
        ? say("web.event.agreed", "{name} accepts.", { name: named(names, kind.value.seat) })
        : say("web.event.disagreed", "{name} declines.", { name: named(names, kind.value.seat) });
    case "moveUndone":
      return say("web.event.undone", "{name} undid a move.", { name: named(names, kind.value.seat) });
    case "gameAbandoned":
      return say("web.event.abandoned", "The game was ended without a winner.");
    case "positionPlaced":
      return say("web.event.placed", "The sandbox starts from a position of another game.");
    case undefined:
      return say("web.event.unknown", "This page does not know this event. Reload the page.");
    default:
      return board.sentence(event, names, say);
  }
}
