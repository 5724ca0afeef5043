"""Tests that the previous release and this one serve the same games at the same time, on one Redis."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb
from shedu.v1.game_service_pb2_grpc import GameServiceStub
from support.process import Serve, bearer
from support.releases import as_known_before, previous_release, previous_titles
from support.waiting import PATIENCE, wait_until

EACH = pytest.mark.parametrize("title", previous_titles())


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return previous_release(tmp_path_factory.mktemp("previous"))


@pytest.fixture(scope="module")
def old(module_redis_url: str, sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    with Serve(tmp_path_factory.mktemp("old"), "--redis", module_redis_url, root=sources) as serve:
        yield serve


@pytest.fixture(scope="module")
def new(module_redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    with Serve(tmp_path_factory.mktemp("new"), "--redis", module_redis_url) as serve:
        yield serve


class Release:
    """A process of one release, called over gRPC."""

    def __init__(self, serve: Serve) -> None:
        self._channel = serve.channel()
        self.stub: Any = GameServiceStub(self._channel)  # type: ignore[no-untyped-call]

    def __enter__(self) -> Release:
        return self

    def __exit__(self, *_error: object) -> None:
        self._channel.close()

    def move(self, game_id: str, tokens: list[str], choice: int, request_id: str = "") -> Any:
        view = self.stub.GetView(pb.GetViewRequest(game_id=game_id)).view
        seat = view.decisions[choice % len(view.decisions)].seat
        asked = pb.ListLegalActionsRequest(game_id=game_id)
        legal = self.stub.ListLegalActions(asked, metadata=bearer(tokens[seat]))
        action = legal.actions[choice % len(legal.actions)].action
        play = pb.PlayActionRequest(
            game_id=game_id, decision_id=legal.decision.decision_id, action=action, request_id=request_id
        )
        return self.play(play, tokens[seat]), play, tokens[seat]

    def play(self, request: pb.PlayActionRequest, token: str) -> Any:
        return self.stub.PlayAction(request, metadata=bearer(token), timeout=PATIENCE)

    def view(self, game_id: str, token: str) -> Any:
        return self.stub.GetView(pb.GetViewRequest(game_id=game_id), metadata=bearer(token)).view


@pytest.fixture
def both(old: Serve, new: Serve) -> Iterator[list[Release]]:
    with Release(old) as before, Release(new) as after:
        yield [before, after]


def table(releases: list[Release], title: str, **fields: Any) -> tuple[str, list[str]]:
    """Creates a game with one release, and joins it through both in turn; returns its id and tokens."""
    created = releases[0].stub.CreateGame(pb.CreateGameRequest(title=title, **fields)).game
    join = pb.JoinGameRequest(game_id=created.game_id)
    tokens = [releases[seat % 2].stub.JoinGame(join).seat_token for seat in range(len(created.seats))]
    return created.game_id, tokens


class Watcher:
    """Collects the events of a stream in a thread."""

    def __init__(self, release: Release, game_id: str, token: str, after: int = 0) -> None:
        self._events: queue.Queue[Any] = queue.Queue()
        wish = pb.WatchGameRequest(game_id=game_id, after_version=after)
        self._call = release.stub.WatchGame(wish, metadata=bearer(token))
        threading.Thread(target=self._collect, daemon=True).start()

    def _collect(self) -> None:
        try:
            for message in self._call:
                for event in message.happened.events:
                    self._events.put(event)
        except grpc.RpcError:
            return

    def upto(self, version: int) -> list[Any]:
        seen: list[Any] = []
        while not seen or seen[-1].version < version:
            seen.append(self._events.get(timeout=PATIENCE))
        self._call.cancel()
        return seen


@EACH
@pytest.mark.parametrize("first", [0, 1], ids=["opened by the old", "opened by the new"])
def test_moves_of_one_game_alternate_between_two_releases(title: str, first: int, both: list[Release]):
    releases = both if first == 0 else both[::-1]
    game_id, tokens = table(releases, title)
    watchers = [Watcher(release, game_id, tokens[0]) for release in releases]

    for number in range(10):
        played, _, _ = releases[number % 2].move(game_id, tokens, number)
    version = played.view.version

    one, other = (watcher.upto(version) for watcher in watchers)
    assert [*range(1, version + 1)] == [event.version for event in one]
    assert [*map(as_known_before, one)] == [*map(as_known_before, other)]
    for token in tokens:
        shown, too = (as_known_before(release.view(game_id, token)) for release in releases)
        assert shown == too


@EACH
def test_a_request_is_answered_the_same_by_the_other_release(title: str, both: list[Release]):
    for releases in (both, both[::-1]):
        game_id, tokens = table(releases, title)
        create = pb.CreateGameRequest(title=title, request_id=f"once-and-only-{game_id}")

        first, play, token = releases[0].move(game_id, tokens, 1, f"move-{game_id}")
        again = releases[1].play(play, token)
        opened = [release.stub.CreateGame(create).game.game_id for release in releases]

        assert as_known_before(first) == as_known_before(again)
        assert opened[0] == opened[1]


def test_a_running_game_survives_an_upgrade_and_a_rollback(old: Serve, new: Serve):
    """Each release in turn continues where the other stopped, and streams resume there."""
    game_id, tokens, told = "", list[str](), list[Any]()
    for serve in (old, new, old):
        if game_id and serve is old:  # it must know nothing of the game except the store
            old.stop()
            old.start()
        with Release(serve) as release:
            if not game_id:
                game_id, tokens = table([release, release], "tides")
            watcher = Watcher(release, game_id, tokens[1], told[-1].version if told else 0)
            for choice in range(4):
                played, _, _ = release.move(game_id, tokens, choice)
            told += watcher.upto(played.view.version)

    assert [*range(1, len(told) + 1)] == [event.version for event in told]
    assert 12 <= len(told)


def test_lists_and_clocks_of_the_previous_release_go_on(old: Serve, new: Serve):
    """Its games are listed once, also those that both have changed, and its clocks run out without it."""
    clock = game_pb2.Clock(
        per_decision=Duration(seconds=2), on_timeout=game_pb2.TimeoutPolicy.TIMEOUT_POLICY_FORFEIT
    )
    with Release(old) as before, Release(new) as after:
        mixed = [table(releases, "tides")[0] for releases in ([before, after], [after, before])]
        timed, tokens = table([before, before], "tides", clock=clock)
        old.kill()
        try:
            listed = [game.game_id for game in after.stub.ListGames(pb.ListGamesRequest(page_size=100)).games]
            over = game_pb2.GameStatus.GAME_STATUS_FINISHED
            wait_until(lambda: after.view(timed, tokens[0]).game.status == over)
        finally:
            old.start()

    assert [1, 1, 1] == [listed.count(game_id) for game_id in (*mixed, timed)]
