"""Tests that no ticket is lost: over crashes at any step, races of calls, games that fail, and limits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from gamehost.api.pipeline.status import RpcError
from gamehost.play.matching.matchmaking import MatchSettings, TicketSpec
from gamehost.play.ports.maps import MapChange
from gamehost.stores.memory import MemoryEventStore
from support.keyed_service import KeyedService
from support.service import Service

from .test_matchmaking import now, status, ticket

WAITING, MATCHED, CANCELLED, EXPIRED = (
    f"TICKET_STATUS_{name}" for name in ("WAITING", "MATCHED", "CANCELLED", "EXPIRED")
)
REQUEST = "request-id-of-16-chars"


class InterruptedStore:
    """A store that does something else just before the first change of a map that is of a certain kind."""

    def __init__(self, store: MemoryEventStore, kind: Callable[[str, MapChange], bool]) -> None:
        self._store, self._kind = store, kind
        self.before: Callable[[], Awaitable[Any]] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def change_map(self, name: str, change: MapChange, *, seconds: int | None = None) -> bool:
        if self.before and self._kind(name, change):
            before, self.before = self.before, None
            await before()
        return await self._store.change_map(name, change, seconds=seconds)


def is_take(_name: str, change: MapChange) -> bool:
    return any(field.startswith("match:") for field in change.put)


def is_arrival(_name: str, change: MapChange) -> bool:
    return any(field.startswith("waiting:") for field in change.put)


def is_removal(_name: str, change: MapChange) -> bool:
    return not change.put and any(field.startswith("waiting:") for field in change.remove)


class DyingStore:
    """A store whose process dies at one of its writes of matchmaking: that one and all later ones fail."""

    def __init__(self, store: MemoryEventStore, lives: int) -> None:
        self._store, self._lives = store, lives

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def _live(self) -> None:
        self._lives -= 1
        if self._lives < 0:
            raise RuntimeError("this process has died")

    async def change_map(self, name: str, change: MapChange, *, seconds: int | None = None) -> bool:
        self._live()
        return await self._store.change_map(name, change, seconds=seconds)

    async def schedule(self, *arguments: Any, **options: Any) -> Any:
        self._live()
        return await self._store.schedule(*arguments, **options)

    async def add_to_list(self, *arguments: Any, **options: Any) -> Any:
        self._live()
        return await self._store.add_to_list(*arguments, **options)


def fields_of(created: Any) -> dict[str, str]:
    return {"ticket_id": created.ticket.ticket_id, "ticket_token": created.ticket_token}


async def test_whoever_waits_with_someone_who_cancels_goes_on_waiting() -> None:
    store = MemoryEventStore()
    interrupted: Any = InterruptedStore(store, is_take)
    first, second = Service(interrupted, luck="1"), Service(store, luck="2")
    ann = await ticket(second, bots_after={"seconds": 20}, bot_level="random")
    bob = await ticket(second)
    interrupted.before = lambda: second.call("CancelTicket", **fields_of(bob))

    await first.match_tickets()
    between = [status(await now(second, each)) for each in (ann, bob)]
    await first.match_tickets(30)

    assert [WAITING, CANCELLED] == between
    assert MATCHED == status(await now(first, ann))


async def test_a_cancellation_that_comes_too_late_is_told_so() -> None:
    store = MemoryEventStore()
    interrupted: Any = InterruptedStore(store, is_removal)
    first, second = Service(interrupted, luck="1"), Service(store, luck="2")
    ann, _ = await ticket(second), await ticket(second)
    interrupted.before = second.match_tickets

    late = await first.refusal("CancelTicket", **fields_of(ann))

    assert ("FAILED_PRECONDITION", "TICKET_MATCHED") == late


async def dying_service(store: MemoryEventStore, lives: int, **settings: Any) -> KeyedService:
    dying: Any = DyingStore(store, lives)
    return KeyedService(dying, luck="1", **settings)


TEN = MatchSettings(most_tickets=10)


@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize("lives", range(1, 7))
async def test_a_process_that_dies_while_it_creates_a_ticket_strands_nobody(
    lives: int, *, repeated: bool
) -> None:
    store = MemoryEventStore()
    first, second = await dying_service(store, lives, matching=TEN), KeyedService(store, luck="2")
    ann = await second.key("ann")
    await second.call("GetProfile", ann)
    wish = {"title": "tides", "bots_after": {"seconds": 5}, "bot_level": "random", "request_id": REQUEST}
    try:
        await first.call("CreateTicket", ann, **wish)
    except RpcError:
        pass
    else:
        assert lives > 4

    again = await second.call("CreateTicket", ann, **wish) if repeated else None
    for _ in range(4):
        await second.match_tickets(10)

    if again is not None:
        assert MATCHED == status(await now(second, again, ann))
    assert WAITING == status(await ticket(second, ann))


@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize("lives", range(4))
async def test_a_process_that_dies_while_it_cancels_a_ticket_leaves_it_in_one_state(
    lives: int, *, repeated: bool
) -> None:
    store = MemoryEventStore()
    second = KeyedService(store, luck="2")
    ann, bob = await second.key("ann"), await second.key("bob")
    mine = await ticket(second, ann)
    first = await dying_service(store, lives)
    cancelled = False
    try:
        await first.call("CancelTicket", ann, ticket_id=mine.ticket.ticket_id)
        cancelled = True
    except RpcError:
        pass

    if repeated:
        await second.call("CancelTicket", ann, ticket_id=mine.ticket.ticket_id)
    other = await ticket(second, bob)
    await second.match_tickets(1)

    found = [status(await now(second, mine, ann)), status(await now(second, other, bob))]
    assert found == [CANCELLED, WAITING] if cancelled or repeated or lives > 1 else [MATCHED, MATCHED]


async def test_a_ticket_has_expired_also_if_nobody_looks_at_its_pool() -> None:
    service = KeyedService(matching=MatchSettings(expiry=60))
    ann = await service.key("ann")
    mine = await ticket(service, ann)

    service.now += 61_000_000

    assert EXPIRED == status(await now(service, mine, ann))
    assert WAITING == status(await ticket(service, ann))
    watched = [each async for each in service.stream("WatchTicket", ann, ticket_id=mine.ticket.ticket_id)]
    assert [EXPIRED] == [status(each.change) for each in watched if each.HasField("change")]


class StoreWithoutOneGame(MemoryEventStore):
    """A store in which the first game that somebody wants to create cannot be created."""

    broken = ""

    async def append(self, game: str, *arguments: Any, **options: Any) -> Any:
        self.broken = self.broken or game
        if game == self.broken:
            raise RuntimeError("this game cannot be created")
        return await super().append(game, *arguments, **options)


async def test_a_game_that_cannot_be_created_blocks_nobody_else() -> None:
    service = KeyedService(StoreWithoutOneGame(), matching=MatchSettings(expiry=60))
    keys = [await service.key(name) for name in ("ann", "bob", "cid", "dot")]
    tickets = [await ticket(service, key) for key in keys]

    for _ in range(3):
        await service.match_tickets(10)
    found = [status(await now(service, each, key)) for each, key in zip(tickets, keys, strict=True)]
    assert {WAITING: 2, MATCHED: 2} == {each: found.count(each) for each in found}

    await service.match_tickets(40)
    await service.match_tickets(10)
    found = [status(await now(service, each, key)) for each, key in zip(tickets, keys, strict=True)]
    assert {EXPIRED: 2, MATCHED: 2} == {each: found.count(each) for each in found}
    for key in keys:
        assert WAITING == status(await ticket(service, key, clock={"days": 1}))
    free = keys[found.index(EXPIRED)]
    assert WAITING == status(await ticket(service, free))


async def test_a_refused_ticket_takes_no_place_of_the_limit() -> None:
    service = KeyedService(matching=MatchSettings(most_tickets=2))
    ann = await service.key("ann")
    await ticket(service, ann)

    refused = [await service.refusal("CreateTicket", ann, title="tides") for _ in range(3)]

    assert [("ALREADY_EXISTS", "ALREADY_WAITING")] * 3 == refused
    assert WAITING == status(await ticket(service, ann, title="tigris"))


class LosingStore(MemoryEventStore):
    """A store that loses its reply to a change that seats tickets, and answers as when it is asked twice."""

    async def change_map(self, name: str, change: MapChange, *, seconds: int | None = None) -> bool:
        changed = await super().change_map(name, change, seconds=seconds)
        return changed and not is_take(name, change)


@pytest.mark.parametrize("store", [MemoryEventStore, LosingStore])
async def test_a_game_counts_for_everybody_who_plays_it(store: type[MemoryEventStore]) -> None:
    """Also if a reply of the store was lost."""
    service = KeyedService(store(), open_games=1)
    keys = [await service.key(name) for name in ("ann", "bob")]
    tickets = [await ticket(service, key) for key in keys]

    await service.match_tickets()

    assert MATCHED == status(await now(service, tickets[0], keys[0]))
    for key in keys:
        assert ("RESOURCE_EXHAUSTED", "TOO_MUCH") == await service.refusal("CreateGame", key, title="tides")
        assert ("RESOURCE_EXHAUSTED", "TOO_MUCH") == await service.refusal("CreateTicket", key, title="tides")


async def test_whoever_is_at_the_limit_of_games_waits_and_delays_nobody() -> None:
    service = KeyedService(open_games=1)
    keys = [await service.key(name) for name in ("ann", "bob", "cid")]
    tickets = []
    for key in keys:
        tickets.append(await ticket(service, key))
        service.now += 1
    game_id, seats = await service.shared_table(keys[0], keys[0])

    for _ in range(2):
        await service.match_tickets(1)
    between = [status(await now(service, each, key)) for each, key in zip(tickets, keys, strict=True)]
    await service.call("Resign", seats[0], game_id=game_id)
    dot = await service.key("dot")
    await ticket(service, dot)
    for _ in range(2):
        await service.match_tickets(10)

    assert [WAITING, MATCHED, MATCHED] == between
    assert MATCHED == status(await now(service, tickets[0], keys[0]))


async def test_bots_that_fill_up_count_for_the_limit_of_games_with_bots() -> None:
    service = KeyedService(bot_only_games=1)
    ann = await service.key("ann")
    early = await ticket(service, ann, bots_after={"seconds": 0}, bot_level="random")
    bots = [{"bot_level": "random"}] * 2
    await service.call("CreateGame", ann, title="tides", seats=bots)

    await service.match_tickets()

    wish = {"title": "tigris", "bots_after": {"seconds": 0}, "bot_level": "random"}
    assert WAITING == status(await now(service, early, ann))
    assert ("RESOURCE_EXHAUSTED", "TOO_MUCH") == await service.refusal("CreateTicket", ann, **wish)


async def test_a_ticket_keeps_no_address() -> None:
    service = Service()
    matching = service.application.matchmaking
    assert matching
    spec = {"title": "tides", "options": None, "min_seats": 2, "max_seats": 2, "clock": None}
    rest = {"rated": False, "bots_after": None, "bot_level": "", "display_name": ""}
    mine = await matching.create(TicketSpec(**spec, **rest), None, "address:203.0.113.7", None)  # type: ignore[arg-type]

    stored = await service.store.whole_map(f"ticket:{mine.id}")
    pool = await service.store.whole_map(f"pool:{mine.pool}")
    assert stored
    assert pool
    assert b"203.0.113.7" not in b"".join([*stored.values(), *pool.values()])


async def test_a_repeated_call_that_is_slow_leads_to_no_second_game() -> None:
    store = MemoryEventStore()
    slow: Any = InterruptedStore(store, is_arrival)
    first, second = Service(slow, luck="1"), Service(store, luck="2")

    async def repeat_and_match() -> None:
        await ticket(second, request_id=REQUEST)
        await ticket(second)
        await second.match_tickets()

    slow.before = repeat_and_match
    created = await ticket(first, request_id=REQUEST)
    seated = await now(second, created)
    other = await ticket(second)
    await second.match_tickets(30)
    await second.match_tickets(30)

    assert MATCHED == status(seated)
    assert seated.ticket.game_id == (await now(second, created)).ticket.game_id
    assert WAITING == status(await now(second, other))
    assert [seated.ticket.game_id] == [game async for game in store.games()]
