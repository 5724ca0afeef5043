import { Code, SheduError } from "@shedu/client";
import type { Say } from "./board";

/** What went wrong, as a sentence that a person understands. */
export function explain(problem: unknown, say: Say): string {
  const error = SheduError.from(problem);
  if (error.isRefusal) return refusal(error, say);
  const known = REASONS[error.reason]?.(say);
  if (known !== undefined) return known;
  if (error.isTransient) {
    return say("web.trouble.away", "The server cannot be reached. Your seat and your game are kept; try again in a moment.");
  }
  if (error.code === Code.InvalidArgument) return invalid(error, say);
  return say("web.trouble.unknown", "Something went wrong: {detail}", { detail: error.message });
}

/** The rules say no. */
function refusal(error: SheduError, say: Say): string {
  const sentence = say(`refusal.${error.reason}`, error.message);
  return error.rule ? say("web.trouble.refusal", "{sentence} (rule {rule})", { sentence, rule: error.rule }) : sentence;
}

function invalid(error: SheduError, say: Say): string {
  const detail = error.fieldViolations.map((found) => `${found.field}: ${found.description}`).join("; ");
  return say("web.trouble.invalid", "The server did not understand this: {detail}", { detail: detail || error.message });
}

const outdated = (say: Say) =>
  say("web.trouble.outdated", "This page and the server do not understand each other. Load the page again.");

const REASONS: Record<string, (say: Say) => string> = {
  GAME_NOT_FOUND: (say) =>
    say("web.trouble.game_not_found", "There is no such game, or it is private and this link lacks its invitation."),
  TITLE_NOT_FOUND: (say) => say("web.trouble.title_not_found", "This server does not host that game."),
  TOKEN_MISSING: (say) => say("web.trouble.token_missing", "Only those who sit at this game may do that."),
  TOKEN_INVALID: (say) => say("web.trouble.token_invalid", "This browser's key to its seat is not valid here."),
  TOKEN_EXPIRED: (say) => say("web.trouble.token_expired", "This browser's key to its seat has expired."),
  NOT_YOUR_SEAT: (say) => say("web.trouble.not_your_seat", "This browser's seat was left or given a new key."),
  ALREADY_JOINED: (say) => say("web.trouble.already_joined", "You sit at this game already."),
  SEAT_TAKEN: (say) => say("web.trouble.seat_taken", "Someone has just taken that seat."),
  GAME_FULL: (say) => say("web.trouble.game_full", "Every seat of this game is taken. You can watch it."),
  GAME_NOT_FULL: (say) => say("web.trouble.game_not_full", "The game can start once every seat is taken."),
  GAME_NOT_STARTED: (say) => say("web.trouble.game_not_started", "The game has not started yet."),
  GAME_STARTED: (say) => say("web.trouble.game_started", "The game has already started. You can watch it."),
  GAME_FINISHED: (say) => say("web.trouble.game_finished", "This game is over."),
  NOT_YOUR_DECISION: (say) => say("web.trouble.not_your_decision", "Nothing is asked of you now."),
  STALE_VERSION: (say) => say("web.trouble.stale", "The game has moved on meanwhile. Here is how it stands now."),
  DECISION_ANSWERED: (say) =>
    say("web.trouble.answered", "This question has been answered already, perhaps in another tab. Here is how it stands now."),
  VERSION_IN_FUTURE: (say) => say("web.trouble.version_in_future", "The game has not got that far."),
  TOO_MUCH: (say) => say("web.trouble.too_much", "That was too much at once. Wait a moment and try again."),
  STORE_UNAVAILABLE: (say) =>
    say("web.trouble.store", "The server has lost its memory for a moment; nothing is lost. Try again."),
  DRAINING: (say) => say("web.trouble.draining", "The server is being restarted. Try again in a moment."),
  GAME_UNREADABLE: (say) => say("web.trouble.unreadable", "This server cannot read that game: it was played on a newer one."),
  NOT_REVEALED: (say) => say("web.trouble.not_revealed", "This game does not show that, even after its end."),
  GAME_NOT_OVER: (say) => say("web.trouble.not_over", "This is told once the game is over."),
  NO_SPECTATORS: (say) => say("web.trouble.no_spectators", "Only those who play may watch this game."),
  SPECTATOR_TOKEN_MISSING: (say) => say("web.trouble.no_watch_link", "Whoever does not play needs the link for spectators to watch this game."),
  SEAT_RESERVED: (say) => say("web.trouble.seat_reserved", "That seat is kept for somebody else."),
  PROPOSAL_PENDING: (say) => say("web.trouble.proposal_pending", "Another proposal is open; answer that one first."),
  PROPOSAL_CLOSED: (say) => say("web.trouble.proposal_closed", "That proposal is no longer open."),
  NOTHING_TO_UNDO: (say) => say("web.trouble.nothing_to_undo", "There is nothing to take back."),
  NO_WAY_BACK: (say) => say("web.trouble.no_way_back", "The game cannot go back to that moment."),
  SEAT_LIMIT_REACHED: (say) => say("web.trouble.seat_limit", "You have done this as often as one may in a game."),
  SEAT_NOT_PLAYING: (say) => say("web.trouble.seat_not_playing", "A bot plays that seat, or its owner gave up."),
  SEAT_TAKEN_OVER: (say) => say("web.trouble.seat_taken_over", "A bot plays your seat since your time was up. Take the seat back first."),
  SEAT_NOT_TAKEN_OVER: (say) => say("web.trouble.seat_not_taken_over", "No bot has taken your seat over."),
  NO_TIME_LEFT: (say) =>
    say("web.trouble.no_time_left", "Your seat was taken back too often to get more time. The bot plays on."),
  SEAT_RESIGNED: (say) => say("web.trouble.seat_resigned", "You gave up; you can only watch."),
  TIME_UP: (say) => say("web.trouble.time_up", "Your time was up when the answer came."),
  SEAT_NOT_FOUND: (say) => say("web.trouble.seat_not_found", "This game has no such seat."),
  NOT_ASKED: (say) => say("web.trouble.not_your_decision", "Nothing is asked of you now."),
  WRONG_TITLE: outdated,
  METHOD_NOT_FOUND: outdated,
  REQUEST_ID_REUSED: (say) => say("web.trouble.internal", "The server made a mistake. Nothing was changed; try again."),
  REQUEST_TOO_LARGE: (say) => say("web.trouble.too_large", "That was more than the server takes at once."),
  HEADERS_TOO_LARGE: (say) => say("web.trouble.too_large", "That was more than the server takes at once."),
  ISSUER_UNAVAILABLE: (say) => say("web.trouble.issuer", "Whoever vouches for people here cannot be reached. Try again in a moment."),
  INTERNAL: (say) => say("web.trouble.internal", "The server made a mistake. Nothing was changed; try again."),
};

/** The seat this browser keeps is worth nothing any more. */
export function isLostSeat(problem: unknown): boolean {
  return ["TOKEN_INVALID", "TOKEN_EXPIRED", "NOT_YOUR_SEAT"].includes(SheduError.from(problem).reason);
}
