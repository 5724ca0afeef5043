"""Everything that plays, put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gamehost.rules.kit import AnyRules

from .acting import Acting
from .fairness import FairLuck
from .forking import Forking
from .games import Games
from .inbox import Inbox
from .late_tables import LateTables
from .ledger import Ledger
from .lobby import Lobby
from .mailboxes import Mailboxes
from .open_games import OpenGames
from .ports import Codec, EventStore
from .rematching import Rematching
from .seats import Seats
from .sights import Sights
from .tables import Tables
from .undoing import Undoing
from .watching import Watching


@dataclass(frozen=True, slots=True)
class World:
    """What play cannot make itself. `clock` gives microseconds since 1970, `entropy` random bytes.

    `most_open_games` is how many unfinished games one caller may have; 0 for any number.
    """

    store: EventStore
    codec: Codec
    catalog: Mapping[str, AnyRules]
    clock: Callable[[], int]
    entropy: Callable[[int], bytes]
    secret: bytes
    cache_bytes: int = 256 << 20
    heartbeat: float = 15.0
    most_open_games: int = 0


class House:
    """The use cases, sharing one cache and one way to write."""

    def __init__(self, world: World) -> None:
        self.tables = Tables(world.store, world.codec, world.catalog, world.cache_bytes)
        ledger = Ledger(world.store, world.codec, self.tables, world.clock)
        open_games = OpenGames(world.store, world.codec, world.clock, world.most_open_games)
        self.games = Games(world.catalog, self.tables, ledger, world.entropy, world.secret, open_games)
        self.rematching = Rematching(self.tables, ledger, self.games)
        self.seats = Seats(self.tables, ledger)
        self.acting = Acting(self.tables, ledger)
        self.undoing = Undoing(self.tables, ledger)
        self.luck = FairLuck(self.tables)
        self.lobby = Lobby(world.store, world.codec)
        self.mailboxes = Mailboxes(world.store, world.codec, self.tables, world.clock)
        self.inbox = Inbox(world.heartbeat)
        late = LateTables(self.tables)
        self.sights = Sights(self.tables, late)
        self.forking = Forking(self.sights, ledger, open_games, self.games.new_id, world.entropy)
        self.watching = Watching(world.store, self.tables, late, world.heartbeat)
