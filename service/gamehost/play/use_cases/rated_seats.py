"""What a rated game asks of its settings and its seats: each must be that of another player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamehost.play import access
from gamehost.play.errors import AlreadyJoined, InvalidRequest, NotNow
from gamehost.play.table.events import Visibility
from gamehost.play.table.table import Table

if TYPE_CHECKING:
    from .create_and_join import GameSpec


def rated_not_available() -> NotNow:
    """The error for a rated game where there are no ratings."""
    return NotNow(
        "rated games need callers with an identity, and this service has none or keeps no ratings",
        reason="RATED_NOT_AVAILABLE",
    )


def check_rated(spec: GameSpec, seats: int, *, available: bool) -> None:
    """Raise unless a game with these settings can be rated."""
    if not available:
        raise rated_not_available()
    if spec.visibility is Visibility.PRIVATE:
        raise InvalidRequest(
            "visibility", "must not be private in a rated game: its ratings would tell of it"
        )
    if seats < 2:
        raise InvalidRequest("rated", "must be false in a game with one seat")
    levels = [plan.bot_level for plan in spec.seats if plan.bot_level]
    if len(levels) == seats:
        raise InvalidRequest("rated", "must be false in a game that only bots play")
    if len(set(levels)) < len(levels):
        raise InvalidRequest(
            "seats", "must not have two bots of one level in a rated game: they are one player"
        )
    callers = [plan.reserved_for for plan in spec.seats if plan.reserved_for]
    if len(set(callers)) < len(callers):
        raise InvalidRequest("seats", "must be reserved for different callers in a rated game")


def check_joins_rated(table: Table, principal: access.Principal) -> None:
    """Raise if a caller may not take a seat because the game is rated."""
    if not table.created.rated:
        return
    if not isinstance(principal, access.Caller):
        raise rated_not_available()
    if access.owns_seat(table, principal):
        raise AlreadyJoined("you have a seat in this game, and a rated game has another player on each seat")


def check_bot_in_rated(table: Table, level: str) -> None:
    """Raise if a bot may not take a seat because the game is rated."""
    if not table.created.rated:
        return
    if any(chair.bot_level == level for chair in table.chairs):
        raise InvalidRequest("bot_level", "is that of another bot in this game, which is rated")
