"""Tests of a service of two processes that share ports and games: moves, undo, bots and limits."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time

import grpc
import httpx
import pytest
from google.protobuf import json_format

from gamehost.rules.catalog import CATALOG
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb
from shedu.v1.game_service_pb2_grpc import GameServiceStub
from support.process import Serve, bearer
from support.waiting import PATIENCE, wait_until

CREATES = 5


@pytest.fixture(scope="module")
def crew(tmp_path_factory):
    folder = tmp_path_factory.mktemp("workers")
    with Serve(folder, "--workers", "2", SHEDU_BOT_THINK_SECONDS="0") as process:
        yield process
    assert [] == [line for line in process.lines() if line["level"] == "error"]


@pytest.fixture(scope="module")
def stub(crew):
    with crew.channel() as channel:
        yield GameServiceStub(channel)


def workers(serve: Serve) -> list[int]:
    assert serve.process is not None
    command = ["pgrep", "-P", str(serve.process.pid), "-f", "spawn_main"]
    return [*map(int, subprocess.run(command, capture_output=True, text=True).stdout.split())]


def metric(serve: Serve, name: str) -> float:
    (found,) = re.findall(rf"^{re.escape(name)} (\S+)$", serve.metrics(), re.MULTILINE) or ["0"]
    return float(found)


def view(stub: GameServiceStub, game_id: str, token: str) -> pb.View:
    return stub.GetView(pb.GetViewRequest(game_id=game_id), metadata=bearer(token)).view


def board(shown: game_pb2.View) -> object:
    return getattr(shown, str(shown.WhichOneof("title")))


def test_workers_share_the_ports_the_games_and_the_metrics(crew):
    names = ('shedu_moves_total{title="tides"}', "shedu_append_seconds_count", "shedu_cache_hits_total")
    before = [metric(crew, name) for name in names]

    game_id, tokens = crew.table()
    for token in tokens * 4:
        crew.move(game_id, token)

    moves, appends, hits = (metric(crew, name) - was for name, was in zip(names, before, strict=True))
    assert "GAME_STATUS_PLAYING" == crew.get(f"/v1/games/{game_id}")["game"]["status"]
    assert 2 == len(workers(crew))
    assert 8 == moves  # of both workers together
    assert 10 <= appends < 20
    assert hits >= 1
    assert metric(crew, "shedu_cache_games") >= 1
    assert 'method="PlayAction"' in crew.metrics()


@pytest.mark.parametrize("title", CATALOG)
def test_a_move_is_taken_back_by_both_over_both(crew, stub, title):
    game_id, tokens = crew.table(title=title)
    seat = view(stub, game_id, tokens[0]).decisions[0].seat
    before = view(stub, game_id, tokens[seat])
    played = crew.move(game_id, tokens[seat])["view"]
    undo = pb.ProposeUndoRequest(game_id=game_id, request_id="once")

    answer = stub.ProposeUndo(undo, metadata=bearer(tokens[seat]))
    assert answer == stub.ProposeUndo(undo, metadata=bearer(tokens[seat]))
    assert ("undoToVersion" in played) == answer.events[0].HasField("move_undone") == (title != "tides")
    if answer.view.HasField("proposal"):
        accept = {"proposalId": answer.view.proposal.proposal_id, "accept": True}
        told = crew.post(f"/v1/games/{game_id}:answerProposal", accept, tokens[1 - seat])["events"]
        assert str(before.version) == told[-1]["moveUndone"]["toVersion"]

    now = crew.get(f"/v1/games/{game_id}/view", tokens[seat])
    assert board(before) == board(json_format.ParseDict(now, pb.GetViewResponse()).view)
    for _ in range(3):
        asked = view(stub, game_id, tokens[0]).decisions[0].seat
        crew.move(game_id, tokens[asked])


@pytest.mark.parametrize("title", CATALOG)
def test_a_sandbox_is_opened_played_and_stopped(crew, stub, title):
    game_id, tokens = crew.table(title=title)

    fork = crew.post(f"/v1/games/{game_id}:fork", {}, tokens[1])

    fork_id, mine = fork["game"]["gameId"], fork["seatTokens"]
    assert board(view(stub, game_id, tokens[1])) == board(view(stub, fork_id, mine[1]))
    for _ in range(3):
        asked = view(stub, fork_id, mine[0]).decisions[0].seat
        crew.move(fork_id, mine[asked])
    over = stub.ProposeAbandon(pb.ProposeAbandonRequest(game_id=fork_id), metadata=bearer(mine[0]))
    assert "AGREED" == over.view.game.outcome.reason
    assert game_id == over.view.game.fork_of.game_id
    assert 404 == httpx.get(f"{crew.url}/v1/games/{fork_id}", timeout=PATIENCE).status_code


def test_errors_are_the_same_over_both(crew, stub):
    game_id, tokens = crew.table()

    by_rest = httpx.post(
        f"{crew.url}/v1/games/{game_id}:answerProposal",
        json={"proposalId": "proposal.1"},
        headers={"Authorization": f"Bearer {tokens[0]}"},
        timeout=PATIENCE,
    )
    with pytest.raises(grpc.RpcError) as refused:
        stub.AnswerProposal(
            pb.AnswerProposalRequest(game_id=game_id, proposal_id="proposal.1"), metadata=bearer(tokens[0])
        )

    assert "PROPOSAL_CLOSED" == by_rest.json()["error"]["details"][0]["reason"]
    assert "FAILED_PRECONDITION" == by_rest.json()["error"]["status"]
    assert grpc.StatusCode.FAILED_PRECONDITION is refused.value.code()


def test_several_workers_host_bots(crew):
    wish = {"title": "tides", "seats": [{"botLevel": "random"}] * 2}
    games = [crew.post("/v1/games", wish)["game"]["gameId"] for _ in range(4)]

    def outcome(game_id: str) -> dict[str, str]:
        return crew.get(f"/v1/games/{game_id}")["game"].get("outcome", {})

    for game_id in games:
        assert "ROUNDS_PLAYED" == wait_until(lambda game_id=game_id: outcome(game_id))["reason"]


def test_workers_count_new_games_together_and_one_that_crashes_is_replaced(redis_url, tmp_path):
    limit = {"SHEDU_CREATES_PER_MINUTE": str(CREATES)}
    with Serve(tmp_path, "--redis", redis_url, "--workers", "2", **limit) as process:
        assert [200] * CREATES + [429] * 7 == codes_of_one_minute(process, CREATES + 7)

        before = workers(process)
        os.kill(before[0], signal.SIGKILL)
        now = wait_until(lambda: len(found := set(workers(process)) - {before[0]}) == 2 and found)

        assert before[1] in now
        wait_until(lambda: process.log.read_text().count("the store is available") == 3)
        for _ in range(10):  # some reach each worker
            assert CREATES == len(process.get("/v1/games")["games"])
        assert 0 == process.stop()


def codes_of_one_minute(serve: Serve, count: int) -> list[int]:
    """Returns the status codes of so many CreateGame calls in one minute; tries again if a minute ends."""
    while True:
        began = wait_until(lambda: time.time() % 60 < 50 and minute())
        codes = [
            httpx.post(f"{serve.url}/v1/games", json={"title": "tides"}, timeout=PATIENCE).status_code
            for _ in range(count)
        ]
        ended = minute()
        if began == ended:
            return codes
        wait_until(lambda ended=ended: minute() > ended)


def minute() -> int:
    return int(time.time() // 60)
