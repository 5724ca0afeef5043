"""How often a seat may do what no rule of a title limits.

Each of these adds to a log that everybody reads to its end, so without a bound two seats could make it as
long as they like. The bounds are for a seat, so that nobody uses up those of another, and hence for a game.
They are far above what people do, and looked at before something new is written, never when a
log is folded: logs from before the bounds are read as ever.
"""

from __future__ import annotations

from gamehost.play.errors import NotNow
from gamehost.play.table.table import Table
from gamehost.rules.kit import Seat

PROPOSALS = 100  # made by a seat; each is answered at most once by every other one. People make a handful
UNDOS = 500  # of a seat. People try out moves and take them back, in a sandbox most of all
TAKEN = (
    100  # how often a seat is taken before the start; then who sits there cannot leave, but play or resign
)
REVOKED = (
    300  # how often a seat is taken or its tokens are revoked; above TAKEN, so that some are always left
)


def check_proposals(table: Table, seat: Seat) -> None:
    _check(
        table.chairs[seat].proposals, PROPOSALS, f"seat {seat} has made {PROPOSALS} proposals in this game"
    )


def check_undos(table: Table, seat: Seat) -> None:
    _check(table.chairs[seat].undos, UNDOS, f"seat {seat} has taken back {UNDOS} times in this game")


def check_leaving(table: Table, seat: Seat) -> None:
    _check(table.chairs[seat].generation, TAKEN, f"seat {seat} has been taken {TAKEN} times")


def check_revoking(table: Table, seat: Seat) -> None:
    _check(table.chairs[seat].generation, REVOKED, f"the tokens of seat {seat} have changed {REVOKED} times")


def _check(count: int, most: int, message: str) -> None:
    if count >= most:
        raise NotNow(
            f"{message}, which is the most there may be", reason="SEAT_LIMIT_REACHED", limit=str(most)
        )
