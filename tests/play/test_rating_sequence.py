"""Tests that ratings change once for each rated game, in the order of the games' ends."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from gamehost.play.players import rating_sequence
from gamehost.play.players.end_order import EndOrder, PendingGame, ends_map
from gamehost.play.players.profiles import caller_digest
from gamehost.play.players.rating_model import Rating, rated
from gamehost.play.players.rating_sequence import GameToRate, RatingSequence, rate_in_order, ratings_map
from gamehost.play.players.recorder import SETTLE
from gamehost.play.ports.maps import MapChange
from gamehost.play.table.events import MoveUndone
from gamehost.stores.archive.files import FileArchive
from gamehost.stores.memory import MemoryEventStore
from support.keyed_service import KeyedService

PLAYERS = ("ann", "bob", "cid", "dot")


def random_games(count: int, seed: int = 1) -> list[GameToRate]:
    """Returns games of two to four players in the order of their ends, some of them at the same time."""
    luck, games = random.Random(seed), list[GameToRate]()
    for number in range(count):
        seats = luck.sample(PLAYERS, luck.randint(2, 4))
        ranks = tuple((player, luck.randint(1, len(seats))) for player in seats)
        games.append(GameToRate(f"game{number:04d}", 1000 + number // 2, ranks))
    return games


async def stored(store: Any) -> dict[str, Rating]:
    return await RatingSequence(store, 1).ratings("tides", PLAYERS)


def expected(games: list[GameToRate]) -> dict[str, Rating]:
    found: dict[str, Rating] = {}
    for game in rate_in_order({}, games):
        found |= game.after
    return found


async def test_games_that_come_late_are_rated_where_they_belong() -> None:
    games = random_games(60)
    store = MemoryEventStore()
    sequence = RatingSequence(store, 1)

    for game in random.Random(2).sample(games, len(games)):
        await sequence.rate("tides", game)
        await sequence.forget_told("tides", game.game_id)

    assert expected(games) == await stored(store)


async def test_a_game_is_rated_once_however_many_processes_try() -> None:
    games = random_games(30)
    store = MemoryEventStore()
    processes = [RatingSequence(store, 1) for _ in range(3)]

    await asyncio.gather(*(each.rate("tides", game) for game in games for each in processes))
    for game in games:
        await processes[0].forget_told("tides", game.game_id)
    await asyncio.gather(*(each.rate("tides", game) for game in games for each in processes))

    assert expected(games) == await stored(store)


async def test_changes_are_told_until_they_are_forgotten() -> None:
    early, late = random_games(2)
    sequence = RatingSequence(MemoryEventStore(), 1)
    await sequence.rate("tides", late)

    told = await sequence.rate("tides", early)
    again = await sequence.rate("tides", early)
    await sequence.forget_told("tides", early.game_id)

    assert [early.game_id, late.game_id] == [game.game_id for game in told.games]
    assert told == again
    assert [] == list((await sequence.rate("tides", early)).games)


def test_ratings_find_the_order_of_strength() -> None:
    luck = random.Random(5)
    strength = {f"p{number}": number / 4 for number in range(20)}
    ratings = {player: Rating() for player in strength}

    for _ in range(600):
        seats = luck.sample(list(strength), luck.randint(2, 4))
        order = sorted(seats, key=lambda player: -strength[player] - luck.gauss(0, 1))
        ratings |= rated(ratings, [(player, order.index(player) + 1) for player in seats])

    found = sorted(ratings, key=lambda player: ratings[player].mean)
    places = [abs(place - found.index(player)) for place, player in enumerate(strength)]
    assert sum(places) / len(places) < 2
    assert 1500 == Rating().points


class DyingStore:
    """A store whose process dies at one of its changes of maps: that change and all later ones fail."""

    def __init__(self, store: MemoryEventStore, lives: int) -> None:
        self._store, self._lives = store, lives

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def change_map(self, name: str, change: MapChange, *, seconds: int | None = None) -> bool:
        self._lives -= 1
        if self._lives < 0:
            raise RuntimeError("this process has died")
        return await self._store.change_map(name, change, seconds=seconds)


async def finished_game(service: KeyedService, *names: str) -> str:
    ann, bob = [await service.key(name) for name in names or ("ann", "bob")]
    game_id, tokens = await service.shared_table(ann, bob, rated=True)
    await service.call("Resign", tokens[1], game_id=game_id)
    return game_id


@pytest.mark.parametrize("lives", range(12))
async def test_a_process_that_dies_at_any_step_leaves_the_rest_to_another(lives: int) -> None:
    store = MemoryEventStore()
    dying: Any = DyingStore(store, lives)
    first, second = KeyedService(dying), KeyedService(store)
    game_id = await finished_game(second)

    await first.record_finished_games()
    second.now = first.now
    await second.record_finished_games(60)

    sequence = RatingSequence(store, 1)
    digests = [caller_digest(f"key:{name}") for name in ("ann", "bob")]
    ratings = await sequence.ratings("tides", digests)
    assert [1, 1] == [each.games for each in ratings.values()]
    assert ratings[digests[0]].mean > ratings[digests[1]].mean
    for name in ("ann", "bob"):
        key = await second.key(f"{name}-2")
        handle = (await second.profile(name)).handle
        [played] = (await second.call("ListPlayerGames", key, handle=handle)).games
        assert (game_id, True) == (played.game_id, played.HasField("rating_change"))
        [counts] = (await second.call("GetPlayerStatistics", key, handle=handle)).titles
        assert 1 == counts.total.games
    assert not await sequence.is_untold("tides", game_id)


async def test_a_game_is_rated_after_those_that_ended_before_it_and_that_another_process_holds() -> None:
    service = KeyedService()
    first = await finished_game(service)
    service.now += 2_100_000
    [held] = await service.store.due("finished", service.now - SETTLE, limit=1, lease=100_000_000)
    await finished_game(service, "cid", "dan")

    await service.record_finished_games()

    assert first == held.game
    assert 2 == service.background.counts["tides rated"]
    assert 0 == service.background.counts["tides rated again"]
    assert [] == await rebuilt(service)


async def test_a_game_that_cannot_be_recorded_holds_up_others_for_half_a_minute() -> None:
    now = 1_000_000
    ends = EndOrder(MemoryEventStore(), lambda: now)
    await ends.add("tides", "a", 5)
    await ends.add("tides", "b", 6)
    awaited = list[str]()

    for seconds in (0, 29, 2):
        now += seconds * 1_000_000
        first = await ends.awaited("tides", PendingGame("b", 6))
        awaited.append(first.game_id if first else "")

    assert ["a", "a", ""] == awaited


async def test_many_games_that_cannot_be_recorded_hold_up_others_no_longer_than_one() -> None:
    now = 1_000_000
    ends = EndOrder(MemoryEventStore(), lambda: now)
    for number in range(50):
        await ends.add("tides", f"unreadable-{number}", number)
    awaited = list[bool]()

    for seconds in (0, 31, 0, 31):
        now += seconds * 1_000_000
        await ends.add("tides", f"later-{now}", now)  # one more
        awaited.append(await ends.awaited("tides", PendingGame("z", now + 1)) is not None)

    assert [True, False, False, False] == awaited


async def test_an_end_that_was_never_written_holds_up_others_for_seconds() -> None:
    service = KeyedService()
    assert service.application.players
    await service.application.players.ends.add("tides", "a" * 20, service.now)
    await finished_game(service)
    rated = list[int]()

    for seconds in (3, 15):
        await service.record_finished_games(seconds)
        rated.append(service.background.counts["tides rated"])

    assert [0, 1] == rated
    assert [] == list(await service.store.ranked(ends_map("tides"), start=0, limit=9))


async def test_a_game_that_comes_later_than_can_be_rated_again_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rating_sequence, "RECENT", 3)
    sequence, games = RatingSequence(MemoryEventStore(), 1), random_games(10)

    late = [(await sequence.rate("tides", game)).late for game in (*games[5:], games[4], games[9])]

    assert [*[False] * 5, True, False] == late


class BusyStore(DyingStore):
    """A store in which other processes change the ratings for so long."""

    async def change_map(self, name: str, change: MapChange, *, seconds: int | None = None) -> bool:
        self._lives -= name.startswith("ratings:")
        if self._lives >= 0 and name.startswith("ratings:"):
            return False
        return await self._store.change_map(name, change, seconds=seconds)


async def test_a_game_is_rated_soon_also_if_others_were_faster_all_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rating_sequence, "RATING_PAUSE", 0.0)
    busy: Any = BusyStore(MemoryEventStore(), rating_sequence.ATTEMPTS_TO_RATE)
    service = KeyedService(busy)
    await finished_game(service)

    await service.record_finished_games()
    assert 0 == service.background.counts["tides rated"]
    await service.record_finished_games()

    assert 1 == service.background.counts["tides rated"]


async def undone(service: KeyedService, title: str) -> Any:
    """Plays a rated game in which the first move is undone; returns it from the history of a player."""
    players = [await service.key(name) for name in ("ann", "bob")]
    game_id, tokens = await service.shared_table(*players, title=title, rated=True)
    await service.move(game_id, tokens[0])
    await service.call("ProposeUndo", tokens[0], game_id=game_id)
    proposal = (await service.call("GetView", tokens[1], game_id=game_id)).view.proposal
    if proposal.proposal_id:
        await service.call(
            "AnswerProposal", tokens[1], game_id=game_id, proposal_id=proposal.proposal_id, accept=True
        )
    records = await service.application.tables.read(game_id, after=0)
    assert any(isinstance(record.event, MoveUndone) for record in records)
    await service.call("Resign", tokens[1], game_id=game_id)
    await service.record_finished_games()
    [played] = (await service.call("ListPlayerGames", players[0], handle="me")).games
    return played


async def test_an_undo_of_something_revealed_ends_the_rating() -> None:
    played = await undone(KeyedService(), "tides")  # whose rules make a chosen card final

    assert not played.rated
    assert not played.HasField("rating_change")


async def test_an_undo_of_nothing_revealed_does_not_end_the_rating() -> None:
    played = await undone(KeyedService(), "tigris")

    assert played.rated
    assert played.HasField("rating_change")


async def ratings_of(service: KeyedService) -> dict[str, bytes]:
    fields = await service.store.whole_map(ratings_map("tides"))
    return {name: value for name, value in fields.items() if name.startswith("player:")}


async def rebuilt(service: KeyedService, *, restore: bool = False, lost: bool = False) -> list[str]:
    """Computes the ratings again from all logs, and returns the players whose stored ratings differ."""
    rebuild = service.application.rating_rebuild(service.background)
    assert rebuild

    async def ids() -> Any:
        async for game in service.store.games():
            yield game

    found = await rebuild.compute(["tides"], ids(), lost=lost)
    if restore:
        await rebuild.restore("tides", found["tides"])
    return [each.player for each in found["tides"].differences]


async def test_ratings_are_computed_again_from_the_logs_to_the_same_numbers() -> None:
    service = KeyedService()
    players = [await service.key(name) for name in ("ann", "bob", "cid")]
    luck = random.Random(3)
    for _ in range(12):
        game_id, tokens = await service.shared_table(*luck.sample(players, 2), rated=True)
        await service.call("Resign", luck.choice(tokens), game_id=game_id)
        await service.record_finished_games(luck.choice([0.0, 3.0]))
    await service.record_finished_games()
    ratings = await ratings_of(service)

    assert [] == await rebuilt(service)

    first, *others = ratings
    await service.store.change_map(ratings_map("tides"), MapChange(put={first: ratings[others[0]]}))
    assert [first.removeprefix("player:")] == await rebuilt(service)
    await rebuilt(service, restore=True)
    assert ratings == await ratings_of(service)

    lost = await service.store.whole_map(ratings_map("tides"))
    await service.store.change_map(ratings_map("tides"), MapChange(remove=list(lost)))
    assert {} == await ratings_of(service)
    await rebuilt(service, restore=True, lost=True)
    assert ratings == await ratings_of(service)


async def test_a_rating_that_no_game_has_led_to_is_found_and_removed() -> None:
    service = KeyedService()
    await finished_game(service)
    await service.record_finished_games()
    ratings = await ratings_of(service)
    await service.store.change_map(
        ratings_map("tides"), MapChange(put={"player:nobody": b"[30.0, 2.0, 9]"}, scores={"nobody": 99_000})
    )

    assert ["nobody"] == await rebuilt(service)
    await rebuilt(service, restore=True)

    assert ratings == await ratings_of(service)
    assert await service.store.place_of(ratings_map("tides"), "nobody") is None


async def test_a_game_that_is_archived_before_it_is_recorded_is_rated_once(tmp_path: Path) -> None:
    archive = FileArchive(tmp_path)
    archive.prepare()
    service = KeyedService(archive=archive)
    game_id = await finished_game(service)

    await service.archive_due_games()
    for _ in range(2):
        await service.record_finished_games()

    assert [game_id] == list(archive.games())
    assert 1 == service.background.counts["tides rated"]
    assert [1, 1] == [json.loads(each)[2] for each in (await ratings_of(service)).values()]
    key = await service.key("cid")
    handle = (await service.profile("ann")).handle
    [played] = (await service.call("ListPlayerGames", key, handle=handle)).games
    assert (game_id, True) == (played.game_id, played.HasField("rating_change"))


class SlowStore(MemoryEventStore):
    """A store that lets other tasks run before it answers, as one on a network does."""

    async def map_fields(self, name: str, fields: Sequence[str]) -> Sequence[bytes | None]:
        found = await super().map_fields(name, fields)
        await asyncio.sleep(0)
        return found

    async def change_map(self, name: str, change: MapChange, *, seconds: int | None = None) -> bool:
        await asyncio.sleep(0)
        return await super().change_map(name, change, seconds=seconds)


async def test_two_processes_record_the_same_games_at_the_same_time() -> None:
    store, luck = SlowStore(), random.Random(5)
    first, second = KeyedService(store), KeyedService(store)
    players, games = [await first.key(name) for name in PLAYERS], list[str]()
    for _ in range(12):
        game_id, tokens = await first.shared_table(*luck.sample(players, 2), rated=True)
        await first.call("Resign", luck.choice(tokens), game_id=game_id)
        games.append(game_id)
        first.now += 1000
    second.now = first.now = first.now + 3_000_000
    recorders = [service.recorder for service in (first, second) if service.recorder]

    # Without the leases of the schedule, so that both record every game.
    await asyncio.gather(*(recorder.check(game_id) for recorder in recorders for game_id in games))

    assert [] == await rebuilt(first)
    assert 24 == sum(json.loads(each)[2] for each in (await ratings_of(first)).values())
    for key in players:
        played = (await first.call("ListPlayerGames", key, handle="me")).games
        assert all(game.HasField("rating_change") for game in played)
    assert [] == list(await store.ranked(ends_map("tides"), start=0, limit=9))
