"""Tests of the retries of the client, without a server."""

from __future__ import annotations

import math

import pytest
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import RetryInfo

from shedu.errors import Fault, NotFound, NotGrpc, Stale, TimedOut, TooMuch, Unavailable
from shedu.resuming import GameResume, InboxResume, Moment, Questions
from shedu.retry import LONGEST_PAUSE, Attempts
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def attempts(patience: float = 60.0, coin: float = 1.0) -> tuple[Attempts, Clock]:
    clock = Clock()
    return Attempts(patience, clock, lambda: coin), clock


def retry_info(seconds: int) -> Any:
    packed = Any()
    packed.Pack(RetryInfo(retry_delay=Duration(seconds=seconds)))
    return packed


def test_pauses_double_up_to_the_longest():
    tries, _ = attempts()

    pauses = [tries.pause(Unavailable("away")) for _ in range(8)]

    assert [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, LONGEST_PAUSE, LONGEST_PAUSE] == pytest.approx(pauses)


def test_two_clients_do_not_come_back_together():
    early, late = attempts(coin=0.0)[0], attempts(coin=1.0)[0]

    assert early.pause(Unavailable("away")) < late.pause(Unavailable("away"))


def test_success_begins_anew():
    tries, clock = attempts(patience=5)
    first = tries.pause(Unavailable("away"))
    clock.now = 4.9

    tries.succeeded()

    assert (first, 5) == (tries.pause(Unavailable("away")), tries.left)


def test_silence_takes_nothing_from_patience():
    tries, clock = attempts(patience=5)
    tries.succeeded()
    clock.now = 100

    assert tries.pause(Unavailable("away")) < 1
    clock.now = 104
    assert 1 == tries.left
    assert tries.pause(Unavailable("still away")) < 1
    clock.now = 104.99
    with pytest.raises(Unavailable):
        tries.pause(Unavailable("away for good"))


def test_patience_ends():
    tries, clock = attempts(patience=5)
    clock.now = 4.99

    with pytest.raises(Unavailable):
        tries.pause(Unavailable("away"))


def test_an_attempt_that_hangs_is_made_again_while_time_is_left():
    tries, clock = attempts(patience=15)
    assert 10 == tries.timeout
    clock.now = 10

    assert tries.pause(TimedOut("silence")) < 1
    assert 5 == tries.timeout


@pytest.mark.parametrize(
    "error", [NotFound("no"), Stale("late"), Fault("oops"), TooMuch("never again"), NotGrpc("another port")]
)
@pytest.mark.parametrize("patience", [60.0, math.inf])
def test_what_will_not_get_better_is_not_tried_again(error, patience):
    tries, _ = attempts(patience)

    with pytest.raises(type(error)):
        tries.pause(error)


def test_what_the_service_says_is_waited_for():
    tries, _ = attempts(coin=0.0)

    assert 7 == tries.pause(TooMuch("slowly", details=[retry_info(7)]))
    assert 3 == tries.pause(Unavailable("the store is away", details=[retry_info(3)]))
    assert tries.pause(Unavailable("bye", "DRAINING", details=[retry_info(3)])) < 1


def happened(*versions: int) -> pb.WatchGameResponse:
    events = [game_pb2.Event(version=version) for version in versions]
    return pb.WatchGameResponse(happened=pb.Happened(events=events, view=game_pb2.View(version=versions[-1])))


def test_a_stream_resumes_after_the_last_version():
    resume = GameResume("g", after=3)

    assert resume.take(happened(4, 5)) is not None

    assert 5 == resume.request().after_version


def test_what_was_seen_is_not_told_again():
    resume = GameResume("g", after=5)

    again, partly = resume.take(happened(4, 5)), resume.take(happened(5, 6))

    assert again is None
    assert partly is not None
    assert [6] == [event.version for event in partly.events]


def test_a_snapshot_is_told_once():
    resume = GameResume("g")
    snapshot = pb.WatchGameResponse(snapshot=game_pb2.View(version=4))

    first, second = resume.take(snapshot), resume.take(snapshot)

    assert first is not None
    assert (4, None, 4) == (first.version, second, resume.request().after_version)


@pytest.mark.parametrize("message", [happened(7), pb.WatchGameResponse(snapshot=game_pb2.View(version=7))])
def test_a_gap_is_never_passed_over(message):
    resume = GameResume("g", after=5)

    with pytest.raises(Fault, match="from version 5 to 7"):
        resume.take(message)


@pytest.mark.parametrize(
    ("reason", "over"),
    [
        (pb.GO_AWAY_REASON_FINISHED, True),
        (pb.GO_AWAY_REASON_DRAINING, False),
        (pb.GO_AWAY_REASON_SLOW, False),
    ],
)
def test_a_stream_is_over_when_the_game_is(reason, over):
    resume = GameResume("g", after=5)

    resume.take(pb.WatchGameResponse(go_away=pb.GoAway(version=5, reason=reason)))

    assert over == resume.over


def test_an_inbox_resumes_after_what_was_dealt_with():
    kept: list[str] = []
    inbox = InboxResume(on_cursor=kept.append)
    message = pb.WatchInboxResponse(item=pb.InboxItem(game_id="g"), cursor="c")

    item = inbox.take(message)

    assert ("", "g", []) == (inbox.request().cursor, item.game_id if item else None, kept)
    inbox.dealt(message)
    inbox.dealt(pb.WatchInboxResponse(heartbeat=pb.InboxHeartbeat(), cursor="c"))
    assert ("c", ["c"]) == (inbox.request().cursor, kept)


def test_the_inbox_of_a_seat_is_over_with_its_game():
    inbox = InboxResume()
    draining, finished = (
        pb.WatchInboxResponse(go_away=pb.InboxGoAway(reason=reason))
        for reason in (pb.GO_AWAY_REASON_DRAINING, pb.GO_AWAY_REASON_FINISHED)
    )

    inbox.take(draining)
    assert not inbox.over

    inbox.take(finished)
    assert inbox.over


def asking(*ids: str, events: tuple[game_pb2.Event, ...] = ()) -> Moment:
    decisions = [game_pb2.Decision(decision_id=each, seat=1) for each in ids]
    other = game_pb2.Decision(decision_id="other", seat=0)
    return Moment(game_pb2.View(decisions=[other, *decisions]), events)


def test_a_question_is_handed_on_once():
    questions = Questions(seat=1)
    first = questions.new(asking("a"))
    questions.hand_on("a")

    again, next_one = questions.new(asking("a")), questions.new(asking("b"))

    assert ({"a"}, set(), {"b"}) == (first, again, next_one)


def test_who_takes_its_seat_back_is_asked_again():
    questions = Questions(seat=1)
    questions.hand_on("a")
    other, own = (game_pb2.Event(seat_reclaimed=game_pb2.SeatReclaimed(seat=seat)) for seat in (0, 1))

    assert set() == questions.new(asking("a", events=(other,)))
    assert {"a"} == questions.new(asking("a", events=(own,)))
