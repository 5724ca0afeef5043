"""The public keys of an issuer of JWTs, from a file or from its JWKS address."""

from __future__ import annotations

import asyncio
import json
import re
import urllib.request
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jwt
import structlog
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from gamehost.play.errors import Unavailable

EDDSA, ES256, RS256 = "EdDSA", "ES256", "RS256"
CURVES = {("OKP", "Ed25519"): EDDSA, ("EC", "P-256"): ES256, ("RSA", None): RS256}
SHORTEST_RSA = 2048  # bits
PEM = re.compile(rb"-----BEGIN ([A-Z ]+)-----.+?-----END \1-----", re.DOTALL)
FRESH = 600.0  # seconds after which keys are fetched again
PAUSE = 30.0  # seconds between fetches for the sake of an unknown key
RETRY = 2.0  # seconds between fetches that fail
TIMEOUT = 5.0
MOST_BYTES = 1 << 20

log = structlog.get_logger("gamehost.api")

Fetch = Callable[[], Awaitable[bytes]]


class InvalidKeys(ValueError):
    """Not public keys that tokens can be checked with."""


@dataclass(frozen=True, slots=True)
class VerificationKey:
    """The kind of key alone says which algorithm is right, never the token."""

    kid: str | None
    algorithm: str
    key: Any

    def fits(self, kid: str | None, algorithm: str) -> bool:
        return self.algorithm == algorithm and (None in (kid, self.kid) or kid == self.kid)


def keys_in(data: bytes) -> list[VerificationKey]:
    """The keys in a JWK set, a JWK or PEM blocks."""
    try:
        found = json_keys(data) if data.lstrip().startswith(b"{") else pem_keys(data)
    except (jwt.PyJWTError, UnsupportedAlgorithm, ValueError, TypeError, KeyError) as error:
        raise (
            error if isinstance(error, InvalidKeys) else InvalidKeys("the issuer's keys cannot be read")
        ) from error
    if not found:
        raise InvalidKeys("there is no public key for EdDSA, ES256 or RS256 among the issuer's keys")
    return found


def json_keys(data: bytes) -> list[VerificationKey]:
    """A set may hold keys for other ends: they are left out."""
    value = json.loads(data)
    found = []
    for item in value.get("keys", [value]):
        algorithm = CURVES.get((item.get("kty"), item.get("crv")))
        if algorithm and item.get("use", "sig") == "sig" and item.get("alg", algorithm) == algorithm:
            if "d" in item:
                raise InvalidKeys("the issuer's keys must be public ones, but one is private")
            key = strong(jwt.PyJWK(item, algorithm).key)
            found.append(VerificationKey(item.get("kid"), algorithm, key))
    return found


def pem_keys(data: bytes) -> list[VerificationKey]:
    found = []
    for block in PEM.finditer(data):
        if b"PRIVATE" in block[1]:
            raise InvalidKeys("the issuer's keys must be public ones, but one is private")
        key = strong(load_pem_public_key(block[0]))
        found.append(VerificationKey(None, algorithm_of(key), key))
    return found


def algorithm_of(key: Any) -> str:
    if isinstance(key, Ed25519PublicKey):
        return EDDSA
    if isinstance(key, RSAPublicKey):
        return RS256
    if isinstance(key, EllipticCurvePublicKey) and isinstance(key.curve, SECP256R1):
        return ES256
    raise InvalidKeys("an issuer's key must be of Ed25519, P-256 or RSA")


def strong(key: Any) -> Any:
    if isinstance(key, RSAPublicKey) and key.key_size < SHORTEST_RSA:
        raise InvalidKeys(f"an RSA key must have at least {SHORTEST_RSA} bits")
    return key


def from_file(path: Path) -> Fetch:
    async def fetch() -> bytes:
        return await asyncio.to_thread(path.read_bytes)

    return fetch


def from_address(url: str) -> Fetch:
    """Without redirects: keys come from where the operator said, or not at all."""
    opener = urllib.request.build_opener(NoRedirect)

    def get() -> bytes:
        with opener.open(url, timeout=TIMEOUT) as answer:
            data: bytes = answer.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise InvalidKeys("the issuer's keys are too many")
        return data

    async def fetch() -> bytes:
        async with asyncio.timeout(2 * TIMEOUT):
            return await asyncio.to_thread(get)

    return fetch


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_arguments: Any) -> None:
        return None


class JwksCache:
    """Fetches keys when they are needed, keeps them, and asks again for one it does not know, now and then.

    `now` gives seconds.
    """

    def __init__(self, fetch: Fetch, now: Callable[[], float], pause: float = PAUSE) -> None:
        self._fetch, self._now, self._pause = fetch, now, pause
        self._keys: Sequence[VerificationKey] = ()
        self._asked = float("-inf")
        self._lock = asyncio.Lock()
        self._refreshing: asyncio.Task[None] | None = None

    @property
    def all(self) -> Sequence[VerificationKey]:
        """Another object whenever they have changed."""
        return self._keys

    async def fitting(self, kid: str | None, algorithm: str) -> list[VerificationKey]:
        if not self._keys:
            await self._refresh(RETRY)
        elif self._now() - self._asked > FRESH and (not self._refreshing or self._refreshing.done()):
            self._refreshing = asyncio.create_task(self._refresh(FRESH))
        found = self._matching(kid, algorithm)
        if not found:
            await self._refresh(self._pause)
            found = self._matching(kid, algorithm)
        return found

    def _matching(self, kid: str | None, algorithm: str) -> list[VerificationKey]:
        return [key for key in self._keys if key.fits(kid, algorithm)]

    async def _refresh(self, pause: float) -> None:
        async with self._lock:
            if self._now() - self._asked >= pause:
                self._asked = self._now()
                await self._load()
        if not self._keys:
            raise Unavailable(
                "the issuer's keys cannot be had", reason="ISSUER_UNAVAILABLE", retry_after=RETRY
            )

    async def _load(self) -> None:
        """Keys that cannot be fetched leave the ones from before in force."""
        try:
            keys = keys_in(await self._fetch())
        except (OSError, TimeoutError, ValueError) as error:
            log.warning("issuer keys", problem=type(error).__name__)
            return
        if keys != self._keys:
            self._keys = keys
