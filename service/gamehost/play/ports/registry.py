"""Named values that all processes share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class Registry(Protocol):
    """Named values, counters and secrets that all processes share."""

    async def register(self, book: str, name: str, value: bytes) -> bool:
        """Write a value under a name of a book; False, and nothing, when another stands there."""
        ...

    async def unregister(self, book: str, name: str) -> None: ...

    async def registered(self, book: str, name: str) -> bytes | None: ...

    async def all_registered(self, book: str) -> Mapping[str, bytes]: ...

    async def count_up(self, name: str, seconds: int) -> int:
        """How often that name has been counted, this time included; forgotten `seconds` after the first."""
        ...

    async def secret(self, name: str, fresh: bytes) -> bytes:
        """The secret of that name; `fresh` becomes it when there is none."""
        ...
