"""Tests that every rpc has the same answer and the same errors over gRPC, Connect and REST."""

from __future__ import annotations

import base64
import json
from typing import Any
from urllib.parse import quote, urlencode

import grpc
import httpx
import pytest
from google.protobuf import json_format
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from api.echo import FAULTS, METHODS, REQUESTS, SERVICES, UNWRITABLE, Echo, missed, open_admission
from api.echo_servers import EchoServers
from gamehost.api.pipeline.dispatch import Dispatch, Method
from gamehost.api.pipeline.status import RpcError, error_body, status_of
from gamehost.api.transports.grpc import MAX_STATUS_BYTES, STATUS_DETAILS, trimmed_status
from gamehost.api.transports.rest.routes import routes_of
from gamehost.play.errors import Stale
from support.waiting import PATIENCE

UNARY = [rpc.name for rpc in METHODS if not rpc.server_streaming]
STREAMS = [rpc.name for rpc in METHODS if rpc.server_streaming]


def method_of(servers: EchoServers, name: str) -> Method:
    return next(method for method in servers.dispatch.methods.values() if method.name == name)


def request_of(method: Method) -> Message:
    return json_format.ParseDict(REQUESTS[method.name], method.request())


async def over_grpc(servers: EchoServers, method: Method, token: str = "none") -> Message:
    call = servers.channel.unary_unary(
        method.path,
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=method.response.FromString,
    )
    return await call(request_of(method), metadata=(("authorization", f"Bearer {token}"),), timeout=PATIENCE)


async def over_connect(
    servers: EchoServers, method: Method, kind: str, token: str = "none"
) -> httpx.Response:
    request = request_of(method)
    body = request.SerializeToString() if kind == "proto" else json.dumps(REQUESTS[method.name]).encode()
    headers = {"content-type": f"application/{kind}", "authorization": f"Bearer {token}"}
    return await servers.http.post(method.path, content=body, headers=headers)


async def over_rest(
    servers: EchoServers, method: Method, token: str = "none", **headers: str
) -> httpx.Response:
    verb, url, body = rest_request(method)
    headers |= {"authorization": f"Bearer {token}"}
    return await servers.http.request(verb, url, json=body, headers=headers)


def rest_request(method: Method) -> tuple[str, str, Any]:
    rule = next(iter(routes_of(method)))
    values = dict(REQUESTS[method.name])
    url = rule.template.text
    for name in rule.template.variables:
        field = method.request.DESCRIPTOR.fields_by_name[name]
        url = url.replace("{" + name + "}", quote(str(values.pop(field.json_name)), safe=""))
    if rule.body:
        return rule.verb, url, values
    # In a query a bool is written as in JSON.
    query = {name: json.dumps(value) if value is True else value for name, value in values.items()}
    return rule.verb, f"{url}?{urlencode(query)}", None


def test_every_rpc_has_a_request() -> None:
    assert {rpc.name for rpc in METHODS} == REQUESTS.keys()


@pytest.mark.parametrize("name", UNARY)
async def test_every_transport_hands_on_the_same_request_and_answer(servers: EchoServers, name: str) -> None:
    method = method_of(servers, name)
    servers.echo.asked.clear()

    native = await over_grpc(servers, method)
    binary = await over_connect(servers, method, "proto")
    text = await over_connect(servers, method, "json")
    rest = await over_rest(servers, method)

    assert [request_of(method)] * 4 == servers.echo.asked
    assert native == method.response.FromString(binary.content)
    assert native == json_format.Parse(text.text, method.response())
    assert native == json_format.Parse(rest.text, method.response())
    assert text.json() == rest.json()


@pytest.mark.parametrize("name", ["PlayAction", "GetView", *STREAMS])
@pytest.mark.parametrize("token", FAULTS)
async def test_every_transport_tells_the_same_error(servers: EchoServers, name: str, token: str) -> None:
    method = method_of(servers, name)
    expected = expected_error(token)

    native = await grpc_status(servers, method, token)
    rest = await over_rest(servers, method, token)
    connect = await connect_status(servers, method, token)

    assert expected.status == native
    assert error_body(expected) == rest.json()
    assert expected.http == rest.status_code
    assert expected.status == connect


@pytest.mark.parametrize("name", ["PlayAction", "GetView"])
async def test_an_answer_that_cannot_be_written_is_an_internal_error(servers: EchoServers, name: str) -> None:
    """Responses are encoded when they are written; an error there must not reach the caller."""
    method, expected = method_of(servers, name), expected_error("bug")

    native = await grpc_status(servers, method, UNWRITABLE)
    rest = await over_rest(servers, method, UNWRITABLE)
    connect = await connect_status(servers, method, UNWRITABLE)

    assert [expected.status] * 2 == [native, connect]
    assert (error_body(expected), expected.http) == (rest.json(), rest.status_code)


def expected_error(token: str) -> RpcError:
    fault = FAULTS[token]
    if isinstance(fault, RuntimeError):
        bug = status_pb2.Status(code=13, message="internal error")
        bug.details.add().Pack(error_details_pb2.ErrorInfo(reason="INTERNAL", domain="shedu"))
        return RpcError(bug)
    if isinstance(fault, Stale):
        fault.details = [missed(2)]  # type: ignore[attr-defined]
    return RpcError(status_of(fault))


async def grpc_status(servers: EchoServers, method: Method, token: str) -> status_pb2.Status:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await (grpc_stream(servers, method, token) if method.streams else over_grpc(servers, method, token))
    details = dict(caught.value.trailing_metadata())[STATUS_DETAILS]
    answer = status_pb2.Status.FromString(details)
    assert (caught.value.code().value[0], caught.value.details()) == (answer.code, answer.message)
    return answer


async def connect_status(servers: EchoServers, method: Method, token: str) -> status_pb2.Status:
    if method.streams:
        problem = (await connect_stream(servers, method, token))[-1]["error"]
    else:
        problem = (await over_connect(servers, method, "json", token)).json()
    answer = status_pb2.Status(
        code=grpc.StatusCode[problem["code"].upper()].value[0], message=problem["message"]
    )
    for detail in problem["details"]:
        value = base64.b64decode(detail["value"] + "===")
        answer.details.add(type_url=f"type.googleapis.com/{detail['type']}", value=value)
    return answer


async def grpc_stream(servers: EchoServers, method: Method, token: str = "none") -> list[Message]:
    call = servers.channel.unary_stream(
        method.path,
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=method.response.FromString,
    )
    metadata = (("authorization", f"Bearer {token}"),)
    return [message async for message in call(request_of(method), metadata=metadata, timeout=PATIENCE)]


async def connect_stream(servers: EchoServers, method: Method, token: str = "none") -> list[Any]:
    """Returns the JSON of each message, and of the end of the stream."""
    text = json.dumps(REQUESTS[method.name]).encode()
    headers = {"content-type": "application/connect+json", "authorization": f"Bearer {token}"}
    body = b"\0" + len(text).to_bytes(4, "big") + text
    content = (await servers.http.post(method.path, content=body, headers=headers)).content
    messages = []
    while content:
        size = int.from_bytes(content[1:5], "big")
        messages.append(json.loads(content[5 : 5 + size]))
        content = content[5 + size :]
    return messages


async def grpc_web_stream(
    servers: EchoServers, method: Method, *, text: bool = False
) -> tuple[list[Message], bytes]:
    data = request_of(method).SerializeToString()
    body = b"\0" + len(data).to_bytes(4, "big") + data
    kind = f"application/grpc-web{'-text' if text else ''}+proto"
    # A client may encode the head and the message on their own, each with its padding.
    sent = base64.b64encode(body[:5]) + base64.b64encode(body[5:]) if text else body
    answer = await servers.http.post(method.path, content=sent, headers={"content-type": kind})
    assert kind == answer.headers["content-type"]
    content = decoded_parts(answer.content) if text else answer.content
    messages = []
    while content[0] == 0:
        size = int.from_bytes(content[1:5], "big")
        messages.append(method.response.FromString(content[5 : 5 + size]))
        content = content[5 + size :]
    return messages, content[5:]


def decoded_parts(text: bytes) -> bytes:
    """Decodes base64 in which padding may stand anywhere."""
    return b"".join(base64.b64decode(text[start : start + 4]) for start in range(0, len(text), 4))


@pytest.mark.parametrize("name", STREAMS)
async def test_streams_bring_the_same_messages_over_every_transport(servers: EchoServers, name: str) -> None:
    method = method_of(servers, name)
    servers.echo.asked.clear()

    native = await grpc_stream(servers, method)
    *connect, end = await connect_stream(servers, method)
    web, trailers = await grpc_web_stream(servers, method)
    text, text_trailers = await grpc_web_stream(servers, method, text=True)
    lines = (await over_rest(servers, method, accept="application/x-ndjson")).text.splitlines()
    events = (await over_rest(servers, method)).text

    assert [request_of(method)] * 6 == servers.echo.asked
    assert len(native) == len(method.response.DESCRIPTOR.oneofs[0].fields)
    assert native == [json_format.ParseDict(message, method.response()) for message in connect]
    assert {} == end
    assert native == web == text
    assert b"grpc-status: 0" in trailers
    assert trailers == text_trailers
    assert connect == [json.loads(line) for line in lines]
    data = [line.removeprefix("data: ") for line in events.splitlines() if line.startswith("data: ")]
    assert connect == [json.loads(line) for line in data]


async def test_connect_answers_a_get_where_nothing_changes(servers: EchoServers) -> None:
    method = method_of(servers, "GetGame")
    message = json.dumps(REQUESTS["GetGame"])

    by_get = await servers.http.get(method.path, params={"encoding": "json", "message": message})

    assert (await over_connect(servers, method, "json")).json() == by_get.json()


@pytest.mark.parametrize("path", ["/shedu.v1.GameService/Cheat", "/shedu.v1.Other/GetGame", "/x"])
async def test_an_unknown_method_gets_a_typed_error(servers: EchoServers, path: str) -> None:
    call = servers.channel.unary_unary(path if path.count("/") == 2 else "/x/y")

    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call(b"", timeout=PATIENCE)
    http = await servers.http.post(path, json={})

    native = status_pb2.Status.FromString(dict(caught.value.trailing_metadata())[STATUS_DETAILS])
    assert grpc.StatusCode.UNIMPLEMENTED == caught.value.code()
    assert "METHOD_NOT_FOUND" == RpcError(native).reason
    assert (404, "METHOD_NOT_FOUND") == (http.status_code, http.json()["error"]["details"][0]["reason"])


def test_a_contract_without_handler_is_refused() -> None:
    with pytest.raises(TypeError, match=r"without handler \['play_action'\]"):
        Dispatch([Echo(without=["PlayAction"])], SERVICES, open_admission())


def test_a_handler_without_contract_is_refused() -> None:
    with pytest.raises(TypeError, match=r"without rpc \['get_title', 'list_titles'\]"):
        Dispatch([Echo()], SERVICES[1:], open_admission())


def test_trailers_that_no_client_would_take_lose_their_largest_detail() -> None:
    fault = Stale("too late", reason="STALE_VERSION", seen=3, actual=5)
    fault.details = [missed(100)]  # type: ignore[attr-defined]

    short = trimmed_status(status_of(fault))

    assert short.ByteSize() <= MAX_STATUS_BYTES
    assert "STALE_VERSION" == RpcError(short).reason
