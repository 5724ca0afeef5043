"""A TCP proxy that cuts connections."""

from __future__ import annotations

import asyncio
import ssl
from typing import Any


class CuttingProxy:
    """Forwards TCP, and closes a connection after so many bytes of answers or instead of the next answer."""

    def __init__(
        self, target: int, after_bytes: int | None = None, tls: ssl.SSLContext | None = None
    ) -> None:
        self._target, self._after, self._tls = target, after_bytes, tls
        self._swallow = False
        self._pipes: set[asyncio.Task[None]] = set()
        self.cuts = self.port = 0

    def lose_next_answer(self) -> None:
        self._swallow = True

    async def __aenter__(self) -> CuttingProxy:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for pipe in self._pipes:
            pipe.cancel()
        await asyncio.gather(*self._pipes, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.close()
            return
        self._start(self._pipe(reader, there_writer, None))
        self._start(self._pipe(there_reader, writer, self._after))

    def _start(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._pipes.add(task)
        task.add_done_callback(self._pipes.discard)

    async def _pipe(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, budget: int | None
    ) -> None:
        """Forwards one direction; `budget` is None for requests."""
        answers = sink.get_extra_info("sockname")[1] == self.port
        try:
            while data := await source.read(65536):
                # A short frame is an acknowledgement or a ping, not an answer.
                if answers and self._swallow and len(data) > 200:
                    self._swallow = False
                    self.cuts += 1
                    return
                sink.write(data if budget is None else data[:budget])
                if budget is not None and len(data) >= budget:
                    self.cuts += 1
                    return
                budget = None if budget is None else budget - len(data)
        except ConnectionError:
            return
        finally:
            sink.close()
