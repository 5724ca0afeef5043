"""Named values, counters and secrets that all processes share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class Registry(Protocol):
    """Stores values by registry and name, counters, and secrets."""

    async def register(self, registry: str, name: str, value: bytes) -> bool:
        """Write a value under a name; False, and no change, if the name has a different value."""
        ...

    async def unregister(self, registry: str, name: str) -> None: ...

    async def registered(self, registry: str, name: str) -> bytes | None: ...

    async def all_registered(self, registry: str) -> Mapping[str, bytes]: ...

    async def count_up(self, name: str, seconds: int) -> int:
        """Increment a counter and return it. The counter expires `seconds` after its first increment."""
        ...

    async def secret(self, name: str, fresh: bytes) -> bytes:
        """Return the secret of that name; if there is none yet, store and return `fresh`."""
        ...
