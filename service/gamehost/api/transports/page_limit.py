"""Requests that are no calls count against the limits of their address, as calls do."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from gamehost.api.pipeline.dispatch import Dispatch
from gamehost.api.pipeline.status import RpcError

from .http import peer, respond_error

# A probe that is refused would end a process because somebody at the same address asks too much.
PROBES = frozenset({"/healthz", "/readyz"})


class PageLimit:
    """Counts pages, files, metrics, preflights and unknown paths; calls are counted by the dispatch."""

    def __init__(self, app: ASGIApp, dispatch: Dispatch) -> None:
        self.app, self.dispatch = app, dispatch

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if scope["type"] == "http" and self.counts(scope):
                self.dispatch.count(peer(scope))
        except RpcError as error:
            await respond_error(send, error)
        else:
            await self.app(scope, receive, send)

    def counts(self, scope: Scope) -> bool:
        path = scope["path"]
        is_call = path.startswith("/v1/") or path in self.dispatch.methods
        return path not in PROBES and (scope["method"] == "OPTIONS" or not is_call)
