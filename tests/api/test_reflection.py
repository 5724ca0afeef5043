"""Tests that server reflection describes every service that it names, over gRPC and over Connect."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest, ServerReflectionResponse

from api.echo_servers import EchoServers
from support.process import Serve
from support.waiting import PATIENCE

VERSIONS = ("v1", "v1alpha")
BUF = Path(sys.executable).parent / "buf"


def path_of(version: str) -> str:
    return f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo"


async def over_grpc(
    servers: EchoServers, version: str, *questions: ServerReflectionRequest
) -> list[ServerReflectionResponse]:
    call = servers.channel.stream_stream(
        path_of(version),
        request_serializer=ServerReflectionRequest.SerializeToString,
        response_deserializer=ServerReflectionResponse.FromString,
    )
    return [answer async for answer in call(iter(questions), timeout=PATIENCE)]


def described_services(answer: ServerReflectionResponse) -> set[str]:
    files = [
        descriptor_pb2.FileDescriptorProto.FromString(data)
        for data in answer.file_descriptor_response.file_descriptor_proto
    ]
    return {f"{file.package}.{service.name}" for file in files for service in file.service}


@pytest.mark.parametrize("version", VERSIONS)
async def test_every_service_that_is_named_is_described(servers: EchoServers, version: str) -> None:
    [names] = await over_grpc(servers, version, ServerReflectionRequest(list_services=""))
    services = [service.name for service in names.list_services_response.service]

    answers = await over_grpc(
        servers, version, *(ServerReflectionRequest(file_containing_symbol=name) for name in services)
    )

    assert {f"grpc.reflection.{version}.ServerReflection", "shedu.v1.GameService"} <= {*services}
    assert [] == [
        name for name, answer in zip(services, answers, strict=True) if name not in described_services(answer)
    ]


@pytest.mark.parametrize("version", VERSIONS)
async def test_connect_gives_the_same_answers(servers: EchoServers, version: str) -> None:
    questions = [
        ServerReflectionRequest(list_services=""),
        ServerReflectionRequest(file_containing_symbol="shedu.v1.GameService"),
    ]
    body = b"".join(envelope(question.SerializeToString()) for question in questions)
    headers = {"content-type": "application/connect+proto"}

    content = (await servers.http.post(path_of(version), content=body, headers=headers)).content

    *answers, end = envelopes(content)
    assert await over_grpc(servers, version, *questions) == [
        ServerReflectionResponse.FromString(answer) for answer in answers
    ]
    assert {} == json.loads(end)


@pytest.mark.parametrize(
    ("kind", "question"), [("proto", b"\xff\xff"), ("json", b"{"), ("json", b'{"listServices": 1}')]
)
async def test_a_question_that_cannot_be_read_gets_a_typed_error(
    servers: EchoServers, kind: str, question: bytes
) -> None:
    headers = {"content-type": f"application/connect+{kind}"}

    content = (await servers.http.post(path_of("v1"), content=envelope(question), headers=headers)).content

    [end] = envelopes(content)
    assert "invalid_argument" == json.loads(end)["error"]["code"]
    assert b"ErrorInfo" in end


def test_buf_curl_lists_all_methods(serve: Serve) -> None:
    address = f"http://127.0.0.1:{serve.grpc_port}"
    command = [BUF, "curl", "--protocol", "grpc", "--http2-prior-knowledge", "--list-methods", address]

    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)

    assert (0, "") == (done.returncode, done.stderr)
    assert "grpc.reflection.v1.ServerReflection/ServerReflectionInfo" in done.stdout.split()
    assert "shedu.v1.GameService/PlayAction" in done.stdout.split()


def envelope(data: bytes) -> bytes:
    return struct.pack(">BI", 0, len(data)) + data


def envelopes(content: bytes) -> list[bytes]:
    found = []
    while content:
        size = int.from_bytes(content[1:5], "big")
        found.append(content[5 : 5 + size])
        content = content[5 + size :]
    return found
