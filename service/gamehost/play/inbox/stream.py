"""One stream of all that wants a caller's attention.

Two kinds of things are told. What is *pending* (questions, invitations) is read off the summaries of the
caller's games: it is told when it is new to the stream, and again whenever a stream begins. What is told
*once* (started, finished) has a number on the caller's board, and the cursor of a stream is such a number:
a stream that resumes there tells every later one. So a reader that is slow has nothing to fall behind with,
and a process that died between writing a game and marking it has lost nothing: every stream goes through
the games under way when it begins and now and then, and adds the marks that are missing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, Protocol

from gamehost.play.read_account import current_account
from gamehost.play.table.table import Table
from gamehost.play.watching.items import EndReason

from .items import InboxItem

SWEEP_SECONDS = 30.0  # seconds


@dataclass(frozen=True, slots=True)
class InboxEntry:
    """Something for one seat. `cursor` is where a stream resumes after it."""

    table: Table
    seat: int
    item: InboxItem
    cursor: int


@dataclass(frozen=True, slots=True)
class InboxCaughtUp:
    """Everything that was pending has been told."""

    cursor: int


@dataclass(frozen=True, slots=True)
class InboxHeartbeat:
    cursor: int


@dataclass(frozen=True, slots=True)
class InboxClosed:
    cursor: int
    reason: EndReason


InboxMessage = InboxEntry | InboxCaughtUp | InboxHeartbeat | InboxClosed


class InboxSource(Protocol):
    """Where letters come from. `cursor` is where a stream resumes that has told all of them so far."""

    cursor: int
    finished: bool

    def pending(self) -> AsyncIterator[InboxEntry]:
        """What waits now, unless it has been told."""
        ...

    def since_cursor(self) -> AsyncIterator[InboxEntry]:
        """What is told once and happened since the cursor."""
        ...

    def signals(self) -> AsyncIterator[Any]:
        """Signs of news, whatever they are."""
        ...

    def entries_for(self, sign: Any) -> AsyncIterator[InboxEntry]:
        """What a sign was about."""
        ...


class InboxStream:
    """`heartbeat` is how many quiet seconds pass before a sign of life."""

    def __init__(self, heartbeat: float, sweep: float = SWEEP_SECONDS) -> None:
        self.heartbeat, self.sweep = heartbeat, sweep
        self._drained: asyncio.Future[None] | None = None
        self._draining = False

    def drain(self) -> None:
        """End every stream, now and from now on, with the advice to come back elsewhere."""
        self._draining = True
        if self._drained and not self._drained.done():
            self._drained.set_result(None)

    async def watch(self, mailbox: InboxSource) -> AsyncGenerator[InboxMessage]:
        for letters in (mailbox.pending(), mailbox.since_cursor()):
            async for letter in _paid(letters):
                if self._draining:
                    yield InboxClosed(mailbox.cursor, EndReason.DRAINING)
                    return
                yield letter
        yield InboxCaughtUp(mailbox.cursor)
        if mailbox.finished:
            yield InboxClosed(mailbox.cursor, EndReason.FINISHED)
            return
        async with aclosing(self._live(mailbox)) as posts:
            async for post in posts:
                yield post

    async def _live(self, mailbox: InboxSource) -> AsyncGenerator[InboxMessage]:
        now = asyncio.get_running_loop().time
        signs: Any = mailbox.signals()
        sign = asyncio.ensure_future(anext(signs))
        sweep = now() + self.sweep
        try:
            while not mailbox.finished:
                if await self._wait(sign, min(self.heartbeat, max(sweep - now(), 0.0))):
                    yield InboxClosed(mailbox.cursor, EndReason.DRAINING)
                    return
                if sign.done():
                    async for letter in _paid(mailbox.entries_for(sign.result())):
                        yield letter
                    sign = asyncio.ensure_future(anext(signs))
                elif now() < sweep:
                    yield InboxHeartbeat(mailbox.cursor)
                if now() >= sweep:
                    async for letter in _paid(mailbox.pending()):
                        yield letter
                    sweep = now() + self.sweep
            yield InboxClosed(mailbox.cursor, EndReason.FINISHED)
        finally:
            sign.cancel()
            await asyncio.gather(sign, return_exceptions=True)
            await signs.aclose()

    async def _wait(self, sign: asyncio.Future[Any], seconds: float) -> bool:
        """Whether the process is draining, after a sign or so many seconds."""
        if self._drained is None:
            self._drained = asyncio.get_running_loop().create_future()
        if not self._draining:
            waited: set[asyncio.Future[Any]] = {sign, self._drained}
            await asyncio.wait(waited, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        return self._draining


async def _paid(letters: AsyncIterator[InboxEntry]) -> AsyncIterator[InboxEntry]:
    """A letter costs as much as an event."""
    async for letter in letters:
        await current_account().settle()
        current_account().charge(1)
        yield letter


def cursor_moves_with_last(letters: Sequence[InboxEntry], before: int) -> list[InboxEntry]:
    """Letters that go together: only the last one moves the cursor on, so that a resume loses none."""
    return [*(replace(letter, cursor=before) for letter in letters[:-1]), *letters[-1:]]
