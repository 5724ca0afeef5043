"""The public keys of a JWT issuer, from a file or a JWKS URL."""

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
REFRESH_SECONDS = 600.0  # age at which keys are fetched again in the background
UNKNOWN_KEY_SECONDS = 30.0  # least time between fetches because of tokens with an unknown key
REFETCH_SECONDS = 2.0  # least time between fetches while there are no keys
FETCH_SECONDS = 5.0
MOST_KEY_SET_BYTES = 1 << 20

log = structlog.get_logger("gamehost.api")

Fetch = Callable[[], Awaitable[bytes]]


class InvalidKeys(ValueError):
    """Data that has no public keys to verify tokens with."""


@dataclass(frozen=True, slots=True)
class VerificationKey:
    """A public key and its algorithm.

    The algorithm comes from the type of the key and never from the token, which an attacker writes: a token
    must not be able to choose `none`, or HMAC with the public key as its secret.
    """

    kid: str | None
    algorithm: str
    key: Any

    def fits(self, kid: str | None, algorithm: str) -> bool:
        """Whether a token with that header may be signed with this key. Both may lack a key id."""
        return self.algorithm == algorithm and (None in (kid, self.kid) or kid == self.kid)


def keys_in(data: bytes) -> list[VerificationKey]:
    """Reads the keys in a JWK set, a JWK or PEM blocks. Raises InvalidKeys."""
    try:
        found = json_keys(data) if data.lstrip().startswith(b"{") else pem_keys(data)
    except (jwt.PyJWTError, UnsupportedAlgorithm, ValueError, TypeError, KeyError) as error:
        raise (
            error if isinstance(error, InvalidKeys) else InvalidKeys("the issuer's keys cannot be read")
        ) from error
    if not found:
        raise InvalidKeys("the issuer's keys include no public key for EdDSA, ES256 or RS256")
    return found


def json_keys(data: bytes) -> list[VerificationKey]:
    """The keys of a JWK set that can verify tokens. Keys for other uses and algorithms are left out."""
    value = json.loads(data)
    found = []
    for item in value.get("keys", [value]):
        algorithm = CURVES.get((item.get("kty"), item.get("crv")))
        if algorithm and item.get("use", "sig") == "sig" and item.get("alg", algorithm) == algorithm:
            if "d" in item:
                raise InvalidKeys("one of the issuer's keys is a private key; only public keys may be given")
            key = checked_strength(jwt.PyJWK(item, algorithm).key)
            found.append(VerificationKey(item.get("kid"), algorithm, key))
    return found


def pem_keys(data: bytes) -> list[VerificationKey]:
    """The keys in PEM blocks, which have no key ids."""
    found = []
    for block in PEM.finditer(data):
        if b"PRIVATE" in block[1]:
            raise InvalidKeys("one of the issuer's keys is a private key; only public keys may be given")
        key = checked_strength(load_pem_public_key(block[0]))
        found.append(VerificationKey(None, algorithm_of(key), key))
    return found


def algorithm_of(key: Any) -> str:
    """The one algorithm that a key of this type may be used with."""
    if isinstance(key, Ed25519PublicKey):
        return EDDSA
    if isinstance(key, RSAPublicKey):
        return RS256
    if isinstance(key, EllipticCurvePublicKey) and isinstance(key.curve, SECP256R1):
        return ES256
    raise InvalidKeys("an issuer's key must be an Ed25519, P-256 or RSA key")


def checked_strength(key: Any) -> Any:
    """Returns the key; raises InvalidKeys if it is a short RSA key."""
    if isinstance(key, RSAPublicKey) and key.key_size < SHORTEST_RSA:
        raise InvalidKeys(f"an RSA key must have at least {SHORTEST_RSA} bits")
    return key


def file_fetcher(path: Path) -> Fetch:
    async def fetch() -> bytes:
        return await asyncio.to_thread(path.read_bytes)

    return fetch


def url_fetcher(url: str) -> Fetch:
    """Fetches keys from a URL, without following redirects: the operator trusts this URL and no other."""
    opener = urllib.request.build_opener(NoRedirect)

    def get() -> bytes:
        with opener.open(url, timeout=FETCH_SECONDS) as response:
            data: bytes = response.read(MOST_KEY_SET_BYTES + 1)
        if len(data) > MOST_KEY_SET_BYTES:
            raise InvalidKeys(f"the issuer's keys exceed {MOST_KEY_SET_BYTES} bytes")
        return data

    async def fetch() -> bytes:
        # The timeout of urllib is for each read of the socket: a server that trickles bytes never exceeds it.
        async with asyncio.timeout(2 * FETCH_SECONDS):
            return await asyncio.to_thread(get)

    return fetch


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Makes urllib raise HTTPError for a redirect."""

    def redirect_request(self, *_arguments: Any) -> None:
        return None


class JwksCache:
    """Fetches the issuer's keys when they are first needed and refreshes them later. `now` returns seconds.

    Old keys are refreshed in the background while they stay in use. A token with an unknown key leads to a
    fetch as well, because issuers rotate keys, but at most every `pause` seconds: anyone can send such
    tokens.
    """

    def __init__(self, fetch: Fetch, now: Callable[[], float], pause: float = UNKNOWN_KEY_SECONDS) -> None:
        self._fetch, self._now, self._pause = fetch, now, pause
        self._keys: Sequence[VerificationKey] = ()
        self._attempted_at = float("-inf")
        self._lock = asyncio.Lock()
        self._refreshing: asyncio.Task[None] | None = None

    @property
    def all(self) -> Sequence[VerificationKey]:
        """The current keys. A change replaces the sequence, so callers can compare it by identity."""
        return self._keys

    async def fitting(self, kid: str | None, algorithm: str) -> list[VerificationKey]:
        """The keys that may have signed a token with this header. Raises Unavailable without any keys."""
        if not self._keys:
            await self._refresh(REFETCH_SECONDS)
        elif self._now() - self._attempted_at > REFRESH_SECONDS and (
            not self._refreshing or self._refreshing.done()
        ):
            # Kept in an attribute: the event loop holds only weak references to tasks.
            self._refreshing = asyncio.create_task(self._refresh(REFRESH_SECONDS))
        found = self._matching(kid, algorithm)
        if not found:
            await self._refresh(self._pause)
            found = self._matching(kid, algorithm)
        return found

    def _matching(self, kid: str | None, algorithm: str) -> list[VerificationKey]:
        return [key for key in self._keys if key.fits(kid, algorithm)]

    async def _refresh(self, pause: float) -> None:
        """Fetches the keys unless that was done less than `pause` seconds ago."""
        # Calls that wait for the lock find the keys just fetched, and do not fetch them again.
        async with self._lock:
            if self._now() - self._attempted_at >= pause:
                self._attempted_at = self._now()
                await self._load()
        if not self._keys:
            raise Unavailable(
                "the issuer's keys cannot be fetched",
                reason="ISSUER_UNAVAILABLE",
                retry_after=REFETCH_SECONDS,
            )

    async def _load(self) -> None:
        """Replaces the keys. If they cannot be fetched or read, the previous ones stay in use."""
        try:
            keys = keys_in(await self._fetch())
        except (OSError, TimeoutError, ValueError) as error:
            log.warning("cannot load the issuer's keys", problem=type(error).__name__)
            return
        if keys != self._keys:  # `all` must stay the same object while nothing has changed
            self._keys = keys
