"""Tests of the validators with small histories, each with one thing wrong."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb
from support.service import Service

from .expected_views import Expected, Log
from .history import GameHistory, History, Look, Sighting, Trail, digest
from .players import CLOCKS
from .validators import Case, validate
from .verdict import calls

SEATS = 2


async def played(moves: int = 6) -> tuple[GameHistory, Log]:
    """Returns a correct history of a short game, seen by its players and one spectator, and its log."""
    service, coin = Service(luck="validators"), random.Random(1)
    game_id, tokens = await service.table("Ann", "Bob")
    seen, requests = GameHistory(game_id, "tides"), dict[str, tuple[int, int]]()
    for number in range(moves):
        view = (await service.call("GetView", game_id=game_id)).view
        seat = view.decisions[0].seat
        asked = await service.request(game_id, tokens[seat], coin.randrange(2))
        move = seen.ask(seat, f"request-{number:08d}")
        answer = await service.call("PlayAction", tokens[seat], request_id=move.request_id, **asked)
        seen.acknowledged(move, move.began, answer)
        requests[f"{game_id}.{seat}.1:{move.request_id}"] = (move.acks[0].first, move.acks[0].last)
    await watched(service, seen)
    events = [(each.version, each.payload) for each in await service.store.read(game_id)]
    return seen, Log(game_id, events, requests)


async def watched(service: Service, seen: GameHistory) -> None:
    trail = Trail("gRPC watcher", None)
    seen.trails.append(trail)
    async for message in service.watch(game_id=seen.game_id, after_version=0):
        if message.HasField("happened"):
            seen.record_stream_events(trail, message.happened.events, message.happened.view)
        elif message.HasField("caught_up"):
            return


def shortened(log: Log, by: int) -> Log:
    return replace(log, events=log.events[:-by])


def lost(seen: GameHistory, log: Log) -> tuple[GameHistory, Log]:
    return seen, shortened(log, len(log.events) - seen.moves[-1].acks[0].first + 1)


def forgotten(seen: GameHistory, log: Log) -> tuple[GameHistory, Log]:
    return seen, replace(log, requests=dict(list(log.requests.items())[:-1]))


def taken_for_another(seen: GameHistory, log: Log) -> tuple[GameHistory, Log]:
    """Two requests have the same versions: one was answered with the move of the other."""
    seen.moves[-1].acks[0] = seen.moves[-2].acks[0]
    return seen, log


def said_at_two_places(seen: GameHistory, log: Log) -> tuple[GameHistory, Log]:
    ack = seen.moves[2].acks[0]
    seen.moves[2].acks.append(ack._replace(first=ack.first + 1, last=ack.last + 1))
    return seen, log


def written_twice(seen: GameHistory, log: Log) -> tuple[GameHistory, Log]:
    """The same payload is at two versions, as if the store had forgotten a request id."""
    version, payload = log.events[-1]
    return seen, replace(log, events=[*log.events, (version + 1, payload)])


def all_written_twice(seen: GameHistory, log: Log) -> tuple[GameHistory, Log]:
    """All events of one move are in the log twice."""
    again = [(version + 2, payload) for version, payload in log.events[-2:]]
    return seen, replace(log, events=[*log.events, *again])


def applied_twice(seen: GameHistory, log: Log) -> tuple[GameHistory, Log]:
    """The log has a move that no client requested."""
    del seen.moves[-1]
    return seen, log


def looked_back(seen: GameHistory, log: Log) -> tuple[GameHistory, Log]:
    """A read that began after the last move was acknowledged does not show it."""
    old, last = seen.moves[1], seen.moves[-1].acks[0]
    view = old.acks[0]
    seen.looks.append(Look(old.seat, last.ended + 1, last.ended + 2, view.last, view.view))
    return seen, log


def looked_behind_a_watcher(seen: GameHistory, log: Log) -> tuple[GameHistory, Log]:
    """A read does not show the last move, which only a watcher had received before."""
    *_, known, missed = seen.moves
    missed.acks.clear()
    told = max(look.ended for look in seen.looks)
    seen.looks.append(Look(None, told + 1, told + 2, known.acks[0].last, 0))
    return seen, log


def caught_up_early(seen: GameHistory, log: Log) -> tuple[GameHistory, Log]:
    """A stream that began after the last move says that it has caught up before that move."""
    seen.trails[0].caught_up.append((seen.moves[-1].acks[0].ended + 1, log.version - 1))
    return seen, log


def moved_back(seen: GameHistory, log: Log) -> tuple[GameHistory, Log]:
    """A move was sent after a later one was acknowledged."""
    seen.moves[0].began = seen.moves[-1].acks[0].ended + 1
    return seen, log


def forked(seen: GameHistory, log: Log) -> tuple[GameHistory, Log]:
    sighting = seen.sightings[-1]
    seen.sightings.append(sighting._replace(event=sighting.event ^ 1))
    return seen, log


def skipped(seen: GameHistory, log: Log) -> tuple[GameHistory, Log]:
    del seen.trails[0].versions[3]
    return seen, log


def repeated(seen: GameHistory, log: Log) -> tuple[GameHistory, Log]:
    seen.trails[0].versions.insert(3, seen.trails[0].versions[2])
    return seen, log


def hung(seen: GameHistory, log: Log) -> tuple[GameHistory, Log]:
    del seen.trails[0].versions[-3:]
    return seen, log


def looked_into_a_hand(seen: GameHistory, log: Log) -> tuple[GameHistory, Log]:
    look = seen.looks[-1]
    stolen = Expected(log).view(0, look.version)
    assert stolen is not None
    seen.looks[-1] = look._replace(view=stolen)
    return seen, log


def told_everything(seen: GameHistory, log: Log) -> tuple[GameHistory, Log]:
    """A spectator got an event with its hidden fields while the game went on."""
    expected = Expected(log)
    for version in range(1, log.version + 1):
        whole = expected.event(None, version, everything=True)
        if whole is not None and whole != expected.event(None, version):
            seen.sightings.append(Sighting(None, version, whole, 0.0))
            return seen, log
    raise AssertionError("nothing was hidden")


Wrong = Callable[[GameHistory, Log], tuple[GameHistory, Log]]


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        (lost, ("nothing lost", "lost")),
        (forgotten, ("nothing lost", "lost")),
        (forgotten, ("exactly once", "duplicated")),
        (taken_for_another, ("exactly once", "misplaced")),
        (said_at_two_places, ("exactly once", "duplicated")),
        (written_twice, ("exactly once", "duplicated")),
        (all_written_twice, ("exactly once", "duplicated")),
        (applied_twice, ("exactly once", "duplicated")),
        (looked_back, ("linearizable", "stale read")),
        (looked_behind_a_watcher, ("linearizable", "stale read")),
        (caught_up_early, ("linearizable", "stale read")),
        (moved_back, ("linearizable", "stale write")),
        (forked, ("no fork", "forked")),
        (skipped, ("watchers", "gap")),
        (repeated, ("watchers", "repeated")),
        (hung, ("watchers", "gap")),
        (looked_into_a_hand, ("secrecy", "wrong answer")),
        (told_everything, ("secrecy", "leak")),
    ],
)
async def test_what_is_wrong_is_found(wrong: Wrong, found: tuple[str, str]) -> None:
    seen, log = wrong(*await played())

    violations = validate(seen, log)

    assert found in {(each.validator, each.kind) for each in violations}


async def test_what_is_right_is_left_alone() -> None:
    seen, log = await played()

    assert [] == validate(seen, log)


async def test_a_revealed_game_may_be_told_whole() -> None:
    service = Service(luck="whole")
    game_id, tokens = await service.table("Ann", "Bob")
    seen = GameHistory(game_id, "tides")
    await service.finish(game_id, tokens)
    await watched(service, seen)
    events = [(each.version, each.payload) for each in await service.store.read(game_id)]
    log = Log(game_id, events, {})

    violations = [each for each in validate(seen, log) if each.validator != "exactly once"]

    assert [] == violations
    assert Case(seen, log).expected.event(None, 4, everything=True) in {each.event for each in seen.sightings}


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize(
    ("read", "seen", "kinds"),
    [(599, None, {"hurried"}), (601, None, set()), (601, 599, {"hurried"}), (900, 601, set())],
)
async def test_time_that_is_up_too_early_is_found(
    clock: game_pb2.Clock, read: float, seen: float | None, kinds: set[str]
) -> None:
    """The age of the game counts when its log was read, or when a client received the event."""
    service = Service(luck="hurried")
    game_id, _ = await service.table("Ann", "Bob", clock=clock)
    await service.pass_time(600)
    events = [(each.version, each.payload) for each in await service.store.read(game_id)]
    history = GameHistory(game_id, "tides", opened=0)
    history.sightings += [Sighting(None, version, 0, seen) for version, _ in events if seen]

    violations = validate(history, Log(game_id, events, {}, read))

    assert kinds == {each.kind for each in violations if each.validator == "clocks"}


def test_a_call_that_failed_is_found() -> None:
    history = History(moves=1)
    history.failed("SDK", "PlayAction", TimeoutError("nobody answers"))

    assert ["SDK PlayAction: TimeoutError: nobody answers"] == [each.text for each in calls(history)]


def test_a_run_without_a_move_is_found() -> None:
    assert [["idle"], []] == [[each.kind for each in calls(History(moves=moves))] for moves in (0, 1)]


def test_digests_are_of_the_words() -> None:
    one, same, other = (pb.GetViewRequest(game_id=name) for name in ("a", "a", "b"))

    assert digest(one) == digest(same) != digest(other)
