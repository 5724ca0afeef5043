"""What a watcher is shown of each moment of a game."""

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

FRESH, WRITTEN = 4 << 20, 12 << 20  # bytes for messages, and for many more of them as they are on the wire

Answer: TypeAlias = pb.WatchGameResponse


class WatchMessages:
    """Writes a moment once for all who are shown the same, and remembers what was written lately."""

    def __init__(self, codec: MessageRenderer, meter: PlayMetrics = NO_METRICS) -> None:
        self._codec = codec
        self._messages = LruCache[tuple[int, Hashable], Answer](
            FRESH, message_size, meter.cache_size_setter("messages")
        )
        self._serialized = LruCache[tuple[int, Hashable], bytes](
            WRITTEN, lambda wire: ENTRY_SIZE + len(wire), meter.cache_size_setter("written_messages")
        )

    def message(self, moment: WatchItem, how: SeatAccess | None, *, everything: bool) -> Answer:
        """Raises when the caller has ceased to sit there; with `everything` no event is redacted."""
        match moment:
            case StreamBegan(table, number):
                seat = seat_at_version(table, how)
                return self._memoized((number, seat), partial(self._snapshot, table, seat))
            case EventsHappened(_, table, number):
                _still_seated(table, how)
                seat = seat_at_version(table, how)
                whole = everything or is_revealed(table, seat)
                return self._memoized((number, (seat, whole)), partial(self._events, moment, seat, whole))
            case CaughtUp(version):
                return pb.WatchGameResponse(caught_up=pb.CaughtUp(version=version))
            case Heartbeat(version):
                return pb.WatchGameResponse(heartbeat=pb.Heartbeat(version=version))
            case StreamEnded(version, why):
                reason = pb.GoAwayReason.Value(f"GO_AWAY_REASON_{why.name}")
                return pb.WatchGameResponse(go_away=pb.GoAway(version=version, reason=reason))

    def _memoized(self, viewer: tuple[int, Hashable], write: Callable[[], Answer]) -> Answer:
        """Who is told at the same time shares a message; for those who come later its bytes are kept."""
        if known := self._messages.get(viewer):
            return known
        if wire := self._serialized.get(viewer):
            return self._messages.put(viewer, Answer.FromString(wire))
        answer = self._messages.put(viewer, write())
        self._serialized.put(viewer, answer.SerializeToString())
        return answer

    def _snapshot(self, table: Table, seat: Seat | None) -> Answer:
        return pb.WatchGameResponse(snapshot=self._codec.view(table, seat))

    def _events(self, moment: EventsHappened, seat: Seat | None, everything: bool) -> Answer:
        table = moment.table
        events = [self._codec.event(table, record, seat, everything=everything) for record in moment.records]
        return pb.WatchGameResponse(happened=pb.Happened(events=events, view=self._codec.view(table, seat)))


def _still_seated(table: Table, how: SeatAccess | None) -> None:
    if how and not still_owns_seat(table, how):
        raise NotYourSeat(f"seat {how.seat} has been left, or its tokens were revoked")
