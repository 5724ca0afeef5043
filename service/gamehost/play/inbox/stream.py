"""The inbox stream: everything that needs a caller's attention, over all of its games.

There are two kinds of entries:

- *Pending* items (decisions, reserved seats, proposals) are read from the summaries of the caller's games.
  They are sent when they are new to the stream, and again at the start of every stream.
- *Milestones* (game started, game finished) are sent once. Each has a number on the caller's board, which is
  also the cursor of the stream: a stream that resumes there sends all later milestones.

Nothing is queued per reader, so a slow reader cannot fall behind: it reads the current summaries and marks
when it gets to them. If a process dies after it wrote a game and before it wrote the marks, nothing is lost
either: every stream goes through the active games at its start and every SWEEP_SECONDS, and adds the marks
that are missing.
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

SWEEP_SECONDS = 30.0  # between two passes over the active games, for marks that were not written


@dataclass(frozen=True, slots=True)
class InboxEntry:
    """An item for one seat. `cursor` is where a stream resumes that has received it."""

    table: Table
    seat: int
    item: InboxItem
    cursor: int


@dataclass(frozen=True, slots=True)
class InboxCaughtUp:
    """Sent once, after all items that were pending when the stream began."""

    cursor: int


@dataclass(frozen=True, slots=True)
class InboxHeartbeat:
    """Sent when nothing has happened for a while, to show that the stream is alive."""

    cursor: int


@dataclass(frozen=True, slots=True)
class InboxClosed:
    """The last message of a stream."""

    cursor: int
    reason: EndReason


InboxMessage = InboxEntry | InboxCaughtUp | InboxHeartbeat | InboxClosed


class InboxSource(Protocol):
    """A source of entries. A stream that has sent all of them so far resumes at `cursor`."""

    cursor: int
    finished: bool

    def pending(self) -> AsyncIterator[InboxEntry]:
        """Yield what is pending now and has not been sent by this stream."""
        ...

    def since_cursor(self) -> AsyncIterator[InboxEntry]:
        """Yield the milestones since the cursor."""
        ...

    def signals(self) -> AsyncIterator[Any]:
        """Yield a signal whenever there may be new entries; its type is up to the source."""
        ...

    def entries_for(self, signal: Any) -> AsyncIterator[InboxEntry]:
        """Yield the entries that a signal is about, and move the cursor past them."""
        ...


class InboxStream:
    """Serves inbox streams. `heartbeat` and `sweep` are in seconds."""

    def __init__(self, heartbeat: float, sweep: float = SWEEP_SECONDS) -> None:
        self.heartbeat, self.sweep = heartbeat, sweep
        self._drained: asyncio.Future[None] | None = None
        self._draining = False

    def drain(self) -> None:
        """End all streams, current and future, as DRAINING: clients then resume at another process."""
        self._draining = True
        if self._drained and not self._drained.done():
            self._drained.set_result(None)

    async def watch(self, source: InboxSource) -> AsyncGenerator[InboxMessage]:
        """Yield what is pending and the milestones since the cursor, then new entries as they come."""
        for entries in (source.pending(), source.since_cursor()):
            async for entry in _charged(entries):
                if self._draining:
                    yield InboxClosed(source.cursor, EndReason.DRAINING)
                    return
                yield entry
        yield InboxCaughtUp(source.cursor)
        if source.finished:
            yield InboxClosed(source.cursor, EndReason.FINISHED)
            return
        # Closed explicitly: an abandoned generator would keep its subscription until it is collected.
        async with aclosing(self._live(source)) as messages:
            async for message in messages:
                yield message

    async def _live(self, source: InboxSource) -> AsyncGenerator[InboxMessage]:
        now = asyncio.get_running_loop().time
        # The next signal is awaited in a task of its own, which survives heartbeats and sweeps: cancelling
        # anext() with a timeout would end the generator and with it the subscription.
        signals: Any = source.signals()
        signal = asyncio.ensure_future(anext(signals))
        sweep = now() + self.sweep
        try:
            while not source.finished:
                if await self._wait(signal, min(self.heartbeat, max(sweep - now(), 0.0))):
                    yield InboxClosed(source.cursor, EndReason.DRAINING)
                    return
                if signal.done():
                    async for entry in _charged(source.entries_for(signal.result())):
                        yield entry
                    signal = asyncio.ensure_future(anext(signals))
                elif now() < sweep:
                    yield InboxHeartbeat(source.cursor)
                if now() >= sweep:
                    async for entry in _charged(source.pending()):
                        yield entry
                    sweep = now() + self.sweep
            yield InboxClosed(source.cursor, EndReason.FINISHED)
        finally:
            signal.cancel()
            await asyncio.gather(signal, return_exceptions=True)
            await signals.aclose()

    async def _wait(self, signal: asyncio.Future[Any], seconds: float) -> bool:
        """Wait for a signal, at most so many seconds; return whether the process is draining."""
        if self._drained is None:  # lazily, since a future needs a running event loop
            self._drained = asyncio.get_running_loop().create_future()
        if not self._draining:
            waited: set[asyncio.Future[Any]] = {signal, self._drained}
            await asyncio.wait(waited, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        return self._draining


async def _charged(entries: AsyncIterator[InboxEntry]) -> AsyncIterator[InboxEntry]:
    """Charge the call's read account for each entry as much as for an event."""
    async for entry in entries:
        await current_account().settle()
        current_account().charge(1)
        yield entry


def cursor_moves_with_last(entries: Sequence[InboxEntry], before: int) -> list[InboxEntry]:
    """Return entries of one mark such that only the last one moves the cursor.

    A client that resumes after the first of them then gets all of them again, and loses none.
    """
    return [*(replace(entry, cursor=before) for entry in entries[:-1]), *entries[-1:]]
