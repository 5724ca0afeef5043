"""A store behind TLS: `rediss://` trusts the authority it is given, and nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gamehost.play.ports import StoreUnavailable
from gamehost.stores.redis import connect
from support.servers import certificate, redis_server


@pytest.fixture
def secured(tmp_path: Path) -> Iterator[tuple[int, str]]:
    """The port that speaks TLS, and the authority to trust."""
    files = certificate(tmp_path)
    with redis_server(tmp_path / "redis", **files) as server:
        yield server.port, files["tls-ca-cert-file"]


async def test_games_are_kept_over_tls(secured):
    port, authority = secured
    store = connect(f"rediss://127.0.0.1:{port}/0?ssl_ca_certs={authority}")
    try:
        await store.append("g", [b"one", b"two"], expected=0)

        assert [b"one", b"two"] == [stored.payload for stored in await store.read("g")]
        assert [b"two"] == [stored.payload for stored in await anext(store.follow("g", after=1))]
    finally:
        await store.close()


async def test_a_server_of_an_unknown_authority_is_not_spoken_to(secured):
    port, _ = secured
    store = connect(f"rediss://127.0.0.1:{port}/0", timeout=1)
    try:
        with pytest.raises(StoreUnavailable):
            await store.append("g", [b"one"], expected=0)
    finally:
        await store.close()
