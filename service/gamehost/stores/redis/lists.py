"""Lists of games on Redis: sorted sets of creation times.

A list of all public games grows with the number of games, so it is spread over LIST_SHARDS keys by the names
of the games: on a cluster no single slot holds it. A page is merged from all of them. Earlier releases wrote
such a list to one key, which is still read, and loses what is removed; nothing is added to it. The lists of
one caller have one key.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Collection, Sequence
from itertools import islice

from gamehost.play.ports.listings import Listing
from gamehost.stores.limits import check_score

from .batching import NodeBatchers
from .keys import keys_of_list, list_key

# A first read takes this part of a page from each key: with 16 keys, a quarter is four times a fair share.
LIST_PART, LEAST_PART = 4, 8


def merged(pages: Collection[Sequence[Listing]], limit: int) -> list[Listing]:
    """Return the first entries of several pages. A game that an earlier release listed may be on two."""
    found = heapq.merge(*pages, key=lambda each: (each.score, each.game), reverse=True)
    return list(islice(dict.fromkeys(found), limit))


class RedisLists:
    """The part of the store that implements the port `Listings`."""

    _writes: NodeBatchers
    _reads: NodeBatchers

    async def add_to_list(self, list_name: str, listing: Listing, *, seconds: int | None = None) -> None:
        check_score(listing.score)
        key = list_key(list_name, listing.game)
        await self._writes.ask("ZADD", key, "NX", listing.score, listing.game)
        if seconds is not None:
            await self._writes.ask("EXPIRE", key, seconds)

    async def remove_from_list(self, list_name: str, game: str) -> None:
        keys = {list_key(list_name, game), list_key(list_name)}
        await asyncio.gather(*(self._writes.ask("ZREM", key, game) for key in keys))

    async def list_page(self, list_name: str, *, before: Listing | None, limit: int) -> Sequence[Listing]:
        if before is not None:
            check_score(before.score)
        keys = keys_of_list(list_name)
        part = limit if len(keys) == 1 else max(limit // LIST_PART, LEAST_PART)
        first = await asyncio.gather(*(self._page(key, before, part) for key in keys))
        pages = dict(zip(keys, first, strict=True))
        page = merged(pages.values(), limit)
        # A key whose whole part is on the page may have more that belongs there.
        short = [key for key in keys if part < limit and len(pages[key]) == part and pages[key][-1] in page]
        if short:
            again = await asyncio.gather(*(self._page(key, before, limit) for key in short))
            page = merged([*(pages | dict(zip(short, again, strict=True))).values()], limit)
        return page

    async def list_size(self, list_name: str) -> int:
        """Return the number of games; during an update from an earlier release some may count twice."""
        return sum(await asyncio.gather(*(self._reads.ask("ZCARD", key) for key in keys_of_list(list_name))))

    async def _page(self, key: str, before: Listing | None, limit: int) -> list[Listing]:
        if before is None:
            return await self._range(key, "+inf", "-inf", limit)
        # Redis orders by score, then by name, but a range can be limited by score only. So entries with the
        # score of `before` are read separately and filtered by name.
        ties, older = await asyncio.gather(
            self._range(key, str(before.score), str(before.score), -1),
            self._range(key, f"({before.score}", "-inf", limit),
        )
        return [*(tie for tie in ties if tie.game < before.game), *older][:limit]

    async def _range(self, key: str, newest: str, oldest: str, limit: int) -> list[Listing]:
        entries = await self._reads.ask(
            *("ZRANGE", key, newest, oldest, "BYSCORE", "REV", "LIMIT", 0, limit, "WITHSCORES")
        )
        return [Listing(game.decode(), int(score)) for game, score in entries]
