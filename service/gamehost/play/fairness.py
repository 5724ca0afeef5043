"""The commitment to the seed of a game, and the seed itself for callers who may know it."""

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
    """The data that verifies the luck of a game. `seed` is None while the caller may not know it."""

    commitment: bytes
    reveal: Reveal
    client_seeds: tuple[bytes, ...]
    seed: bytes | None


class FairnessReader:
    """Reads the fairness data of games."""

    def __init__(self, tables: TableCache) -> None:
        self._tables = tables

    async def of(self, table: Table, seat: Seat | None) -> Fairness:
        """Return the data for a seat, or a spectator for None; the seed only if the game is revealed."""
        seed = await self._tables.seed(table.game_id) if access.is_revealed(table, seat) else None
        created = table.created
        return Fairness(created.commitment, created.reveal, table.client_seeds, seed)


def seed_revealed(table: Table, seed: bytes) -> Sequence[SeedRevealed]:
    """Return the event that ends every log; none if the reveal policy never shows the seed."""
    return () if table.created.reveal is Reveal.NEVER else (SeedRevealed(seed),)
