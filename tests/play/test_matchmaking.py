"""Tests of matchmaking: tickets become games, each at most one, with all seats taken."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from gamehost.play.matching.matchmaking import MatchSettings
from gamehost.play.matching.pairing import MatchRules
from gamehost.play.matching.tickets import Tickets
from gamehost.play.ports.maps import MapChange
from gamehost.stores.memory import MemoryEventStore
from support.keyed_service import KeyedService
from support.service import Service

REQUEST = "request-id-of-16-chars"


async def ticket(service: Service, key: str | None = None, /, **fields: Any) -> Any:
    """Creates a ticket; returns the response."""
    return await service.call("CreateTicket", key, **{"title": "tides", **fields})


async def now(service: Service, created: Any, key: str | None = None) -> Any:
    """Returns a ticket as it is now, with its seat token."""
    return await service.call(
        "GetTicket", key, ticket_id=created.ticket.ticket_id, ticket_token=created.ticket_token
    )


async def test_two_callers_without_an_identity_play_together() -> None:
    service = Service()
    ann, bob = await ticket(service), await ticket(service, display_name="Bob")
    assert ["TICKET_STATUS_WAITING"] == [status(await now(service, ann))]

    await service.match_tickets()

    first, second = await now(service, ann), await now(service, bob)
    assert ["TICKET_STATUS_MATCHED"] * 2 == [status(first), status(second)]
    assert first.ticket.game_id == second.ticket.game_id
    assert {0, 1} == {first.ticket.seat, second.ticket.seat}
    game_id = first.ticket.game_id
    view = (await service.call("GetView", first.seat_token, game_id=game_id)).view
    assert view.game.status == 2
    assert view.game.matched
    assert not view.game.rated
    names = {seat.seat: seat.display_name for seat in view.game.seats}
    assert {second.ticket.seat: "Bob", first.ticket.seat: f"Player {first.ticket.seat + 1}"} == names
    await service.finish(game_id, [each.seat_token for each in sorted((first, second), key=seat_of)])


def seat_of(response: Any) -> int:
    return int(response.ticket.seat)


def status(response: Any) -> str:
    field = response.ticket.DESCRIPTOR.fields_by_name["status"]
    return str(field.enum_type.values_by_number[response.ticket.status].name)


async def test_callers_with_an_identity_own_their_seats_and_are_told_by_the_inbox() -> None:
    service = KeyedService()
    ann, bob = await service.key("ann"), await service.key("bob")
    begin = (await service.read_stream("WatchInbox", ann))[-1].cursor
    first = await ticket(service, ann, rated=True)
    await ticket(service, bob, rated=True)
    assert "" == first.ticket_token

    await service.match_tickets()
    await service.settled()

    game_id = (await now(service, first, ann)).ticket.game_id
    messages = await service.read_stream("WatchInbox", ann, cursor=begin)
    kinds = [message.item.WhichOneof("kind") for message in messages if message.HasField("item")]
    assert {"matched", "started", "decision"} <= set(kinds)
    assert {game_id} == {message.item.game_id for message in messages if message.HasField("item")}
    assert (await service.call("GetGame", bob, game_id=game_id)).game.rated
    await service.call("Resign", bob, game_id=game_id)
    await service.record_finished_games()
    assert 1 == service.background.counts["tides rated"]


async def test_a_repeated_request_gets_the_same_ticket() -> None:
    service = KeyedService()
    ann, bob = await service.key("ann"), await service.key("bob")

    first = await ticket(service, ann, request_id=REQUEST)
    again = await ticket(service, ann, request_id=REQUEST)
    other = await ticket(service, bob, request_id=REQUEST)
    await service.match_tickets()
    matched = await ticket(service, ann, request_id=REQUEST)

    assert first == again
    assert first.ticket.ticket_id != other.ticket.ticket_id
    assert "TICKET_STATUS_MATCHED" == status(matched)
    reused = await service.refusal("CreateTicket", ann, title="tigris", request_id=REQUEST)
    assert ("INVALID_ARGUMENT", "REQUEST_ID_REUSED") == reused


async def test_a_caller_waits_once_for_a_kind_of_game() -> None:
    service = KeyedService()
    ann = await service.key("ann")
    await ticket(service, ann)

    again = await service.refusal("CreateTicket", ann, title="tides")
    others = [
        await ticket(service, ann, rated=True),
        await ticket(service, ann, clock={"days": 3}),
        await ticket(service, ann, title="tigris"),
    ]
    await service.match_tickets(5)

    assert ("ALREADY_EXISTS", "ALREADY_WAITING") == again
    assert ["TICKET_STATUS_WAITING"] * 3 == [status(await now(service, each, ann)) for each in others]


async def test_a_caller_has_a_limited_number_of_waiting_tickets() -> None:
    service = KeyedService(matching=MatchSettings(most_tickets=10))
    ann = await service.key("ann")
    tickets = [await ticket(service, ann, clock={"days": days}) for days in range(1, 11)]

    refused = await service.refusal("CreateTicket", ann, title="tides", clock={"days": 11})
    await service.call("CancelTicket", ann, ticket_id=tickets[0].ticket.ticket_id)

    assert ("RESOURCE_EXHAUSTED", "TOO_MUCH") == refused
    await ticket(service, ann, clock={"days": 11})


async def test_a_cancelled_ticket_leads_to_no_game() -> None:
    service = Service()
    ann, bob = await ticket(service), await ticket(service)
    fields = {"ticket_id": ann.ticket.ticket_id, "ticket_token": ann.ticket_token}

    cancelled = await service.call("CancelTicket", **fields)
    again = await service.call("CancelTicket", **fields)
    await service.match_tickets()

    assert "TICKET_STATUS_CANCELLED" == status(cancelled)
    assert cancelled == again
    assert "TICKET_STATUS_WAITING" == status(await now(service, bob))


async def test_a_matched_ticket_cannot_be_cancelled() -> None:
    service = Service()
    ann, _ = await ticket(service), await ticket(service)
    await service.match_tickets()

    error = await service.error("CancelTicket", ticket_id=ann.ticket.ticket_id, ticket_token=ann.ticket_token)

    assert "TICKET_MATCHED" == error.reason
    assert (await now(service, ann)).ticket.game_id in str(error.status.details)


async def test_a_ticket_is_its_owners_alone() -> None:
    service, open_service = KeyedService(), Service()
    ann, bob = await service.key("ann"), await service.key("bob")
    mine = await ticket(service, ann)
    anonymous = await ticket(open_service)

    for rpc in ("GetTicket", "CancelTicket"):
        found = await service.refusal(rpc, bob, ticket_id=mine.ticket.ticket_id)
        guessed = await open_service.refusal(
            rpc, ticket_id=anonymous.ticket.ticket_id, ticket_token="shedu_ticket_guess"
        )
        assert ("NOT_FOUND", "TICKET_NOT_FOUND") == found == guessed
        assert found == await service.refusal(rpc, ann, ticket_id="a" * 20)


async def test_a_ticket_expires() -> None:
    service = Service(matching=MatchSettings(expiry=60))
    ann = await ticket(service)

    await service.match_tickets(61)
    await ticket(service)
    await service.match_tickets()

    assert "TICKET_STATUS_EXPIRED" == status(await now(service, ann))
    assert 1 == service.background.counts["tides ticket expired"]


async def test_options_and_seats_have_to_suit_everyone() -> None:
    service = Service()
    once, twice = [{"tides": {"maze_scores_once": once}} for once in (True, False)]
    tickets = []
    for fields in ({"options": once}, {"options": twice}, {}):
        tickets.append(await ticket(service, **fields))
        service.now += 1

    await service.match_tickets()

    found = [await now(service, each) for each in tickets]
    assert ["MATCHED", "WAITING", "MATCHED"] == [status(each).rpartition("_")[2] for each in found]
    game = (await service.call("GetGame", game_id=found[0].ticket.game_id)).game
    assert game.options.tides.maze_scores_once


async def test_a_range_of_seats_gets_the_most_and_later_fewer() -> None:
    service = Service()
    three = [await ticket(service, title="tigris", min_seats=2, max_seats=4) for _ in range(3)]

    await service.match_tickets(1)
    waiting = [status(await now(service, each)) for each in three]
    await service.match_tickets(10)

    assert ["TICKET_STATUS_WAITING"] * 3 == waiting
    games = {(await now(service, each)).ticket.game_id for each in three}
    assert 1 == len(games)
    assert 3 == len((await service.call("GetGame", game_id=games.pop())).game.seats)


async def test_bots_fill_up_after_a_time() -> None:
    service = Service()
    ann = await ticket(service, bots_after={"seconds": 20}, bot_level="random")
    await service.match_tickets(10)
    assert "TICKET_STATUS_WAITING" == status(await now(service, ann))

    await service.match_tickets(11)

    found = await now(service, ann)
    game = (await service.call("GetGame", game_id=found.ticket.game_id)).game
    assert ["", "random"] == sorted(seat.bot_level for seat in game.seats)
    assert game.status == 2


async def test_a_block_holds_for_a_ticket_that_waits_already() -> None:
    service = KeyedService()
    ann, bob, cid = [await service.key(name) for name in ("ann", "bob", "cid")]
    handle = (await service.call("GetProfile", bob)).player.handle
    first, second = await ticket(service, ann), await ticket(service, bob)

    await service.call("BlockPlayer", ann, handle=handle)
    for _ in range(2):
        await service.match_tickets(1)
    waiting = [await now(service, first, ann), await now(service, second, bob)]
    third = await ticket(service, cid)
    await service.match_tickets(1)

    assert ["TICKET_STATUS_WAITING"] * 2 == list(map(status, waiting))
    assert "TICKET_STATUS_MATCHED" == status(await now(service, first, ann))
    assert "TICKET_STATUS_MATCHED" == status(await now(service, third, cid))


async def test_whoever_keeps_changing_its_blocks_holds_up_nobody() -> None:
    service = KeyedService()
    ann, bob, cid = [await service.key(name) for name in ("ann", "bob", "cid")]
    handle = (await service.call("GetProfile", cid)).player.handle
    first, second = await ticket(service, ann), await ticket(service, bob)

    await service.call("BlockPlayer", ann, handle=handle)
    await service.match_tickets(1)

    assert "TICKET_STATUS_MATCHED" == status(await now(service, first, ann))
    assert "TICKET_STATUS_MATCHED" == status(await now(service, second, bob))


async def test_blocked_players_do_not_meet_and_recent_opponents_only_without_others() -> None:
    service = KeyedService()
    ann, bob, cid = [await service.key(name) for name in ("ann", "bob", "cid")]
    handle = (await service.call("GetProfile", bob)).player.handle
    await service.call("BlockPlayer", ann, handle=handle)
    first, second = await ticket(service, ann), await ticket(service, bob)
    await service.match_tickets(120)
    waiting = [await now(service, first, ann), await now(service, second, bob)]
    assert ["TICKET_STATUS_WAITING"] * 2 == list(map(status, waiting))

    third = await ticket(service, cid)
    await service.match_tickets()
    assert "TICKET_STATUS_MATCHED" == status(await now(service, first, ann))
    assert "TICKET_STATUS_MATCHED" == status(await now(service, third, cid))

    await service.call("UnblockPlayer", ann, handle=handle)
    again = [await ticket(service, key) for key in (cid, ann)]
    await service.match_tickets(1)
    # Bob has waited longest and meets somebody; Ann and Cid have just met.
    assert "TICKET_STATUS_MATCHED" == status(await now(service, second, bob))
    left = [status(await now(service, each, key)) for each, key in zip(again, (cid, ann), strict=True)]
    assert ["TICKET_STATUS_MATCHED", "TICKET_STATUS_WAITING"] == sorted(left)


class DyingStore:
    """A store whose process dies at one of its changes: that one and all later ones fail."""

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

    async def append(self, *arguments: Any, **options: Any) -> Any:
        self._live()
        return await self._store.append(*arguments, **options)


@pytest.mark.parametrize("lives", range(8))
async def test_a_process_that_dies_at_any_step_seats_nobody_twice(lives: int) -> None:
    store = MemoryEventStore()
    dying: Any = DyingStore(store, lives)
    first, second = Service(dying, luck="1"), Service(store, luck="2")
    tickets = [await ticket(second) for _ in range(2)]

    await first.match_tickets()
    await second.match_tickets(30)
    await second.match_tickets(30)

    found = [await now(second, each) for each in tickets]
    assert ["TICKET_STATUS_MATCHED"] * 2 == list(map(status, found))
    assert 1 == len({each.ticket.game_id for each in found})
    games = [game async for game in store.games()]
    assert [found[0].ticket.game_id] == games
    for each in found:
        view = (await second.call("GetView", each.seat_token, game_id=games[0])).view
        assert each.ticket.seat == view.seat


@pytest.mark.parametrize("lives", range(3, 9))
async def test_whoever_was_seated_can_wait_again_at_once(lives: int) -> None:
    store = MemoryEventStore()
    dying: Any = DyingStore(store, lives)
    first, second = KeyedService(dying, luck="1"), KeyedService(store, luck="2")
    ann, bob = await second.key("ann"), await second.key("bob")
    tickets = {key: await ticket(second, key) for key in (ann, bob)}
    await first.match_tickets()
    seated = [key for key, each in tickets.items() if "MATCHED" in status(await now(second, each, key))]

    again = {key: await ticket(second, key) for key in seated}
    refused = [await second.refusal("CreateTicket", key, title="tides") for key in seated]
    for _ in range(2):
        await second.match_tickets(30)

    assert [("ALREADY_EXISTS", "ALREADY_WAITING")] * len(seated) == refused
    for key, first_ticket in tickets.items():
        assert "TICKET_STATUS_MATCHED" == status(await now(second, first_ticket, key))
    assert all(each.ticket.ticket_id != tickets[key].ticket.ticket_id for key, each in again.items())
    # A player who waits still holds its place, although the match before was completed later.
    for key, each in again.items():
        if "WAITING" in status(await now(second, each, key)):
            assert ("ALREADY_EXISTS", "ALREADY_WAITING") == await second.refusal(
                "CreateTicket", key, title="tides"
            )


async def test_many_processes_seat_everybody_once() -> None:
    store = MemoryEventStore()
    processes = [Service(store, luck=f"process {number}") for number in range(3)]
    tickets = [await ticket(processes[number % 3]) for number in range(60)]

    # Without the lease of the schedule, so that all of them look at the same time.
    stored = await Tickets(store).read(tickets[0].ticket.ticket_id)
    assert stored
    matchers = [service.matcher for service in processes if service.matcher]
    await asyncio.gather(*(matcher.check(stored.pool) for matcher in matchers))
    for service in processes:
        await service.match_tickets(30)

    games = Counter([(await now(processes[0], each)).ticket.game_id for each in tickets])
    assert "" not in games
    assert {2} == set(games.values())
    assert 30 == len([game async for game in store.games()])


async def test_the_range_widens_while_a_ticket_waits() -> None:
    service = KeyedService(matching=MatchSettings(MatchRules(10, 1.0)))
    ann, bob, cid = [await service.key(name) for name in ("ann", "bob", "cid")]
    game_id, tokens = await service.shared_table(ann, bob, rated=True)
    await service.call("Resign", tokens[1], game_id=game_id)
    await service.record_finished_games()
    first, second = await ticket(service, ann), await ticket(service, cid)

    waiting = []
    for _ in range(20):
        await service.match_tickets(10)
        waiting.append("WAITING" in status(await now(service, first, ann)))

    assert waiting[0]
    assert not waiting[-1]
    assert (await now(service, first, ann)).ticket.game_id == (await now(service, second, cid)).ticket.game_id


async def test_a_watcher_sees_the_match() -> None:
    service = Service()
    ann, _ = await ticket(service), await ticket(service)
    watch = service.stream("WatchTicket", ticket_id=ann.ticket.ticket_id, ticket_token=ann.ticket_token)
    first = await anext(watch)

    await service.match_tickets()

    messages = [message async for message in watch if message.WhichOneof("kind") != "heartbeat"]
    assert "TICKET_STATUS_WAITING" == status(first.change)
    assert ["change", "go_away"] == [message.WhichOneof("kind") for message in messages]
    assert "TICKET_STATUS_MATCHED" == status(messages[0].change)
    assert messages[0].change.seat_token


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"title": "chess"}, "title"),
        ({"min_seats": 3}, "min_seats"),
        ({"title": "tigris", "min_seats": 4, "max_seats": 2}, "max_seats"),
        ({"options": {"tigris": {}}}, "options"),
        ({"bots_after": {"seconds": 1}, "bot_level": "genius"}, "bot_level"),
        ({"bots_after": {"seconds": 9999}}, "bots_after"),
        ({"clock": {}}, "clock"),
        ({"request_id": "short"}, "request_id"),
    ],
)
async def test_nonsense_is_refused(fields: dict[str, Any], field: str) -> None:
    service = Service()

    error = await service.error("CreateTicket", **{"title": "tides", **fields})

    assert error.reason in ("INVALID_REQUEST", "WRONG_TITLE")
    assert field in str(error.status)


async def test_rated_tickets_need_an_identity_and_matchmaking_can_be_off() -> None:
    rated = await Service().refusal("CreateTicket", title="tides", rated=True)
    off = await Service(matching=None).refusal("CreateTicket", title="tides")

    assert ("FAILED_PRECONDITION", "RATED_NOT_AVAILABLE") == rated
    assert ("UNIMPLEMENTED", "FEATURE_OFF") == off
