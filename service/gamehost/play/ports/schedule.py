"""What has to be looked at later, as a store keeps it: agendas, and queues of games that wait for a bot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

QUICK, LONG = "quick", "long"  # queues: what takes little time does not wait behind what takes much


@dataclass(frozen=True, slots=True)
class BotQueueKey:
    """Where a game waits for a bot's thinking once its moment has come.

    The lanes of a queue take turns by the thinking time that their payers have used lately; those in the
    background come last. `payer` is a digest, see `Payers`; `level` is only counted.
    """

    queue: str
    background: bool = False
    payer: str = ""
    level: str = ""

    def __str__(self) -> str:
        return f"{self.queue} {self.background:d} {self.payer} {self.level}"


UNKNOWN_QUEUE = BotQueueKey(LONG)  # of a game that a release without lanes has scheduled


def parse_queue_key(text: str) -> BotQueueKey:
    queue, background, payer, level = text.split(" ")
    return BotQueueKey(queue, background == "1", payer, level)


@dataclass(frozen=True, slots=True)
class DueGame:
    """A game whose time on an agenda has come. `lease` proves whose turn it is to see to it."""

    game: str
    at: int
    lease: str
    lane: BotQueueKey = UNKNOWN_QUEUE


@dataclass(frozen=True, slots=True)
class Backlog:
    """How many games wait in all lanes of one queue for bots of one level."""

    queue: str
    background: bool
    level: str
    games: int


@dataclass(frozen=True, slots=True)
class TakenGames:
    """What one process is to see to now, and how much is left for later or for others."""

    due: Sequence[DueGame]
    waiting: Sequence[Backlog]


@dataclass(frozen=True, slots=True)
class ThinkingPrice:
    """What thinking costs a payer, in microseconds. `estimate` is charged by queue when a game is taken.

    Thinking in the background counts `weight` times; with a `burst` a payer that has used so much more than
    time has passed gets nothing in the background until time has passed.
    """

    estimate: Mapping[str, int]
    weight: float = 1.0
    burst: int = 0

    def cost(self, lane: BotQueueKey, micros: int) -> int:
        return int(micros * self.weight) if lane.background else micros

    def still_owed(self, lane: BotQueueKey, spent: int) -> int:
        """What is to be charged at the end; negative when the estimate was too high."""
        return self.cost(lane, spent - self.estimate.get(lane.queue, 0))


HORIZON = 5_000_000  # a payer is kept waiting for what it used alone for no longer than that
LIMITED_HORIZON = 60_000_000  # the same in the background where that is limited
RECHECK = 30_000_000  # a game that waits in a lane also comes up again so much later, whatever happens
AT_ONCE = 1000  # games that are moved to their lanes in one step


def most_ahead(tariff: ThinkingPrice, lane: BotQueueKey) -> int:
    """How far ahead of the clock a payer's account may be."""
    return tariff.burst + LIMITED_HORIZON if lane.background and tariff.burst else HORIZON


class ScheduleStore(Protocol):
    """Agendas: lists of games, each with the moment at which somebody has to look at it."""

    async def schedule(self, agenda: str, game: str, at: int, lane: BotQueueKey | None = None) -> None:
        """Somebody has to look at the game at that moment, in microseconds, or before.

        A game stands on an agenda once, with the earliest moment it was scheduled for. What is being seen to
        meanwhile is looked at once more. With `lane` it waits there from that moment on, until it is taken.
        """
        ...

    async def due(self, agenda: str, now: int, *, limit: int, lease: int) -> Sequence[DueGame]:
        """At most `limit` games whose moment has come, the earliest first, for this caller alone.

        They come up again after `lease` microseconds, unless they are settled.
        """
        ...

    async def take(
        self, agenda: str, now: int, *, room: Mapping[str, int], lease: int, tariff: ThinkingPrice
    ) -> TakenGames:
        """The same for games that wait in lanes: at most so many of each queue, by whose turn it is."""
        ...

    async def renew(self, agenda: str, due: DueGame, until: int) -> bool:
        """Let a lease last until that moment; False, and nothing, if it has ended or passed on."""
        ...

    async def settle(
        self, agenda: str, due: DueGame, at: int | None, lane: BotQueueKey | None = None, charge: int = 0
    ) -> bool:
        """Put a game down for another moment, or take it off; False, and nothing, if scheduled since.

        `charge` goes to the account of the payer of `due` in any case; `lane` is where the game waits next
        time.
        """
        ...
