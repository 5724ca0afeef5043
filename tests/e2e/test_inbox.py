"""Tests of the inbox with two servers on one Redis that are killed and restarted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import httpx
import pytest

from shedu.v1 import game_service_pb2 as pb
from shedu.v1.game_service_pb2_grpc import GameServiceStub
from support.process import Serve, bearer, shedu_here
from support.waiting import PATIENCE


class Player:
    """A caller with a key, connected to one of the servers."""

    def __init__(self, serve: Serve, key: str) -> None:
        self.stub, self.metadata = GameServiceStub(serve.channel()), bearer(key)

    def table(self, *others: Player) -> str:
        """Creates a game with this player and the others; returns its id."""
        game_id: str = self.stub.CreateGame(
            pb.CreateGameRequest(title="tides"), metadata=self.metadata
        ).game.game_id
        for seat, player in enumerate((self, *others)):
            player.stub.JoinGame(pb.JoinGameRequest(game_id=game_id, seat=seat), metadata=player.metadata)
        return game_id

    def move(self, game_id: str) -> None:
        legal = self.stub.ListLegalActions(
            pb.ListLegalActionsRequest(game_id=game_id), metadata=self.metadata
        )
        if legal.actions:
            move = pb.PlayActionRequest(
                game_id=game_id, decision_id=legal.decision.decision_id, action=legal.actions[0].action
            )
            self.stub.PlayAction(move, metadata=self.metadata)

    def over(self, game_id: str) -> bool:
        game = self.stub.GetGame(pb.GetGameRequest(game_id=game_id), metadata=self.metadata).game
        return bool(game.HasField("outcome"))

    def inbox(self, cursor: str = "") -> Any:
        return self.stub.WatchInbox(
            pb.WatchInboxRequest(cursor=cursor), metadata=self.metadata, timeout=PATIENCE, wait_for_ready=True
        )

    def read_inbox(self, cursor: str = "", until: str = "caught_up") -> list[Any]:
        stream = self.inbox(cursor)
        messages = []
        for message in stream:
            messages.append(message)
            if message.WhichOneof("kind") == until:
                break
        stream.cancel()
        return messages


def items(messages: list[Any]) -> list[tuple[str, str]]:
    found = [message.item for message in messages if message.HasField("item")]
    return [(item.game_id, item.WhichOneof("kind")) for item in found]


def play(game_id: str, *players: Player) -> None:
    while not players[0].over(game_id):
        for player in players:
            player.move(game_id)


@pytest.fixture(scope="module")
def servers(module_redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Serve, Serve]]:
    place = ("--redis", module_redis_url, "--identity", "keys")
    with (
        Serve(tmp_path_factory.mktemp("here"), *place) as here,
        Serve(tmp_path_factory.mktemp("there"), *place) as there,
    ):
        yield here, there


@pytest.fixture
def pair(servers: tuple[Serve, Serve]) -> tuple[Serve, Serve]:
    """Returns both servers, and starts those that an earlier test stopped."""
    for serve in servers:
        if serve.process is None:
            serve.start()
    return servers


@pytest.fixture(scope="module")
def new_key(module_redis_url: str) -> Callable[[], str]:
    """Returns a function that creates the key of a new caller."""
    numbers = count(1)
    return lambda: shedu_here(
        "keys", "create", f"player-{next(numbers)}", "--redis", module_redis_url
    ).stdout.strip()


@pytest.fixture
def keys(new_key: Callable[[], str]) -> list[str]:
    return [new_key(), new_key()]


def test_what_one_process_writes_another_tells_at_once(pair, keys):
    here, there = pair
    ann, bob = Player(here, keys[0]), Player(there, keys[1])
    stream = ann.inbox()
    assert "caught_up" == next(stream).WhichOneof("kind")

    game_id = bob.table(ann)
    news = [next(stream) for _ in range(2)]
    bob.move(game_id)
    Player(there, keys[0]).move(game_id)
    news.append(next(stream))
    stream.cancel()

    assert [(game_id, kind) for kind in ("started", "decision", "decision")] == items(news)
    assert 1 == news[0].item.seat


def test_killed_streams_are_resumed_elsewhere_without_a_gap(pair, keys):
    """A process may be killed after it answered and before it notified others: they find it in the log."""
    here, there = pair
    ann, bob = Player(here, keys[0]), Player(there, keys[1])
    waiting, ending = bob.table(ann), bob.table(ann)
    cursor = ann.read_inbox()[-1].cursor
    assert {(game, "decision") for game in (waiting, ending)} <= set(items(ann.read_inbox()))

    here.kill()
    play(ending, bob, Player(there, keys[0]))
    there.kill()
    here.start()
    begun = Player(here, keys[1]).table(Player(here, keys[0]))
    here.kill()
    there.start()
    back = Player(there, keys[0]).read_inbox(cursor)

    expected = {(ending, "finished"), (begun, "started"), (begun, "decision"), (waiting, "decision")}
    assert expected == {item for item in items(back) if item != (ending, "started")}
    here.start()
    again = Player(here, keys[0]).read_inbox(cursor)
    rest = Player(here, keys[0]).read_inbox(back[-1].cursor)
    assert expected <= set(items(again))
    assert {(begun, "decision"), (waiting, "decision")} == set(items(rest))


def test_over_rest_an_inbox_resumes_by_the_last_event_id(pair, keys):
    here, _ = pair
    ann, bob = Player(here, keys[0]), Player(here, keys[1])
    first = bob.table(ann)
    told = read_events(here, keys[0])
    second = bob.table(ann)

    back = read_events(here, keys[0], **{"Last-Event-ID": told[-1]["id"]})
    lines = read_lines(here, keys[0])

    assert "caught_up" == told[-1]["event"]
    assert first in told[0]["data"]
    assert second in "".join(event["data"] for event in back if "started" in event["data"])
    assert 2 == len([line for line in lines if "decision" in line])
    refused = httpx.get(
        f"{here.url}/v1/inbox:watch",
        headers={**signed(keys[0]), "Last-Event-ID": "nonsense"},
        timeout=PATIENCE,
    )
    assert (400, True) == (refused.status_code, "cursor" in refused.text)


def test_a_drain_sends_inboxes_away_with_a_cursor(pair, keys):
    here, _ = pair
    stream = Player(here, keys[0]).inbox()
    next(stream)

    code = here.stop()
    messages = list(stream)

    assert 0 == code
    assert pb.GO_AWAY_REASON_DRAINING == messages[-1].go_away.reason
    assert messages[-1].cursor


def signed(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def read_events(serve: Serve, key: str, **headers: str) -> list[dict[str, str]]:
    """Reads server-sent events up to `caught_up`."""
    events: list[dict[str, str]] = [{}]
    for line in inbox_lines(serve, {**signed(key), **headers}):
        if line:
            name, _, value = line.partition(": ")
            events[-1][name] = value
        elif events[-1].get("event") == "caught_up":
            break
        else:
            events.append({})
    return events


def read_lines(serve: Serve, key: str) -> list[str]:
    lines = []
    for line in inbox_lines(serve, {**signed(key), "Accept": "application/x-ndjson"}):
        lines.append(line)
        if "caughtUp" in line:
            break
    return lines


def inbox_lines(serve: Serve, headers: dict[str, str]) -> Iterator[str]:
    url = f"{serve.url}/v1/inbox:watch"
    with httpx.stream("GET", url, headers=headers, timeout=PATIENCE) as answer:
        yield from answer.iter_lines()
