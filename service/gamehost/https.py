"""An HTTP server whose certificates can be replaced while it listens."""

from __future__ import annotations

import asyncio
import socket
import ssl

import uvicorn

HANDSHAKE_SECONDS = 10.0  # until a connection that does not finish its handshake is closed
SHUTDOWN_SECONDS = 2.0  # for the other side to close a TLS session


class TlsServer(uvicorn.Server):
    """Without a context it speaks plain HTTP.

    A context in use cannot be given another client authority: authorities are only added, and resumed
    sessions are not verified again. So each set of certificates has a context and listeners of its own. These
    are duplicates of the same sockets, so connections that wait to be accepted survive the replacement.
    """

    def __init__(self, config: uvicorn.Config, context: ssl.SSLContext | None = None) -> None:
        super().__init__(config)
        self._context = context
        self._sockets: list[socket.socket] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        if self._context is None:
            await super().startup(sockets)
            return
        await super().startup([])
        self._sockets = sockets or []
        await self.present(self._context)

    async def present(self, context: ssl.SSLContext) -> None:
        """Accept connections with this context from now on; those that exist stay as they are."""
        loop = asyncio.get_running_loop()
        listeners = [
            await loop.create_server(
                self._protocol,
                sock=each.dup(),
                ssl=context,
                backlog=self.config.backlog,
                ssl_handshake_timeout=HANDSHAKE_SECONDS,
                ssl_shutdown_timeout=SHUTDOWN_SECONDS,
            )
            for each in self._sockets
        ]
        replaced, self.servers = self.servers, listeners
        for listener in replaced:
            listener.close()

    def _protocol(self) -> asyncio.Protocol:
        """As uvicorn makes it for its own listeners."""
        return self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
