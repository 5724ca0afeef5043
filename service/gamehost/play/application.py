"""Builds the use cases and the background workers from the ports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gamehost.rules.kit import AnyRules

from .background.archiving import GameArchiver
from .background.bot_moves import BotMover
from .background.bot_schedule import BotSchedule
from .background.bot_worker import BotScheduleWorker
from .background.schedule import ARCHIVE, CLOCKS, FINISHED_GAMES, POOLS, WEBHOOKS, Schedule
from .background.schedule_worker import ScheduleWorker
from .background.schedules import Schedules
from .background.timeouts import TimeoutEnforcer
from .fairness import FairnessReader
from .inbox.sources import InboxSources
from .inbox.stream import InboxStream
from .matching.matchmaking import Matchmaking, MatchSettings
from .players.players import Players, PlayerSettings
from .players.rebuild import RatingRebuild
from .ports.archive import Archive
from .ports.bots import BotCatalog, BotRunner
from .ports.caller_news import CallerNews, NoCallerNews
from .ports.codec import Codec
from .ports.event_store import EventStore
from .ports.metrics import NO_METRICS, BackgroundMetrics, PlayMetrics
from .ports.schedule import LONG, QUICK, ThinkingPrice
from .table.events import Instant, TalkPolicy
from .tables.current import TableCache
from .tables.delayed import DelayedTables
from .talk.table_talk import TableTalk
from .use_cases.bot_levels import BotLevels
from .use_cases.create_and_join import CreateAndJoin
from .use_cases.fork_game import ForkGame
from .use_cases.lobby import Lobby
from .use_cases.matched_games import MatchedGames
from .use_cases.open_game_limit import BotOnlyGames, OpenGameLimit
from .use_cases.payers import Payers
from .use_cases.play_action import PlayAction
from .use_cases.proposals import Proposals
from .use_cases.rematch import Rematch
from .use_cases.resign_and_reclaim import ResignAndReclaim
from .use_cases.seat_tokens import RefreshAndRevoke
from .viewing import Viewing
from .watching.stream import GameWatching
from .webhooks.use_cases import WebhookPorts, WebhookUseCases
from .writer import GameWriter


@dataclass(frozen=True, slots=True)
class Dependencies:
    """The ports and settings that the application is built from.

    `clock` returns microseconds since 1970, `entropy` that many random bytes. Times are in microseconds
    unless the name says otherwise.

    * `most_open_games`: unfinished games per caller; `most_bot_only_games`: those in which only bots play. 0
      for no limit.
    * `expiry`: time after which a game that has not started is abandoned; 0 for never.
    * `think`: shortest time in which a bot answers.
    * `background_seconds`: thinking time per minute for all bot-only games of one caller; 0 for no limit.
    * `archive_after`: time from the end of a game until it is moved to `archive`.
    * `talk`: the most that may be said in games.
    * `webhooks`: None if they are turned off.
    * `players`: None if nothing is kept about players; `matching`: None without matchmaking.
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
    talk: TalkPolicy = TalkPolicy.FREE_TEXT
    webhooks: WebhookPorts | None = None
    metrics: PlayMetrics = NO_METRICS
    players: PlayerSettings | None = None
    matching: MatchSettings | None = None

    def expire_time(self) -> Instant | None:
        """Return when a game created now expires if it has not started; None for never."""
        return Instant(self.clock() + self.expiry) if self.expiry else None

    def thinking_price(self) -> ThinkingPrice:
        """Return what bot thinking costs a payer; background thinking costs more if it is limited."""
        if not self.background_seconds:
            return ThinkingPrice(ESTIMATES)
        return ThinkingPrice(ESTIMATES, 60 / self.background_seconds, BURST_THINKING)


# Microseconds of thinking that are charged when a game is taken; corrected when the real time is known.
ESTIMATES = {QUICK: 20_000, LONG: 500_000}
BURST_THINKING = 5_000_000  # microseconds of background thinking that a payer may use at once
TIMEOUT_CHECK_LEASE = (
    5.0  # seconds after which another process may take over a check that this one has not finished
)
MOST_TIMEOUTS_AT_ONCE = 64
ARCHIVE_LEASE, ARCHIVE_POLL, MOST_ARCHIVED_AT_ONCE = 60.0, 5.0, 4


class Application:
    """The use cases of one process. They share one cache of tables and one writer."""

    def __init__(self, dependencies: Dependencies) -> None:
        self._dependencies, self.metrics = dependencies, dependencies.metrics
        self.titles = sorted(dependencies.catalog)
        self.bot_catalog, self.archive = dependencies.bot_catalog, dependencies.archive
        store, codec, clock = dependencies.store, dependencies.codec, dependencies.clock
        self.tables = tables = TableCache(
            store, codec, dependencies.catalog, dependencies.cache_bytes, self.metrics
        )
        payers, self.players = Payers(store, dependencies.secret), self._build_players()
        self._schedules = self._build_schedules(payers)
        bot_only = BotOnlyGames(store, codec, clock, dependencies.most_bot_only_games)
        self.writer = writer = GameWriter(
            store, codec, tables, clock, self._schedules, payers, bot_only, self.metrics
        )
        open_games = OpenGameLimit(store, codec, clock, dependencies.most_open_games)
        self._bot_levels = levels = BotLevels(dependencies.bot_catalog)
        self.create_and_join = CreateAndJoin(
            dependencies.catalog,
            tables,
            writer,
            dependencies.entropy,
            dependencies.secret,
            open_games,
            bot_only,
            payers,
            levels,
            dependencies.expire_time,
            rates_games=self.players is not None,
        )
        self.matchmaking = self._build_matchmaking(open_games, bot_only, payers)
        self.rematch = Rematch(tables, writer, self.create_and_join)
        self.seat_tokens = RefreshAndRevoke(tables, writer)
        self.resign_and_reclaim = ResignAndReclaim(tables, writer, levels)
        self.play_action = PlayAction(tables, writer, clock)
        self.proposals = Proposals(tables, writer)
        self.lobby = Lobby(store, codec, clock)
        self._build_reading()
        self.fork_game = ForkGame(
            self.viewing, writer, open_games, levels, self.create_and_join.new_id, dependencies.entropy
        )

    def _build_reading(self) -> None:
        """Build what shows games: views, streams and the proof of fair luck."""
        dependencies, tables = self._dependencies, self.tables
        delayed = DelayedTables(tables, self.metrics)
        self.fairness = FairnessReader(tables)
        self.viewing = Viewing(tables, delayed)
        self.watching = GameWatching(
            dependencies.store, tables, delayed, dependencies.heartbeat, self.metrics
        )
        self.writer.on_each_change(self.watching.notify_watchers)
        self.inbox_sources = InboxSources(dependencies.store, dependencies.codec, tables, dependencies.clock)
        self.inbox = InboxStream(dependencies.heartbeat)
        self.talk = TableTalk(
            dependencies.store,
            tables,
            self.viewing,
            dependencies.talk,
            dependencies.clock,
            dependencies.heartbeat,
            self.metrics,
            self.players.profiles if self.players else None,
        )
        self.webhooks = self._build_webhooks()
        self.caller_news: CallerNews = self.webhooks.announcements if self.webhooks else NoCallerNews()

    def _build_webhooks(self) -> WebhookUseCases | None:
        dependencies = self._dependencies
        if dependencies.webhooks is None:
            return None
        return WebhookUseCases(
            dependencies.store,
            self._schedules.webhooks,
            self.inbox_sources,
            dependencies.webhooks,
            dependencies.clock,
            dependencies.entropy,
        )

    def _build_players(self) -> Players | None:
        dependencies = self._dependencies
        if dependencies.players is None:
            return None
        return Players(
            dependencies.store,
            self.tables,
            list(dependencies.catalog),
            dependencies.clock,
            dependencies.entropy,
            dependencies.players,
        )

    def _build_matchmaking(
        self, open_games: OpenGameLimit, bot_only: BotOnlyGames, payers: Payers
    ) -> Matchmaking | None:
        dependencies, settings = self._dependencies, self._dependencies.matching
        if settings is None:
            return None
        games = MatchedGames(
            dependencies.catalog,
            self.writer,
            self.create_and_join,
            dependencies.bot_catalog,
            open_games,
            bot_only,
            payers,
            dependencies.entropy,
        )
        return Matchmaking(
            dependencies.store,
            dependencies.codec,
            dependencies.catalog,
            self.create_and_join,
            games,
            self.players,
            Schedule(dependencies.store, POOLS, dependencies.clock),
            dependencies.clock,
            dependencies.entropy,
            settings,
            dependencies.heartbeat,
            self.metrics,
        )

    def _build_schedules(self, payers: Payers) -> Schedules:
        dependencies = self._dependencies
        return Schedules(
            Schedule(dependencies.store, CLOCKS, dependencies.clock),
            BotSchedule(
                dependencies.store,
                dependencies.clock,
                payers,
                dependencies.bot_catalog,
                dependencies.thinking_price(),
            ),
            self._archive_schedule() if dependencies.archive is not None else None,
            Schedule(dependencies.store, WEBHOOKS, dependencies.clock),
            dependencies.think,
            Schedule(dependencies.store, FINISHED_GAMES, self.players.settled) if self.players else None,
            self.players.ends if self.players else None,
        )

    def rating_rebuild(self, metrics: BackgroundMetrics) -> RatingRebuild | None:
        """Return what computes all ratings again from the logs; None if nothing is kept about players."""
        return self.players.rebuild(metrics) if self.players else None

    def recorder(self, metrics: BackgroundMetrics) -> ScheduleWorker | None:
        """Return the loop that records finished games for their players; None if nothing is kept of them."""
        schedule = self._schedules.finished
        if self.players is None or schedule is None:
            return None
        return self.players.recorder(schedule, metrics, self.caller_news)

    def matcher(self, metrics: BackgroundMetrics) -> ScheduleWorker | None:
        """Return the loop that makes games of waiting tickets; None without matchmaking."""
        return self.matchmaking.matcher(metrics, self.caller_news) if self.matchmaking else None

    def timeout_worker(self, metrics: BackgroundMetrics) -> ScheduleWorker:
        """Return the loop that enforces clock time-outs and the expiry of games that have not started."""
        enforcer = TimeoutEnforcer(
            self.tables, self.writer, self._bot_levels, self._dependencies.clock, metrics
        )
        schedule, clock = self._schedules.clocks, self._dependencies.clock
        return ScheduleWorker(
            schedule,
            enforcer.check,
            clock,
            metrics,
            capacity=MOST_TIMEOUTS_AT_ONCE,
            lease=TIMEOUT_CHECK_LEASE,
        )

    def _archive_cutoff(self) -> int:
        """Return the time before which a game must have ended to be archived.

        The archive schedule holds when games ended, so this takes the place of its clock.
        """
        return self._dependencies.clock() - self._dependencies.archive_after

    def _archive_schedule(self) -> Schedule:
        return Schedule(self._dependencies.store, ARCHIVE, self._archive_cutoff)

    def archive_worker(self, archive: Archive, metrics: BackgroundMetrics) -> ScheduleWorker:
        """Return the loop that moves finished games to the archive."""
        archiver = GameArchiver(self._dependencies.store, archive, self.tables, metrics, self._archive_cutoff)
        return ScheduleWorker(
            self._schedules.archive or self._archive_schedule(),
            archiver.check,
            self._archive_cutoff,
            metrics,
            capacity=MOST_ARCHIVED_AT_ONCE,
            lease=ARCHIVE_LEASE,
            poll=ARCHIVE_POLL,
        )

    def bot_worker(self, bots: BotRunner, metrics: BackgroundMetrics) -> ScheduleWorker:
        """Return the loop that makes the moves of bots."""
        dependencies, schedule = self._dependencies, self._schedules.bots
        mover = BotMover(
            self.tables,
            self.writer,
            schedule,
            bots,
            metrics,
            clock=dependencies.clock,
            think=dependencies.think,
            secret=dependencies.secret,
        )
        return BotScheduleWorker(schedule, mover, bots, dependencies.clock, metrics)
