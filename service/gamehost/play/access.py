"""Access rules: which callers may see a game, and which may act for a seat."""

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
    """The content of a valid seat token: its holder plays this seat of this game.

    `generation` must be that of the chair; it is raised when the seat is taken or its tokens are revoked.
    """

    game_id: str
    seat: Seat
    generation: int


@dataclass(frozen=True, slots=True)
class SpectatorKey:
    """The content of a valid spectator token: its holder may watch this game."""

    game_id: str


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated caller, who plays every seat that it took; `seat` selects one of them."""

    id: str
    seat: int | None = None


Principal = SeatKey | SpectatorKey | Caller | None
"""The caller that a call is made for; None for an anonymous call."""


@dataclass(frozen=True, slots=True)
class SeatAccess:
    """A caller's seat at a table.

    `since` is the version at which its owner sat down. `key` is None for a caller known by its identity.
    """

    seat: Seat
    since: int
    key: SeatKey | None


def seat_access(table: Table, principal: Principal) -> SeatAccess | None:
    """Return the seat that the caller has now, or None if it has none but may know of the game.

    Raises NotFound for a private game, and NotYourSeat if the token or the seat named is not valid here.
    """
    seat = _seat_of(table, principal)
    if seat is not None:
        return SeatAccess(
            seat, table.chairs[seat].since, principal if isinstance(principal, SeatKey) else None
        )
    # First, and as if there were no such game: other errors would reveal that a private game exists.
    if table.private and not _has_spectator_key(table, principal) and not has_reservation(table, principal):
        raise NotFound(f"there is no game {table.game_id}")
    if isinstance(principal, SpectatorKey) and not _has_spectator_key(table, principal):
        raise NotYourSeat("the token is for another game")
    if isinstance(principal, SeatKey):
        raise NotYourSeat(f"the token is not for a seat of game {table.game_id} as it is now")
    if isinstance(principal, Caller) and principal.seat is not None:
        raise NotYourSeat(f"seat {principal.seat} of game {table.game_id} is not yours")
    return None


def viewing_seat(table: Table, principal: Principal) -> Seat | None:
    """Return the seat whose view the caller sees, or None for a spectator."""
    found = seat_access(table, principal)
    return found.seat if found else None


def any_seat(table: Table, principal: Principal) -> Seat | None:
    """Return one of the caller's seats, for calls where any of them will do; None for a spectator."""
    mine = _seats_of(table, principal) if isinstance(principal, Caller) else []
    return mine[0] if mine else viewing_seat(table, principal)


def acting_seat(table: Table, principal: Principal) -> Seat:
    """Return the seat that the caller acts for; raises Unauthenticated or NotYourSeat if it has none."""
    seat = viewing_seat(table, principal)
    if seat is not None:
        return seat
    if principal is None:
        raise Unauthenticated("this call needs the token of a seat, as JoinGame returns it")
    raise NotYourSeat(f"no seat of game {table.game_id} is yours")


def owns_seat(table: Table, principal: Principal) -> bool:
    """Whether the caller owns a seat at this table."""
    if isinstance(principal, Caller):
        return bool(_seats_of(table, principal))
    return isinstance(principal, SeatKey) and key_is_valid(table, principal)


def has_reservation(table: Table, principal: Principal) -> bool:
    """Whether an open seat is reserved for the caller."""
    return isinstance(principal, Caller) and principal.id in table.reservations.values()


def could_join(table: Table, principal: Principal) -> bool:
    """Whether the table has a seat that the caller could take now; other limits are not checked."""
    if table.status is not Status.GATHERING or (
        isinstance(principal, SeatKey) and owns_seat(table, principal)
    ):
        return False
    return has_reservation(table, principal) or "" in table.reservations.values()


def check_may_spectate(table: Table, principal: Principal) -> None:
    """Raise NoSpectators unless this caller may watch the game without a seat."""
    policy = table.created.spectators.policy
    if policy is SpectatorPolicy.NONE:
        raise NoSpectators("only the players of this game may watch it")
    if policy is SpectatorPolicy.TOKEN and not _has_spectator_key(table, principal):
        raise NoSpectators(
            "watching this game needs its spectator token, as CreateGame returned it",
            reason="SPECTATOR_TOKEN_MISSING",
        )


def seat_at_version(table: Table, found: SeatAccess | None) -> Seat | None:
    """Return the seat whose view the caller may see of an earlier table; None for a spectator's view.

    An earlier owner of the seat may have held hidden information, so the seat counts only from the version
    on at which its present owner sat down.
    """
    return found.seat if found and table.version >= found.since else None


def still_owns_seat(table: Table, found: SeatAccess) -> bool:
    """Whether the caller still has the seat at this table, and its key has not been revoked."""
    if table.version < found.since:
        return True
    chair = table.chairs[found.seat]
    revoked = found.key is not None and chair.generation > found.key.generation
    return chair.taken and chair.since == found.since and not revoked


def is_revealed(table: Table, seat: Seat | None) -> bool:
    """Whether the game is over and this seat, or a spectator for None, may see everything in it."""
    if table.status is not Status.FINISHED or table.created.reveal is Reveal.NEVER:
        return False
    return table.created.reveal is Reveal.FULL or seat is not None


def seat_to_view_as(table: Table, seat: Seat | None, wanted: int) -> Seat:
    """Return the seat `wanted` if a caller with `seat`, or a spectator, may see its view.

    That is allowed once the game is over. Raises NotNow, NotRevealed or NotFound.
    """
    if table.status is not Status.FINISHED:
        raise NotNow("the views of other seats are available once the game is over", reason="GAME_NOT_OVER")
    if not is_revealed(table, seat):
        raise NotRevealed(f"the reveal policy of this game does not allow it: {table.created.reveal.value}")
    if wanted >= len(table.chairs):
        last = len(table.chairs) - 1
        raise NotFound(f"there is no seat {wanted}: the seats are 0 to {last}", reason="SEAT_NOT_FOUND")
    return Seat(wanted)


def key_is_valid(table: Table, key: SeatKey) -> bool:
    """Whether the key is valid for a seat of this table now."""
    if key.game_id != table.game_id or not 0 <= key.seat < len(table.chairs):
        return False
    chair = table.chairs[key.seat]
    return chair.taken and chair.generation == key.generation


def check_replay(table: Table, principal: Principal, events: Sequence[object]) -> None:
    """Raise NotYourSeat unless the caller may get the recorded answer of a repeated request.

    `table` is the newest one, `events` are those of the recorded answer. A key that has ended gets no
    recorded answers, with one exception: the answer to the call that ended it, in case that answer and the
    new token in it were lost. The exception lasts until the tokens of the seat are revoked again.
    """
    if (
        not isinstance(principal, SeatKey)
        or principal.game_id != table.game_id
        or key_is_valid(table, principal)
    ):
        return
    ended = any(
        isinstance(event, SeatLeft | SeatTokensRevoked) and event.seat == principal.seat for event in events
    )
    # That call raised the generation by at most one. A greater one means that tokens were revoked again.
    if not (ended and table.chairs[principal.seat].generation <= principal.generation + 1):
        raise NotYourSeat(f"the token is not for a seat of game {table.game_id} as it is now")


def _has_spectator_key(table: Table, principal: Principal) -> bool:
    return isinstance(principal, SpectatorKey) and principal.game_id == table.game_id


def _seat_of(table: Table, principal: Principal) -> Seat | None:
    if isinstance(principal, SeatKey):
        return principal.seat if key_is_valid(table, principal) else None
    if not isinstance(principal, Caller):
        return None
    mine = _seats_of(table, principal)
    if principal.seat is not None:
        return Seat(principal.seat) if principal.seat in mine else None
    if len(mine) > 1:
        raise InvalidRequest(
            "seat", f"must be set, because you have several seats: {', '.join(map(str, mine))}"
        )
    return mine[0] if mine else None


def _seats_of(table: Table, caller: Caller) -> list[Seat]:
    chairs = enumerate(table.chairs)
    return [Seat(seat) for seat, chair in chairs if chair.taken and chair.caller_id == caller.id]
