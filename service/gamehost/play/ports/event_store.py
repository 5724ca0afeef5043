"""What play needs from the outside world. Adapters live in `stores` and `codec`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gamehost.play.errors import Unavailable, Unreadable
from gamehost.play.inbox.items import GameSummary
from gamehost.play.table.table import EventRecord, Table
from gamehost.rules.kit import Decision

from .schedule import ScheduleStore


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as the store keeps it."""

    version: int  # 1 for the first event of a game, then without gaps
    payload: bytes


@dataclass(frozen=True, slots=True)
class Appended:
    """Where the events of a request stand in the log."""

    first: int
    last: int
    repeated: bool = False  # True when the request had been appended before


@dataclass(frozen=True, slots=True)
class RequestKey:
    """What makes an append exactly-once: an id that is unique in its game, and what was asked."""

    id: str
    fingerprint: bytes


@dataclass(frozen=True, slots=True)
class AnsweredRequest:
    """A request of long ago, and where the events it led to stand."""

    request: RequestKey
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class WholeGame:
    """All that a store keeps of one game, but for what can be made again from it."""

    game: str
    events: Sequence[bytes]
    seed: bytes | None
    summary: bytes | None
    requests: Sequence[AnsweredRequest]

    @property
    def version(self) -> int:
        return len(self.events)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A folded game; a cache that may be lost at any time."""

    version: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Listing:
    """A game on a list, newest first by `(score, game)`."""

    game: str
    score: int


MOST_MARKS = 20_000
BOARD_SECONDS = 400 * 86400  # seconds


@dataclass(frozen=True, slots=True)
class Mark:
    """A name on a board. Whatever is marked later has a greater number."""

    number: int
    name: str


class StaleVersion(Exception):
    """Someone else appended first."""

    def __init__(self, game: str, expected: int, actual: int) -> None:
        super().__init__(f"{game}: expected version {expected}, found {actual}")
        self.expected, self.actual = expected, actual


class RequestReused(Exception):
    """A request id came again with another fingerprint."""


class StoreUnavailable(Unavailable):
    """The store does not answer; whether an append was applied is unknown until it is retried."""


ReadEvents = Callable[[str, int], Awaitable[Sequence[StoredEvent]]]
"""The events of a game after a version."""


class DamagedArchive(Unreadable):
    """What was put away of a game is not what is found."""


class EventStore(ScheduleStore, Protocol):
    """Append-only logs, one for each game, and a few keys beside them."""

    async def append(
        self,
        game: str,
        events: Sequence[bytes],
        *,
        expected: int,
        after: bytes | None = None,
        request: RequestKey | None = None,
        summary: bytes | None = None,
        seed: bytes | None = None,
    ) -> Appended:
        """Append all or none, together with the summary and the seed when given.

        A request seen before on this game appends nothing and is answered as it was the first
        time, whatever `expected` says; with another fingerprint it raises RequestReused.
        Otherwise a log that is not at `expected`, or whose last event is not `after` when that is given,
        raises StaleVersion: after a failover another event may have the number of one that was lost.
        """
        ...

    async def find_request(self, game: str, request: RequestKey) -> Appended | None:
        """How this request was answered, if it was; RequestReused as above."""
        ...

    async def version(self, game: str) -> int:
        """Number of the last event; 0 when there is no such game."""
        ...

    async def newest(self, game: str) -> StoredEvent | None:
        """The last event; None when there is no such game."""
        ...

    async def read(self, game: str, *, after: int = 0, upto: int | None = None) -> Sequence[StoredEvent]:
        """Events with after < version <= upto, oldest first."""
        ...

    def follow(
        self, game: str, *, after: int, read: ReadEvents | None = None
    ) -> AsyncIterator[Sequence[StoredEvent]]:
        """What is there after that version, then whatever is appended, for ever. Never yields nothing.

        With `read`, that is asked what is there.
        """
        ...

    async def seed(self, game: str) -> bytes | None: ...

    async def snapshot(self, game: str) -> Snapshot | None: ...

    async def save_snapshot(self, game: str, snapshot: Snapshot) -> None: ...

    async def summaries(self, games: Sequence[str]) -> Sequence[bytes | None]:
        """The newest summary of each game, None for a game that does not exist."""
        ...

    def games(self) -> AsyncIterator[str]:
        """The games that are here, in no order; slow, for tidying up."""
        ...

    async def whole_game(self, game: str) -> WholeGame | None:
        """All of a game; None when there is no such game here."""
        ...

    async def remove_game(self, game: str, version: int) -> bool:
        """Remove all of a game in one step; False, and nothing, unless it is at that version."""
        ...

    async def add_to_list(self, shelf: str, listing: Listing, *, seconds: int | None = None) -> None:
        """A game that is on the shelf stays where it is; the shelf is forgotten so many seconds later."""
        ...

    async def remove_from_list(self, shelf: str, game: str) -> None: ...

    async def list_page(self, shelf: str, *, before: Listing | None, limit: int) -> Sequence[Listing]:
        """At most `limit` entries of a shelf, newest first, after `before` in that order."""
        ...

    async def list_size(self, shelf: str) -> int:
        """How many games are on a shelf."""
        ...

    async def count_up(self, name: str, seconds: int) -> int:
        """How often that name has been counted, this time included; forgotten `seconds` after the first."""
        ...

    async def register(self, book: str, name: str, value: bytes) -> bool:
        """Write a value under a name of a book; False, and nothing, when another stands there."""
        ...

    async def unregister(self, book: str, name: str) -> None: ...

    async def registered(self, book: str, name: str) -> bytes | None: ...

    async def all_registered(self, book: str) -> Mapping[str, bytes]: ...

    async def mark(self, board: str, *, once: Sequence[str] = (), again: Sequence[str] = ()) -> None:
        """Number these names, in this order, in one step; `once` leaves names alone that have a number.

        The newest MOST_MARKS are kept, and a board is forgotten BOARD_LIFE seconds after its last mark.
        """
        ...

    async def marked(self, board: str, names: Sequence[str]) -> Sequence[bool]:
        """Which of these names have a number."""
        ...

    async def newest_mark(self, board: str) -> int:
        """The greatest number that was given on a board; 0 for none."""
        ...

    async def marks(self, board: str, *, after: int, limit: int | None = None) -> Sequence[Mark]:
        """Names with a greater number, the smallest first, and at most so many."""
        ...

    def follow_marks(self, board: str, *, after: int) -> AsyncIterator[Sequence[Mark]]:
        """Names with a greater number, then whatever is marked, for ever. Never yields nothing."""
        ...

    async def time(self) -> int:
        """Microseconds since 1970 by the store's own clock."""
        ...

    async def secret(self, name: str, fresh: bytes) -> bytes:
        """The secret of that name; `fresh` becomes it when there is none."""
        ...

    async def ping(self) -> None:
        """Raises StoreUnavailable when the store cannot be used."""
        ...

    async def close(self) -> None: ...


class Archive(Protocol):
    """Where games go that are over. StoreUnavailable when it is away, Damaged for what is not as it was."""

    async def put(self, kept: WholeGame) -> None:
        """Keep a game, whole and checked, or not at all; a game that is there is replaced."""
        ...

    async def get(self, game: str) -> WholeGame | None: ...

    async def summary(self, game: str) -> bytes | None:
        """What lists show of a game; cheaper than all of it."""
        ...


@dataclass(frozen=True, slots=True)
class BotLevel:
    """A hosted bot of a title. `default` is the one that plays where nobody says which."""

    name: str
    meaning: str
    default: bool
    quick: bool = False  # whether it answers so soon that it need not wait behind those who think for long


class BotCatalog(Protocol):
    """Which bots there are."""

    def levels(self, title: str) -> Sequence[BotLevel]:
        """The weakest first; one of them is the default."""
        ...


@dataclass(frozen=True, slots=True)
class BotQuestion:
    """All that a bot is told: never a state. `luck` is the key of its own chance."""

    title: str
    level: str
    view: Any
    decision: Decision
    actions: Sequence[Any]
    luck: bytes
    seen: Sequence[Any] = ()  # what the seat has witnessed, for a level that remembers
    share: float = 1.0  # of the time that the level usually has, for one that looks at the clock


Thought = Callable[[float], None]
"""Told how many seconds a bot has thought."""


def unheeded(_seconds: float) -> None:
    """For those who need not know."""


class BotFailed(Exception):
    """It crashed, took too long, or answered something else; the message says which."""


class BotRunner(Protocol):
    """Where bots think."""

    @property
    def capacity(self) -> Mapping[str, int]:
        """How many questions are taken at once, by queue."""
        ...

    @property
    def patience(self) -> float:
        """Seconds after which a bot that has not answered is given up."""
        ...

    def remembers(self, level: str) -> bool:
        """Whether a bot of the level is to be told what its seat has witnessed."""
        ...

    async def answer(self, question: BotQuestion, thought: Thought = unheeded) -> Any:
        """One of the actions, or BotFailed.

        `thought` is called with the seconds of the processor that it took when the thinking is over; the
        answer may be held back for longer.
        """
        ...


class BackgroundMetrics(Protocol):
    """Keeps count of what happens by itself."""

    def count_timeouts(self, title: str, seats: int) -> None: ...

    def count_bot_move(self, title: str, level: str) -> None: ...

    def count_bot_failure(self, title: str, level: str, why: str) -> None: ...

    def bot_waited(self, level: str, seconds: float) -> None:
        """A question to a bot of that level was taken up so long after its moment."""
        ...

    def bots_waiting(self, waiting: Mapping[str, int]) -> None:
        """How many questions wait in the store now, by level."""
        ...

    def count_archived(self, title: str) -> None: ...

    def observe_lag(self, agenda: str, late: float) -> None:
        """A game was looked at so many seconds after its moment."""
        ...

    def report_failure(self, agenda: str, game: str, error: Exception) -> None:
        """A game could not be seen to now."""
        ...


class Codec(Protocol):
    """How records and tables become bytes. Decoding raises ValueError for what it does not know."""

    def encode_record(self, title: str, record: EventRecord) -> bytes: ...

    def decode_record(self, payload: bytes) -> EventRecord: ...

    def encode_table(self, table: Table, *, with_state: bool) -> bytes: ...

    def decode_brief(self, game: str, payload: bytes) -> GameSummary | None:
        """What was encoded without the state, and the decisions that stood in it; None as below."""
        ...

    def decode_table(self, game: str, payload: bytes) -> Table | None:
        """None when another release wrote it in a shape of its own."""
        ...
