"""Tests of JWTs: which are accepted, and how the keys of the issuer are fetched."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from gamehost.api.auth import jwks
from gamehost.api.auth.jwks import InvalidKeys, JwksCache, VerificationKey, file_fetcher, keys_in, url_fetcher
from gamehost.api.auth.jwt import JwtIdentities
from gamehost.play.errors import Unauthenticated, Unavailable
from support.service import Service
from support.waiting import PATIENCE, until

PRIVATE: dict[str, Any] = {
    "EdDSA": ed25519.Ed25519PrivateKey.generate(),
    "ES256": ec.generate_private_key(ec.SECP256R1()),
    "RS256": rsa.generate_private_key(65537, 2048),
}
WRITERS: dict[str, Any] = {"EdDSA": OKPAlgorithm, "ES256": ECAlgorithm, "RS256": RSAAlgorithm}
ALGORITHMS = list(PRIVATE)


def jwk(private: Any, algorithm: str, kid: str) -> dict[str, Any]:
    return {**json.loads(WRITERS[algorithm].to_jwk(private.public_key())), "kid": kid, "use": "sig"}


def jwk_set(**kids: str) -> bytes:
    """Returns a JWK set with a key of the named algorithm for each key id."""
    return json.dumps({"keys": [jwk(PRIVATE[kind], kind, kid) for kid, kind in kids.items()]}).encode()


def pem(algorithm: str) -> bytes:
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    data: bytes = PRIVATE[algorithm].public_key().public_bytes(serialization.Encoding.PEM, form)
    return data


def token(algorithm: str = "EdDSA", kid: str | None = None, private: Any = None, **claims: Any) -> str:
    headers = {"kid": kid} if kid else None
    given = {"sub": "ann", "exp": time.time() + 300, **claims}
    body = {name: value for name, value in given.items() if value is not None}
    return jwt.encode(body, private or PRIVATE[algorithm], algorithm, headers=headers)


def issuer_of(data: bytes, **checks: str) -> JwtIdentities:
    async def fetch() -> bytes:
        return data

    return JwtIdentities(JwksCache(fetch, time.monotonic), **checks)


async def refusal(issuer: JwtIdentities, presented: str) -> str:
    try:
        caller = await issuer.identify(presented)
    except Unauthenticated as error:
        return error.reason
    raise AssertionError(f"{caller} was let in")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("form", ["jwk", "pem"])
async def test_three_algorithms_and_both_forms_of_keys(algorithm: str, form: str) -> None:
    issuer = issuer_of(jwk_set(one=algorithm) if form == "jwk" else pem(algorithm))

    callers = [await issuer.identify(token(algorithm, "one")), await issuer.identify(token(algorithm))]

    assert ["jwt:ann", "jwt:ann"] == callers


@pytest.mark.parametrize("data", [jwk_set(old="RS256", new="EdDSA"), pem("RS256") + pem("EdDSA")])
async def test_two_keys_are_good_at_once(data: bytes) -> None:
    issuer = issuer_of(data)

    assert "jwt:ann" == await issuer.identify(token("RS256", "old"))
    assert "jwt:ann" == await issuer.identify(token("EdDSA", "new"))


async def test_clocks_may_differ_by_a_minute() -> None:
    issuer, now = issuer_of(pem("EdDSA")), time.time()

    assert "jwt:ann" == await issuer.identify(token(exp=now - 50))
    assert "jwt:ann" == await issuer.identify(token(nbf=now + 50))
    assert "TOKEN_EXPIRED" == await refusal(issuer, token(exp=now - 70))
    assert "TOKEN_INVALID" == await refusal(issuer, token(nbf=now + 70))


class Withdrawn(JwksCache):
    """A key cache that has no keys once `gone` is set, so that only cached verifications still pass."""

    gone = False

    def __init__(self, data: bytes) -> None:
        async def fetch() -> bytes:
            return data

        super().__init__(fetch, time.monotonic)

    async def fitting(self, kid: str | None, algorithm: str) -> list[VerificationKey]:
        return [] if self.gone else await super().fitting(kid, algorithm)


async def test_a_token_that_was_good_expires_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    keys, now = Withdrawn(pem("EdDSA")), time.time()
    issuer = JwtIdentities(keys)
    presented = token(exp=now + 300)
    for _ in range(2):  # a token verified during a fetch of keys is verified again
        await issuer.identify(presented)
    keys.gone = True

    for passed in (0, 300, 359):
        monkeypatch.setattr(time, "time", lambda passed=passed: now + passed)
        assert "jwt:ann" == await issuer.identify(presented)
    monkeypatch.setattr(time, "time", lambda: now + 361)

    assert "TOKEN_INVALID" == await refusal(issuer, presented)


async def test_what_is_missing_or_wrong_is_refused() -> None:
    issuer = issuer_of(pem("EdDSA") + pem("RS256"))
    stranger = ed25519.Ed25519PrivateKey.generate()

    for bad in (
        token(sub=None),
        token(exp=None),
        token(sub="x" * 201),
        token(sub=""),
        token(sub="ann\n"),
        token(sub="\u202enna"),
        token(private=stranger),
        token()[:-4] + "AAAA",
        jwt.encode({"sub": "ann", "exp": time.time() + 300}, None, "none"),
        "a.b.c",
        "nonsense",
    ):
        assert "TOKEN_INVALID" == await refusal(issuer, bad)


async def test_a_public_key_is_not_taken_for_a_shared_secret() -> None:
    """A known attack: a token signed by HMAC with the bytes of the public key as the secret."""
    issuer = issuer_of(pem("RS256"))
    _, body, _ = token("RS256").split(".")
    forged_head = jwt.utils.base64url_encode(b'{"alg":"HS256","typ":"JWT"}').decode()
    signature = hmac.digest(pem("RS256"), f"{forged_head}.{body}".encode(), hashlib.sha256)
    forged = f"{forged_head}.{body}.{jwt.utils.base64url_encode(signature).decode()}"

    assert "TOKEN_INVALID" == await refusal(issuer, forged)


async def test_issuer_and_audience_are_checked_where_they_are_set() -> None:
    strict = issuer_of(pem("EdDSA"), issuer="https://id.example", audience="shedu")
    lax = issuer_of(pem("EdDSA"))
    good = token(iss="https://id.example", aud="shedu")

    assert ["jwt:ann", "jwt:ann"] == [await strict.identify(good), await lax.identify(good)]
    for bad in (
        token(),
        token(iss="https://id.example"),
        token(aud="shedu"),
        token(iss="https://id.example", aud="another"),
        token(iss="https://evil.example", aud="shedu"),
    ):
        assert "TOKEN_INVALID" == await refusal(strict, bad)
        assert "jwt:ann" == await lax.identify(bad)


def test_keys_that_are_none_are_refused_at_the_start() -> None:
    private = PRIVATE["EdDSA"].private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    private_jwk = json.dumps({**json.loads(OKPAlgorithm.to_jwk(PRIVATE["EdDSA"])), "kid": "x"}).encode()
    short = rsa.generate_private_key(65537, 1024).public_key()
    short_pem = short.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    shared = b'{"keys": [{"kty": "oct", "k": "c2VjcmV0"}]}'

    for bad in (b"", b"nonsense", b"{}", b"{", b'{"keys": 1}', private, private_jwk, short_pem, shared):
        with pytest.raises(InvalidKeys):
            keys_in(bad)


def test_keys_for_other_ends_are_left_out_of_a_set() -> None:
    value = json.loads(jwk_set(one="EdDSA", two="RS256"))
    value["keys"][1]["use"] = "enc"
    value["keys"].append({"kty": "EC", "crv": "P-521"})

    assert ["one"] == [key.kid for key in keys_in(json.dumps(value).encode())]


async def test_a_file_may_be_replaced_while_the_service_runs(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    file.write_bytes(jwk_set(old="RS256"))
    issuer = JwtIdentities(JwksCache(file_fetcher(file), time.monotonic, pause=0.0))
    await issuer.identify(token("RS256", "old"))

    file.write_bytes(jwk_set(new="EdDSA"))

    assert "jwt:ann" == await issuer.identify(token("EdDSA", "new"))
    assert "TOKEN_INVALID" == await refusal(issuer, token("RS256", "old"))


class Address:
    """An issuer's JWKS address on this machine."""

    def __init__(self) -> None:
        self.body, self.code, self.asked = jwk_set(one="EdDSA"), 200, 0
        self.may_answer = threading.Event()
        self.may_answer.set()
        address = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                address.asked += 1
                address.may_answer.wait(PATIENCE)
                moved = self.path == "/elsewhere"
                self.send_response(200 if moved else address.code)
                if address.code == 302:
                    self.send_header("location", "/elsewhere")
                self.end_headers()
                with suppress(OSError):  # the client may have given up
                    self.wfile.write(jwk_set(one="EdDSA") if moved else address.body)

            def log_message(self, *_arguments: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/keys"


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[Address]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    found = Address()
    thread = threading.Thread(target=found.server.serve_forever, args=(0.05,))
    thread.start()
    yield found
    found.may_answer.set()
    found.server.shutdown()
    found.server.server_close()
    thread.join()


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_an_address_is_asked_once_and_again_for_an_unknown_key_now_and_then(address: Address) -> None:
    clock = Clock()
    issuer = JwtIdentities(JwksCache(url_fetcher(address.url), clock))
    await asyncio.gather(*(issuer.identify(token(kid="one", sub=f"{n}")) for n in range(5)))
    asked = [address.asked]

    address.body = jwk_set(one="EdDSA", two="RS256")
    early = await refusal(issuer, token("RS256", "two"))
    asked.append(address.asked)
    clock.now += 31
    late = await issuer.identify(token("RS256", "two"))
    for n in range(5):
        assert "TOKEN_INVALID" == await refusal(issuer, token(kid=f"never-{n}"))
    asked.append(address.asked)

    assert ("TOKEN_INVALID", "jwt:ann") == (early, late)
    assert [1, 1, 2] == asked


async def test_keys_are_asked_for_again_when_they_are_old_and_a_withdrawn_one_dies(address: Address) -> None:
    clock = Clock()
    keys = JwksCache(url_fetcher(address.url), clock)
    issuer = JwtIdentities(keys)
    presented = token(kid="one")
    await issuer.identify(presented)
    address.body = jwk_set(two="RS256")

    clock.now += 601
    before = keys.all
    await issuer.identify(token(kid="one", sub="bob"))
    await until(lambda: keys.all is not before)

    assert "TOKEN_INVALID" == await refusal(issuer, presented)


@pytest.mark.parametrize(
    ("code", "body"), [(500, b""), (302, b""), (200, b"nonsense"), (200, b"x" * (2 << 20))]
)
async def test_an_issuer_that_is_away_makes_callers_wait_but_forgets_no_key(
    address: Address, code: int, body: bytes
) -> None:
    clock, good = Clock(), address.body
    issuer = JwtIdentities(JwksCache(url_fetcher(address.url), clock))
    address.code, address.body = code, body

    with pytest.raises(Unavailable) as away:
        await issuer.identify(token(kid="one"))
    address.code, address.body = 200, good
    clock.now += 3
    first = await issuer.identify(token(kid="one"))
    address.code, address.body = code, body
    clock.now += 601
    then = [await issuer.identify(token(kid="one", sub=name)) for name in ("bob", "cid")]

    assert "ISSUER_UNAVAILABLE" == away.value.reason
    assert ["jwt:ann", "jwt:bob", "jwt:cid"] == [first, *then]


async def test_an_issuer_that_says_nothing_is_not_waited_for(
    address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The issuer answers only after the client has given up."""
    monkeypatch.setattr(jwks, "FETCH_SECONDS", 0.1)
    address.may_answer.clear()
    issuer = JwtIdentities(JwksCache(url_fetcher(address.url), time.monotonic))

    with pytest.raises(Unavailable):
        await issuer.identify(token(kid="one"))

    address.may_answer.set()


async def test_the_subject_of_a_token_owns_the_seats_it_takes() -> None:
    service = Service(identities=issuer_of(pem("EdDSA")))
    ann, bob = token(sub="ann"), token(sub="bob")
    game_id = (await service.call("CreateGame", ann, title="tides")).game.game_id
    for name in (ann, bob):
        await service.call("JoinGame", name, game_id=game_id)

    await service.move(game_id, token(sub="ann", exp=time.time() + 999))

    assert 1 == (await service.call("GetView", bob, game_id=game_id)).view.seat
    assert ("UNAUTHENTICATED", "TOKEN_MISSING") == await service.refusal("GetView", game_id=game_id)
