"""What the luck of a game is bound to, and who may check it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gamehost.rules.kit import Seat

from . import access
from .table.events import Reveal, SeedRevealed
from .table.table import Table
from .tables.current import TableCache


@dataclass(frozen=True, slots=True)
class Fairness:
    """`seed` is None for those who may not know it, or not yet."""

    commitment: bytes
    reveal: Reveal
    client_seeds: tuple[bytes, ...]
    seed: bytes | None


class FairnessReader:
    def __init__(self, tables: TableCache) -> None:
        self._tables = tables

    async def of(self, table: Table, seat: Seat | None) -> Fairness:
        seed = await self._tables.seed(table.game_id) if access.is_revealed(table, seat) else None
        created = table.created
        return Fairness(created.commitment, created.reveal, table.client_seeds, seed)


def seed_revealed(table: Table, seed: bytes) -> Sequence[SeedRevealed]:
    """The last event of a game, however it ends, unless its seed is never told."""
    return () if table.created.reveal is Reveal.NEVER else (SeedRevealed(seed),)
