import { Code, SheduError } from "@shedu/client";
import { needsAccount } from "./account";
import type { Say } from "./board";

/** An error as a sentence for the player. */
export function explain(problem: unknown, say: Say): string {
  const error = SheduError.from(problem);
  if (error.isRefusal) return refusal(error, say);
  const known = REASONS[error.reason]?.(say);
  if (known !== undefined) return known;
  if (error.code === Code.DeadlineExceeded) {
    return say("web.trouble.timeout", "The server does not answer. Your seat and your game are safe. Try again in a moment.");
  }
  if (error.isTransient) {
    return say("web.trouble.away", "The server cannot be reached. Your seat and your game are safe. Try again in a moment.");
  }
  if (error.code === Code.InvalidArgument) return invalid(error, say);
  return say("web.trouble.unknown", "Something went wrong: {detail}", { detail: error.message });
}

/** The rules refused the action. */
function refusal(error: SheduError, say: Say): string {
  const sentence = say(`refusal.${error.reason}`, error.message);
  return error.rule ? say("web.trouble.refusal", "{sentence} (rule {rule})", { sentence, rule: error.rule }) : sentence;
}

function invalid(error: SheduError, say: Say): string {
  const detail = error.fieldViolations.map((found) => `${found.field}: ${found.description}`).join("; ");
  return say("web.trouble.invalid", "Invalid request: {detail}", { detail: detail || error.message });
}

const outdated = (say: Say) =>
  say("web.trouble.outdated", "This page does not match the server. Reload the page.");

const REASONS: Record<string, (say: Say) => string> = {
  GAME_NOT_FOUND: (say) =>
    say("web.trouble.game_not_found", "Game not found. If it is private, you need the full invitation link."),
  TITLE_NOT_FOUND: (say) => say("web.trouble.title_not_found", "This server does not have this game."),
  TOKEN_MISSING: (say) =>
    needsAccount.get()
      ? say("web.trouble.sign_in", "This server asks who you are. Sign in first.")
      : say("web.trouble.token_missing", "Only players of this game can do that."),
  TOKEN_INVALID: (say) => say("web.trouble.token_invalid", "The access key to your seat is not valid."),
  TOKEN_EXPIRED: (say) => say("web.trouble.token_expired", "The access key to your seat has expired."),
  NOT_YOUR_SEAT: (say) => say("web.trouble.not_your_seat", "You have left this seat, or its access key was replaced."),
  ALREADY_JOINED: (say) => say("web.trouble.already_joined", "You have already joined this game."),
  SEAT_TAKEN: (say) => say("web.trouble.seat_taken", "This seat has just been taken."),
  GAME_FULL: (say) => say("web.trouble.game_full", "All seats are taken. You can watch the game."),
  GAME_NOT_FULL: (say) => say("web.trouble.game_not_full", "The game can start when all seats are taken."),
  GAME_NOT_STARTED: (say) => say("web.trouble.game_not_started", "The game has not started yet."),
  GAME_STARTED: (say) => say("web.trouble.game_started", "The game has already started. You can watch it."),
  GAME_FINISHED: (say) => say("web.trouble.game_finished", "This game is over."),
  NOT_YOUR_DECISION: (say) => say("web.trouble.not_your_decision", "It is not your turn."),
  STALE_VERSION: (say) => say("web.trouble.stale", "The game has moved on. The board shows the current position."),
  DECISION_ANSWERED: (say) =>
    say("web.trouble.answered", "This decision has already been made, perhaps in another tab. The board shows the current position."),
  VERSION_IN_FUTURE: (say) => say("web.trouble.version_in_future", "The game has not reached that point."),
  TOO_MUCH: (say) => say("web.trouble.too_much", "Too many requests. Wait a moment and try again."),
  STORE_UNAVAILABLE: (say) =>
    say("web.trouble.store", "Temporary server problem. Your game is safe. Try again."),
  DRAINING: (say) => say("web.trouble.draining", "The server is restarting. Try again in a moment."),
  GAME_UNREADABLE: (say) => say("web.trouble.unreadable", "This server cannot read this game: it was played on a newer version."),
  NOT_REVEALED: (say) => say("web.trouble.not_revealed", "This game does not reveal that, even after the end."),
  GAME_NOT_OVER: (say) => say("web.trouble.not_over", "Available after the game is over."),
  NO_SPECTATORS: (say) => say("web.trouble.no_spectators", "Only players can see this game."),
  SPECTATOR_TOKEN_MISSING: (say) => say("web.trouble.no_watch_link", "You need the spectator link to watch this game."),
  TALK_OFF: (say) => say("web.trouble.talk_off", "Nothing can be said in this game."),
  FREE_TEXT_OFF: (say) => say("web.trouble.free_text_off", "Only phrases can be said in this game."),
  WEBHOOK_NOT_FOUND: (say) => say("web.trouble.webhook_not_found", "There is no such webhook."),
  WEBHOOKS_OFF: (say) => say("web.trouble.webhooks_off", "This server has no webhooks."),
  NO_IDENTITIES: (say) => say("web.trouble.no_identities", "This server has no accounts."),
  SEAT_RESERVED: (say) => say("web.trouble.seat_reserved", "This seat is reserved for another player."),
  PLAYER_NOT_FOUND: (say) => say("web.trouble.player_not_found", "No player has this name."),
  HANDLE_TAKEN: (say) => say("web.trouble.handle_taken", "Another player has this name."),
  HANDLE_REFUSED: (say) => say("web.trouble.handle_refused", "This name is not allowed here."),
  HISTORY_HIDDEN: (say) => say("web.trouble.history_hidden", "This player hides their history."),
  RATED_NOT_AVAILABLE: (say) => say("web.trouble.rated_not_available", "Rated games are not available here."),
  FEATURE_OFF: (say) => say("web.trouble.feature_off", "This is turned off on this server."),
  TICKET_MATCHED: (say) => say("web.trouble.ticket_matched", "A game was found already."),
  TICKET_NOT_FOUND: (say) => say("web.trouble.ticket_not_found", "You are not waiting for a game any more."),
  ALREADY_WAITING: (say) => say("web.trouble.already_waiting", "You are already waiting for such a game."),
  PROPOSAL_PENDING: (say) => say("web.trouble.proposal_pending", "Another proposal is open. Answer it first."),
  PROPOSAL_CLOSED: (say) => say("web.trouble.proposal_closed", "This proposal is closed."),
  NOTHING_TO_UNDO: (say) => say("web.trouble.nothing_to_undo", "There is nothing to undo."),
  NO_WAY_BACK: (say) => say("web.trouble.no_way_back", "The game cannot be undone to that point."),
  SEAT_LIMIT_REACHED: (say) => say("web.trouble.seat_limit", "You have reached the limit for this in one game."),
  SEAT_NOT_PLAYING: (say) => say("web.trouble.seat_not_playing", "A bot plays this seat, or its player resigned."),
  SEAT_TAKEN_OVER: (say) => say("web.trouble.seat_taken_over", "A bot plays for you since your time ran out. Take back your seat first."),
  SEAT_NOT_TAKEN_OVER: (say) => say("web.trouble.seat_not_taken_over", "No bot has taken over your seat."),
  NO_TIME_LEFT: (say) =>
    say("web.trouble.no_time_left", "You have taken your seat back too often to get more time. The bot keeps playing."),
  SEAT_RESIGNED: (say) => say("web.trouble.seat_resigned", "You have resigned. You can only watch."),
  TIME_UP: (say) => say("web.trouble.time_up", "Your time ran out before the move arrived."),
  SEAT_NOT_FOUND: (say) => say("web.trouble.seat_not_found", "This game has no such seat."),
  NOT_ASKED: (say) => say("web.trouble.not_your_decision", "It is not your turn."),
  WRONG_TITLE: outdated,
  METHOD_NOT_FOUND: outdated,
  REQUEST_ID_REUSED: (say) => say("web.trouble.internal", "Server error. Nothing was changed. Try again."),
  REQUEST_TOO_LARGE: (say) => say("web.trouble.too_large", "The request is too large for the server."),
  HEADERS_TOO_LARGE: (say) => say("web.trouble.too_large", "The request is too large for the server."),
  ISSUER_UNAVAILABLE: (say) => say("web.trouble.issuer", "The sign-in service cannot be reached. Try again in a moment."),
  INTERNAL: (say) => say("web.trouble.internal", "Server error. Nothing was changed. Try again."),
};

/** Whether the stored seat token is no longer valid. */
export function isLostSeat(problem: unknown): boolean {
  return ["TOKEN_INVALID", "TOKEN_EXPIRED", "NOT_YOUR_SEAT"].includes(SheduError.from(problem).reason);
}
