"""Callers of known strength play rated games with strangers on two processes, one of which dies in between.

`python3 tests bench strangers` does the same with real processes and 2,000 games.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from gamehost.play.ports.maps import MapChange
from gamehost.stores.memory import MemoryEventStore
from support.keyed_service import KeyedService

from .test_rating_sequence import rebuilt

CALLERS, ROUNDS = 12, 14


class DyingStore:
    """A store whose process dies at one of its changes of maps: that change and all later ones fail."""

    def __init__(self, store: MemoryEventStore, changes: int) -> None:
        self._store, self._left = store, changes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def change_map(self, name: str, change: MapChange, *, seconds: int | None = None) -> bool:
        self._left -= 1
        if self._left < 0:
            raise RuntimeError("this process has died")
        return await self._store.change_map(name, change, seconds=seconds)


@pytest.mark.parametrize("changes", [60, 187])
async def test_everybody_is_seated_once_and_ratings_find_the_order_of_strength(changes: int) -> None:
    store, luck = MemoryEventStore(), random.Random(7)
    dying: Any = DyingStore(store, changes)
    first, second = KeyedService(dying, luck="first"), KeyedService(store, luck="second")
    keys = [await second.key(f"p{number}") for number in range(CALLERS)]
    seated: Counter[str] = Counter()

    for _ in range(ROUNDS):
        tickets = {}
        for key in luck.sample(keys, CALLERS):
            tickets[key] = (await second.call("CreateTicket", key, title="tides", rated=True)).ticket
        for service in (first, second, second):
            second.now = first.now = max(first.now, second.now)
            await service.match_tickets(61)
        games: dict[str, list[str]] = {}
        for key, ticket in tickets.items():
            found = (await second.call("GetTicket", key, ticket_id=ticket.ticket_id)).ticket
            games.setdefault(found.game_id, []).append(key)
            seated[ticket.ticket_id] += 1
        assert {2} == set(map(len, games.values()))
        for game_id, players in games.items():
            loser = min(players, key=lambda key: keys.index(key) + luck.gauss(0, 2))
            await second.call("Resign", loser, game_id=game_id)
        for service in (first, second):
            second.now = first.now = max(first.now, second.now)
            await service.record_finished_games(31)

    assert {1} == set(seated.values())
    assert len(seated) == ROUNDS * CALLERS == 2 * len([game async for game in store.games()])
    ratings = [(await second.call("GetPlayer", key, handle="me")).player.ratings[0] for key in keys]
    assert {ROUNDS} == {rating.games for rating in ratings}
    assert [] == await rebuilt(second)
    order = sorted(range(CALLERS), key=lambda number: ratings[number].rating)
    distance = sum((place - order.index(place)) ** 2 for place in range(CALLERS))
    assert 1 - 6 * distance / (CALLERS * (CALLERS**2 - 1)) > 0.8
