"""Limits on what a seat may do that the rules of a title do not limit.

Each of these calls adds to a log that every reader reads to the end; without a limit, two seats could make it
arbitrarily long. The limits are per seat, so that one player cannot use up those of another, and thereby
bound the whole game. They are far above what people need.
"""

from __future__ import annotations

from gamehost.play.errors import NotNow
from gamehost.play.table.table import Table
from gamehost.rules.kit import Seat

# The limits are checked before a new event is written, never when a log is folded: logs that were written
# before there were limits must stay readable.

# Each proposal is answered at most once by every other seat. People make a handful.
MAX_PROPOSALS = 100
# Generous, because people try out moves and take them back, above all in sandboxes.
MAX_UNDOS = 500
# How often a seat is taken before the start. The player who takes it last cannot leave any more, but can
# play or resign.
MAX_TIMES_TAKEN = 100
# How often a seat is taken or its tokens are revoked. Above MAX_TIMES_TAKEN, so that a seat that was taken as
# often as possible can still revoke its tokens.
MAX_GENERATION = 300


def check_proposals(table: Table, seat: Seat) -> None:
    made = table.chairs[seat].proposals
    _check(made, MAX_PROPOSALS, f"seat {seat} has made {MAX_PROPOSALS} proposals in this game")


def check_undos(table: Table, seat: Seat) -> None:
    _check(
        table.chairs[seat].undos, MAX_UNDOS, f"seat {seat} has undone moves {MAX_UNDOS} times in this game"
    )


def check_leaving(table: Table, seat: Seat) -> None:
    taken = table.chairs[seat].generation
    _check(taken, MAX_TIMES_TAKEN, f"seat {seat} has been taken {MAX_TIMES_TAKEN} times")


def check_revoking(table: Table, seat: Seat) -> None:
    generation = table.chairs[seat].generation
    _check(generation, MAX_GENERATION, f"the tokens of seat {seat} have changed {MAX_GENERATION} times")


def _check(count: int, limit: int, message: str) -> None:
    if count >= limit:
        raise NotNow(f"{message}, which is the limit", reason="SEAT_LIMIT_REACHED", limit=str(limit))
