"""Tests of the client with a TLS proxy in front of the server."""

from __future__ import annotations

import ssl
import subprocess
from pathlib import Path

import pytest

import shedu
from sdk.clocks import tried
from sdk.cutting_proxy import CuttingProxy
from support.process import Serve
from support.waiting import PATIENCE


@pytest.fixture(scope="module")
def certificate(tmp_path_factory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("certificate")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "1",
        "-subj",
        "/CN=localhost",
    ]
    command += ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    return key, certificate


def tls_proxy(serve: Serve, key: Path, certificate: Path) -> CuttingProxy:
    """Returns a proxy that terminates TLS."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2"])
    return CuttingProxy(serve.grpc_port, tls=context)


async def test_a_server_behind_tls(serve, certificate):
    roots = certificate[1].read_bytes()

    async with (
        tls_proxy(serve, *certificate) as proxy,
        shedu.aio.connect(f"grpcs://localhost:{proxy.port}", roots=roots) as server,
    ):
        titles = await server.titles()

    assert "tides" in [title.title for title in titles]


async def test_tls_to_a_server_without_it_is_named_at_once(serve):
    async with shedu.aio.connect(f"grpcs://{serve.address}", patience=PATIENCE) as server:
        with pytest.raises(shedu.NotGrpc, match="the server does not use TLS"):
            await server.titles()


async def test_a_server_that_may_expect_tls_is_named(serve, certificate):
    with tried(times=1) as patience:
        async with (
            tls_proxy(serve, *certificate) as proxy,
            shedu.aio.connect(f"localhost:{proxy.port}", patience=patience) as server,
        ):
            with pytest.raises(shedu.Unavailable, match="if the server uses TLS, its address begins with"):
                await server.titles()


async def test_a_stranger_s_certificate_is_not_trusted(serve, certificate):
    with tried(times=1) as patience:
        async with (
            tls_proxy(serve, *certificate) as proxy,
            shedu.aio.connect(f"grpcs://localhost:{proxy.port}", patience=patience) as server,
        ):
            with pytest.raises(shedu.Unavailable):
                await server.titles()
