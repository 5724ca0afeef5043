"""The messages of WatchGame, built once for all watchers who may see the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
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
from .reading import LegalActionLists, Selection

MESSAGE_CACHE_BYTES = 4 << 20  # for parsed messages
SERIALIZED_CACHE_BYTES = 12 << 20  # for many more messages, as bytes

Response: TypeAlias = pb.WatchGameResponse
# The number of a watch item, and what its message depends on besides: the seat, and what is hidden from it.
CacheKey: TypeAlias = tuple[int, Hashable]


@dataclass(frozen=True, slots=True)
class WatchSelection:
    """The fields and legal actions that one watcher has selected for its messages.

    `since` is the version at which its stream began: before it, no legal actions are sent, since nobody can
    take them any more. `rest` lists the actions beyond the limit.
    """

    wanted: Selection
    since: int
    rest: pb.ListLegalActionsRequest

    def key(self, table: Table) -> object:
        """Returns the part of the cache key that depends on the selection; None for most watchers."""
        key = self.wanted.key
        return None if key is None else (key, table.version >= self.since, self.rest.HasField("seat"))


class WatchMessages:
    """Renders watch items, with two caches.

    Rendering a view costs far more than sending it, and a game can have thousands of watchers, nearly all of
    them spectators who get equal messages. Items have a number that is unique in the process, so number and
    viewer make a key that never needs to be invalidated.

    Watchers of a live game ask for an item at about the same time, and share the parsed message.
    Watchers who replay a game ask for many older items. For those the cache of bytes reaches further back, as
    a parsed message takes many times the memory of its bytes; parsing one is still cheaper than rendering it.
    """

    def __init__(
        self, codec: MessageRenderer, legal_actions: LegalActionLists, metrics: PlayMetrics = NO_METRICS
    ) -> None:
        self._codec, self._legal_actions = codec, legal_actions
        self._messages = LruCache[CacheKey, Response](
            MESSAGE_CACHE_BYTES, message_size, metrics.cache_size_setter("messages")
        )
        self._serialized = LruCache[CacheKey, bytes](
            SERIALIZED_CACHE_BYTES,
            lambda data: ENTRY_SIZE + len(data),
            metrics.cache_size_setter("written_messages"),
        )

    def message(
        self, item: WatchItem, access: SeatAccess | None, *, everything: bool, selected: WatchSelection
    ) -> Response:
        """The message for a watcher with that access, None for a spectator.

        With `everything` no event is redacted. The message is shared and must not be changed. Raises
        NotYourSeat when the watcher has lost its seat.
        """
        match item:
            case StreamBegan(table, number):
                seat = seat_at_version(table, access)
                return self._memoized(
                    (number, (seat, selected.key(table))), partial(self._snapshot, table, seat, selected)
                )
            case EventsHappened(_, table, number):
                _check_owns_seat(table, access)
                seat = seat_at_version(table, access)
                # The key has all that the message depends on. Without `revealed` a watcher could be sent the
                # unredacted message of another one.
                revealed = everything or is_revealed(table, seat)
                key = number, (seat, revealed, selected.key(table))
                return self._memoized(key, partial(self._events, item, seat, revealed, selected))
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

    def _snapshot(self, table: Table, seat: Seat | None, selected: WatchSelection) -> Response:
        mask = selected.wanted.mask.part("snapshot")
        return pb.WatchGameResponse(
            snapshot=self._codec.view(table, seat, mask),
            legal_actions=self._actions(table, seat, selected),
        )

    def _events(
        self, item: EventsHappened, seat: Seat | None, everything: bool, selected: WatchSelection
    ) -> Response:
        table, mask = item.table, selected.wanted.mask.part("happened")
        events = (
            [self._codec.event(table, record, seat, everything=everything) for record in item.records]
            if mask.wants("events")
            else ()
        )
        return pb.WatchGameResponse(
            happened=pb.Happened(events=events, view=self._codec.view(table, seat, mask.part("view"))),
            legal_actions=self._actions(table, seat, selected),
        )

    def _actions(self, table: Table, seat: Seat | None, selected: WatchSelection) -> pb.LegalActions | None:
        if table.version < selected.since:
            return None
        return self._legal_actions.selected(selected.wanted, table, seat, selected.rest)


def _check_owns_seat(table: Table, access: SeatAccess | None) -> None:
    if access and not still_owns_seat(table, access):
        raise NotYourSeat(f"seat {access.seat} has been left, or its tokens were revoked")
