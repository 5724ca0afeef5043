"""What a watcher is shown of each moment of a game."""

from __future__ import annotations

from gamehost.codec.wire import WireCodec
from gamehost.play.access import SeatKey, hindsight, holds, revealed
from gamehost.play.errors import NotYourSeat
from gamehost.play.table import Table
from gamehost.play.watching import Began, CaughtUp, Ended, Happened, Moment, Quiet
from gamehost.rules.kit import Seat
from shedu.v1 import game_service_pb2 as pb


def shown(codec: WireCodec, moment: Moment, key: SeatKey | None, *, everything: bool) -> pb.WatchGameResponse:
    """Raises when the key has ceased to open its seat; with `everything` no event is redacted."""
    match moment:
        case Began(table):
            return pb.WatchGameResponse(snapshot=codec.view(table, hindsight(table, key)))
        case Happened(_, table):
            _still_seated(table, key)
            seat = hindsight(table, key)
            return _happened(codec, moment, seat, everything or revealed(table, seat))
        case CaughtUp(version):
            return pb.WatchGameResponse(caught_up=pb.CaughtUp(version=version))
        case Quiet(version):
            return pb.WatchGameResponse(heartbeat=pb.Heartbeat(version=version))
        case Ended(version, why):
            reason = pb.GoAwayReason.Value(f"GO_AWAY_REASON_{why.name}")
            return pb.WatchGameResponse(go_away=pb.GoAway(version=version, reason=reason))


def _still_seated(table: Table, key: SeatKey | None) -> None:
    if key and hindsight(table, key) is not None and not holds(table, key):
        raise NotYourSeat(f"seat {key.seat} has been left")


def _happened(
    codec: WireCodec, moment: Happened, seat: Seat | None, everything: bool
) -> pb.WatchGameResponse:
    viewer = seat, everything
    if viewer not in moment.shown:
        table = moment.table
        events = [codec.event(table, record, seat, everything=everything) for record in moment.records]
        happened = pb.Happened(events=events, view=codec.view(table, seat))
        moment.shown[viewer] = pb.WatchGameResponse(happened=happened)
    known: pb.WatchGameResponse = moment.shown[viewer]
    return known
