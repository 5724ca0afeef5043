"""How the gRPC server finds the handler of a call, with little work for each call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import grpc


class GenericHandlers:
    """Stands in for the server where generated code adds the handlers of a service, and collects them.

    That code would also register each method by itself. The server then waits for a call of any of these
    methods: in a profile, `asyncio.wait` took each call of every method twice as long.
    """

    def __init__(self) -> None:
        self.found: list[grpc.GenericRpcHandler[Any, Any]] = []

    def add_generic_rpc_handlers(self, handlers: Iterable[grpc.GenericRpcHandler[Any, Any]]) -> None:
        self.found += handlers

    def add_registered_method_handlers(self, _service: str, _handlers: object) -> None:
        return


class KnownMethodHandler(grpc.GenericRpcHandler):  # type: ignore[type-arg]
    """Finds the handlers of all services with one look-up; gRPC would ask one service after the other."""

    def __init__(self, handlers: Mapping[str, grpc.RpcMethodHandler[Any, Any]]) -> None:
        self._handlers = handlers

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        return self._handlers.get(handler_call_details.method)
