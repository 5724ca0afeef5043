"""Sandboxes: games that begin with a position of another one, with every seat the caller's."""

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
from gamehost.play.table.table import EventRecord, Status, Table, witnessed_events
from gamehost.play.viewing import Viewing
from gamehost.play.writer import GameWriter
from gamehost.rules.chance import SeededChance, commitment
from gamehost.rules.kit import Seat

from .create_and_join import SEED_BYTES
from .open_game_limit import OpenGameLimit


@dataclass(frozen=True, slots=True)
class ForkPosition:
    """What a sandbox begins with: the table it is taken from, and the truth or what may be taken for it."""

    table: Table
    state: Any
    imagined: bool


class ForkGame:
    """`entropy` gives random bytes, `new_id` the id of the game that a request opens."""

    def __init__(
        self,
        sights: Viewing,
        ledger: GameWriter,
        open_games: OpenGameLimit,
        new_id: Callable[[RequestKey | None], str],
        entropy: Callable[[int], bytes],
    ) -> None:
        self._viewing, self._writer, self._open_game_limit = sights, ledger, open_games
        self._new_id, self._entropy = new_id, entropy

    async def fork(
        self, game_id: str, who: access.Principal, version: int | None, request: RequestKey | None, payer: str
    ) -> Table:
        """`payer` is whose unfinished games it counts among."""
        new_id = self._new_id(request)
        await self._viewing.viewpoint(
            game_id, who
        )  # before a recorded answer: the caller's key may have ended
        if request and (known := await self._writer.created_by(new_id, request)):
            return known
        seed = self._entropy(SEED_BYTES)
        position = await self._position(game_id, who, version, seed)
        if payer:
            await self._open_game_limit.claim(payer, new_id)
        table = position.table
        created = _created(position, commitment(new_id, seed))
        placed = PositionPlaced(table.rules.title, position.state, table.position)
        then = [*_seated(table, who), GameStarted(), placed]
        return await self._writer.create(new_id, table.rules, created, seed, request, then, payer)

    async def _position(
        self, game_id: str, who: access.Principal, version: int | None, seed: bytes
    ) -> ForkPosition:
        sight = await self._viewing.viewpoint(game_id, who)
        now, how = sight.table, sight.access
        sight.check_reached(version or now.version)
        records = await self._viewing.records(sight, after=0, upto=version or now.version)
        table = await self._viewing.table_at(sight, _whole(records))
        _playable(table)
        if access.is_revealed(now, access.seat_at_version(now, how)):
            return ForkPosition(table, table.state, imagined=False)
        seat = access.seat_at_version(table, how)
        await self._viewing.pace.wait_turn()  # whoever recalls a long game does so alone
        return ForkPosition(table, imagined(table, records, seat, seed), imagined=True)


def _whole(records: Sequence[EventRecord]) -> int:
    """The last version with which a call ended: what it led to are several events, but happened at once."""
    return next((record.version for record in reversed(records) if not record.continues), 1)


def _playable(table: Table) -> None:
    if table.status is Status.GATHERING:
        raise NotNow("the game had not started", reason="GAME_NOT_STARTED")
    if table.status is Status.FINISHED:
        raise NotNow("the game was over: fork an earlier version of it", reason="GAME_FINISHED")


def imagined(table: Table, records: Sequence[EventRecord], seat: Seat | None, seed: bytes) -> Any:
    """A world as the seat, or a spectator, may think it is. Its luck is not that of the draws to come."""
    chance = SeededChance(hmac.digest(seed, b"shedu:imagined:v1:", "sha256"), table.position)
    rules = table.rules
    return rules.imagine(rules.view(table.state, seat), chance, witnessed_events(table, records, seat))


def _seated(table: Table, who: access.Principal) -> Sequence[SeatTaken]:
    """The names of those who sat there, but every seat the caller's."""
    name = who.id if isinstance(who, access.Caller) else ""
    chairs = enumerate(table.chairs)
    return [SeatTaken(Seat(seat), chair.display_name, caller_id=name) for seat, chair in chairs]


def _created(position: ForkPosition, bound: bytes) -> GameCreated:
    table = position.table
    return GameCreated(
        table.rules.title,
        table.rules.version,
        len(table.chairs),
        table.created.options,
        Visibility.PRIVATE,
        manual_start=False,
        commitment=bound,
        fork_of=ForkOrigin(table.game_id, table.version, position.imagined),
    )
