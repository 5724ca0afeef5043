"""Selects the bot level for a seat: the requested one, or the default of the title."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gamehost.play.errors import InvalidRequest
from gamehost.play.ports.bots import BotCatalog, BotLevel
from gamehost.play.table.events import Clock, SeatPlan, SeatTaken
from gamehost.play.table.table import Table
from gamehost.rules.kit import Seat


class BotLevels:
    """Resolves the names of bot levels against the catalog."""

    def __init__(self, catalog: BotCatalog) -> None:
        self._catalog = catalog

    def resolve(self, title: str, level: str, field: str) -> str:
        """Return the requested level, or the default of the title if `level` is empty.

        Raises InvalidRequest for the given request field if the title has no such level.
        """
        levels = self._catalog.levels(title)
        if not level:
            return next(known.name for known in levels if known.default)
        if level not in {known.name for known in levels}:
            raise InvalidRequest(field, f"{title} has no bot level {level}; the levels are {_names(levels)}")
        return level

    def with_bot_level(self, title: str, clock: Clock | None) -> Clock | None:
        """Return the clock with the level of the bot that takes over timed-out seats filled in."""
        return clock and replace(clock, bot_level=self.resolve(title, clock.bot_level, "clock.bot_level"))

    def planned_bots(self, title: str, plans: tuple[SeatPlan, ...]) -> list[SeatTaken]:
        """Return the events that seat the requested bots when a game is created."""
        return [
            bot_seat_taken(Seat(seat), self.resolve(title, plan.bot_level, f"seats[{seat}].bot_level"))
            for seat, plan in enumerate(plans)
            if plan.bot_level
        ]

    def substitute(self, table: Table) -> str:
        """Return the level of the bot that plays on for a seat that resigned or timed out."""
        clock = table.created.clock
        return clock.bot_level if clock else self.resolve(table.rules.title, "", "bot_level")


def bot_seat_taken(seat: Seat, level: str) -> SeatTaken:
    return SeatTaken(seat, f"{level.replace('_', ' ').capitalize()} bot", bot_level=level)


def _names(levels: Sequence[BotLevel]) -> str:
    return ", ".join(level.name for level in levels)
