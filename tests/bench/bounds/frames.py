"""An HTTP/2 client that writes raw frames without regard to limits."""

from __future__ import annotations

import asyncio
import struct
from contextlib import suppress
from dataclasses import dataclass, field

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY = 1, 3, 4, 6, 7
END_HEADERS, CANCEL = 0x4, 8
CALM_DOWN = 11  # ENHANCE_YOUR_CALM


def frame(kind: int, payload: bytes = b"", flags: int = 0, stream: int = 0) -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def text(value: str) -> bytes:
    return bytes([len(value)]) + value.encode()


def headers(path: str) -> bytes:
    """Returns the headers of a gRPC call in HPACK, without the dynamic table."""
    return (
        b"\x83\x86"  # POST, http
        + b"\x04" + text(path)
        + b"\x01" + text("localhost")
        + b"\x0f\x10" + text("application/grpc")
        + b"\x00" + text("te") + text("trailers")
    )  # fmt: skip


@dataclass
class Rude:
    """One connection; `goodbye` is the error and the text of the GOAWAY that ended it."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    goodbye: tuple[int, str] | None = None
    sent: int = 0
    listening: asyncio.Task[None] | None = field(default=None, repr=False)

    @classmethod
    async def connect(cls, port: int) -> Rude:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(PREFACE + frame(SETTINGS) + frame(SETTINGS, flags=1))
        rude = cls(reader, writer)
        rude.listening = asyncio.create_task(rude._listen())
        return rude

    @property
    def over(self) -> bool:
        return self.listening is None or self.listening.done()

    async def _listen(self) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = await self.reader.readexactly(9)
                payload = await self.reader.readexactly(int.from_bytes(head[:3], "big"))
                if head[3] == GOAWAY:
                    error = int.from_bytes(payload[4:8], "big")
                    if error or self.goodbye is None:
                        self.goodbye = error, payload[8:].decode()

    async def ping(self) -> None:
        await self._send(frame(PING, bytes(8)))

    async def reset(self, path: str) -> None:
        """Opens a stream, and resets it at once."""
        stream = 2 * self.sent + 1
        asked = frame(HEADERS, headers(path), END_HEADERS, stream)
        await self._send(asked + frame(RST_STREAM, struct.pack(">I", CANCEL), stream=stream))

    async def _send(self, data: bytes) -> None:
        with suppress(ConnectionError):
            self.writer.write(data)
            await self.writer.drain()
            self.sent += 1

    async def close(self) -> None:
        if self.listening:
            self.listening.cancel()
        self.writer.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()
