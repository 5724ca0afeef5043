"""The messages of WatchGame, built once for all watchers who may see the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TypeAlias

from gamehost.codec.messages import MessageRenderer
from gamehost.play.access import SeatAccess, is_revealed, seat_at_version, still_owns_seat
from gamehost.play.caching import LruCache
from gamehost.play.errors import NotYourSeat
from gamehost.play.ports.metrics import NO_METRICS, PlayMetrics
from gamehost.play.table.table import Table
from gamehost.play.watching.items import (
    CaughtUp,
    EventsHappened,
    Heartbeat,
    StreamBegan,
    StreamEnded,
    WatchItem,
)
from gamehost.rules.kit import Seat
from shedu.v1 import game_service_pb2 as pb

from .message_size import ENTRY_SIZE, message_size

MESSAGE_CACHE_BYTES = 4 << 20  # for parsed messages
SERIALIZED_CACHE_BYTES = 12 << 20  # for many more messages, as bytes

Response: TypeAlias = pb.WatchGameResponse
# The number of a watch item, and what its message depends on besides: the seat, and what is hidden from it.
CacheKey: TypeAlias = tuple[int, Hashable]


class WatchMessages:
    """Renders watch items, with two caches.

    Rendering a view costs far more than sending it, and a game can have thousands of watchers, nearly all of
    them spectators who get equal messages. Items have a number that is unique in the process, so number and
    viewer make a key that never needs to be invalidated.

    Watchers of a live game ask for an item at about the same time, and share the parsed message.
    Watchers who replay a game ask for many older items. For those the cache of bytes reaches further back, as
    a parsed message takes many times the memory of its bytes; parsing one is still cheaper than rendering it.
    """

    def __init__(self, codec: MessageRenderer, metrics: PlayMetrics = NO_METRICS) -> None:
        self._codec = codec
        self._messages = LruCache[CacheKey, Response](
            MESSAGE_CACHE_BYTES, message_size, metrics.cache_size_setter("messages")
        )
        self._serialized = LruCache[CacheKey, bytes](
            SERIALIZED_CACHE_BYTES,
            lambda data: ENTRY_SIZE + len(data),
            metrics.cache_size_setter("written_messages"),
        )

    def message(self, item: WatchItem, access: SeatAccess | None, *, everything: bool) -> Response:
        """The message for a watcher with that access, None for a spectator.

        With `everything` no event is redacted. The message is shared and must not be changed. Raises
        NotYourSeat when the watcher has lost its seat.
        """
        match item:
            case StreamBegan(table, number):
                seat = seat_at_version(table, access)
                return self._memoized((number, seat), partial(self._snapshot, table, seat))
            case EventsHappened(_, table, number):
                _check_owns_seat(table, access)
                seat = seat_at_version(table, access)
                # The key has all that the message depends on. Without `revealed` a watcher could be sent the
                # unredacted message of another one.
                revealed = everything or is_revealed(table, seat)
                return self._memoized((number, (seat, revealed)), partial(self._events, item, seat, revealed))
            case CaughtUp(version):
                return pb.WatchGameResponse(caught_up=pb.CaughtUp(version=version))
            case Heartbeat(version):
                return pb.WatchGameResponse(heartbeat=pb.Heartbeat(version=version))
            case StreamEnded(version, end_reason):
                reason = pb.GoAwayReason.Value(f"GO_AWAY_REASON_{end_reason.name}")
                return pb.WatchGameResponse(go_away=pb.GoAway(version=version, reason=reason))

    def _memoized(self, key: CacheKey, render: Callable[[], Response]) -> Response:
        """The message for a key: from either cache, or rendered and put into both."""
        if message := self._messages.get(key):
            return message
        if data := self._serialized.get(key):
            return self._messages.put(key, Response.FromString(data))
        message = self._messages.put(key, render())
        self._serialized.put(key, message.SerializeToString())
        return message

    def _snapshot(self, table: Table, seat: Seat | None) -> Response:
        return pb.WatchGameResponse(snapshot=self._codec.view(table, seat))

    def _events(self, item: EventsHappened, seat: Seat | None, everything: bool) -> Response:
        table = item.table
        events = [self._codec.event(table, record, seat, everything=everything) for record in item.records]
        return pb.WatchGameResponse(happened=pb.Happened(events=events, view=self._codec.view(table, seat)))


def _check_owns_seat(table: Table, access: SeatAccess | None) -> None:
    if access and not still_owns_seat(table, access):
        raise NotYourSeat(f"seat {access.seat} has been left, or its tokens were revoked")
