"""The past of a game is often told to many: to a crowd that comes, or comes back."""

from __future__ import annotations

from collections.abc import Sequence

from .lately import Lately
from .moments import Began, Happened
from .table import Record, Table
from .weight import weigh_table

BEGINNINGS, HAPPENINGS = 4 << 20, 12 << 20  # bytes for those that are remembered
RECORD = 1024  # bytes of a record, roughly


class Retelling:
    """What was told lately. It is told again only to those who come from the very same table."""

    def __init__(self) -> None:
        self._beginnings = Lately[int, Began](BEGINNINGS, lambda began: weigh_table(began.table))
        self._happenings = Lately[int, tuple[Table, Happened]](HAPPENINGS, _weigh)

    def began(self, table: Table) -> Began:
        return self._beginnings.get(id(table)) or self._beginnings.keep(id(table), Began(table))

    def happened(self, before: Table, records: Sequence[Record]) -> Happened | None:
        _, moment = self._happenings.get(id(before)) or (None, None)
        return moment if moment and moment.records == records else None

    def keep(self, before: Table, moment: Happened) -> Happened:
        """With the table, so that no other one is ever taken for it."""
        self._happenings.keep(id(before), (before, moment))
        return moment


def _weigh(kept: tuple[Table, Happened]) -> int:
    before, moment = kept
    return weigh_table(before) + weigh_table(moment.table) + RECORD * len(moment.records)
