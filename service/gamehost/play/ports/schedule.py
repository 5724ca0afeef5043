"""Schedules of games that workers have to check, and the queues of games that wait for a bot.

Games that wait for a bot are queued by payer. Payers take turns by the thinking time that they
have used, so that one caller with many games cannot delay the bots of all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

QUICK, LONG = "quick", "long"  # queues, so that fast bots do not wait behind slow ones


@dataclass(frozen=True, slots=True)
class BotQueueKey:
    """The place where a due game waits for a bot: the queue, the priority and the payer.

    Background games, in which no person plays, come after all others. `payer` is a digest, see `Payers`.
    `level` is used for metrics only.
    """

    queue: str
    background: bool = False
    payer: str = ""
    level: str = ""

    def __str__(self) -> str:
        return f"{self.queue} {self.background:d} {self.payer} {self.level}"


UNKNOWN_QUEUE = BotQueueKey(LONG)  # for games that were scheduled by a release without bot queues


def parse_queue_key(text: str) -> BotQueueKey:
    """Parse what `str` of a key returns."""
    queue, background, payer, level = text.split(" ")
    return BotQueueKey(queue, background == "1", payer, level)


@dataclass(frozen=True, slots=True)
class DueGame:
    """A game of a schedule that is due. `lease` is the token of the worker that has taken it."""

    game: str
    at: int
    lease: str
    queue_key: BotQueueKey = UNKNOWN_QUEUE


@dataclass(frozen=True, slots=True)
class Outlook:
    """The number of games of a schedule, and when the first is due; None if there is none."""

    earliest: int | None
    games: int


@dataclass(frozen=True, slots=True)
class Backlog:
    """The number of games of one queue that wait for bots of one level."""

    queue: str
    background: bool
    level: str
    games: int


@dataclass(frozen=True, slots=True)
class TakenGames:
    """The games that one worker has taken, and what still waits in the queues."""

    due: Sequence[DueGame]
    waiting: Sequence[Backlog]


@dataclass(frozen=True, slots=True)
class ThinkingPrice:
    """The price of bot thinking for a payer, in microseconds.

    `estimate` is charged by queue when a game is taken, and corrected when the real time is known. Background
    thinking costs `weight` times as much. With a `burst`, a payer whose account is further ahead of the clock
    than that gets no background thinking until the clock has caught up; 0 for no limit.
    """

    estimate: Mapping[str, int]
    weight: float = 1.0
    burst: int = 0

    def cost(self, queue_key: BotQueueKey, micros: int) -> int:
        """Return what that many microseconds of thinking cost in the queue_key."""
        return int(micros * self.weight) if queue_key.background else micros

    def still_owed(self, queue_key: BotQueueKey, spent: int) -> int:
        """Return what to charge at the end; negative if the estimate was too high."""
        return self.cost(queue_key, spent - self.estimate.get(queue_key.queue, 0))


# All in microseconds. An account is never further ahead of the clock than the horizon: thinking that a payer
# did while nobody else waited must not make it wait long afterwards.
HORIZON = 5_000_000
LIMITED_HORIZON = 60_000_000  # in the background, if that is limited
RECHECK = 30_000_000  # a waiting game also becomes due again after this time, in case its queue_key was lost
AT_ONCE = 1000  # games that are moved to their bot queues in one atomic step


def most_ahead(price: ThinkingPrice, queue_key: BotQueueKey) -> int:
    """Return how far ahead of the clock a payer's account may be."""
    return price.burst + LIMITED_HORIZON if queue_key.background and price.burst else HORIZON


class ScheduleStore(Protocol):
    """Schedules: named lists of games, each with the time at which a worker has to check it.

    Times are in microseconds since 1970.
    """

    async def schedule(
        self, schedule_name: str, game: str, at: int, queue_key: BotQueueKey | None = None
    ) -> None:
        """Let a worker check the game at that time or before.

        A game is on a schedule once, with the earliest time that it was scheduled for. If it is being checked
        now, it is checked once more. With `queue_key` it waits there when it is due, until it is taken.
        """
        ...

    async def due(self, schedule_name: str, now: int, *, limit: int, lease: int) -> Sequence[DueGame]:
        """Take at most `limit` games that are due, the earliest first; no other worker gets them.

        They become due again after `lease` microseconds, unless they are settled.
        """
        ...

    async def take(
        self, schedule_name: str, now: int, *, room: Mapping[str, int], lease: int, price: ThinkingPrice
    ) -> TakenGames:
        """Like `due`, for games that wait in bot queues; `room` is the limit by queue, in fair order."""
        ...

    async def outlook(self, schedule_name: str) -> Outlook:
        """Return when the next game is due, and how many games there are."""
        ...

    async def remove_schedule(self, schedule_name: str) -> None:
        """Remove all games from a schedule without bot queues."""
        ...

    async def renew(self, schedule_name: str, due: DueGame, until: int) -> bool:
        """Extend a lease; False, and no change, if it has ended or another worker has the game."""
        ...

    async def settle(
        self,
        schedule_name: str,
        due: DueGame,
        at: int | None,
        queue_key: BotQueueKey | None = None,
        charge: int = 0,
    ) -> bool:
        """Reschedule a checked game at `at`, or remove it for None.

        Returns False and leaves the schedule alone if the game was scheduled since it was taken. `charge` is
        added to the account of the payer of `due` in any case. `queue_key` is where the game waits next time.
        """
        ...
