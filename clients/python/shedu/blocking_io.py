"""Channels and waiting of the blocking client; `async_io` does the same for asyncio."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from time import sleep
from typing import TypeVar

import grpc
from grpc import UnaryStreamMultiCallable as Streaming
from grpc import UnaryUnaryMultiCallable as Unary

from .addresses import CHANNEL_OPTIONS, Address
from .v1 import game_service_pb2 as pb

Item = TypeVar("Item")
Stream = Generator[Item, None, None]
Plays = Callable[[pb.PlayActionRequest, str], pb.PlayActionResponse]

__all__ = ["Plays", "Stream", "Streaming", "Unary", "close", "closing", "open_channel", "sleep"]


def open_channel(address: Address) -> grpc.Channel:
    if not address.tls:
        return grpc.insecure_channel(address.target, CHANNEL_OPTIONS)
    pem = address.certificates
    credentials = grpc.ssl_channel_credentials(pem.roots, pem.client_key, pem.client_cert)
    return grpc.secure_channel(address.target, credentials, CHANNEL_OPTIONS)


def close(channel: grpc.Channel) -> None:
    channel.close()
