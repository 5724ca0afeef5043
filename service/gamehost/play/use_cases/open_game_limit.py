"""Limits on the unfinished games of one caller, and on those among them that only bots play."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable

from gamehost.play.background.bot_schedule import only_bots_play
from gamehost.play.errors import TooMuch
from gamehost.play.ports.codec import Codec
from gamehost.play.ports.event_store import ListedLogs
from gamehost.play.ports.inbox_board import BOARD_SECONDS
from gamehost.play.ports.listings import Listing
from gamehost.play.table.table import Status, Table

RETRY = 60.0  # seconds that a refused caller is told to wait
OPEN_GAMES_PAGE_SIZE = 500
CREATION_GRACE = 60_000_000  # microseconds; a listed game without a log is not removed before
REFUSAL_MEMORY = 5_000_000  # microseconds for which a refused caller is refused without asking the store


class OpenGameLimit:
    """Counts the unfinished games of each caller with a list in the store, which all processes share.

    Finished games are removed from a list only when it is full, so that most calls cost one write and one
    count. `clock` returns microseconds since 1970; `most` is 0 for no limit.
    """

    def __init__(self, store: ListedLogs, codec: Codec, clock: Callable[[], int], most: int) -> None:
        self._store, self._codec, self._clock, self._most = store, codec, clock, most
        self._full: dict[str, int] = {}

    async def claim(self, payer: str, game_id: str) -> None:
        """Add a new game to the list of its payer, or raise TooMuch."""
        await self.claim_in(self.list_name(payer), game_id)

    async def claim_in(self, list_name: str, game_id: str) -> None:
        """Add a new game to the list of a payer that is known by the name of the list, or raise TooMuch."""
        if not (self._most and list_name):
            return
        if self.was_full(list_name):
            raise self._too_many()
        # Added first and counted afterwards: of two concurrent calls at most one gets the last place.
        # Counting first would let both pass.
        await self._store.add_to_list(list_name, Listing(game_id, self._clock()), seconds=BOARD_SECONDS)
        if await self._store.list_size(list_name) <= self._most:
            return
        await self._remove_finished(list_name, game_id)
        if await self._store.list_size(list_name) > self._most:
            await self._store.remove_from_list(list_name, game_id)
            self._note_full(list_name)
            raise self._too_many()

    def _note_full(self, list_name: str) -> None:
        # Going through a full list is expensive, and a refused caller that retries in a loop would cause
        # it each time. Only the newest refusals are kept, so that many callers cannot fill the memory.
        self._full.pop(list_name, None)
        self._full = {list_name: self._clock(), **dict(list(self._full.items())[:OPEN_GAMES_PAGE_SIZE])}

    def was_full(self, list_name: str) -> bool:
        """Whether a game of this list has been refused within the last seconds."""
        return self._full.get(list_name, 0) > self._clock() - REFUSAL_MEMORY

    async def release(self, list_name: str, game_id: str) -> None:
        """Remove a game that was claimed and will not be created."""
        if self._most and list_name:
            await self._store.remove_from_list(list_name, game_id)

    async def check(self, payer: str) -> None:
        """Raise TooMuch if the payer has reached the limit."""
        list_name = self.list_name(payer)
        if not (self._most and payer) or await self._store.list_size(list_name) < self._most:
            return
        await self._remove_finished(list_name, "")
        if await self._store.list_size(list_name) >= self._most:
            self._note_full(list_name)
            raise self._too_many()

    async def _remove_finished(self, list_name: str, game_id: str) -> None:
        """Remove games that are over or were never written; `game_id` is the new one and stays."""
        before: Listing | None = None
        while page := await self._store.list_page(list_name, before=before, limit=OPEN_GAMES_PAGE_SIZE):
            before = page[-1]
            others = [listing for listing in page if listing.game != game_id]
            summaries = await self._store.summaries([listing.game for listing in others])
            over = [
                each.game
                for each, summary in zip(others, summaries, strict=True)
                if self._is_finished(each, summary)
            ]
            await asyncio.gather(*(self._store.remove_from_list(list_name, game) for game in over))

    def _is_finished(self, listing: Listing, summary: bytes | None) -> bool:
        if summary is None:  # never written, or about to be: games are listed before they are written
            return listing.score < self._clock() - CREATION_GRACE
        table = self._codec.decode_table(listing.game, summary)
        return table is None or not self._counts(table)

    def list_name(self, payer: str) -> str:
        """Return the name of the list of a payer."""
        return open_games_list(payer)

    def _counts(self, table: Table) -> bool:
        return table.status is not Status.FINISHED

    def _too_many(self) -> TooMuch:
        return TooMuch(f"you have {self._most} unfinished games, which is the limit", RETRY)


class BotOnlyGames(OpenGameLimit):
    """Limits the games of one payer in which bots play every seat. Payers are digests, see `Payers`."""

    async def add(self, payer: str, game_id: str) -> None:
        """Count a game that people have left to bots. It cannot be refused, so it may exceed the limit."""
        if self._most and payer:
            await self._store.add_to_list(
                self.list_name(payer), Listing(game_id, self._clock()), seconds=BOARD_SECONDS
            )

    def list_name(self, payer: str) -> str:
        """Return the name of the list of a payer."""
        return f"bots:{payer}"

    def _counts(self, table: Table) -> bool:
        return only_bots_play(table)

    def _too_many(self) -> TooMuch:
        message = f"you have {self._most} unfinished games that only bots play, which is the limit"
        return TooMuch(message, RETRY)


def open_games_list(payer: str) -> str:
    """Return the name of a caller's list. The digest keeps addresses out of the store."""
    return f"open:{hashlib.sha256(payer.encode()).hexdigest()[:32]}"
