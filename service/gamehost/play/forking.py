"""Sandboxes: games that begin with a position of another one, with every seat the caller's."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gamehost.rules.chance import SeededChance, commitment
from gamehost.rules.kit import Seat

from . import access
from .errors import NotNow
from .games import SEED
from .happenings import (
    ForkOrigin,
    GameCreated,
    GameStarted,
    PositionPlaced,
    SeatTaken,
    Visibility,
)
from .ledger import Ledger
from .open_games import OpenGames
from .ports import Request
from .sights import Sights
from .table import Record, Status, Table, seen


@dataclass(frozen=True, slots=True)
class Position:
    """What a sandbox begins with: the table it is taken from, and the truth or what may be taken for it."""

    table: Table
    state: Any
    imagined: bool


class Forking:
    """`entropy` gives random bytes, `new_id` the id of the game that a request opens."""

    def __init__(
        self,
        sights: Sights,
        ledger: Ledger,
        open_games: OpenGames,
        new_id: Callable[[Request | None], str],
        entropy: Callable[[int], bytes],
    ) -> None:
        self._sights, self._ledger, self._open_games = sights, ledger, open_games
        self._new_id, self._entropy = new_id, entropy

    async def fork(
        self, game_id: str, who: access.Who, version: int | None, request: Request | None, payer: str
    ) -> Table:
        """`payer` is whose unfinished games it counts among."""
        new_id = self._new_id(request)
        await self._sights.into(game_id, who)  # before a recorded answer: the caller's key may have ended
        if request and (known := await self._ledger.opened(new_id, request)):
            return known
        seed = self._entropy(SEED)
        position = await self._position(game_id, who, version, seed)
        if payer:
            await self._open_games.claim(payer, new_id)
        table = position.table
        created = _created(position, commitment(new_id, seed))
        placed = PositionPlaced(table.rules.title, position.state, table.position)
        then = [*_seated(table, who), GameStarted(), placed]
        return await self._ledger.open(new_id, table.rules, created, seed, request, then, payer)

    async def _position(self, game_id: str, who: access.Who, version: int | None, seed: bytes) -> Position:
        sight = await self._sights.into(game_id, who)
        now, how = sight.table, sight.how
        sight.reached(version or now.version)
        records = await self._sights.records(sight, after=0, upto=version or now.version)
        table = await self._sights.at(sight, _whole(records))
        _playable(table)
        if access.revealed(now, access.hindsight(now, how)):
            return Position(table, table.state, imagined=False)
        seat = access.hindsight(table, how)
        await self._sights.pace.turn()  # whoever recalls a long game does so alone
        return Position(table, imagined(table, records, seat, seed), imagined=True)


def _whole(records: Sequence[Record]) -> int:
    """The last version with which a call ended: what it led to are several events, but happened at once."""
    return next((record.version for record in reversed(records) if not record.continues), 1)


def _playable(table: Table) -> None:
    if table.status is Status.GATHERING:
        raise NotNow("the game had not started", reason="GAME_NOT_STARTED")
    if table.status is Status.FINISHED:
        raise NotNow("the game was over: fork an earlier version of it", reason="GAME_FINISHED")


def imagined(table: Table, records: Sequence[Record], seat: Seat | None, seed: bytes) -> Any:
    """A world as the seat, or a spectator, may think it is. Its luck is not that of the draws to come."""
    chance = SeededChance(hmac.digest(seed, b"shedu:imagined:v1:", "sha256"), table.position)
    rules = table.rules
    return rules.imagine(rules.view(table.state, seat), chance, seen(table, records, seat))


def _seated(table: Table, who: access.Who) -> Sequence[SeatTaken]:
    """The names of those who sat there, but every seat the caller's."""
    name = who.id if isinstance(who, access.Caller) else ""
    chairs = enumerate(table.chairs)
    return [SeatTaken(Seat(seat), chair.display_name, caller_id=name) for seat, chair in chairs]


def _created(position: Position, bound: bytes) -> GameCreated:
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
