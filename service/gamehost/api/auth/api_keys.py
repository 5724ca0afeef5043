"""API keys: random, recognisable, and kept only as a digest."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Callable
from dataclasses import dataclass

from gamehost.play.errors import Unauthenticated
from gamehost.play.ports.registry import Registry

PREFIX = "shedu_key_"
BOOK = "api-keys"
NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
SECRET_BYTES = 32
REMEMBERED_SECONDS = 2.0  # how long a revoked key may still be taken
REMEMBERED = 10_000


class KeyProblem(Exception):
    """What an operator asked of the keys cannot be done."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """What is kept of a key. A key has 256 random bits, so a fast digest gives nothing to guess at."""

    name: str
    digest: str
    created: int  # seconds since 1970

    def to_bytes(self) -> bytes:
        return f"{self.digest} {self.created}".encode()


def kept(name: str, value: bytes) -> ApiKey:
    digest, created = value.decode().split(" ")
    return ApiKey(name, digest, int(created))


async def create(store: Registry, name: str, now: float, entropy: Callable[[int], bytes]) -> str:
    """A new key for that name, shown this once."""
    if not NAME.fullmatch(name):
        raise KeyProblem("a name has up to 40 lower-case letters, digits and hyphens between them")
    secret = base64.b32encode(entropy(SECRET_BYTES)).decode().lower().rstrip("=")
    token = f"{PREFIX}{name}_{secret}"
    if not await store.register(BOOK, name, ApiKey(name, digest_of(token), int(now)).to_bytes()):
        raise KeyProblem(f"there is a key {name}; revoke it first, or choose another name")
    return token


async def revoke(store: Registry, name: str) -> None:
    if await store.registered(BOOK, name) is None:
        raise KeyProblem(f"there is no key {name}")
    await store.unregister(BOOK, name)


async def listed(store: Registry) -> list[ApiKey]:
    return [kept(name, value) for name, value in sorted((await store.all_registered(BOOK)).items())]


class ApiKeys:
    """Tells whose a key is. What the store said is believed for a moment. `now` gives seconds."""

    expected_credential = f"an API key: Authorization: Bearer {PREFIX}…"

    def __init__(self, store: Registry, now: Callable[[], float]) -> None:
        self._store, self._now = store, now
        self._known: dict[str, tuple[str, float]] = {}

    async def identify(self, token: str) -> str:
        """The caller id, or Unauthenticated: the same for a key that never was and one that is revoked."""
        name, _, secret = token.removeprefix(PREFIX).partition("_")
        if not token.startswith(PREFIX) or not secret or not NAME.fullmatch(name):
            raise Unauthenticated(f"this is not {self.expected_credential}", reason="TOKEN_INVALID")
        digest = digest_of(token)
        if not await self._is_kept(name, digest):
            raise Unauthenticated("there is no such API key", reason="TOKEN_INVALID")
        return f"key:{name}"

    async def _is_kept(self, name: str, digest: str) -> bool:
        """Only good keys are remembered, so that a new one is good at once."""
        known, until = self._known.get(name, ("", 0.0))
        if until > self._now() and hmac.compare_digest(known, digest):
            return True
        value = await self._store.registered(BOOK, name)
        if value is None or not hmac.compare_digest(kept(name, value).digest, digest):
            return False
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        self._known[name] = (digest, self._now() + REMEMBERED_SECONDS)
        return True


def digest_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
