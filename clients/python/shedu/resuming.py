"""The position of a stream, so that it resumes after a lost connection without a gap.

The stream of a game has no duplicates; an inbox sends again what is still pending.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb

from .errors import Fault

Request = TypeVar("Request", covariant=True)
Response = TypeVar("Response", contravariant=True)
Item = TypeVar("Item", covariant=True)
OnCursor = Callable[[str], object]  # gets the position in an inbox, so that a later program resumes there


class Resume(Protocol[Request, Response, Item]):
    """Makes the requests that resume a stream, and reads the position from its messages."""

    @property
    def over(self) -> bool:
        """Whether the stream has ended for good."""
        ...

    def request(self) -> Request: ...
    def take(self, message: Response) -> Item | None: ...

    def dealt(self, message: Response) -> None:
        """Records that the message was handled and need not be sent again."""
        ...


@dataclass(frozen=True, slots=True)
class Moment:
    """Events with one cause and the view after them; the first moment of a stream may have no events.

    `live` is false for events from before the stream began.
    """

    view: game_pb2.View
    events: tuple[game_pb2.Event, ...] = ()
    live: bool = False
    legal_actions: pb.LegalActions | None = None

    @property
    def version(self) -> int:
        return self.view.version


class GameResume:
    """The position in the stream of one game."""

    def __init__(
        self, game_id: str, after: int | None = None, seat: int | None = None, legal_actions_limit: int = 0
    ) -> None:
        self._game_id, self._seat, self._limit = game_id, seat, legal_actions_limit
        self._version, self._live = after, False
        self.over = False

    def request(self) -> pb.WatchGameRequest:
        return pb.WatchGameRequest(
            game_id=self._game_id,
            after_version=self._version,
            seat=self._seat,
            legal_actions_limit=self._limit,
        )

    def take(self, message: pb.WatchGameResponse) -> Moment | None:
        legal = message.legal_actions if message.HasField("legal_actions") else None
        match message.WhichOneof("kind"):
            case "snapshot":
                return self._begun(message.snapshot, legal)
            case "happened":
                return self._happened(message.happened, legal)
            case "caught_up":
                self._live = True
            case "go_away":
                self.over = message.go_away.reason == pb.GO_AWAY_REASON_FINISHED
        return None

    def dealt(self, message: pb.WatchGameResponse) -> None:
        """Does nothing: `take` already counts a version as seen."""

    def _begun(self, view: game_pb2.View, legal: pb.LegalActions | None) -> Moment | None:
        if self._version is None:
            self._version = view.version
            return Moment(view, legal_actions=legal)
        if view.version > self._version:
            raise self._gap(view.version)
        return None

    def _happened(self, happened: pb.Happened, legal: pb.LegalActions | None) -> Moment | None:
        seen = self._version or 0
        news = tuple(event for event in happened.events if event.version > seen)
        if not news:
            return None
        if news[0].version != seen + 1:
            raise self._gap(news[0].version)
        self._version = news[-1].version
        return Moment(happened.view, news, self._live, legal)

    def _gap(self, version: int) -> Fault:
        return Fault(f"the stream of game {self._game_id} leaps from version {self._version} to {version}")


class Questions:
    """The decisions of one seat, each delivered once; again only after the seat was reclaimed."""

    def __init__(self, seat: int) -> None:
        self._seat = seat
        self._handed_on: set[str] = set()

    def new(self, moment: Moment) -> set[str]:
        """Returns the ids of decisions that were not delivered yet."""
        if any(self._takes_back(event) for event in moment.events):
            self._handed_on.clear()
        mine = {each.decision_id for each in moment.view.decisions if each.seat == self._seat}
        return mine - self._handed_on

    def hand_on(self, decision_id: str) -> None:
        self._handed_on.add(decision_id)

    def _takes_back(self, event: game_pb2.Event) -> bool:
        return event.HasField("seat_reclaimed") and event.seat_reclaimed.seat == self._seat


class InboxResume:
    """The position in an inbox: of a caller, which never ends, or of a seat, which ends with its game."""

    def __init__(self, cursor: str = "", on_cursor: OnCursor | None = None) -> None:
        self._cursor, self._on_cursor = cursor, on_cursor
        self.over = False

    def request(self) -> pb.WatchInboxRequest:
        return pb.WatchInboxRequest(cursor=self._cursor)

    def take(self, message: pb.WatchInboxResponse) -> pb.InboxItem | None:
        self.over = message.go_away.reason == pb.GO_AWAY_REASON_FINISHED
        return message.item if message.WhichOneof("kind") == "item" else None

    def dealt(self, message: pb.WatchInboxResponse) -> None:
        if message.cursor in ("", self._cursor):
            return
        self._cursor = message.cursor
        if self._on_cursor is not None:
            self._on_cursor(self._cursor)
