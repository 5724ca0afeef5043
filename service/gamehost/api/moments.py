"""What a watcher is shown of each moment of a game."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TypeAlias

from gamehost.codec.wire import WireCodec
from gamehost.play.access import Sitting, hindsight, revealed, still_sits
from gamehost.play.errors import NotYourSeat
from gamehost.play.lately import Lately
from gamehost.play.meter import UNMETERED, Meter
from gamehost.play.moments import Began, CaughtUp, Ended, Happened, Moment, Quiet
from gamehost.play.table import Table
from gamehost.rules.kit import Seat
from shedu.v1 import game_service_pb2 as pb

from .weight import ENTRY, weigh

FRESH, WRITTEN = 4 << 20, 12 << 20  # bytes for messages, and for many more of them as they are on the wire

Answer: TypeAlias = pb.WatchGameResponse


class Showing:
    """Writes a moment once for all who are shown the same, and remembers what was written lately."""

    def __init__(self, codec: WireCodec, meter: Meter = UNMETERED) -> None:
        self._codec = codec
        self._fresh = Lately[tuple[int, Hashable], Answer](FRESH, weigh, meter.recent("messages"))
        self._written = Lately[tuple[int, Hashable], bytes](
            WRITTEN, lambda wire: ENTRY + len(wire), meter.recent("written_messages")
        )

    def of(self, moment: Moment, how: Sitting | None, *, everything: bool) -> Answer:
        """Raises when the caller has ceased to sit there; with `everything` no event is redacted."""
        match moment:
            case Began(table, number):
                seat = hindsight(table, how)
                return self._once((number, seat), partial(self._began, table, seat))
            case Happened(_, table, number):
                _still_seated(table, how)
                seat = hindsight(table, how)
                whole = everything or revealed(table, seat)
                return self._once((number, (seat, whole)), partial(self._happened, moment, seat, whole))
            case CaughtUp(version):
                return pb.WatchGameResponse(caught_up=pb.CaughtUp(version=version))
            case Quiet(version):
                return pb.WatchGameResponse(heartbeat=pb.Heartbeat(version=version))
            case Ended(version, why):
                reason = pb.GoAwayReason.Value(f"GO_AWAY_REASON_{why.name}")
                return pb.WatchGameResponse(go_away=pb.GoAway(version=version, reason=reason))

    def _once(self, viewer: tuple[int, Hashable], write: Callable[[], Answer]) -> Answer:
        """Who is told at the same time shares a message; for those who come later its bytes are kept."""
        if known := self._fresh.get(viewer):
            return known
        if wire := self._written.get(viewer):
            return self._fresh.keep(viewer, Answer.FromString(wire))
        answer = self._fresh.keep(viewer, write())
        self._written.keep(viewer, answer.SerializeToString())
        return answer

    def _began(self, table: Table, seat: Seat | None) -> Answer:
        return pb.WatchGameResponse(snapshot=self._codec.view(table, seat))

    def _happened(self, moment: Happened, seat: Seat | None, everything: bool) -> Answer:
        table = moment.table
        events = [self._codec.event(table, record, seat, everything=everything) for record in moment.records]
        return pb.WatchGameResponse(happened=pb.Happened(events=events, view=self._codec.view(table, seat)))


def _still_seated(table: Table, how: Sitting | None) -> None:
    if how and not still_sits(table, how):
        raise NotYourSeat(f"seat {how.seat} has been left, or its tokens were revoked")
