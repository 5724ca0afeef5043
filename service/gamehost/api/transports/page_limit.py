"""Applies the rate limits per address to HTTP requests that are not rpcs."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from gamehost.api.pipeline.dispatch import Dispatch
from gamehost.api.pipeline.status import RpcError

from .http import peer, respond_error

# Never limited: a kubelet may share its address with other clients, and a refused probe would make Kubernetes
# restart a healthy process.
PROBES = frozenset({"/healthz", "/readyz"})


class PageLimit:
    """Middleware that counts pages, files, metrics, preflights and unknown paths.

    Rpcs are counted by the dispatch.
    """

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
