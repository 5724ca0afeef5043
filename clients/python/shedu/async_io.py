"""Channels and waiting of the asyncio client; `blocking_io` does the same for the blocking client."""

from __future__ import annotations

from asyncio import sleep
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing as closing
from typing import TypeVar

import grpc
import grpc.aio
from grpc.aio import UnaryStreamMultiCallable as Streaming
from grpc.aio import UnaryUnaryMultiCallable as Unary

from .addresses import CHANNEL_OPTIONS, Address
from .v1 import game_service_pb2 as pb

Item = TypeVar("Item")
Stream = AsyncGenerator[Item, None]
Plays = Callable[[pb.PlayActionRequest, str], Awaitable[pb.PlayActionResponse]]

__all__ = ["Plays", "Stream", "Streaming", "Unary", "close", "closing", "open_channel", "sleep"]


def open_channel(address: Address) -> grpc.aio.Channel:
    if not address.tls:
        return grpc.aio.insecure_channel(address.target, CHANNEL_OPTIONS)
    pem = address.certificates
    credentials = grpc.ssl_channel_credentials(pem.roots, pem.client_key, pem.client_cert)
    return grpc.aio.secure_channel(address.target, credentials, CHANNEL_OPTIONS)


async def close(channel: grpc.aio.Channel) -> None:
    await channel.close(None)
