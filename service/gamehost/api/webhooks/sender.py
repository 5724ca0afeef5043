"""Sends deliveries over HTTP/1.1.

The host is resolved once, all its addresses are checked, and the connection goes to one of them, so that a
host name cannot change its address between the check and the connection. The library parses the response;
only its status is used, and at most MOST_BYTES_READ are read.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from urllib.parse import SplitResult

import httptools

from gamehost.play.errors import InvalidRequest
from gamehost.play.ports.webhooks import DeliveryResult
from gamehost.play.webhooks.addresses import AddressPolicy, split_url
from gamehost.play.webhooks.delivery import MOST_REQUESTS

ATTEMPT_SECONDS = 10.0  # for the whole delivery, from resolving to the status
MOST_BYTES_READ = 16 * 1024
READ_BYTES = 4096
USER_AGENT = "Shedu-Webhooks/1"


class ForbiddenAddress(Exception):
    """The host has an address that deliveries must not be sent to."""


# RuntimeError is what uvloop raises for a write to a connection that the receiver has just reset.
EXPECTED = (OSError, RuntimeError, UnicodeError, InvalidRequest, ForbiddenAddress, httptools.HttpParserError)
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]


class HttpSender:
    """Implements the port `WebhookSender`. At most `most_at_once` requests are open at the same time."""

    def __init__(
        self,
        policy: AddressPolicy,
        *,
        most_at_once: int = MOST_REQUESTS,
        seconds: float = ATTEMPT_SECONDS,
        resolve: Resolve | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._policy, self._seconds, self._resolve = policy, seconds, resolve or self._resolved
        # Not the executor of the event loop: a slow name server would hold up all that uses it, such as reads
        # of the archive.
        self._resolvers = ThreadPoolExecutor(most_at_once, "webhook-resolver")
        self._tls = tls or ssl.create_default_context()
        self._room = asyncio.Semaphore(most_at_once)

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> DeliveryResult:
        async with self._room:
            try:
                async with asyncio.timeout(self._seconds):
                    status = await self._exchange(url, headers, body)
            except EXPECTED as error:
                return DeliveryResult(0, _explained(error, self._seconds))
        return DeliveryResult(status, "" if 200 <= status < 300 else f"the status was {status}")

    async def _exchange(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        self._policy.check_url(url)  # the operator may have changed what is allowed
        parts, port = split_url(url)
        host = parts.hostname or ""
        address = await self._address(host, port)
        tls = self._tls if parts.scheme == "https" else None
        reader, writer = await asyncio.open_connection(
            address, port, ssl=tls, server_hostname=host if tls else None, limit=MOST_BYTES_READ
        )
        try:
            writer.write(_head(parts, headers, len(body)) + body)
            await writer.drain()
            return await _status(reader)
        finally:
            writer.transport.abort()  # a clean close would wait for a server that does not read

    async def _address(self, host: str, port: int) -> str:
        found = await self._resolve(host, port)
        if not found or not all(self._policy.allows(address) for address in found):
            raise ForbiddenAddress
        return found[0]

    async def _resolved(self, host: str, port: int) -> Sequence[str]:
        found = await asyncio.get_running_loop().run_in_executor(
            self._resolvers, partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        )
        return [str(each[4][0]) for each in found]


def _head(parts: SplitResult, headers: Mapping[str, str], size: int) -> bytes:
    """The request line and the headers. The URL was checked to have neither spaces nor line breaks."""
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = {
        "host": parts.netloc,
        "user-agent": USER_AGENT,
        "content-type": "application/json",
        "content-length": str(size),
        "accept": "*/*",
        "connection": "close",
        **headers,
    }
    text = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"POST {target} HTTP/1.1\r\n{text}\r\n".encode("ascii")


class _Response:
    """Reads the status of a response; 0 until its headers have ended. Responses like 100 are skipped."""

    def __init__(self) -> None:
        self.status = 0
        self.parser = httptools.HttpResponseParser(self)

    def on_headers_complete(self) -> None:
        status = self.parser.get_status_code()
        self.status = self.status or (status if status >= 200 else 0)


async def _status(reader: asyncio.StreamReader) -> int:
    """Read a response until its headers end; return its status."""
    response, size = _Response(), 0
    while not response.status:
        data = await reader.read(READ_BYTES)
        size += len(data)
        if not data or size > MOST_BYTES_READ:
            raise ConnectionError
        response.parser.feed_data(data)
    return response.status


def _explained(error: Exception, seconds: float) -> str:
    """A sentence for the caller. It contains nothing of the response, and no address."""
    if isinstance(error, TimeoutError):
        return f"there was no response within {seconds:g} seconds"
    if isinstance(error, ForbiddenAddress | InvalidRequest):
        return "deliveries to this address are not allowed"
    if isinstance(error, ssl.SSLError):
        return "the TLS handshake failed"
    if isinstance(error, httptools.HttpParserError):
        return "the response was not HTTP"
    return "the connection failed"
