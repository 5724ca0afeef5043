"""How many unfinished games one caller may have, and how many of them with bots alone."""

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

RETRY = 60.0  # seconds
PAGE = 500
CREATION_GRACE = 60_000_000  # microseconds within which a listed game is surely written, if ever
REFUSAL_MEMORY = 5_000_000  # microseconds for which a caller that is at its limit is taken to stay there


class OpenGameLimit:
    """Keeps a shelf for each caller. Games that are over are taken off only once the shelf is full.

    All processes see the same shelves. `clock` gives microseconds since 1970; `most` is 0 for any number.
    """

    def __init__(self, store: ListedLogs, codec: Codec, clock: Callable[[], int], most: int) -> None:
        self._store, self._codec, self._clock, self._most = store, codec, clock, most
        self._full: dict[str, int] = {}

    async def claim(self, payer: str, game_id: str) -> None:
        """Put a new game on the caller's shelf, or raise TooMuch."""
        if not self._most:
            return
        shelf = self._shelf(payer)
        if self._full.get(shelf, 0) > self._clock() - REFUSAL_MEMORY:
            raise self._too_many()
        # Put there first and counted then, two calls at once cannot both take the last place.
        await self._store.add_to_list(shelf, Listing(game_id, self._clock()), seconds=BOARD_SECONDS)
        if await self._store.list_size(shelf) <= self._most:
            return
        await self._remove_finished(shelf, game_id)
        if await self._store.list_size(shelf) > self._most:
            await self._store.remove_from_list(shelf, game_id)
            self._full = {shelf: self._clock(), **dict(list(self._full.items())[:PAGE])}
            raise self._too_many()

    async def _remove_finished(self, shelf: str, game_id: str) -> None:
        """Take off what is over, or never came to be."""
        before: Listing | None = None
        while page := await self._store.list_page(shelf, before=before, limit=PAGE):
            before = page[-1]
            others = [listing for listing in page if listing.game != game_id]
            summaries = await self._store.summaries([listing.game for listing in others])
            over = [
                o.game for o, summary in zip(others, summaries, strict=True) if self._is_finished(o, summary)
            ]
            await asyncio.gather(*(self._store.remove_from_list(shelf, game) for game in over))

    def _is_finished(self, listing: Listing, summary: bytes | None) -> bool:
        if summary is None:
            return listing.score < self._clock() - CREATION_GRACE
        table = self._codec.decode_table(listing.game, summary)
        return table is None or not self._counts(table)

    def _shelf(self, payer: str) -> str:
        return open_games_list(payer)

    def _counts(self, table: Table) -> bool:
        return table.status is not Status.FINISHED

    def _too_many(self) -> TooMuch:
        return TooMuch(f"you have {self._most} unfinished games, and may not have more", RETRY)


class BotOnlyGames(OpenGameLimit):
    """The same for games in which bots play every seat. Payers are digests, see `Payers`."""

    async def check(self, payer: str) -> None:
        """Raise TooMuch if the caller has as many of these games as it may have."""
        shelf = self._shelf(payer)
        if not (self._most and payer) or await self._store.list_size(shelf) < self._most:
            return
        await self._remove_finished(shelf, "")
        if await self._store.list_size(shelf) >= self._most:
            raise self._too_many()

    async def add(self, payer: str, game_id: str) -> None:
        """Count a game that people have left to bots; that cannot be refused."""
        if self._most and payer:
            await self._store.add_to_list(
                self._shelf(payer), Listing(game_id, self._clock()), seconds=BOARD_SECONDS
            )

    def _shelf(self, payer: str) -> str:
        return f"bots:{payer}"

    def _counts(self, table: Table) -> bool:
        return only_bots_play(table)

    def _too_many(self) -> TooMuch:
        message = f"you have {self._most} unfinished games in which bots play alone, and may not have more"
        return TooMuch(message, RETRY)


def open_games_list(payer: str) -> str:
    """Named by a digest: a store need not know addresses, and names have one length."""
    return f"open:{hashlib.sha256(payer.encode()).hexdigest()[:32]}"
