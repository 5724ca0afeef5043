"""Encodes records, tables and views as the messages of `shedu.v1` that callers get."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from gamehost.play.table.events import (
    TABLE_EVENTS,
    GameCreated,
    PositionPlaced,
    SeatClock,
)
from gamehost.play.table.table import Chair, EventRecord, Status, Table, redacted, without_identities
from gamehost.rules.kit import AnyRules, Decision, Outcome, Seat, Text
from shedu.storage.v1 import snapshot_pb2
from shedu.v1 import game_pb2, game_service_pb2

from .mirror import memoized_by_identity, mirror, snake
from .table_events import (
    CLOCK,
    FORK_ORIGIN,
    MIRRORED_EVENTS,
    PROPOSAL,
    REVEAL,
    SEAT_CLOCK,
    SEAT_PLAN,
    SPECTATORS,
    VISIBILITY,
    timestamp,
)
from .title import TitleCodec

STATUS = {status: game_pb2.GameStatus.Value(f"GAME_STATUS_{status.name}") for status in Status}
STATUS_OF = {number: status for status, number in STATUS.items()}
OUTCOME = mirror(Outcome, game_pb2.Outcome)
CHAIR = mirror(Chair, snapshot_pb2.Chair)
MOST_VIEWS = 32  # encoded views in the cache


class MessageRenderer:
    """Makes the messages that callers get, and redacts events for the seat that gets them.

    One object serves a whole process: the messages of events, decisions and first events are memoized by the
    identity of what they show, so an event that was encoded for the log is not encoded again for a watcher.
    """

    def __init__(self, titles: Mapping[str, TitleCodec]) -> None:
        self.titles = titles
        self.created = memoized_by_identity(self._encode_created)
        self._events = {title: memoized_by_identity(partial(self._encode_event, title)) for title in titles}
        self._decisions = {
            title: memoized_by_identity(partial(self._encode_decision, title)) for title in titles
        }
        self._views: dict[tuple[int, Seat | None], tuple[Any, Any]] = {}

    def event(self, table: Table, record: EventRecord, seat: Seat | None, *, everything: bool = False) -> Any:
        """The event as a seat, or without one a spectator, saw it; with `everything`, all but identities."""
        shown = without_identities(record) if everything else redacted(table.rules, record, seat)
        return self.message(table.rules.title, shown)

    def message(self, title: str, record: EventRecord) -> Any:
        """The whole record, as it is stored in the log."""
        return self._events[title](record)

    def view(self, table: Table, seat: Seat | None) -> game_pb2.View:
        """The whole view of a seat, or of a spectator if `seat` is None."""
        title_view = self._title_view(table, seat)
        return game_pb2.View(
            version=table.version,
            seat=seat,
            decisions=[self.decision(table, decision) for decision in table.decisions],
            game=self.game(table),
            clocks=self.clocks(table.clocks),
            proposal=PROPOSAL.encode(table.proposal) if table.proposal else None,
            undo_to_version=table.free_undo(seat),
            **({} if title_view is None else {table.rules.title: title_view}),
        )

    def _title_view(self, table: Table, seat: Seat | None) -> Any:
        """The part of a view that belongs to the title; None before the game has started.

        It is most of the work when a long log is streamed, and many successive events, such as proposals and
        their answers, do not change the state. So it is cached by the identity of the state, and by the seat.
        """
        if not table.position:
            return None
        found = self._views.get((id(table.state), seat))
        if found is None:
            if len(self._views) >= MOST_VIEWS:
                self._views.clear()
            encoded = self.titles[table.rules.title].view.encode(table.view(seat))
            # The entry holds the state: if it were collected, another state could get the same id.
            found = table.state, encoded
            self._views[id(table.state), seat] = found
        return found[1]

    def decision(self, table: Table, decision: Decision) -> Any:
        """The message of a decision, with the deadline of its seat if the game has a clock."""
        message = self._decisions[table.rules.title](decision)
        deadline = table.clocks[decision.seat].deadline if table.clocks else None
        if deadline is None:
            return message
        # The memoized message is shared and must not be changed: the deadline goes into a copy.
        with_deadline = game_pb2.Decision(deadline=timestamp(deadline))
        with_deadline.MergeFrom(message)
        return with_deadline

    @staticmethod
    def clocks(clocks: Iterable[SeatClock]) -> list[game_pb2.SeatClock]:
        return [SEAT_CLOCK.encode(clock) for clock in clocks]

    def _encode_decision(self, title: str, decision: Decision) -> game_pb2.Decision:
        return game_pb2.Decision(
            decision_id=decision.id,
            seat=decision.seat,
            kinds=self.titles[title].kinds(decision),
            prompt=text(decision.prompt),
        )

    def action(self, title: str, action: Any) -> game_pb2.Action:
        return game_pb2.Action(**{title: self.titles[title].action.encode(action)})

    def legal_action(self, rules: AnyRules, action: Any) -> game_service_pb2.LegalAction:
        return game_service_pb2.LegalAction(
            action=self.action(rules.title, action), text=text(rules.describe(action))
        )

    def options(self, title: str, options: Any) -> game_pb2.Options:
        return game_pb2.Options(**{title: self.titles[title].options.encode(options)})

    def game(self, table: Table) -> game_pb2.Game:
        """The Game message: what anyone with access to the game may know, without the position."""
        created, reservations = table.created, table.reservations
        return game_pb2.Game(
            game_id=table.game_id,
            title=created.title,
            rules_version=created.rules_version,
            version=table.version,
            status=STATUS[table.status],
            visibility=VISIBILITY[created.visibility],
            seats=[
                game_pb2.Seat(
                    seat=seat,
                    taken=chair.taken,
                    display_name=chair.display_name,
                    reserved=bool(reservations.get(Seat(seat))),
                    bot_level=chair.bot_level,
                    taken_over=chair.taken_over,
                    resigned=chair.resigned,
                )
                for seat, chair in enumerate(table.chairs)
            ],
            options=self.options(created.title, created.options),
            outcome=OUTCOME.encode(table.outcome) if table.outcome else None,
            create_time=timestamp(table.created_at),
            commitment=created.commitment,
            manual_start=created.manual_start,
            reveal=REVEAL[created.reveal],
            expire_time=_optional_timestamp(
                created.expire_time if table.status is Status.GATHERING else None
            ),
            **self._common_fields(created),
        )

    @staticmethod
    def _common_fields(created: GameCreated) -> dict[str, Any]:
        """The fields that the first event and the Game message have in common."""
        return {
            "spectators": SPECTATORS.encode(created.spectators),
            "clock": CLOCK.encode(created.clock) if created.clock else None,
            "fork_of": FORK_ORIGIN.encode(created.fork_of) if created.fork_of else None,
            "rematch_of": created.rematch_of,
        }

    def _encode_event(self, title: str, record: EventRecord) -> game_pb2.Event:
        """Encodes a record. Each kind of table event has its own case; all events of a title share one."""
        kind = snake(type(record.event).__name__)
        if not isinstance(record.event, TABLE_EVENTS):
            kind, body = title, self.titles[title].event.encode(record.event)
        elif isinstance(record.event, GameCreated):
            body = self.created(record.event)
        elif isinstance(record.event, PositionPlaced):
            body = self._encode_placed(record.event)
        else:
            body = MIRRORED_EVENTS[kind].encode(record.event)
        return game_pb2.Event(
            version=record.version,
            event_time=timestamp(record.at),
            seat=record.seat,
            continues=record.continues,
            clocks=self.clocks(record.clocks),
            **{kind: body},
        )

    def _encode_placed(self, placed: PositionPlaced) -> game_pb2.PositionPlaced:
        body = game_pb2.PositionPlaced(title=placed.title, position=placed.position)
        if placed.state is not None:
            state = self.titles[placed.title].state.encode(placed.state)
            body.state = state.SerializeToString(deterministic=True)
        return body

    def _encode_created(self, created: GameCreated) -> game_pb2.GameCreated:
        return game_pb2.GameCreated(
            title=created.title,
            rules_version=created.rules_version,
            seat_count=created.seat_count,
            options=self.options(created.title, created.options),
            visibility=VISIBILITY[created.visibility],
            manual_start=created.manual_start,
            commitment=created.commitment,
            reveal=REVEAL[created.reveal],
            **self._common_fields(created),
            seats=map(SEAT_PLAN.encode, created.seats),
            expire_time=_optional_timestamp(created.expire_time),
        )


def _optional_timestamp(at: int | None) -> Timestamp | None:
    return None if at is None else timestamp(at)


def text(text: Text) -> game_pb2.Text:
    return game_pb2.Text(id=text.id, english=text.english, arguments=dict(text.arguments))
