"""Writes long logs directly to the store, instead of by thousands of calls."""

from __future__ import annotations

from collections.abc import Iterator

from gamehost.play.ports.codec import Codec
from gamehost.play.ports.event_store import EventStore
from gamehost.play.table.events import Proposal, ProposalAnswered, ProposalMade
from gamehost.play.table.table import EventRecord, Table, fold
from gamehost.play.tables.current import TableCache
from gamehost.rules.kit import Seat

AT_ONCE = 500  # records in one append


async def lengthen(tables: TableCache, store: EventStore, codec: Codec, game_id: str, version: int) -> None:
    """Appends proposals of the first seat that the second declines, until the log has that version."""
    table = await tables.current(game_id)
    while table.version < version:
        records = list(declined(table, min(AT_ONCE, version - table.version)))
        table = fold(table, records)
        await store.append(
            game_id,
            [codec.encode_record(table.rules.title, record) for record in records],
            expected=table.version - len(records),
            after=None,
            request=None,
            summary=codec.encode_table(table, with_state=False),
            seed=None,
        )
    await tables.store_snapshot(table)


def declined(table: Table, count: int) -> Iterator[EventRecord]:
    """Yields records of declined proposals: one group (cause) for each proposal and each answer."""
    at = table.created_at
    others = tuple(Seat(seat) for seat in range(1, len(table.chairs)))
    for version in range(table.version + 1, table.version + count + 1, 2):
        name = f"proposal.{version}"
        asked = Proposal(name, Seat(0), abandon=True, waiting_for=others)
        yield EventRecord(version, at, Seat(0), False, ProposalMade(asked))
        if version < table.version + count:
            yield EventRecord(version + 1, at, Seat(1), False, ProposalAnswered(name, Seat(1), False))
