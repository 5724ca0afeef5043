"""An inbox over real processes: two servers on one Redis, killed and resumed."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from shedu.v1 import game_service_pb2 as pb
from shedu.v1.game_service_pb2_grpc import GameServiceStub
from support.process import Serve
from support.servers import RedisServer, redis_server

from .test_identity import shedu


class Player:
    """A caller with a key, at one of the servers."""

    def __init__(self, serve: Serve, key: str) -> None:
        self.stub, self.key = GameServiceStub(serve.channel()), key
        self.metadata = [("authorization", f"Bearer {key}")]

    def table(self, *others: Player) -> str:
        """A game at which this player and the others sit."""
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
            pb.WatchInboxRequest(cursor=cursor), metadata=self.metadata, timeout=20, wait_for_ready=True
        )

    def told(self, cursor: str = "", until: str = "caught_up") -> list[Any]:
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
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def keys(redis: RedisServer) -> Iterator[list[str]]:
    names = ("ann", "bob")
    yield [shedu("keys", "create", name, "--redis", redis.url).stdout.strip() for name in names]
    for name in names:
        shedu("keys", "revoke", name, "--redis", redis.url)
    redis.ask("FLUSHALL")


def server(folder: Path, redis: RedisServer) -> Serve:
    folder.mkdir()
    return Serve(folder, "--redis", redis.url, "--identity", "keys")


def test_what_one_process_writes_another_tells_at_once(tmp_path, redis, keys):
    with server(tmp_path / "here", redis) as here, server(tmp_path / "there", redis) as there:
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


def test_a_killed_stream_is_resumed_elsewhere_without_a_gap(tmp_path, redis, keys):
    with server(tmp_path / "there", redis) as there:
        here = server(tmp_path / "here", redis).start()
        ann, bob = Player(here, keys[0]), Player(there, keys[1])
        waiting = bob.table(ann)
        ending = bob.table(ann)
        cursor = ann.told()[-1].cursor
        assert {(game, "decision") for game in (waiting, ending)} <= set(items(ann.told()))

        here.signal(signal.SIGKILL)
        here.wait()
        elsewhere = Player(there, keys[0])
        play(ending, bob, elsewhere)
        begun = bob.table(elsewhere)
        back = elsewhere.told(cursor)

        expected = {
            (ending, "finished"),
            (begun, "started"),
            (begun, "decision"),
            (waiting, "decision"),
        }
        assert expected == {item for item in items(back) if item != (ending, "started")}
        with here:
            again = Player(here, keys[0]).told(cursor)
            rest = Player(here, keys[0]).told(back[-1].cursor)
        assert expected <= set(items(again))
        assert {(begun, "decision"), (waiting, "decision")} == set(items(rest))


def test_a_process_killed_right_after_it_answered_has_lost_nothing(tmp_path, redis, keys):
    """Whatever it had not come to tell is found in the log."""
    with server(tmp_path / "here", redis) as here:
        ann = Player(here, keys[0])
        cursor = ann.told()[-1].cursor
        there = server(tmp_path / "there", redis).start()
        begun = []
        for _ in range(2):
            bob = Player(there, keys[1])
            begun.append(bob.table(Player(there, keys[0])))
            there.signal(signal.SIGKILL)
            there.wait()
            there.start()
        play(begun[0], Player(there, keys[1]), Player(there, keys[0]))
        there.signal(signal.SIGKILL)
        there.wait()

        back = items(ann.told(cursor))

        assert {(game, "started") for game in begun} <= set(back)
        assert {(game, "decision") for game in begun[1:]} <= set(back)
        assert (begun[0], "finished") in back


def test_over_rest_an_inbox_resumes_by_the_last_event_id(tmp_path, redis, keys):
    with server(tmp_path / "here", redis) as here:
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
            f"{here.url}/v1/inbox:watch", headers={**bearer(keys[0]), "Last-Event-ID": "nonsense"}
        )
        assert (400, True) == (refused.status_code, "cursor" in refused.text)


def test_a_drain_sends_inboxes_away_with_a_cursor(tmp_path, redis, keys):
    here = server(tmp_path / "here", redis).start()
    stream = Player(here, keys[0]).inbox()
    next(stream)

    code = here.stop()
    messages = list(stream)

    assert 0 == code
    assert pb.GO_AWAY_REASON_DRAINING == messages[-1].go_away.reason
    assert messages[-1].cursor


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def read_events(serve: Serve, key: str, **headers: str) -> list[dict[str, str]]:
    """Server-sent events, up to `caught_up`."""
    events: list[dict[str, str]] = [{}]
    with httpx.stream("GET", f"{serve.url}/v1/inbox:watch", headers={**bearer(key), **headers}) as answer:
        for line in answer.iter_lines():
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
    headers = {**bearer(key), "Accept": "application/x-ndjson"}
    with httpx.stream("GET", f"{serve.url}/v1/inbox:watch", headers=headers) as answer:
        for line in answer.iter_lines():
            lines.append(line)
            if "caughtUp" in line:
                break
    return lines
