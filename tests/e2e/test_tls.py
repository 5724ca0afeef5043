"""Tests of TLS on both ports: every transport, client certificates, and reloaded files."""

from __future__ import annotations

import json
import re
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import grpc
import httpx
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest
from grpc_health.v1.health_pb2_grpc import HealthStub

from gamehost.rules.catalog import CATALOG
from support.certificates import Pair, authority
from support.process import ROOT, Serve, announcement, environment, refusal, shedu_here
from support.servers import free_port
from support.waiting import PATIENCE, wait_until

WORKERS = 2
CALLS_PER_SECOND = 10  # more than the tests need, less than a probe makes


class MutualServe(Serve):
    """A service of two processes that answers only callers with a certificate of its client authority.

    Its files are in a folder behind a symbolic link, as Kubernetes mounts a secret.
    """

    def __init__(self, folder: Path) -> None:
        self.mount, self._mounted = folder / "tls", 0
        self.server_ca, self.client_ca = authority(folder, "server-ca"), authority(folder, "client-ca")
        self.caller = self.client_ca.issue("caller")
        self.replace(self.server_ca.issue("server"), self.client_ca)
        self.health_port = free_port()
        words = (f"--{name}={self.mount / file}" for name, file in FILES.items())
        words = (*words, "--health-port", str(self.health_port), "--workers", str(WORKERS), "--no-bots")
        super().__init__(folder, *words, SHEDU_CALLS_PER_SECOND=str(CALLS_PER_SECOND))

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    def ready(self) -> bool:
        if self.log.read_text().count("the store is available") < WORKERS:
            return False
        try:
            return self.probe("/readyz").status_code == 200
        except httpx.TransportError:
            return False

    def probe(self, path: str) -> httpx.Response:
        return httpx.get(f"http://127.0.0.1:{self.health_port}{path}", timeout=PATIENCE)

    def replace(self, server: Pair, client_ca: Pair) -> None:
        """Replaces all files at once, by changing the symbolic link."""
        contents = (server.certificate, server.key, client_ca.certificate)
        self.mount_files(dict(zip(FILES.values(), (file.read_bytes() for file in contents), strict=True)))

    def mount_files(self, contents: dict[str, bytes]) -> None:
        self._mounted += 1
        folder = self.mount.with_name(f"tls-{self._mounted}")
        folder.mkdir()
        for name, content in contents.items():
            (folder / name).write_bytes(content)
        link = folder.with_suffix(".link")
        link.symlink_to(folder)
        link.replace(self.mount)

    def said(self, words: str) -> int:
        return sum(words in line["event"] for line in self.lines())

    def await_words(self, words: str, change: Callable[[], None]) -> None:
        """Makes a change, and waits until each process has logged these words because of it."""
        wanted = self.said(words) + WORKERS
        change()
        wait_until(lambda: self.said(words) >= wanted)

    def http(self, caller: Pair | None, **options: Any) -> httpx.Client:
        return httpx.Client(base_url=self.url, verify=self.trust(caller), timeout=PATIENCE, **options)

    def trust(self, caller: Pair | None) -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=str(self.server_ca.certificate))
        if caller:
            context.load_cert_chain(*caller.files)
        return context

    def secure_channel(self, caller: Pair | None) -> grpc.Channel:
        pair = (caller.key.read_bytes(), caller.certificate.read_bytes()) if caller else (None, None)
        credentials = grpc.ssl_channel_credentials(self.server_ca.certificate.read_bytes(), *pair)
        # A new channel for each call: a shared one would keep the connection of another test.
        return grpc.secure_channel(
            f"localhost:{self.grpc_port}", credentials, [("grpc.use_local_subchannel_pool", 1)]
        )

    def answers(self, caller: Pair | None) -> tuple[bool, bool]:
        """Returns whether that caller is answered over HTTP and over gRPC, on new connections."""
        return self._answers_http(caller), self._answers_grpc(caller)

    def _answers_http(self, caller: Pair | None) -> bool:
        with self.http(caller) as client:
            try:
                return client.get("/healthz").text == "alive\n"
            except httpx.TransportError:
                return False

    def _answers_grpc(self, caller: Pair | None) -> bool:
        with self.secure_channel(caller) as channel:
            try:
                return bool(HealthStub(channel).Check(HealthCheckRequest(), timeout=PATIENCE).status)
            except grpc.RpcError:
                return False


FILES = {"tls-cert": "tls.crt", "tls-key": "tls.key", "tls-client-ca": "ca.crt"}


@pytest.fixture(scope="module")
def mutual(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MutualServe]:
    with MutualServe(tmp_path_factory.mktemp("mutual")) as process:
        yield process


def test_a_caller_with_a_certificate_is_answered_over_every_transport(mutual):
    with mutual.http(mutual.caller) as client:
        game_id = client.post("/v1/games", json={"title": "tides"}).json()["game"]["gameId"]
        connect = client.post("/shedu.v1.GameService/GetGame", json={"gameId": game_id}).json()
        with client.stream("GET", f"/v1/games/{game_id}:watch", params={"after_version": 0}) as stream:
            event = next(line for line in stream.iter_lines() if line.startswith("event:"))

    assert game_id == connect["game"]["gameId"]
    assert "event: happened" == event
    assert (True, True) == mutual.answers(mutual.caller)


def test_nobody_else_is_answered(mutual):
    stranger = mutual.server_ca.issue("stranger")

    assert (False, False) == mutual.answers(None)
    assert (False, False) == mutual.answers(stranger)


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated")
def test_no_port_speaks_plain_text_or_an_old_version_of_tls(mutual):
    old = mutual.trust(mutual.caller)
    old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    old.set_ciphers("ALL:@SECLEVEL=0")

    with pytest.raises(httpx.TransportError):
        httpx.get(f"http://127.0.0.1:{mutual.port}/healthz", timeout=PATIENCE)
    with grpc.insecure_channel(mutual.address) as channel, pytest.raises(grpc.RpcError):
        HealthStub(channel).Check(HealthCheckRequest(), timeout=PATIENCE)
    for port in (mutual.port, mutual.grpc_port):
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as line, pytest.raises(ssl.SSLError):
            old.wrap_socket(line, server_hostname="localhost")


def test_probes_need_no_certificate_on_their_own_port_which_answers_nothing_else(mutual):
    answers = {
        path: mutual.probe(path).status_code for path in ("/healthz", "/readyz", "/v1/titles", "/docs")
    }

    assert {"/healthz": 200, "/readyz": 200, "/v1/titles": 404, "/docs": 404} == answers
    assert "shedu_ready 1.0" in mutual.probe("/metrics").text


def test_files_that_change_are_loaded_and_broken_ones_are_not(mutual):
    server, later_ca = mutual.server_ca.issue("later-server"), authority(mutual.mount.parent, "later-ca")
    later_caller = later_ca.issue("later-caller")
    other_key = {**dict.fromkeys(FILES.values(), b""), "tls.crt": server.certificate.read_bytes()}
    other_key |= {"tls.key": later_ca.key.read_bytes(), "ca.crt": later_ca.certificate.read_bytes()}

    mutual.await_words("the last valid ones stay in use", lambda: mutual.mount_files(other_key))
    kept = mutual.answers(mutual.caller), mutual.answers(later_caller)
    mutual.await_words("certificates were reloaded", lambda: mutual.replace(server, later_ca))
    swapped = mutual.answers(mutual.caller), mutual.answers(later_caller)
    presented = ssl.get_server_certificate(("127.0.0.1", mutual.port))
    mutual.await_words("certificates were reloaded", lambda: mutual.replace(server, mutual.client_ca))

    assert ((True, True), (False, False)) == kept
    assert ((False, False), (True, True)) == swapped
    assert server.certificate.read_text() == presented
    (problem,) = {line["problem"] for line in mutual.lines() if "problem" in line}
    assert problem.startswith("tls_key: ")
    assert "is not the key of the certificate" in problem


def test_the_python_client_and_the_commands_present_a_certificate(mutual, tmp_path):
    readme = (ROOT / "clients/python/README.md").read_text()
    (text,) = (
        each for each in re.findall(r"^```python\n(.*?)^```", readme, re.M | re.S) if "client_cert" in each
    )
    pem = {"ca.crt": mutual.server_ca.certificate, "caller.crt": mutual.caller.certificate}
    for name, file in (pem | {"caller.key": mutual.caller.key}).items():
        (tmp_path / name).write_bytes(file.read_bytes())
    address = f"grpcs://localhost:{mutual.grpc_port}"
    files = {"SHEDU_SERVER_CA": "ca.crt", "SHEDU_CLIENT_CERT": "caller.crt", "SHEDU_CLIENT_KEY": "caller.key"}
    settings = {name: str(tmp_path / file) for name, file in files.items()}

    session = text.replace("grpcs://localhost:50051", address)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", session],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    asked = shedu_here("export", "t7q2mxk4wz5r3ncvb6ha", "--server", address, **settings)
    missing = shedu_here("export", "t7q2mxk4wz5r3ncvb6ha", "--server", address, SHEDU_SERVER_CA="/nowhere")

    assert (f"{' '.join(sorted(CATALOG))}\n", "") == (done.stdout, done.stderr)
    assert "there is no game" in asked.stderr
    assert "SHEDU_SERVER_CA: /nowhere cannot be read" in missing.stderr


def test_the_doctor_looks_at_the_files_and_knows_the_ports_of_a_service_with_tls(mutual):
    ports = {"SHEDU_PORT": mutual.port, "SHEDU_GRPC_PORT": mutual.grpc_port}
    ports |= {"SHEDU_HEALTH_PORT": mutual.health_port}
    files = {f"SHEDU_{name.upper().replace('-', '_')}": mutual.mount / file for name, file in FILES.items()}
    settings = {name: str(value) for name, value in (ports | files).items()}
    place = ("--data-dir", mutual.log.parent / "data")

    good = shedu_here("doctor", "--json", *place, **settings)
    other = shedu_here("doctor", "--json", *place, **settings | {"SHEDU_TLS_KEY": str(mutual.caller.key)})

    found = {(each["check"], each["grade"]): each["detail"] for each in json.loads(good.stdout)["findings"]}
    assert [("ports", "ok")] == [each for each in found if each[0] == "ports"]
    assert "expires on" in found["tls", "warning"]  # the certificate expires tomorrow
    assert "can be read by everyone" in found["secrets", "problem"]
    (wrong,) = (each for each in json.loads(other.stdout)["findings"] if each["check"] == "tls")
    assert ("problem", 1) == (wrong["grade"], other.returncode)
    assert wrong["detail"].startswith("tls_key: ")


def test_a_probe_sees_tls_and_the_limit_of_calls(mutual):
    server = ("--server", f"grpcs://localhost:{mutual.grpc_port}")
    trusted = ("--server-ca", mutual.server_ca.certificate)
    presented = ("--client-cert", mutual.caller.certificate, "--client-key", mutual.caller.key)

    with patch("gamehost.commands.doctor.probe.RATE_CHECK_SECONDS", PATIENCE):
        good, bare, untrusting = (
            shedu_here("doctor", "--json", "--probe", mutual.url, *server, "--limits", *words)
            for words in ((*trusted, *presented), trusted, presented)
        )

    found = {(each["check"], each["grade"]): each["detail"] for each in json.loads(good.stdout)["findings"]}
    assert "the server speaks TLSv1.3" == found["tls", "ok"]
    assert "expires on" in found["tls", "warning"]  # the certificate expires tomorrow
    assert "is answered 429" in found["limits", "ok"]
    assert ("grpc", "ok") in found
    assert ("grpc", "problem") not in found
    (refused,), (stranger,) = (json.loads(done.stdout)["findings"] for done in (bare, untrusting))
    assert ("reach", "problem", 1) == (refused["check"], refused["grade"], bare.returncode)
    assert "--client-cert" in refused["action"]
    assert "is not trusted" in stranger["detail"]


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Returns the files of certificates and keys, by the names that tests use."""
    folder = tmp_path_factory.mktemp("pairs")
    one, other = authority(folder, "one"), authority(folder, "other")
    (folder / "garbage").write_text("-----BEGIN CERTIFICATE-----\nnothing\n-----END CERTIFICATE-----\n")
    (folder / "empty").touch()
    names = ("garbage", "empty", "missing")
    return {name: folder / name for name in names} | {
        "cert": one.certificate,
        "key": one.key,
        "other_key": other.key,
    }


@pytest.mark.parametrize(
    ("cert", "key", "client_ca", "words"),
    [
        ("cert", None, None, "tls_cert needs tls_key too"),
        (None, "key", None, "tls_key needs tls_cert too"),
        (None, None, "cert", "tls_client_ca needs tls_cert"),
        ("missing", "key", None, "tls_cert: "),
        ("garbage", "key", None, "tls_cert: "),
        ("empty", "key", None, "tls_cert: "),
        ("cert", "missing", None, "tls_key: "),
        ("cert", "cert", None, "tls_key: "),
        ("cert", "other_key", None, "is not the key of the certificate in"),
        ("cert", "key", "missing", "tls_client_ca: "),
        ("cert", "key", "key", "tls_client_ca: "),
    ],
)
def test_files_that_cannot_be_used_are_refused_at_the_start(tmp_path, pairs, cert, key, client_ca, words):
    given = {"SHEDU_TLS_CERT": cert, "SHEDU_TLS_KEY": key, "SHEDU_TLS_CLIENT_CA": client_ca}
    settings = {name: str(pairs[file]) for name, file in given.items() if file}

    said = refusal("--data-dir", tmp_path, **settings)

    assert words in said
    assert "PRIVATE KEY" not in said


def test_a_key_with_a_password_is_refused_and_nobody_is_asked_for_it(tmp_path, pairs):
    locked = tmp_path / "locked.key"
    command = ["openssl", "pkey", "-aes256", "-passout", "pass:secret", "-out", str(locked)]
    subprocess.run([*command, "-in", str(pairs["key"])], check=True, capture_output=True)

    said = refusal("--data-dir", tmp_path / "data", "--tls-cert", pairs["cert"], "--tls-key", locked)

    assert f"tls_key: {locked} is encrypted" in said


def test_the_announcement_tells_of_tls_and_warns_without_it(tmp_path, pairs):
    words = ("--data-dir", tmp_path, "--host", "0.0.0.0")

    plain = announcement(*words)
    secured = announcement(*words, "--tls-cert", pairs["cert"], "--tls-key", pairs["key"])
    mutual = announcement(
        *words, "--tls-cert", pairs["cert"], "--tls-key", pairs["key"], "--tls-client-ca", pairs["cert"]
    )

    assert ("NO TLS" in plain, "http://" in plain) == (True, True)
    assert ("NO TLS" in secured, "https://" in secured, "OPEN TO ALL" in secured) == (False, True, True)
    assert ("OPEN TO ALL" in mutual, "callers need a certificate of" in mutual) == (False, True)
