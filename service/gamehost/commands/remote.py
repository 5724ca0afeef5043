"""Finished games of a server, over gRPC."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import grpc

from gamehost.codec.export import Exported
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb
from shedu.v1.game_service_pb2_grpc import GameServiceStub

from .console import fail

PATIENCE = 10.0  # seconds for one call
PAGE = 200
PLAIN, TLS = ("", "grpc", "http"), ("grpcs", "https")


class Remote:
    def __init__(self, server: str, token_file: Path | None) -> None:
        self._server = server
        self._stub = GameServiceStub(_channel(server))
        token = _token(token_file)
        self._metadata = [("authorization", f"Bearer {token}")] if token else []

    def exported(self, game_id: str) -> Exported:
        """A finished game, as far as the caller may know it."""
        game = self._call(self._stub.GetGame, pb.GetGameRequest(game_id=game_id)).game
        if game.status != game_pb2.GAME_STATUS_FINISHED:
            fail(f"game {game_id} is not over")
        return Exported(game, list(self._events(game_id)))

    def _events(self, game_id: str) -> Iterator[game_pb2.Event]:
        token = ""
        while True:
            request = pb.ListEventsRequest(game_id=game_id, page_size=PAGE, page_token=token)
            page = self._call(self._stub.ListEvents, request)
            yield from page.events
            token = page.next_page_token
            if not token:
                return

    def _call(self, method: Any, request: Any) -> Any:
        try:
            return method(request, metadata=self._metadata, timeout=PATIENCE)
        except grpc.RpcError as error:
            code: Any = error
            if code.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
                fail(f"no gRPC server answers at {self._server}; say where with --server or SHEDU_SERVER")
            fail(f"{self._server} says: {code.details()}")


def _channel(server: str) -> grpc.Channel:
    address = urlsplit(server if "://" in server else f"//{server}")
    if address.scheme not in PLAIN + TLS or not address.hostname or address.path not in ("", "/"):
        fail(f"{server} is not an address of a server, such as localhost:50051 or grpcs://play.example.org")
    if address.scheme in TLS:
        target = address.netloc if address.port else f"{address.netloc}:443"
        return grpc.secure_channel(target, grpc.ssl_channel_credentials())
    return grpc.insecure_channel(address.netloc if address.port else f"{address.netloc}:50051")


def _token(file: Path | None) -> str:
    if file is None:
        return os.environ.get("SHEDU_TOKEN", "").strip()
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        fail(f"cannot read the token in {file}: {error}")
