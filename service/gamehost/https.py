"""An HTTP server that can replace its certificates while it listens, and limits TLS handshakes."""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
from typing import Any, Protocol

import uvicorn

HANDSHAKE_SECONDS = 10.0  # after which an unfinished handshake is closed
SHUTDOWN_SECONDS = 2.0  # for the client to close a TLS session
PAUSE_SECONDS = 1.0  # before accepting again when descriptors or memory ran out
EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class ConnectionTracker(Protocol):
    """Limits the connections of a port; `api.transports.connections.HttpConnections` implements it."""

    def opened(self, connection: Any, address: str) -> Any | None:
        """Registers a connection; returns a reason if it must be closed."""

    def closed(self, connection: Any) -> None: ...

    def count(self, reason: Any) -> None: ...


class Handshake:
    """A connection whose TLS handshake is not complete. It may be evicted when the port is full."""

    task: asyncio.Task[None]

    def evict(self) -> None:
        self.task.cancel()


class TlsServer(uvicorn.Server):
    """A uvicorn server that accepts TLS connections itself; without a context it serves plain HTTP.

    uvicorn would leave TLS to the event loop, which has two drawbacks. The loop reports a connection only
    after its handshake, so clients that open connections and never begin a handshake could be neither counted
    nor limited. And the loop uses one context for ever. Changing that context would not replace the client
    authorities: OpenSSL only adds authorities to a context, and does not verify resumed sessions again.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        context: ssl.SSLContext | None = None,
        tracker: ConnectionTracker | None = None,
    ) -> None:
        super().__init__(config)
        self._context, self._tracker = context, tracker
        self._listeners: list[socket.socket] = []
        self._handshakes: set[Handshake] = set()

    def present(self, context: ssl.SSLContext) -> None:
        """Uses this context for new connections; existing ones keep theirs."""
        self._context = context

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        if self._context is None:
            await super().startup(sockets)
            return
        await super().startup([])  # without sockets uvicorn starts no listeners of its own
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
        if listener in self._listeners:  # otherwise the server was shut down during the pause
            asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def _accept(self, listener: socket.socket) -> None:
        """Accepts the waiting connections, at most the backlog, so that other work gets its turn."""
        loop = asyncio.get_running_loop()
        for _ in range(self.config.backlog):
            try:
                connection, address = listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno not in EXHAUSTED:
                    raise
                # The connection stays in the backlog and the listener readable: without a pause, the loop
                # would call this method again and again and use all CPU time.
                loop.remove_reader(listener)
                loop.call_later(PAUSE_SECONDS, self._listen, listener)
                return
            connection.setblocking(False)
            self._start_handshake(connection, str(address[0]))

    def _start_handshake(self, connection: socket.socket, address: str) -> None:
        """Counts the connection and starts its handshake, or closes it if a limit is exceeded."""
        handshake = Handshake()
        if self._tracker and (reason := self._tracker.opened(handshake, address)):
            self._tracker.count(reason)
            connection.close()
            return
        self._handshakes.add(handshake)
        handshake.task = asyncio.get_running_loop().create_task(self._shake_hands(handshake, connection))
        handshake.task.add_done_callback(lambda done: self._end_handshake(handshake, connection, done))

    async def _shake_hands(self, handshake: Handshake, connection: socket.socket) -> None:
        await asyncio.get_running_loop().connect_accepted_socket(
            lambda: self._protocol(handshake),
            connection,
            ssl=self._context,
            ssl_handshake_timeout=HANDSHAKE_SECONDS,
            ssl_shutdown_timeout=SHUTDOWN_SECONDS,
        )

    def _end_handshake(
        self, handshake: Handshake, connection: socket.socket, done: asyncio.Task[None]
    ) -> None:
        """Releases the handshake. Failed ones are not logged: any client can cause them."""
        self._release(handshake)
        if done.cancelled() or isinstance(done.exception(), OSError):  # ssl.SSLError is an OSError
            connection.close()
        else:
            done.result()

    def _release(self, handshake: Handshake) -> None:
        self._handshakes.discard(handshake)
        if self._tracker:
            self._tracker.closed(handshake)

    def _protocol(self, handshake: Handshake) -> asyncio.Protocol:
        """Returns the HTTP protocol of a connection, created as uvicorn does for its own listeners."""
        protocol: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        begin = protocol.connection_made

        # The protocol counts the connection itself. The handshake must be released just before that: earlier,
        # another connection could take its place; later, the connection would be counted twice.
        def connection_made(transport: asyncio.BaseTransport) -> None:
            self._release(handshake)
            begin(transport)

        protocol.connection_made = connection_made  # type: ignore[method-assign]
        return protocol
