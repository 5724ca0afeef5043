"""Everything that plays, put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gamehost.rules.kit import AnyRules

from .acting import Acting
from .agenda import ARCHIVE, CLOCKS, Agenda
from .archiving import Archivist
from .bot_agenda import BotAgenda
from .bot_rounds import BotRounds
from .fairness import FairLuck
from .forking import Forking
from .games import Games
from .happenings import Instant
from .hosting import Hosting
from .inbox import Inbox
from .late_tables import LateTables
from .ledger import Agendas, Ledger
from .lobby import Lobby
from .mailboxes import Mailboxes
from .meter import UNMETERED, Meter
from .open_games import BotOnlyGames, OpenGames
from .payers import Payers
from .ports import Archive, Bots, Codec, EventStore, Roster, Tally
from .rematching import Rematching
from .roster import Levels
from .rounds import Rounds
from .schedule import LONG, QUICK, Tariff
from .seating import Seating
from .seats import Seats
from .sights import Sights
from .tables import Tables
from .timekeeper import Timekeeper
from .undoing import Undoing
from .watching import Watching


@dataclass(frozen=True, slots=True)
class World:
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
    roster: Roster
    cache_bytes: int = 256 << 20
    heartbeat: float = 15.0
    most_open_games: int = 0
    most_bot_only_games: int = 0
    expiry: int = 0
    think: int = 0
    background_seconds: float = 0
    archive: Archive | None = None
    archive_after: int = 0
    meter: Meter = UNMETERED

    def expire_time(self) -> Instant | None:
        return Instant(self.clock() + self.expiry) if self.expiry else None

    def tariff(self) -> Tariff:
        if not self.background_seconds:
            return Tariff(ESTIMATES)
        return Tariff(ESTIMATES, 60 / self.background_seconds, BURST)


ESTIMATES = {QUICK: 20_000, LONG: 500_000}  # microseconds of thinking, until it is known how many they were
BURST = 5_000_000  # microseconds of thinking in the background that may come at once
LEASE = 5.0  # seconds after which another process sees to what this one has not
AT_ONCE = 64
ARCHIVE_LEASE, ARCHIVE_POLL, ARCHIVED_AT_ONCE = 60.0, 5.0, 4


class House:
    """The use cases, sharing one cache and one way to write."""

    def __init__(self, world: World) -> None:
        self._world, self.roster, self.archive, self.meter = world, world.roster, world.archive, world.meter
        self.tables = Tables(world.store, world.codec, world.catalog, world.cache_bytes, world.meter)
        payers = Payers(world.store, world.secret)
        self._agendas = self._scheduled(payers)
        bot_only = BotOnlyGames(world.store, world.codec, world.clock, world.most_bot_only_games)
        ledger = self.ledger = Ledger(
            world.store, world.codec, self.tables, world.clock, self._agendas, payers, bot_only, world.meter
        )
        open_games = OpenGames(world.store, world.codec, world.clock, world.most_open_games)
        self._levels = levels = Levels(world.roster)
        self.games = Games(
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
        self.rematching = Rematching(self.tables, ledger, self.games)
        self.seats = Seats(self.tables, ledger)
        self.seating = Seating(self.tables, ledger, levels)
        self.acting = Acting(self.tables, ledger, world.clock)
        self.undoing = Undoing(self.tables, ledger)
        self.luck = FairLuck(self.tables)
        self.lobby = Lobby(world.store, world.codec, world.clock)
        self.mailboxes = Mailboxes(world.store, world.codec, self.tables, world.clock)
        self.inbox = Inbox(world.heartbeat)
        late = LateTables(self.tables, world.meter)
        self.sights = Sights(self.tables, late)
        self.forking = Forking(self.sights, ledger, open_games, self.games.new_id, world.entropy)
        self.watching = Watching(world.store, self.tables, late, world.heartbeat, world.meter)

    def _scheduled(self, payers: Payers) -> Agendas:
        world = self._world
        return Agendas(
            Agenda(world.store, CLOCKS, world.clock),
            BotAgenda(world.store, world.clock, payers, world.roster, world.tariff()),
            Agenda(world.store, ARCHIVE, self._then),
            world.think,
        )

    def timekeeping(self, tally: Tally) -> Rounds:
        """Sees to it that time that is up is up."""
        keeper = Timekeeper(self.tables, self.ledger, self._levels, self._world.clock, tally)
        agenda, clock = self._agendas.clocks, self._world.clock
        return Rounds(agenda, keeper.look, clock, tally, capacity=AT_ONCE, lease=LEASE)

    def _then(self) -> int:
        """What ended before this moment is to be put away: the agenda says when games ended."""
        return self._world.clock() - self._world.archive_after

    def archiving(self, archive: Archive, tally: Tally) -> Rounds:
        """Puts away what has been over for long enough."""
        archivist = Archivist(self._world.store, archive, self.tables, tally, self._then)
        agenda, lease = self._agendas.archive, ARCHIVE_LEASE
        return Rounds(
            agenda,
            archivist.look,
            self._then,
            tally,
            capacity=ARCHIVED_AT_ONCE,
            lease=lease,
            poll=ARCHIVE_POLL,
        )

    def hosting(self, bots: Bots, tally: Tally) -> Rounds:
        """Lets bots move."""
        world, agenda = self._world, self._agendas.bots
        host = Hosting(
            self.tables,
            self.ledger,
            agenda,
            bots,
            tally,
            clock=world.clock,
            think=world.think,
            secret=world.secret,
        )
        return BotRounds(agenda, host, bots, world.clock, tally)
