"""Who pays for a game: whoever opened it, known to all processes by a digest and to nobody else."""

from __future__ import annotations

import hashlib
import hmac

from gamehost.play.caching import LruCache
from gamehost.play.ports.registry import Registry

BOOK = "payers"
REMEMBERED = 20_000
LENGTH = 16


class Payers:
    """Keeps the payers of unfinished games beside their logs, so that no event, view or export has them.

    A digest with the service's secret tells callers apart and says nothing about their names or addresses.
    """

    def __init__(self, store: Registry, secret: bytes) -> None:
        self._store, self._secret = store, secret
        self._known = LruCache[str, str](REMEMBERED)

    def digest(self, payer: str) -> str:
        """The empty one for nobody."""
        if not payer:
            return ""
        return hmac.digest(self._secret, f"shedu:payer:v1:{payer}".encode(), hashlib.sha256).hex()[:LENGTH]

    def expect(self, game_id: str, payer: str) -> str:
        """The payer of a game that is about to be opened."""
        return self._known.put(game_id, self.digest(payer))

    async def enter(self, game_id: str) -> None:
        """Let other processes know the payer that is expected."""
        if payer := self._known.get(game_id):
            await self._store.register(BOOK, game_id, payer.encode())

    async def of(self, game_id: str) -> str:
        """A digest; the empty one for a game whose payer nobody wrote down, as in earlier releases."""
        known = self._known.get(game_id)
        if known is None:
            found = await self._store.registered(BOOK, game_id)
            known = self._known.put(game_id, found.decode() if found else "")
        return known

    async def strike(self, game_id: str) -> None:
        """A game that is over costs nothing any more."""
        await self._store.unregister(BOOK, game_id)
