"""The past of a game is often told to many: to a crowd that comes, or comes back."""

from __future__ import annotations

from collections.abc import Sequence

from .happenings import MoveUndone
from .lately import Lately
from .meter import UNMETERED, Meter
from .moments import Began, Happened
from .table import Record, Table
from .trail import RECENT
from .weight import weigh_table

BEGINNINGS, BIRTHS, HAPPENINGS = 3 << 20, 1 << 20, 12 << 20  # bytes for those that are remembered
SHARE = 4  # a single tale has no more than this part of the room
STEP, RECORD = 2048, 1024  # bytes that a table adds to the one before it, and those of a record, roughly


class Tale:
    """What happened in one game, from one table to the next, which has most of it in common with the last."""

    def __init__(self) -> None:
        self._steps: dict[int, tuple[Table, Happened]] = {}
        self._tables: set[int] = set()
        self.weight = 0

    def after(self, before: Table) -> Happened | None:
        """Only from the very same table: whatever looks like it may have another past."""
        step = self._steps.get(id(before))
        return step[1] if step else None

    def add(self, before: Table, moment: Happened) -> None:
        """With the table, so that no other one is ever taken for it. What was told first stays."""
        if id(before) in self._steps:
            return
        if id(before) not in self._tables:
            self.weight += weigh_table(before)
        self._steps[id(before)] = before, moment
        self._tables |= {id(before), id(moment.table)}
        self.weight += _weigh(moment)


class Retelling:
    """What was told lately."""

    def __init__(self, meter: Meter = UNMETERED) -> None:
        self._beginnings = Lately[int, Began](
            BEGINNINGS, lambda began: weigh_table(began.table), meter.recent("beginnings")
        )
        self._births = Lately[int, Happened](
            BIRTHS, lambda birth: weigh_table(birth.table), meter.recent("births")
        )
        self._tales = Lately[str, Tale](HAPPENINGS, lambda tale: tale.weight, meter.recent("histories"))
        self._longest = HAPPENINGS // SHARE

    def began(self, table: Table) -> Began:
        return self._beginnings.get(id(table)) or self._beginnings.keep(id(table), Began(table))

    def born(self, first: Table, records: Sequence[Record]) -> Happened:
        return self._births.get(id(first)) or self._births.keep(id(first), Happened(records, first))

    def happened(self, before: Table, records: Sequence[Record]) -> Happened | None:
        tale = self._tales.get(before.game_id)
        moment = tale.after(before) if tale else None
        return moment if moment and moment.records == records else None

    def keep(self, before: Table, moment: Happened) -> Happened:
        tale = self._tales.get(before.game_id)
        if tale is None or tale.weight > self._longest:
            tale = Tale()
        tale.add(before, moment)
        self._tales.keep(before.game_id, tale)
        return moment


def _weigh(moment: Happened) -> int:
    """What was undone leads to a table that may have been folded anew, and share nothing."""
    undone = any(isinstance(record.event, MoveUndone) for record in moment.records)
    alone = undone or len(moment.table.past) > RECENT
    return (weigh_table(moment.table) if alone else STEP) + RECORD * len(moment.records)
