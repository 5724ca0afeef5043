"""Who may look, and who may act."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gamehost.rules.kit import Seat

from .errors import (
    InvalidRequest,
    NoSpectators,
    NotFound,
    NotNow,
    NotRevealed,
    NotYourSeat,
    Unauthenticated,
)
from .table.events import Reveal, SeatLeft, SeatTokensRevoked, SpectatorPolicy
from .table.table import Status, Table


@dataclass(frozen=True, slots=True)
class SeatKey:
    """What a valid seat token says: whoever has it plays this seat of this game."""

    game_id: str
    seat: Seat
    generation: int


@dataclass(frozen=True, slots=True)
class SpectatorKey:
    """What a valid spectator token says: whoever has it may watch this game."""

    game_id: str


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody with an identity, who plays every seat it took; `seat` says which one is meant, if any."""

    id: str
    seat: int | None = None


Principal = SeatKey | SpectatorKey | Caller | None


@dataclass(frozen=True, slots=True)
class SeatAccess:
    """How a caller sits at a table: since which version, and with which key if it is not there by name."""

    seat: Seat
    since: int
    key: SeatKey | None


def seat_access(table: Table, who: Principal) -> SeatAccess | None:
    """How the caller sits here now, or None for somebody without a seat who may know of the game."""
    seat = _seat_of(table, who)
    if seat is not None:
        return SeatAccess(seat, table.chairs[seat].since, who if isinstance(who, SeatKey) else None)
    if table.private and not _has_key(table, who) and not has_reservation(table, who):
        raise NotFound(f"there is no game {table.game_id}")
    if isinstance(who, SpectatorKey) and not _has_key(table, who):
        raise NotYourSeat("the token is for another game")
    if isinstance(who, SeatKey):
        raise NotYourSeat(f"the token is not for a seat of game {table.game_id} as it is now")
    if isinstance(who, Caller) and who.seat is not None:
        raise NotYourSeat(f"seat {who.seat} of game {table.game_id} is not yours")
    return None


def viewing_seat(table: Table, who: Principal) -> Seat | None:
    """The seat whose eyes the caller looks through, or None for a spectator."""
    found = seat_access(table, who)
    return found.seat if found else None


def any_seat(table: Table, who: Principal) -> Seat | None:
    """One of the caller's seats where it does not matter which, or None for a spectator."""
    mine = _seats_of(table, who) if isinstance(who, Caller) else []
    return mine[0] if mine else viewing_seat(table, who)


def acting_seat(table: Table, who: Principal) -> Seat:
    """The seat the caller acts for."""
    seat = viewing_seat(table, who)
    if seat is not None:
        return seat
    if who is None:
        raise Unauthenticated("this call needs the token of a seat, as JoinGame returns it")
    raise NotYourSeat(f"no seat of game {table.game_id} is yours")


def owns_seat(table: Table, who: Principal) -> bool:
    """Whether any seat of this table is the caller's."""
    if isinstance(who, Caller):
        return bool(_seats_of(table, who))
    return isinstance(who, SeatKey) and key_is_valid(table, who)


def has_reservation(table: Table, who: Principal) -> bool:
    """Whether an open seat is kept for the caller."""
    return isinstance(who, Caller) and who.id in table.reservations.values()


def could_join(table: Table, who: Principal) -> bool:
    """Whether there is a seat that the caller could take now, as far as the table goes."""
    if table.status is not Status.GATHERING or (isinstance(who, SeatKey) and owns_seat(table, who)):
        return False
    return has_reservation(table, who) or "" in table.reservations.values()


def check_may_spectate(table: Table, who: Principal) -> None:
    """Raises unless somebody without a seat may look into the game."""
    policy = table.created.spectators.policy
    if policy is SpectatorPolicy.NONE:
        raise NoSpectators("only its seats may look into this game")
    if policy is SpectatorPolicy.TOKEN and not _has_key(table, who):
        raise NoSpectators(
            "this game is watched with its spectator token, as CreateGame returned it",
            reason="SPECTATOR_TOKEN_MISSING",
        )


def seat_at_version(table: Table, how: SeatAccess | None) -> Seat | None:
    """The eyes of a caller on its game as it was: before its owner sat down a seat knew nothing."""
    return how.seat if how and table.version >= how.since else None


def still_owns_seat(table: Table, how: SeatAccess) -> bool:
    """Whether the seat is the caller's still, and its key has not been revoked, as far as the table goes."""
    if table.version < how.since:
        return True
    chair = table.chairs[how.seat]
    revoked = how.key is not None and chair.generation > how.key.generation
    return chair.taken and chair.since == how.since and not revoked


def is_revealed(table: Table, seat: Seat | None) -> bool:
    """Whether nothing of the game is hidden from this seat, or a spectator, any more."""
    if table.status is not Status.FINISHED or table.created.reveal is Reveal.NEVER:
        return False
    return table.created.reveal is Reveal.FULL or seat is not None


def seat_to_view_as(table: Table, seat: Seat | None, wanted: int) -> Seat:
    """The seat that a caller, who sits at `seat` or nowhere, wants to look through after the end."""
    if table.status is not Status.FINISHED:
        raise NotNow("another seat's eyes are open to all once the game is over", reason="GAME_NOT_OVER")
    if not is_revealed(table, seat):
        raise NotRevealed(f"what this game reveals to whom: {table.created.reveal.value}")
    if wanted >= len(table.chairs):
        last = len(table.chairs) - 1
        raise NotFound(f"there is no seat {wanted}: the seats are 0 to {last}", reason="SEAT_NOT_FOUND")
    return Seat(wanted)


def key_is_valid(table: Table, key: SeatKey) -> bool:
    """Whether the key opens a seat of this table now."""
    if key.game_id != table.game_id or not 0 <= key.seat < len(table.chairs):
        return False
    chair = table.chairs[key.seat]
    return chair.taken and chair.generation == key.generation


def check_replay(table: Table, who: Principal, events: Sequence[object]) -> None:
    """Raises unless the caller may be told again what its call led to; `table` is the newest one.

    A key that has ended gets no recorded answer, but for that of the call with which its owner ended it: the
    answer may have been lost, and the new token with it. It gets that one until the seat is revoked again.
    """
    if not isinstance(who, SeatKey) or who.game_id != table.game_id or key_is_valid(table, who):
        return
    ended = any(
        isinstance(event, SeatLeft | SeatTokensRevoked) and event.seat == who.seat for event in events
    )
    if not (ended and table.chairs[who.seat].generation <= who.generation + 1):
        raise NotYourSeat(f"the token is not for a seat of game {table.game_id} as it is now")


def _has_key(table: Table, who: Principal) -> bool:
    return isinstance(who, SpectatorKey) and who.game_id == table.game_id


def _seat_of(table: Table, who: Principal) -> Seat | None:
    if isinstance(who, SeatKey):
        return who.seat if key_is_valid(table, who) else None
    if not isinstance(who, Caller):
        return None
    mine = _seats_of(table, who)
    if who.seat is not None:
        return Seat(who.seat) if who.seat in mine else None
    if len(mine) > 1:
        raise InvalidRequest("seat", f"must say which: seats {', '.join(map(str, mine))} are yours")
    return mine[0] if mine else None


def _seats_of(table: Table, caller: Caller) -> list[Seat]:
    chairs = enumerate(table.chairs)
    return [Seat(seat) for seat, chair in chairs if chair.taken and chair.caller_id == caller.id]
