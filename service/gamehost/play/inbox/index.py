"""What every caller's inbox is made from: lists of its games, and a board of what is new in them.

Lists are written before the log, so that no game of a caller is ever missing from them; a game that is
there in vain is passed over. The board is written after the log, and not at all if the process dies in
between. Nothing is lost by that: what is pending stands in the summary beside the log, written in one step
with it, and whoever goes through a list finds which marks are missing. A game leaves the list of games
under way only once the board says that it is over.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Sequence

from gamehost.play.ports.event_store import InboxStore
from gamehost.play.ports.inbox_board import BOARD_SECONDS
from gamehost.play.ports.listings import Listing
from gamehost.play.table.events import GameCreated, SeatTaken
from gamehost.play.table.table import EventRecord, Status, Table

from .items import callers_at, is_caller, seats_of, summary_of


class InboxIndex:
    def __init__(self, store: InboxStore) -> None:
        self._store = store

    async def add_to_lists(self, after: Table, records: Sequence[EventRecord]) -> None:
        """Put a game on the lists of those who come to it with these records, before they are written."""
        listing = Listing(after.game_id, after.created_at)
        names = newcomers(records)
        await asyncio.gather(
            *(
                self._store.add_to_list(all_games_list(name), listing, seconds=BOARD_SECONDS)
                for name in names
            ),
            *(self._store.add_to_list(active_games_list(name), listing) for name in names),
        )

    async def post_marks(self, before: Table | None, after: Table) -> None:
        """Tell everybody whom it concerns what is new, once it is written."""
        await asyncio.gather(*(self._post_marks_of(name, before, after) for name in callers_at(after)))

    async def _post_marks_of(self, name: str, before: Table | None, after: Table) -> None:
        # All of them, for an earlier one may be missing, and a game that is over is not looked at again.
        once = milestones(after) if before is None or before.status is not after.status else []
        again = [after.game_id] if has_news(name, before, after) else []
        if once or again:
            await self._store.mark(inbox_board(name), once=once, again=again)
        if after.status is Status.FINISHED:
            await self._store.remove_from_list(active_games_list(name), after.game_id)


def newcomers(records: Iterable[EventRecord]) -> set[str]:
    names = set()
    for record in records:
        if isinstance(record.event, SeatTaken):
            names.add(record.event.caller_id)
        elif isinstance(record.event, GameCreated):
            names |= {plan.reserved_for for plan in record.event.seats}
    return {name for name in names if is_caller(name)}


def has_news(name: str, before: Table | None, after: Table) -> bool:
    """Whether the game wants something of the caller that it did not want before."""
    was, now = summary_of(before) if before else None, summary_of(after)
    known = {(s, errand) for s in seats_of(was.table, name) for errand in was.pending(s)} if was else set()
    return any((s, errand) not in known for s in seats_of(after, name) for errand in now.pending(s))


STARTED, FINISHED = "started", "finished"


def milestones(table: Table) -> list[str]:
    """What is told of a game once, as names on a board."""
    begun = table.status is Status.PLAYING or (table.status is Status.FINISHED and table.position > 0)
    over = table.status is Status.FINISHED
    return [f"{table.game_id}:{STARTED}"] * begun + [f"{table.game_id}:{FINISHED}"] * over


def all_games_list(caller_id: str) -> str:
    return f"mine:{_digest(caller_id)}"


def active_games_list(caller_id: str) -> str:
    return f"active:{_digest(caller_id)}"


def inbox_board(caller_id: str) -> str:
    return f"inbox:{_digest(caller_id)}"


def _digest(caller_id: str) -> str:
    """Names have one length, and a store need not know whom the service knows."""
    return hashlib.sha256(caller_id.encode()).hexdigest()[:32]
