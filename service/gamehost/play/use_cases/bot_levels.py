"""Which bot sits down, where one does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gamehost.play.errors import InvalidRequest
from gamehost.play.ports.bots import BotCatalog, BotLevel
from gamehost.play.table.events import Clock, SeatPlan, SeatTaken
from gamehost.play.table.table import Table
from gamehost.rules.kit import Seat


class BotLevels:
    """The bots of a roster by name."""

    def __init__(self, roster: BotCatalog) -> None:
        self._catalog = roster

    def resolve(self, title: str, level: str, field: str) -> str:
        """The level that was asked for in a field, or the title's own choice."""
        levels = self._catalog.levels(title)
        if not level:
            return next(known.name for known in levels if known.default)
        if level not in {known.name for known in levels}:
            raise InvalidRequest(field, f"{title} has no bot {level}; there are {_names(levels)}")
        return level

    def with_bot_level(self, title: str, clock: Clock | None) -> Clock | None:
        """The clock with the bot that takes over."""
        return clock and replace(clock, bot_level=self.resolve(title, clock.bot_level, "clock.bot_level"))

    def planned_bots(self, title: str, plans: tuple[SeatPlan, ...]) -> list[SeatTaken]:
        """The bots that sit down when a table is opened."""
        return [
            bot_seat_taken(Seat(seat), self.resolve(title, plan.bot_level, f"seats[{seat}].bot_level"))
            for seat, plan in enumerate(plans)
            if plan.bot_level
        ]

    def substitute(self, table: Table) -> str:
        """Who plays on for a seat that is given up or timed out."""
        clock = table.created.clock
        return clock.bot_level if clock else self.resolve(table.rules.title, "", "bot_level")


def bot_seat_taken(seat: Seat, level: str) -> SeatTaken:
    return SeatTaken(seat, f"{level.replace('_', ' ').capitalize()} bot", bot_level=level)


def _names(levels: Sequence[BotLevel]) -> str:
    return ", ".join(level.name for level in levels)
