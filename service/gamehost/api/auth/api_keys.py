"""API keys: random strings with a recognisable prefix, of which the store holds only digests."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Callable
from dataclasses import dataclass

from gamehost.play.errors import Unauthenticated
from gamehost.play.ports.registry import Registry

KEY_PREFIX = "shedu_key_"
REGISTRY_NAME = "api-keys"
NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
SECRET_BYTES = 32
CACHE_SECONDS = 2.0  # how long a revoked key may still be accepted
MOST_CACHED_API_KEYS = 10_000


class KeyProblem(Exception):
    """A command of an operator on API keys that cannot be carried out."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """The stored data of a key.

    A plain SHA-256 is enough: a key has 256 random bits, so there is nothing to guess that a slow password
    hash would make harder.
    """

    name: str
    digest: str
    created: int  # seconds since 1970

    def to_bytes(self) -> bytes:
        return f"{self.digest} {self.created}".encode()


def api_key_from(name: str, value: bytes) -> ApiKey:
    """The inverse of `ApiKey.to_bytes`."""
    digest, created = value.decode().split(" ")
    return ApiKey(name, digest, int(created))


async def create_key(store: Registry, name: str, now: float, entropy: Callable[[int], bytes]) -> str:
    """Registers a new key and returns it; it cannot be shown again. Raises KeyProblem."""
    if not NAME.fullmatch(name):
        raise KeyProblem("a name must be 1 to 40 lower-case letters, digits or inner hyphens")
    secret = base64.b32encode(entropy(SECRET_BYTES)).decode().lower().rstrip("=")
    token = f"{KEY_PREFIX}{name}_{secret}"
    if not await store.register(REGISTRY_NAME, name, ApiKey(name, key_digest(token), int(now)).to_bytes()):
        raise KeyProblem(f"key {name} exists already; revoke it first, or choose another name")
    return token


async def revoke_key(store: Registry, name: str) -> None:
    """Removes a key. Processes that have it cached accept it for CACHE_SECONDS more."""
    if await store.registered(REGISTRY_NAME, name) is None:
        raise KeyProblem(f"there is no key {name}")
    await store.unregister(REGISTRY_NAME, name)


async def all_keys(store: Registry) -> list[ApiKey]:
    """All keys, by name."""
    return [
        api_key_from(name, value)
        for name, value in sorted((await store.all_registered(REGISTRY_NAME)).items())
    ]


class ApiKeys:
    """Identifies callers by their API key, with a short cache before the store. `now` returns seconds."""

    expected_credential = f"an API key: Authorization: Bearer {KEY_PREFIX}…"

    def __init__(self, store: Registry, now: Callable[[], float]) -> None:
        self._store, self._now = store, now
        self._cache: dict[str, tuple[str, float]] = {}

    async def identify(self, token: str) -> str:
        """Returns the caller id of a key.

        Raises Unauthenticated, with the same message for a key that never existed and one that was revoked: a
        guess must not reveal which names are in use.
        """
        name, _, secret = token.removeprefix(KEY_PREFIX).partition("_")
        if not token.startswith(KEY_PREFIX) or not secret or not NAME.fullmatch(name):
            raise Unauthenticated(f"this is not {self.expected_credential}", reason="TOKEN_INVALID")
        digest = key_digest(token)
        if not await self._is_registered(name, digest):
            raise Unauthenticated("there is no such API key", reason="TOKEN_INVALID")
        return f"key:{name}"

    async def _is_registered(self, name: str, digest: str) -> bool:
        """Whether this is the digest of the key with that name."""
        # Digests are compared in constant time, so that the duration of a call tells nothing about them.
        cached, until = self._cache.get(name, ("", 0.0))
        if until > self._now() and hmac.compare_digest(cached, digest):
            return True
        value = await self._store.registered(REGISTRY_NAME, name)
        if value is None or not hmac.compare_digest(api_key_from(name, value).digest, digest):
            return False
        # Only valid keys are cached. A cached "no" would refuse a key that was created a moment ago.
        if len(self._cache) >= MOST_CACHED_API_KEYS:
            self._cache.clear()
        self._cache[name] = (digest, self._now() + CACHE_SECONDS)
        return True


def key_digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
