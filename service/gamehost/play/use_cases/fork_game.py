"""Forks: private sandbox games that start from a position of another game; the caller plays every seat."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gamehost.play import access
from gamehost.play.errors import NotNow
from gamehost.play.ports.event_log import RequestKey
from gamehost.play.table.events import (
    ForkOrigin,
    GameCreated,
    GameStarted,
    PositionPlaced,
    SeatTaken,
    Visibility,
)
from gamehost.play.table.redaction import witnessed_events
from gamehost.play.table.table import EventRecord, Status, Table
from gamehost.play.viewing import Viewing
from gamehost.play.writer import GameWriter
from gamehost.rules.chance import SeededChance, commitment
from gamehost.rules.kit import Seat

from .create_and_join import SEED_BYTES
from .open_game_limit import OpenGameLimit


@dataclass(frozen=True, slots=True)
class ForkPosition:
    """The position a fork starts from: the table it is taken from, and its true or an imagined state."""

    table: Table
    state: Any
    imagined: bool


class ForkGame:
    """Creates forks. `entropy` returns random bytes, `new_id` the id of the game that a request creates."""

    def __init__(
        self,
        viewing: Viewing,
        writer: GameWriter,
        open_game_limit: OpenGameLimit,
        new_id: Callable[[RequestKey | None], str],
        entropy: Callable[[int], bytes],
    ) -> None:
        self._viewing, self._writer, self._open_game_limit = viewing, writer, open_game_limit
        self._new_id, self._entropy = new_id, entropy

    async def fork(
        self,
        game_id: str,
        principal: access.Principal,
        version: int | None,
        request: RequestKey | None,
        payer: str,
    ) -> Table:
        """Create a game from `version` of another one, None for the newest that the caller may see.

        Callers who may not see everything get a state that is consistent with what they have seen. The fork
        counts among the unfinished games of `payer`.
        """
        new_id = self._new_id(request)
        # Checked before a recorded answer is returned: the caller's token may have been revoked since.
        await self._viewing.viewpoint(game_id, principal)
        if request and (known := await self._writer.created_by(new_id, request)):
            return known
        seed = self._entropy(SEED_BYTES)
        position = await self._position(game_id, principal, version, seed)
        if payer:
            await self._open_game_limit.claim(payer, new_id)
        table = position.table
        created = _created(position, commitment(new_id, seed))
        placed = PositionPlaced(table.rules.title, position.state, table.position)
        then = [*_seated(table, principal), GameStarted(), placed]
        return await self._writer.create(new_id, table.rules, created, seed, request, then, payer)

    async def _position(
        self, game_id: str, principal: access.Principal, version: int | None, seed: bytes
    ) -> ForkPosition:
        viewpoint = await self._viewing.viewpoint(game_id, principal)
        now, seat_access = viewpoint.table, viewpoint.access
        viewpoint.check_reached(version or now.version)
        records = await self._viewing.records(viewpoint, after=0, upto=version or now.version)
        table = await self._viewing.table_at(viewpoint, _last_whole_version(records))
        _check_playable(table)
        if access.is_revealed(now, access.seat_at_version(now, seat_access)):
            return ForkPosition(table, table.state, imagined=False)
        seat = access.seat_at_version(table, seat_access)
        # Imagining a state from the events of a long game blocks the event loop, so forks take turns.
        await self._viewing.throttle.wait_turn()
        return ForkPosition(table, imagined(table, records, seat, seed), imagined=True)


def _last_whole_version(records: Sequence[EventRecord]) -> int:
    """Return the last version at which all events of a call have happened.

    A fork never starts between the events of one call: no player ever decided in such a state.
    """
    return next((record.version for record in reversed(records) if not record.continues), 1)


def _check_playable(table: Table) -> None:
    if table.status is Status.GATHERING:
        raise NotNow("the game had not started at this version", reason="GAME_NOT_STARTED")
    if table.status is Status.FINISHED:
        raise NotNow("the game was over at this version; fork an earlier one", reason="GAME_FINISHED")


def imagined(table: Table, records: Sequence[EventRecord], seat: Seat | None, seed: bytes) -> Any:
    """Return a random state that is consistent with what a seat (None for a spectator) has witnessed."""
    # The key differs from that of the fork's own luck: otherwise the imagined hidden cards would be
    # correlated with its coming draws.
    chance = SeededChance(hmac.digest(seed, b"shedu:imagined:v1:", "sha256"), table.position)
    rules = table.rules
    return rules.imagine(rules.view(table.state, seat), chance, witnessed_events(table, records, seat))


def _seated(table: Table, principal: access.Principal) -> Sequence[SeatTaken]:
    """Return events that give the caller every seat, under the display names of the original players."""
    caller_id = principal.id if isinstance(principal, access.Caller) else ""
    chairs = enumerate(table.chairs)
    return [SeatTaken(Seat(seat), chair.display_name, caller_id=caller_id) for seat, chair in chairs]


def _created(position: ForkPosition, seed_commitment: bytes) -> GameCreated:
    table = position.table
    return GameCreated(
        table.rules.title,
        table.rules.version,
        len(table.chairs),
        table.created.options,
        Visibility.PRIVATE,
        manual_start=False,
        commitment=seed_commitment,
        fork_of=ForkOrigin(table.game_id, table.version, position.imagined),
    )
