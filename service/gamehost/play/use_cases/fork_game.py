"""Forks: private sandbox games that start from a position of another game, played by the caller and bots."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gamehost.play import access
from gamehost.play.errors import InvalidRequest, NotNow
from gamehost.play.ports.event_log import RequestKey
from gamehost.play.table.events import (
    ForkOrigin,
    ForkPolicy,
    GameCreated,
    GameStarted,
    PositionPlaced,
    SeatPlan,
    SeatTaken,
    Visibility,
)
from gamehost.play.table.redaction import witnessed_events
from gamehost.play.table.table import EventRecord, Status, Table
from gamehost.play.viewing import Viewing
from gamehost.play.writer import GameWriter
from gamehost.rules.chance import SeededChance, commitment
from gamehost.rules.kit import Seat

from .bot_levels import BotLevels
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
        bot_levels: BotLevels,
        new_id: Callable[[RequestKey | None], str],
        entropy: Callable[[int], bytes],
    ) -> None:
        self._viewing, self._writer, self._open_game_limit = viewing, writer, open_game_limit
        self._bot_levels = bot_levels
        self._new_id, self._entropy = new_id, entropy

    async def fork(
        self,
        game_id: str,
        principal: access.Principal,
        version: int | None,
        plans: Sequence[SeatPlan],
        request: RequestKey | None,
        payer: str,
    ) -> Table:
        """Create a game from `version` of another one, None for the newest that the caller may see.

        Bots play the seats whose plan says so; without plans, the caller plays every seat. Callers who may
        not see everything get a state that is consistent with what they have seen. The fork counts among the
        unfinished games of `payer`.
        """
        new_id = self._new_id(request)
        # Checked before a recorded answer is returned: the caller's token may have been revoked since.
        await self._viewing.viewpoint(game_id, principal)
        if request and (known := await self._writer.created_by(new_id, request)):
            return known
        seed = self._entropy(SEED_BYTES)
        _check_plans(plans)
        position = await self._position(game_id, principal, version, seed)
        table = position.table
        # Before the claim of an open game: after a refusal, that claim would hold its place for a minute.
        seated = self._seated(table, principal, plans)
        if payer:
            await self._open_game_limit.claim(payer, new_id)
        created = _created(position, commitment(new_id, seed))
        placed = PositionPlaced(table.rules.title, position.state, table.position)
        then = [*seated, GameStarted(), placed]
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
        if now.created.forks is ForkPolicy.AFTER_END and now.status is not Status.FINISHED:
            raise NotNow("this game may be forked once it is over", reason="GAME_NOT_OVER")
        if access.is_revealed(now, access.seat_at_version(now, seat_access)):
            return ForkPosition(table, table.state, imagined=False)
        seat = access.seat_at_version(table, seat_access)
        # Imagining a state from the events of a long game blocks the event loop, so forks take turns.
        await self._viewing.throttle.wait_turn()
        return ForkPosition(table, imagined(table, records, seat, seed), imagined=True)

    def _seated(
        self, table: Table, principal: access.Principal, plans: Sequence[SeatPlan]
    ) -> Sequence[SeatTaken]:
        """Return events that seat the planned bots, and the caller elsewhere under the original names."""
        if plans and len(plans) != len(table.chairs):
            raise InvalidRequest("seats", f"must have one entry for each of the {len(table.chairs)} seats")
        caller_id = principal.id if isinstance(principal, access.Caller) else ""
        bots = {taken.seat: taken for taken in self._bot_levels.planned_bots(table.rules.title, tuple(plans))}
        own = (
            SeatTaken(Seat(seat), chair.display_name, caller_id=caller_id)
            for seat, chair in enumerate(table.chairs)
        )
        return [bots.get(taken.seat, taken) for taken in own]


def _check_plans(plans: Sequence[SeatPlan]) -> None:
    """Raise InvalidRequest for a reserved seat, and for a sandbox of bots alone."""
    for seat, plan in enumerate(plans):
        if plan.reserved_for:
            raise InvalidRequest(
                f"seats[{seat}].reserved_for", "must be empty: a sandbox has no reservations"
            )
    if plans and all(plan.bot_level for plan in plans):
        raise InvalidRequest("seats", "must leave at least one seat without a bot")


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
