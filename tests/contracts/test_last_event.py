"""Tests that every store appends only after the expected last event."""

from __future__ import annotations

import pytest

from gamehost.play.ports.event_log import Appended, RequestKey, StaleVersion, StoredEvent
from gamehost.play.ports.event_store import EventStore

from .test_event_store import stored


async def test_an_append_after_another_event_is_stale_whatever_its_number(
    store: EventStore, game: str
) -> None:
    await store.append(game, [b"a", b"b"], expected=0)

    with pytest.raises(StaleVersion) as stale:
        await store.append(
            game, [b"c"], expected=2, after=b"B", request=RequestKey("r", b"f"), summary=b"new"
        )

    assert (2, 2) == (stale.value.expected, stale.value.actual)
    assert stored(b"a", b"b") == list(await store.read(game))
    assert [None] == list(await store.summaries([game]))
    assert Appended(3, 3) == await store.append(game, [b"c"], expected=2, after=b"b")


async def test_the_newest_event_is_the_last_one(store: EventStore, game: str) -> None:
    assert None is await store.newest(game)

    await store.append(game, [b"a", b"b"], expected=0)

    assert StoredEvent(2, b"b") == await store.newest(game)
