"""Tests of a store behind TLS: `rediss://` trusts only the given authority."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gamehost.play.ports.event_log import StoreUnavailable
from support.servers import certificate, redis_server

from .conftest import At


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, str]]:
    """Starts a Redis with TLS; yields its port and the file of its authority."""
    folder = tmp_path_factory.mktemp("tls")
    files = certificate(folder)
    with redis_server(folder / "redis", **files) as server:
        yield server.port, files["tls-ca-cert-file"]


async def test_games_are_kept_over_tls(secured: tuple[int, str], at: At) -> None:
    port, authority = secured
    store = at(f"rediss://127.0.0.1:{port}/0?ssl_ca_certs={authority}")
    await store.append("g", [b"one", b"two"], expected=0)

    assert [b"one", b"two"] == [stored.payload for stored in await store.read("g")]
    assert [b"two"] == [stored.payload for stored in await anext(store.follow("g", after=1))]


async def test_a_server_of_an_unknown_authority_is_not_spoken_to(secured: tuple[int, str], at: At) -> None:
    port, _ = secured
    store = at(f"rediss://127.0.0.1:{port}/0")

    with pytest.raises(StoreUnavailable):
        await store.append("g", [b"one"], expected=0)
