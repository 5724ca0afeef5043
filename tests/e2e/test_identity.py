"""Tests of keys, issuers, limits and warnings of a real `shedu serve`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import grpc
import httpx
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519
from grpc_health.v1 import health_pb2, health_pb2_grpc
from jwt import encode

from gamehost.api.auth.seat_tokens import SEAT_TOKEN_PREFIX
from shedu.v1 import catalog_service_pb2, catalog_service_pb2_grpc, game_service_pb2, game_service_pb2_grpc
from support.process import ROOT, Serve, announcement, environment, refusal, shedu_here
from support.waiting import PATIENCE, wait_until


def keys(folder: Path, *arguments: str) -> str:
    done = shedu_here("keys", *arguments, "--data-dir", folder / "data")
    assert 0 == done.returncode, done.stderr
    return done.stdout.strip()


@pytest.fixture
def folder(keyed_serve):
    return keyed_serve.log.parent


def status(serve: Serve, path: str, **given: object) -> int:
    return httpx.get(f"{serve.url}{path}", timeout=PATIENCE, **given).status_code


def test_keys_can_be_made_before_the_first_start_and_while_the_service_runs(tmp_path):
    before = keys(tmp_path, "create", "ann")

    with Serve(tmp_path, "--identity", "keys") as process:
        during = keys(tmp_path, "create", "bob")
        answers = [process.get("/v1/games", key) for key in (before, during)]
        listed = json.loads(keys(tmp_path, "list", "--json"))

    assert [[], []] == [answer["games"] for answer in answers]
    assert ["ann", "bob"] == [key["name"] for key in listed]
    assert re.fullmatch(r"shedu_key_ann_[a-z2-7]{52}", before)
    assert before.encode() not in b"".join(
        file.read_bytes() for file in (tmp_path / "data").rglob("*") if file.is_file()
    )


def test_a_revoked_key_is_refused(keyed_serve, folder):
    headers = {"Authorization": f"Bearer {keyed_serve.key('short-lived')}"}
    before = status(keyed_serve, "/v1/games", headers=headers)

    keys(folder, "revoke", "short-lived")

    assert 200 == before
    wait_until(lambda: status(keyed_serve, "/v1/games", headers=headers) == 401)


def test_keys_in_a_redis(redis_url):
    made = shedu_here("keys", "create", "ann", "--redis", redis_url).stdout.strip()
    listed = shedu_here("keys", "list", "--redis", redis_url).stdout

    assert re.fullmatch(r"shedu_key_ann_[a-z2-7]{52}", made)
    assert "ann" in listed
    assert made not in listed


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("create", "No Name"), "lower-case"),
        (("revoke", "nobody"), "there is no key nobody"),
        (("list", "--redis", "redis://127.0.0.1:1/0"), "does not answer"),
        (("list", "--redis", "http://nowhere"), "redis://"),
    ],
)
def test_what_cannot_be_done_with_keys_is_said_in_a_sentence(tmp_path, arguments, words):
    place = () if "--redis" in arguments else ("--data-dir", tmp_path / "data")
    done = shedu_here("keys", *arguments, *place)

    assert 2 == done.returncode
    assert words in done.stderr


def test_without_a_key_only_the_catalog_health_and_docs_are_open(keyed_serve):
    channel = keyed_serve.channel()
    games = game_service_pb2_grpc.GameServiceStub(channel)

    codes = [status(keyed_serve, path) for path in ("/v1/games", "/v1/titles", "/docs", "/readyz")]
    with pytest.raises(grpc.RpcError) as caught:
        games.ListGames(game_service_pb2.ListGamesRequest())
    connect = httpx.post(f"{keyed_serve.url}/shedu.v1.GameService/ListGames", json={}, timeout=PATIENCE)
    titles = catalog_service_pb2_grpc.CatalogServiceStub(channel).ListTitles(
        catalog_service_pb2.ListTitlesRequest()
    )
    health = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())

    assert [401, 200, 200, 200] == codes
    assert grpc.StatusCode.UNAUTHENTICATED == caught.value.code()
    assert (401, "unauthenticated") == (connect.status_code, connect.json()["code"])
    assert titles.titles
    assert health_pb2.HealthCheckResponse.SERVING == health.status
    channel.close()


def test_no_key_and_no_token_stands_in_the_log(keyed_serve):
    key = keyed_serve.key("logged")
    headers = {"Authorization": f"Bearer {key}"}
    game_id = keyed_serve.post("/v1/games", {"title": "tides"}, key)["game"]["gameId"]
    token = keyed_serve.post(f"/v1/games/{game_id}:join", {"seat": 0}, key)["seatToken"]
    view = f"/v1/games/{game_id}/view"

    codes = [
        status(keyed_serve, view, params={"access_token": token}, headers=headers),
        status(keyed_serve, view, params={"token": key}),
        status(keyed_serve, f"/v1/games/{token}"),
        status(keyed_serve, f"/nowhere/{token}", headers=headers),
        status(keyed_serve, f"/shedu.v1.GameService/GetView?access_token={token}"),
    ]
    keyed_serve.get(f"/v1/games/{game_id}", key)  # logged after the others
    wait_until(
        lambda: (
            ("GetGame", game_id) in {(line.get("method"), line.get("game")) for line in keyed_serve.lines()}
        )
    )
    text = keyed_serve.log.read_text()

    assert all(code >= 400 for code in codes)
    assert SEAT_TOKEN_PREFIX not in text
    assert "shedu_key_" not in text


def said_in_session(
    mark: str, serve: Serve, folder: Path, place: Path, page: str = "service/OPERATIONS.md"
) -> list[str]:
    """Runs the session of a page that contains this text; returns the lines that it prints."""
    manual = (ROOT / page).read_text()
    [session] = [text for text in re.findall(r"^```sh\n(.*?)^```", manual, re.M | re.S) if mark in text]
    session = session.replace("localhost:8080", f"localhost:{serve.port}")
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f'shedu() {{ {sys.executable} -m gamehost "$@"; }}\n{session}'],
        cwd=place,
        env=environment(SHEDU_DATA_DIR=str(folder / "data")),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert 0 == done.returncode, done.stderr
    return done.stdout.splitlines()


def test_the_session_of_the_manual_with_webhooks(keyed_serve, folder, tmp_path):
    lines = said_in_session("keys create hooks", keyed_serve, folder, tmp_path)

    assert ["url: must have a host with a public address", "0", "{}"] == lines


def test_the_session_with_players_rates_a_game(keyed_serve, folder, tmp_path):
    lines = said_in_session("Ann_of_Uruk", keyed_serve, folder, tmp_path, "clients/README.md")

    expected = ["Ann_of_Uruk", "HANDLE_TAKEN", "1500", "true", "[true,1,false,1]", "1", "1", "5"]
    assert expected == lines


def test_the_session_of_the_manual_with_keys(keyed_serve, folder, tmp_path):
    lines = said_in_session("keys create my-backend", keyed_serve, folder, tmp_path)

    question = "Round 1 of 3, card 1 of 5: choose a card to play."
    assert ["0", question, "1", "shedu_seat_", "PERMISSION_DENIED"] == lines[:5]
    assert any("my-backend" in line for line in lines[5:])
    assert "my-backend" not in keys(folder, "list")


def test_an_issuer_vouches_for_callers(tmp_path):
    private = ed25519.Ed25519PrivateKey.generate()
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    file = tmp_path / "issuer.pem"
    file.write_bytes(private.public_key().public_bytes(serialization.Encoding.PEM, form))
    token = encode({"sub": "ann", "exp": time.time() + 3600, "aud": "shedu"}, private, "EdDSA")
    stranger = encode({"sub": "ann", "exp": time.time() + 3600, "aud": "another"}, private, "EdDSA")
    arguments = ("--identity", "jwt", "--jwt-keys-file", str(file), "--jwt-audience", "shedu")

    with Serve(tmp_path, *arguments) as process:
        game_id = process.post("/v1/games", {"title": "tides"}, token)["game"]["gameId"]
        process.post(f"/v1/games/{game_id}:join", {}, token)
        view = process.get(f"/v1/games/{game_id}/view", token)["view"]
        codes = [
            status(process, "/v1/games", headers=headers)
            for headers in ({}, {"Authorization": f"Bearer {stranger}"})
        ]

    assert 0 == view["seat"]
    assert [401, 401] == codes
    assert "ANY AUDIENCE" not in process.log.read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--identity", "nobody"), "identity"),
        (("--identity", "jwt"), "--jwt-keys-file"),
        (("--identity", "jwt", "--jwt-jwks-url", "http://id.example/keys"), "https://"),
        (("--identity", "jwt", "--jwt-keys-file", str(ROOT / "LICENSE")), "no public key"),
        (("--identity", "jwt", "--jwt-keys-file", "/nowhere/keys"), "jwt_keys_file"),
    ],
)
def test_an_identity_that_cannot_work_is_said_in_a_sentence(tmp_path, arguments, words):
    assert words in refusal("--data-dir", tmp_path, *arguments)


@pytest.mark.parametrize(
    ("arguments", "said", "unsaid"),
    [
        (("--host", "0.0.0.0"), "OPEN TO ALL", "ANY AUDIENCE"),
        (("--host", "0.0.0.0"), "NO TLS", "ANY AUDIENCE"),
        (("--host", "127.0.0.1"), "identity open:", "WARNING"),
        (("--host", "0.0.0.0", "--identity", "keys"), "NO TLS", "OPEN TO ALL"),
        (("--host", "127.0.0.1", "--identity", "keys"), "identity keys:", "WARNING"),
    ],
)
def test_what_an_address_and_a_mode_mean_together_is_said_loudly(tmp_path, arguments, said, unsaid):
    text = announcement("--data-dir", tmp_path, *arguments)

    assert said in text
    assert unsaid not in text


def test_the_defaults_limit_strangers_but_not_this_machine():
    from gamehost.settings import LIMITS, IdentityMode, Settings

    here, world = Settings(host="127.0.0.1"), Settings(host="0.0.0.0")
    known, told = Settings(identity=IdentityMode.KEYS), Settings(host="127.0.0.1", streams=3)

    assert {0} == {here.limit(name) for name in LIMITS}
    assert LIMITS == {name: world.limit(name) for name in LIMITS}
    assert LIMITS == {name: known.limit(name) for name in LIMITS}
    assert 3 == told.limit("streams")
