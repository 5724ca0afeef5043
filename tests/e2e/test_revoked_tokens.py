"""Tests that every transport refuses a revoked token, also with the request id of an answered call."""

from __future__ import annotations

from collections.abc import Callable

import grpc
import httpx
import pytest
from google.protobuf import json_format

from shedu.v1 import game_service_pb2 as pb
from shedu.v1.game_service_pb2_grpc import GameServiceStub
from support.process import PLAIN, Serve, bearer

PLAY = "/shedu.v1.GameService/PlayAction"
Send = Callable[[Serve, pb.PlayActionRequest, str], str]


def over_grpc(serve: Serve, request: pb.PlayActionRequest, token: str) -> str:
    with serve.channel() as channel:
        try:
            GameServiceStub(channel).PlayAction(request, metadata=bearer(token))
        except grpc.RpcError as error:
            return str(error.code().name)  # type: ignore[attr-defined]
    return "OK"


def over_rest(serve: Serve, request: pb.PlayActionRequest, token: str) -> str:
    headers = {"authorization": f"Bearer {token}"}
    body = json_format.MessageToDict(request)
    answer = httpx.post(f"{serve.url}/v1/games/{request.game_id}:play", json=body, headers=headers, **PLAIN)
    return "OK" if answer.status_code == 200 else str(answer.json()["error"]["status"])


def over_connect(serve: Serve, request: pb.PlayActionRequest, token: str, kind: str) -> str:
    body = request.SerializeToString() if kind == "proto" else json_format.MessageToJson(request).encode()
    headers = {"authorization": f"Bearer {token}", "content-type": f"application/{kind}"}
    answer = httpx.post(f"{serve.url}{PLAY}", content=body, headers=headers, **PLAIN)
    return "OK" if answer.status_code == 200 else str(answer.json()["code"]).upper()


TRANSPORTS: dict[str, Send] = {
    "grpc": over_grpc,
    "rest": over_rest,
    "connect_json": lambda *call: over_connect(*call, "json"),
    "connect_proto": lambda *call: over_connect(*call, "proto"),
}


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_revoked_token_gets_no_recorded_answer(serve: Serve, transport: str) -> None:
    game_id, (ann, _) = serve.table()
    legal = serve.get(f"/v1/games/{game_id}/legalActions", ann)
    request = pb.PlayActionRequest(
        game_id=game_id, decision_id=legal["decision"]["decisionId"], request_id="once"
    )
    json_format.ParseDict(legal["actions"][0]["action"], request.action)
    send = TRANSPORTS[transport]

    before = [send(serve, request, ann) for _ in range(2)]
    fresh = serve.post(f"/v1/games/{game_id}:revokeTokens", {}, ann)["seatToken"]

    assert ["OK", "OK"] == before
    assert "PERMISSION_DENIED" == send(serve, request, ann)
    assert "ABORTED" == send(serve, request, fresh), "with a new token it is a new request"
