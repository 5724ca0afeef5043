"""Undo, proposals and forks on a real server of two processes, over gRPC and REST in turn."""

from __future__ import annotations

import grpc
import httpx
import pytest
from google.protobuf import json_format

from gamehost.rules.catalog import CATALOG
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb
from shedu.v1.game_service_pb2_grpc import GameServiceStub
from support.process import Serve


@pytest.fixture(scope="module")
def serve(tmp_path_factory):
    with Serve(tmp_path_factory.mktemp("undo"), "--workers", "2") as process:
        yield process


@pytest.fixture(scope="module")
def stub(serve):
    with serve.channel() as channel:
        yield GameServiceStub(channel)


def bearer(token: str) -> list[tuple[str, str]]:
    return [("authorization", f"Bearer {token}")]


def table(serve: Serve, title: str) -> tuple[str, list[str]]:
    game_id = serve.post("/v1/games", {"title": title})["game"]["gameId"]
    return game_id, [serve.post(f"/v1/games/{game_id}:join", {})["seatToken"] for _ in range(2)]


def view(stub: GameServiceStub, game_id: str, token: str) -> pb.View:
    return stub.GetView(pb.GetViewRequest(game_id=game_id), metadata=bearer(token)).view


def board(shown: game_pb2.View) -> object:
    return getattr(shown, str(shown.WhichOneof("title")))


@pytest.mark.parametrize("title", CATALOG)
def test_a_move_is_taken_back_by_both_over_both(serve, stub, title):
    game_id, tokens = table(serve, title)
    seat = view(stub, game_id, tokens[0]).decisions[0].seat
    before = view(stub, game_id, tokens[seat])
    played = serve.move(game_id, tokens[seat])["view"]
    undo = pb.ProposeUndoRequest(game_id=game_id, request_id="once")

    answer = stub.ProposeUndo(undo, metadata=bearer(tokens[seat]))
    assert answer == stub.ProposeUndo(undo, metadata=bearer(tokens[seat]))
    assert ("undoToVersion" in played) == answer.events[0].HasField("move_undone") == (title != "tides")
    if answer.view.HasField("proposal"):
        accept = {"proposalId": answer.view.proposal.proposal_id, "accept": True}
        told = serve.post(f"/v1/games/{game_id}:answerProposal", accept, tokens[1 - seat])["events"]
        assert str(before.version) == told[-1]["moveUndone"]["toVersion"]

    now = serve.get(f"/v1/games/{game_id}/view", tokens[seat])
    assert board(before) == board(json_format.ParseDict(now, pb.GetViewResponse()).view)
    for _ in range(3):
        asked = view(stub, game_id, tokens[0]).decisions[0].seat
        serve.move(game_id, tokens[asked])


@pytest.mark.parametrize("title", CATALOG)
def test_a_sandbox_is_opened_played_and_stopped(serve, stub, title):
    game_id, tokens = table(serve, title)

    fork = serve.post(f"/v1/games/{game_id}:fork", {}, tokens[1])

    fork_id, mine = fork["game"]["gameId"], fork["seatTokens"]
    assert board(view(stub, game_id, tokens[1])) == board(view(stub, fork_id, mine[1]))
    for _ in range(3):
        asked = view(stub, fork_id, mine[0]).decisions[0].seat
        serve.move(fork_id, mine[asked])
    over = stub.ProposeAbandon(pb.ProposeAbandonRequest(game_id=fork_id), metadata=bearer(mine[0]))
    assert "AGREED" == over.view.game.outcome.reason
    assert game_id == over.view.game.fork_of.game_id
    assert 404 == httpx.get(f"{serve.url}/v1/games/{fork_id}").status_code


def test_errors_are_the_same_over_both(serve, stub):
    game_id, tokens = table(serve, "tides")

    by_rest = httpx.post(
        f"{serve.url}/v1/games/{game_id}:answerProposal",
        json={"proposalId": "proposal.1"},
        headers={"Authorization": f"Bearer {tokens[0]}"},
    )
    with pytest.raises(grpc.RpcError) as refused:
        stub.AnswerProposal(
            pb.AnswerProposalRequest(game_id=game_id, proposal_id="proposal.1"), metadata=bearer(tokens[0])
        )

    assert "PROPOSAL_CLOSED" == by_rest.json()["error"]["details"][0]["reason"]
    assert "FAILED_PRECONDITION" == by_rest.json()["error"]["status"]
    assert grpc.StatusCode.FAILED_PRECONDITION is refused.value.code()
