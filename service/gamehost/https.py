"""An HTTP server whose certificates can be replaced while it listens, and that counts handshakes."""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
from typing import Any, Protocol

import uvicorn

HANDSHAKE_SECONDS = 10.0  # until a connection that does not finish its handshake is closed
SHUTDOWN_SECONDS = 2.0  # for the other side to close a TLS session
PAUSE_SECONDS = 1.0  # before connections are accepted again where descriptors or memory ran out
EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Gate(Protocol):
    """Limits the connections of a port, as `api.connections.HttpConnections` does."""

    def opened(self, connection: Any, address: str) -> Any | None:
        """Why the connection must be closed, if it must."""

    def closed(self, connection: Any) -> None: ...

    def count(self, why: Any) -> None: ...


class Handshake:
    """A connection that is not secured yet. It is silent, so it may have to make room for another one."""

    task: asyncio.Task[None]

    def evict(self) -> None:
        self.task.cancel()


class TlsServer(uvicorn.Server):
    """Without a context it speaks plain HTTP, and uvicorn accepts the connections.

    With one it accepts them itself. An event loop that does so knows nothing of a connection until its
    handshake is over, so those that never begin one could be neither counted nor limited. It also keeps the
    context that it began with: one in use cannot be given another client authority, because authorities are
    only added and resumed sessions are not verified again.
    """

    def __init__(
        self, config: uvicorn.Config, context: ssl.SSLContext | None = None, gate: Gate | None = None
    ) -> None:
        super().__init__(config)
        self._context, self._gate = context, gate
        self._listeners: list[socket.socket] = []
        self._handshakes: set[Handshake] = set()

    def present(self, context: ssl.SSLContext) -> None:
        """Accept connections with this context from now on; those that exist stay as they are."""
        self._context = context

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        if self._context is None:
            await super().startup(sockets)
            return
        await super().startup([])
        self._listeners = list(sockets or [])
        for listener in self._listeners:
            listener.setblocking(False)
            listener.listen(self.config.backlog)
            self._listen(listener)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for listener in self._listeners:
            asyncio.get_running_loop().remove_reader(listener)
        self._listeners = []
        for handshake in [*self._handshakes]:
            handshake.evict()
        await super().shutdown(sockets)

    def _listen(self, listener: socket.socket) -> None:
        if listener in self._listeners:  # else the server has been shut down
            asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def _accept(self, listener: socket.socket) -> None:
        """All that wait, but no more than the backlog in one turn of the event loop."""
        loop = asyncio.get_running_loop()
        for _ in range(self.config.backlog):
            try:
                line, address = listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno not in EXHAUSTED:
                    raise
                loop.remove_reader(listener)
                loop.call_later(PAUSE_SECONDS, self._listen, listener)
                return
            line.setblocking(False)
            self._admit(line, str(address[0]))

    def _admit(self, line: socket.socket, address: str) -> None:
        handshake = Handshake()
        if self._gate and (why := self._gate.opened(handshake, address)):
            self._gate.count(why)
            line.close()
            return
        self._handshakes.add(handshake)
        handshake.task = asyncio.get_running_loop().create_task(self._secure(handshake, line))
        handshake.task.add_done_callback(lambda done: self._end(handshake, line, done))

    async def _secure(self, handshake: Handshake, line: socket.socket) -> None:
        await asyncio.get_running_loop().connect_accepted_socket(
            lambda: self._protocol(handshake),
            line,
            ssl=self._context,
            ssl_handshake_timeout=HANDSHAKE_SECONDS,
            ssl_shutdown_timeout=SHUTDOWN_SECONDS,
        )

    def _end(self, handshake: Handshake, line: socket.socket, done: asyncio.Task[None]) -> None:
        """A handshake that fails is the caller's affair, and nothing to log."""
        self._release(handshake)
        if done.cancelled() or isinstance(done.exception(), OSError):
            line.close()
        else:
            done.result()

    def _release(self, handshake: Handshake) -> None:
        self._handshakes.discard(handshake)
        if self._gate:
            self._gate.closed(handshake)

    def _protocol(self, handshake: Handshake) -> asyncio.Protocol:
        """As uvicorn makes it for its own listeners. It counts the connection, which is then no handshake."""
        protocol: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        begin = protocol.connection_made

        def connection_made(transport: asyncio.BaseTransport) -> None:
            self._release(handshake)
            begin(transport)

        protocol.connection_made = connection_made  # type: ignore[method-assign]
        return protocol
