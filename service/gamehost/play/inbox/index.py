"""The index behind each caller's inbox: lists of its games, and a board with marks for what is new in them.

The order of the writes around an append is what makes the inbox lossless:

- Lists are written before the log. A game whose append then fails is listed in vain, and readers skip it; in
  the opposite order, a crash in between would leave a game that its players never find.
- Marks are written after the log, because they wake streams, which must find the change. A crash in between
  loses marks, but nothing else: pending items are in the summary, which is written in one step with the log,
  and streams that go through a list notice missing marks and add them.
- A game is removed from the active list only after its `finished` mark is written. Until then every stream
  goes through it and can repair the marks.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Iterable, Sequence

from gamehost.play.ports.event_store import InboxStore
from gamehost.play.ports.inbox_board import BOARD_SECONDS
from gamehost.play.ports.listings import Listing
from gamehost.play.table.events import GameCreated, SeatTaken
from gamehost.play.table.table import EventRecord, Status, Table
from gamehost.rules.kit import Outcome

from .items import (
    GameBegan,
    GameMatched,
    GameOver,
    InboxItem,
    callers_at,
    is_caller,
    seats_of,
    summary_of,
)

OnNews = Callable[[Sequence[str]], Awaitable[None]]


class InboxIndex:
    """Writes the lists and the marks of callers' inboxes.

    `on_news` is called with the subscribers of a board that has got a mark, if it has any.
    """

    def __init__(self, store: InboxStore, on_news: OnNews | None = None) -> None:
        self._store, self._on_news = store, on_news

    async def add_to_lists(self, after: Table, records: Sequence[EventRecord]) -> None:
        """Add a game to the lists of the callers who join it with these records. Call before the append."""
        callers = newcomers(records)
        if not callers:  # as with every move
            return
        listing = Listing(after.game_id, after.created_at)
        await asyncio.gather(
            *(
                self._store.add_to_list(all_games_list(caller), listing, seconds=BOARD_SECONDS)
                for caller in callers
            ),
            *(self._store.add_to_list(active_games_list(caller), listing) for caller in callers),
        )

    async def post_marks(self, before: Table | None, after: Table) -> None:
        """Mark what is new for each caller of a game. Call after the append; `before` is None if new."""
        await asyncio.gather(*(self._post_marks_of(caller, before, after) for caller in callers_at(after)))

    async def _post_marks_of(self, caller: str, before: Table | None, after: Table) -> None:
        # All milestones, not only the latest: an earlier mark may have been lost, and a finished game leaves
        # the active list below, after which no stream repairs its marks. Repeating a mark does no harm.
        once = milestones(after) if before is None or before.status is not after.status else []
        again = [after.game_id] if has_new_items(caller, before, after) else []
        if once or again:
            subscribers = await self._store.mark(inbox_board(caller), once=once, again=again)
            if subscribers and self._on_news:
                await self._on_news(subscribers)
        if after.status is Status.FINISHED:
            await self._store.remove_from_list(active_games_list(caller), after.game_id)


def newcomers(records: Iterable[EventRecord]) -> set[str]:
    """Return the ids of callers who take a seat with these records, or for whom one is reserved."""
    names = set()
    for record in records:
        if isinstance(record.event, SeatTaken):
            names.add(record.event.caller_id)
        elif isinstance(record.event, GameCreated):
            names |= {plan.reserved_for for plan in record.event.seats}
    return {name for name in names if is_caller(name)}


def has_new_items(caller_id: str, before: Table | None, after: Table) -> bool:
    """Whether something is pending for the caller that was not pending before."""
    was, now = summary_of(before) if before else None, summary_of(after)
    known = {(s, item) for s in seats_of(was.table, caller_id) for item in was.pending(s)} if was else set()
    return any((s, item) not in known for s in seats_of(after, caller_id) for item in now.pending(s))


MATCHED, STARTED, FINISHED = "matched", "started", "finished"


def milestones(table: Table) -> list[str]:
    """Return the names, as on a board, of the milestones that a game has passed."""
    begun = table.status is Status.PLAYING or (table.status is Status.FINISHED and table.position > 0)
    over = table.status is Status.FINISHED
    passed = {MATCHED: table.created.matched, STARTED: begun, FINISHED: over}
    return [f"{table.game_id}:{milestone}" for milestone, is_passed in passed.items() if is_passed]


def milestone_item(milestone: str, table: Table) -> InboxItem:
    """Return the item that an inbox shows for a milestone of a game."""
    if milestone == FINISHED:
        return GameOver(table.outcome or Outcome((), (), ""))
    return GameMatched() if milestone == MATCHED else GameBegan()


def all_games_list(caller_id: str) -> str:
    """Return the name of the list of all games of a caller."""
    return f"mine:{_digest(caller_id)}"


def active_games_list(caller_id: str) -> str:
    """Return the name of the list of a caller's games that are not over."""
    return f"active:{_digest(caller_id)}"


def inbox_board(caller_id: str) -> str:
    """Return the name of a caller's board."""
    return f"inbox:{_digest(caller_id)}"


def _digest(caller_id: str) -> str:
    """Keeps identities out of the store, and gives names a fixed length."""
    return hashlib.sha256(caller_id.encode()).hexdigest()[:32]
