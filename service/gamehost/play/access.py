"""Who may look, and who may act."""

from __future__ import annotations

from dataclasses import dataclass

from gamehost.rules.kit import Seat

from .errors import NotFound, NotNow, NotRevealed, NotYourSeat, Unauthenticated
from .table import Reveal, Status, Table


@dataclass(frozen=True, slots=True)
class SeatKey:
    """What a valid seat token says: whoever has it plays this seat of this game."""

    game_id: str
    seat: Seat
    generation: int


def onlooker(table: Table, key: SeatKey | None) -> Seat | None:
    """The seat whose eyes the caller looks through, or None for a spectator of a game that is not private."""
    if key is not None and holds(table, key):
        return key.seat
    if table.private:
        raise NotFound(f"there is no game {table.game_id}")
    if key is not None:
        raise NotYourSeat(f"the token is not for a seat of game {table.game_id} as it is now")
    return None


def owner(table: Table, key: SeatKey | None) -> Seat:
    """The seat the caller acts for."""
    seat = onlooker(table, key)
    if seat is None:
        raise Unauthenticated("this call needs the token of a seat, as JoinGame returns it")
    return seat


def hindsight(table: Table, key: SeatKey | None) -> Seat | None:
    """The eyes of a caller on its game as it was: before its owner sat down a seat knew nothing."""
    if key is None or table.chairs[key.seat].generation < key.generation:
        return None
    return key.seat


def revealed(table: Table, seat: Seat | None) -> bool:
    """Whether nothing of the game is hidden from this seat, or a spectator, any more."""
    if table.status is not Status.FINISHED or table.created.reveal is Reveal.NEVER:
        return False
    return table.created.reveal is Reveal.FULL or seat is not None


def eyes(table: Table, seat: Seat | None, wanted: int) -> Seat:
    """The seat that a caller, who sits at `seat` or nowhere, wants to look through after the end."""
    if table.status is not Status.FINISHED:
        raise NotNow("another seat's eyes are open to all once the game is over", reason="GAME_NOT_OVER")
    if not revealed(table, seat):
        raise NotRevealed(f"what this game reveals to whom: {table.created.reveal.value}")
    if wanted >= len(table.chairs):
        last = len(table.chairs) - 1
        raise NotFound(f"there is no seat {wanted}: the seats are 0 to {last}", reason="SEAT_NOT_FOUND")
    return Seat(wanted)


def holds(table: Table, key: SeatKey) -> bool:
    """Whether the key opens a seat of this table now."""
    if key.game_id != table.game_id or not 0 <= key.seat < len(table.chairs):
        return False
    chair = table.chairs[key.seat]
    return chair.taken and chair.generation == key.generation
