"""The payer of a game: the caller who created it, known to all processes as a digest."""

from __future__ import annotations

import hashlib
import hmac

from gamehost.play.caching import LruCache
from gamehost.play.ports.registry import Registry

PAYER_REGISTRY = "payers"
CACHED_PAYERS = 20_000  # games
DIGEST_LENGTH = 16  # characters


class PayerDigest(str):
    """The digest of a payer, where the payer itself is not known any more."""


class Payers:
    """Stores the payers of unfinished games in the registry.

    They are kept beside the logs and not in them, so that no event, view or export contains them. The digest
    is keyed with the service's secret: it tells callers apart without revealing their names or addresses.
    """

    def __init__(self, store: Registry, secret: bytes) -> None:
        self._store, self._secret = store, secret
        self._cache = LruCache[str, str](CACHED_PAYERS)

    def digest(self, payer: str) -> str:
        """Return the digest of a caller, or "" if there is no payer."""
        if not payer or isinstance(payer, PayerDigest):
            return payer
        digest = hmac.digest(self._secret, f"shedu:payer:v1:{payer}".encode(), hashlib.sha256)
        return digest.hex()[:DIGEST_LENGTH]

    def remember(self, game_id: str, payer: str) -> str:
        """Cache the payer of a game that is about to be created, and return its digest."""
        return self._cache.put(game_id, self.digest(payer))

    async def save(self, game_id: str) -> None:
        """Write the payer that was passed to `remember` to the store, for other processes."""
        if payer := self._cache.get(game_id):
            await self._store.register(PAYER_REGISTRY, game_id, payer.encode())

    async def of(self, game_id: str) -> str:
        """Return the digest of a game's payer.

        It is "" for a game without one: nobody was charged, or an earlier release created it.
        """
        known = self._cache.get(game_id)
        if known is None:
            found = await self._store.registered(PAYER_REGISTRY, game_id)
            known = self._cache.put(game_id, found.decode() if found else "")
        return known

    async def remove(self, game_id: str) -> None:
        """Delete the payer of a game that is over, since it causes no more costs."""
        await self._store.unregister(PAYER_REGISTRY, game_id)
