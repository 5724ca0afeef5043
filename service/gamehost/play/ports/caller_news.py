"""Tells callers about what happens to them outside of the rules of a game."""

from __future__ import annotations

from typing import Protocol


class CallerNews(Protocol):
    """Delivers events to the webhooks of a caller. A repeated call with the same ids delivers nothing more.

    When a call returns, the events are stored and are not lost. A call that fails must be repeated.
    """

    async def matched(self, caller_id: str, *, ticket_id: str, game_id: str, title: str, seat: int) -> None:
        """Matchmaking has given the caller a seat."""
        ...

    async def rating_changed(
        self, caller_id: str, *, game_id: str, title: str, seat: int, before: int, after: int
    ) -> None:
        """A rated game has changed a rating of the caller."""
        ...


class NoCallerNews:
    """Tells nobody; for services without webhooks."""

    async def matched(
        self, caller_id: str, *, ticket_id: str, game_id: str, title: str, seat: int
    ) -> None: ...

    async def rating_changed(
        self, caller_id: str, *, game_id: str, title: str, seat: int, before: int, after: int
    ) -> None: ...
