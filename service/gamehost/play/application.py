"""Everything that plays, put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gamehost.rules.kit import AnyRules

from .background.archiving import GameArchiver
from .background.bot_moves import BotMover
from .background.bot_schedule import BotSchedule
from .background.bot_worker import BotScheduleWorker
from .background.schedule import ARCHIVE, CLOCKS, Schedule
from .background.schedule_worker import ScheduleWorker
from .background.timeouts import TimeoutEnforcer
from .fairness import FairnessReader
from .inbox.sources import InboxSources
from .inbox.stream import InboxStream
from .ports.archive import Archive
from .ports.bots import BotCatalog, BotRunner
from .ports.codec import Codec
from .ports.event_store import EventStore
from .ports.metrics import NO_METRICS, BackgroundMetrics, PlayMetrics
from .ports.schedule import LONG, QUICK, ThinkingPrice
from .table.events import Instant
from .tables.current import TableCache
from .tables.delayed import DelayedTables
from .use_cases.bot_levels import BotLevels
from .use_cases.create_and_join import CreateAndJoin
from .use_cases.fork_game import ForkGame
from .use_cases.lobby import Lobby
from .use_cases.open_game_limit import BotOnlyGames, OpenGameLimit
from .use_cases.payers import Payers
from .use_cases.play_action import PlayAction
from .use_cases.proposals import Proposals
from .use_cases.rematch import Rematch
from .use_cases.resign_and_reclaim import ResignAndReclaim
from .use_cases.seat_tokens import RefreshAndRevoke
from .viewing import Viewing
from .watching.stream import GameWatching
from .writer import GameWriter, Schedules


@dataclass(frozen=True, slots=True)
class Dependencies:
    """What play cannot make itself. `clock` gives microseconds since 1970, `entropy` random bytes.

    `most_open_games` is how many unfinished games one caller may have, `most_bot_only_games` how many of them
    in which bots play alone; 0 for any number. A game that has not started is given up after `expiry`
    microseconds; 0 for never. Bots answer after `think` at least, and think for `background_seconds` a minute
    in all games of one caller where bots are alone; 0 for any time. Games go to the archive, which the store
    knows, `archive_after` microseconds after their end.
    """

    store: EventStore
    codec: Codec
    catalog: Mapping[str, AnyRules]
    clock: Callable[[], int]
    entropy: Callable[[int], bytes]
    secret: bytes
    bot_catalog: BotCatalog
    cache_bytes: int = 256 << 20
    heartbeat: float = 15.0
    most_open_games: int = 0
    most_bot_only_games: int = 0
    expiry: int = 0
    think: int = 0
    background_seconds: float = 0
    archive: Archive | None = None
    archive_after: int = 0
    metrics: PlayMetrics = NO_METRICS

    def expire_time(self) -> Instant | None:
        return Instant(self.clock() + self.expiry) if self.expiry else None

    def tariff(self) -> ThinkingPrice:
        if not self.background_seconds:
            return ThinkingPrice(ESTIMATES)
        return ThinkingPrice(ESTIMATES, 60 / self.background_seconds, BURST)


ESTIMATES = {QUICK: 20_000, LONG: 500_000}  # microseconds of thinking, until it is known how many they were
BURST = 5_000_000  # microseconds of thinking in the background that may come at once
LEASE = 5.0  # seconds after which another process sees to what this one has not
MOST_TIMEOUTS_AT_ONCE = 64
ARCHIVE_LEASE, ARCHIVE_POLL, MOST_ARCHIVED_AT_ONCE = 60.0, 5.0, 4


class Application:
    """The use cases, sharing one cache and one way to write."""

    def __init__(self, world: Dependencies) -> None:
        self._dependencies, self.bot_catalog, self.archive, self.metrics = (
            world,
            world.bot_catalog,
            world.archive,
            world.metrics,
        )
        self.tables = TableCache(world.store, world.codec, world.catalog, world.cache_bytes, world.metrics)
        payers = Payers(world.store, world.secret)
        self._schedules = self._scheduled(payers)
        bot_only = BotOnlyGames(world.store, world.codec, world.clock, world.most_bot_only_games)
        ledger = self.writer = GameWriter(
            world.store,
            world.codec,
            self.tables,
            world.clock,
            self._schedules,
            payers,
            bot_only,
            world.metrics,
        )
        open_games = OpenGameLimit(world.store, world.codec, world.clock, world.most_open_games)
        self._bot_levels = levels = BotLevels(world.bot_catalog)
        self.create_and_join = CreateAndJoin(
            world.catalog,
            self.tables,
            ledger,
            world.entropy,
            world.secret,
            open_games,
            bot_only,
            payers,
            levels,
            world.expire_time,
        )
        self.rematch = Rematch(self.tables, ledger, self.create_and_join)
        self.seat_tokens = RefreshAndRevoke(self.tables, ledger)
        self.resign_and_reclaim = ResignAndReclaim(self.tables, ledger, levels)
        self.play_action = PlayAction(self.tables, ledger, world.clock)
        self.proposals = Proposals(self.tables, ledger)
        self.fairness = FairnessReader(self.tables)
        self.lobby = Lobby(world.store, world.codec, world.clock)
        self.inbox_sources = InboxSources(world.store, world.codec, self.tables, world.clock)
        self.inbox = InboxStream(world.heartbeat)
        late = DelayedTables(self.tables, world.metrics)
        self.viewing = Viewing(self.tables, late)
        self.fork_game = ForkGame(
            self.viewing, ledger, open_games, self.create_and_join.new_id, world.entropy
        )
        self.watching = GameWatching(world.store, self.tables, late, world.heartbeat, world.metrics)

    def _scheduled(self, payers: Payers) -> Schedules:
        world = self._dependencies
        return Schedules(
            Schedule(world.store, CLOCKS, world.clock),
            BotSchedule(world.store, world.clock, payers, world.bot_catalog, world.tariff()),
            Schedule(world.store, ARCHIVE, self._archive_cutoff),
            world.think,
        )

    def timeout_worker(self, tally: BackgroundMetrics) -> ScheduleWorker:
        """Sees to it that time that is up is up."""
        keeper = TimeoutEnforcer(self.tables, self.writer, self._bot_levels, self._dependencies.clock, tally)
        agenda, clock = self._schedules.clocks, self._dependencies.clock
        return ScheduleWorker(agenda, keeper.check, clock, tally, capacity=MOST_TIMEOUTS_AT_ONCE, lease=LEASE)

    def _archive_cutoff(self) -> int:
        """What ended before this moment is to be put away: the agenda says when games ended."""
        return self._dependencies.clock() - self._dependencies.archive_after

    def archive_worker(self, archive: Archive, tally: BackgroundMetrics) -> ScheduleWorker:
        """Puts away what has been over for long enough."""
        archivist = GameArchiver(self._dependencies.store, archive, self.tables, tally, self._archive_cutoff)
        agenda, lease = self._schedules.archive, ARCHIVE_LEASE
        return ScheduleWorker(
            agenda,
            archivist.check,
            self._archive_cutoff,
            tally,
            capacity=MOST_ARCHIVED_AT_ONCE,
            lease=lease,
            poll=ARCHIVE_POLL,
        )

    def bot_worker(self, bots: BotRunner, tally: BackgroundMetrics) -> ScheduleWorker:
        """Lets bots move."""
        world, agenda = self._dependencies, self._schedules.bots
        host = BotMover(
            self.tables,
            self.writer,
            agenda,
            bots,
            tally,
            clock=world.clock,
            think=world.think,
            secret=world.secret,
        )
        return BotScheduleWorker(agenda, host, bots, world.clock, tally)
