"""Sends one request over one of four transports, and reads the code of the answer."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

import grpc
import httpx
from google.protobuf import json_format
from google.protobuf.message import DecodeError
from google.rpc import code_pb2

from gamehost.api.pipeline.dispatch import Method
from gamehost.api.transports.rest.routes import routes_of
from shedu.v1 import game_service_pb2
from support.waiting import PATIENCE

from .headers import headers
from .pool import Pool
from .request_maker import RequestMaker, written

SEVERAL = 64  # KiB to read of a stream
TRAILERS, LAST = 0x80, 0x02  # flags of the frame that ends a stream: of gRPC-Web, of Connect
BAD_CODES = {"INTERNAL", "UNKNOWN", "DATA_LOSS"}


@dataclass(frozen=True)
class Answer:
    """An answer; `code` is that of google.rpc.Code, or the HTTP status if there is none."""

    transport: str
    code: str
    request: str
    body: object = None

    @property
    def bad(self) -> bool:
        return self.code in BAD_CODES or self.code.startswith("HTTP 5")


class Sender:
    """Sends requests to one server over all its transports."""

    def __init__(self, channel: grpc.aio.Channel, http: httpx.AsyncClient) -> None:
        self.channel, self.http = channel, http
        self.transports: dict[str, Send] = {
            "grpc": self.grpc,
            "connect_json": self.connect_json,
            "binary_web": self.binary_web,
            "rest": self.rest,
        }

    async def send(
        self, transport: str, method: Method, maker: RequestMaker, coin: Random, pool: Pool
    ) -> Answer:
        return await self.transports[transport](method, maker, coin, pool)

    async def grpc(self, method: Method, maker: RequestMaker, coin: Random, pool: Pool) -> Answer:
        data = maker.garbled(maker.message(method.request).SerializeToString())
        metadata = tuple(headers(coin, pool, maker.token, native=True).items())
        shown = f"{method.name} {metadata} {data[:400]!r}"
        try:
            if method.streams:
                call = self.channel.unary_stream(method.path)(data, metadata=metadata, timeout=PATIENCE)
                answer = await call.read()
                call.cancel()
            else:
                answer = await self.channel.unary_unary(method.path)(
                    data, metadata=metadata, timeout=PATIENCE
                )
        except grpc.aio.AioRpcError as error:
            return Answer("grpc", error.code().name, shown)
        if method.streams_requests:
            return Answer("grpc", item_code(bytes(answer or b"")), shown)
        return Answer("grpc", "OK", shown, read_binary(method, bytes(answer or b"")))

    async def connect_json(self, method: Method, maker: RequestMaker, coin: Random, pool: Pool) -> Answer:
        body = written(maker.tree(method.request.DESCRIPTOR))
        sent = headers(coin, pool, maker.token, native=False)
        if method.streams:
            return await self._frames("connect_json", method, "application/connect+json", body, sent)
        if method.descriptor.GetOptions().idempotency_level == 1 and coin.random() < 0.2:
            query = urlencode({"connect": "v1", "encoding": "json", "message": body})
            return await self._plain("connect_json", "GET", f"{method.path}?{query}", sent)
        kind = (
            "application/json" if coin.random() < 0.97 else coin.choice(("text/plain", "application/xml", ""))
        )
        return await self._plain("connect_json", "POST", method.path, {**sent, "content-type": kind}, body)

    async def binary_web(self, method: Method, maker: RequestMaker, coin: Random, pool: Pool) -> Answer:
        """Sends binary messages over Connect or gRPC-Web."""
        data = maker.garbled(maker.message(method.request).SerializeToString())
        sent = headers(coin, pool, maker.token, native=False)
        if coin.random() < 0.4:
            return await self._frames("binary_web", method, "application/grpc-web+proto", data, sent)
        if method.streams:
            return await self._frames("binary_web", method, "application/connect+proto", data, sent)
        sent["content-type"] = "application/proto"
        return await self._plain("binary_web", "POST", method.path, sent, data, method)

    async def rest(self, method: Method, maker: RequestMaker, coin: Random, pool: Pool) -> Answer:
        rules = list(routes_of(method))
        if not rules:  # an rpc that REST does not have
            return await self._plain("rest", "POST", f"/v1/{method.name}", {}, b"{}")
        rule = coin.choice(rules)
        tree = maker.tree(method.request.DESCRIPTOR)
        url = rule.template.text
        for name in rule.template.variables:
            field = method.request.DESCRIPTOR.fields_by_name[name]
            value = tree.pop(field.json_name, tree.pop(name, ""))
            url = url.replace("{" + name + "}", quote(spelled(value) or "-", safe="", errors="surrogatepass"))
        sent = headers(coin, pool, maker.token, native=False)
        if not rule.body:
            query = urlencode(flat(tree), errors="surrogatepass")
            return await self._plain(
                "rest", rule.verb, f"{url}?{query}"[:15_000], sent, stream=method.streams
            )
        if coin.random() < 0.98:
            sent["content-type"] = "application/json"
        return await self._plain("rest", rule.verb, url, sent, written(tree))

    async def _plain(
        self,
        transport: str,
        verb: str,
        url: str,
        sent: dict[str, str],
        body: bytes = b"",
        method: Method | None = None,
        *,
        stream: bool = False,
    ) -> Answer:
        """Sends an HTTP request. `method` is set if the answer is a message; `stream` reads its beginning."""
        shown = f"{verb} {url[:400]} {sent} {body[:400]!r}"
        async with self.http.stream(verb, url, content=body or None, headers=encoded(sent)) as answer:
            content = await (beginning(answer) if stream else answer.aread())
        if answer.status_code != 200:
            return Answer(transport, web_code(answer.status_code, content), shown)
        if stream:
            return Answer(transport, event_code(content), shown)
        return Answer(transport, "OK", shown, read_binary(method, content) if method else read_json(content))

    async def _frames(
        self, transport: str, method: Method, kind: str, data: bytes, sent: dict[str, str]
    ) -> Answer:
        shown = f"{method.path} {kind} {sent} {data[:400]!r}"
        framed = struct.pack(">BI", 0, len(data)) + data
        headers = encoded({**sent, "content-type": kind})
        async with self.http.stream("POST", method.path, content=framed, headers=headers) as answer:
            content = await beginning(answer)
        if "grpc-status" in answer.headers:
            return Answer(transport, code_name(int(answer.headers["grpc-status"])), shown)
        if answer.status_code != 200:
            return Answer(transport, web_code(answer.status_code, content), shown)
        return Answer(transport, frame_code(content), shown)


Send = Callable[[Method, RequestMaker, Random, Pool], Awaitable[Answer]]


def encoded(sent: dict[str, str]) -> dict[bytes, bytes]:
    return {name.encode(): value.encode() for name, value in sent.items()}


async def beginning(answer: httpx.Response) -> bytes:
    """Reads up to the end of the first frame or event, because a stream may be endless."""
    content = b""
    async for chunk in answer.aiter_bytes():
        content += chunk
        whole = len(content) >= 5 and len(content) >= 5 + int.from_bytes(content[1:5])
        if whole or b"\n" in content or len(content) > SEVERAL << 10:
            break
    return content


def frame_code(content: bytes) -> str:
    """Returns the code of the first frame: a message, or the end of the stream with an error."""
    if len(content) < 5:
        return "OK"
    flags, length = struct.unpack(">BI", content[:5])
    payload = content[5 : 5 + length]
    if flags & TRAILERS:
        found = re.search(rb"grpc-status:\s*(\d+)", payload)
        return code_name(int(found[1])) if found else "UNKNOWN"
    if flags & LAST:
        return str(json.loads(payload or b"{}").get("error", {}).get("code", "OK")).upper()
    return "OK"


def event_code(content: bytes) -> str:
    found = re.search(rb'"error":\{.*?"status":"(\w+)"', content)
    return found[1].decode() if found else "OK"


def web_code(status: int, content: bytes) -> str:
    """Reads the code of an error: Connect has `code` in lower case, REST has `error.status`."""
    body = read_json(content)
    if isinstance(body, dict) and isinstance(body.get("error"), dict):
        return str(body["error"]["status"])
    if isinstance(body, dict) and "code" in body:
        return str(body["code"]).upper()
    return f"HTTP {status}"


def code_name(number: int) -> str:
    return str(code_pb2.Code.Name(number))


def read_json(content: bytes) -> object:
    try:
        return json.loads(content)
    except ValueError:
        return None


def read_binary(method: Method, content: bytes) -> object:
    try:
        return json_format.MessageToDict(method.response.FromString(content))
    except (DecodeError, ValueError):
        return None


def spelled(value: Any) -> str:
    """Formats a value for a URL."""
    if isinstance(value, str) and value.startswith("@raw:"):
        return bytes.fromhex(value[5:-1]).decode()[:2000]
    if isinstance(value, bool):
        return str(value).lower()
    return value[:2000] if isinstance(value, str) else json.dumps(value)[:2000]


def flat(tree: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Returns a tree as query parameters."""
    found: list[tuple[str, str]] = []
    for name, value in tree.items():
        if isinstance(value, dict):
            found += flat(value, f"{prefix}{name}.")
        elif isinstance(value, list):
            found += [(prefix + name, spelled(item)) for item in value]
        else:
            found.append((prefix + name, spelled(value)))
    return found


def item_code(data: bytes) -> str:
    """Returns the code of the first refused item of a PlayStream; OK if none was refused."""
    results = game_service_pb2.PlayStreamResponse.FromString(data).results
    refused = [result.error.code for result in results if result.HasField("error")]
    return code_pb2.Code.Name(refused[0]) if refused else "OK"
