"""Callers with an identity, for services that ask for one."""

from __future__ import annotations

import itertools
from typing import Any

from gamehost.api.auth import api_keys
from gamehost.api.auth.api_keys import ApiKeys
from gamehost.play.players.profiles import Profile, caller_digest
from gamehost.play.ports.event_store import EventStore
from gamehost.stores.memory import MemoryEventStore
from support.service import Service


class KeyedService(Service):
    """A service with `--identity keys`; its keys are made as `shedu keys` makes them."""

    def __init__(self, store: EventStore | None = None, **settings: Any) -> None:
        kept = store or MemoryEventStore()
        super().__init__(kept, identities=ApiKeys(kept, self.seconds), **settings)
        self._bytes = itertools.count(1)

    async def key(self, name: str) -> str:
        return await api_keys.create_key(
            self.store, name, self.seconds(), lambda size: next(self._bytes).to_bytes(size)
        )

    async def profile(self, name: str) -> Profile:
        """The stored profile of the caller with the key of that name."""
        assert self.application.players
        return await self.application.players.profiles.read(caller_digest(f"key:{name}"))

    async def shared_table(self, *keys: str, title: str = "tides", **fields: Any) -> tuple[str, list[str]]:
        """A game whose seats are taken by these callers, in order: its id and the seats' tokens."""
        created = await self.call("CreateGame", keys[0], title=title, **fields)
        wish = {"game_id": created.game.game_id, "invite_code": created.invite_code}
        joined = [await self.call("JoinGame", key, seat=seat, **wish) for seat, key in enumerate(keys)]
        return created.game.game_id, [each.seat_token for each in joined]
