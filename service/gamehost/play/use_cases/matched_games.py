"""Creates the games of matchmaking: full from the start, and the same one however often it is tried."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from gamehost.play.ports.bots import BotCatalog
from gamehost.play.ports.event_log import RequestKey
from gamehost.play.table.events import ForkPolicy, GameCreated, GameStarted, SeatPlan, SeatTaken, Visibility
from gamehost.play.table.table import Table
from gamehost.play.writer import GameWriter
from gamehost.rules.chance import SeededChance, commitment, luck_key
from gamehost.rules.kit import AnyRules, Seat

from .bot_levels import BotLevels, bot_seat_taken
from .create_and_join import SEED_BYTES, CreateAndJoin

if TYPE_CHECKING:
    from gamehost.play.matching.pools import Match
    from gamehost.play.matching.tickets import Ticket


class MatchedGames:
    """Creates games of matches. `entropy` returns random bytes."""

    def __init__(
        self,
        catalog: Mapping[str, AnyRules],
        writer: GameWriter,
        create_and_join: CreateAndJoin,
        bot_catalog: BotCatalog,
        entropy: Callable[[int], bytes],
    ) -> None:
        self._catalog, self._writer, self._create_and_join = catalog, writer, create_and_join
        self._bot_catalog, self._entropy = bot_catalog, entropy

    def bot_levels(self, ticket: Ticket, count: int) -> list[str]:
        """Return the levels of bots that fill up: the wanted one first, in a rated game each level once."""
        levels = BotLevels(self._bot_catalog)
        first = levels.resolve(ticket.title, ticket.bot_level, "bot_level")
        if not ticket.rated:
            return [first] * count
        others = [each.name for each in self._bot_catalog.levels(ticket.title) if each.name != first]
        return [first, *others][:count]

    def check_level(self, title: str, level: str) -> None:
        """Raise InvalidRequest for a level that the title does not have."""
        BotLevels(self._bot_catalog).resolve(title, level, "bot_level")

    def most_bots(self, title: str, *, rated: bool) -> int:
        """Return how many bots a game can have: in a rated one each level is a player, who has one seat."""
        return len(self._bot_catalog.levels(title)) if rated else 16

    async def create(self, match: Match, wish: GameCreated, options: Any) -> Table:
        """Create the game of a match; a match whose game exists gets the same one."""
        rules = self._catalog[wish.title]
        game_id = self._create_and_join.derive("match", match.id, 20)
        taken = [self._taken(match, number) for number in range(len(match.seats))]
        seed = self._entropy(SEED_BYTES)
        created = GameCreated(
            wish.title,
            rules.version,
            len(match.seats),
            options,
            Visibility.PUBLIC,
            manual_start=False,
            commitment=commitment(game_id, seed),
            clock=wish.clock,
            # The seats are reserved before they are taken: whoever has one is found from the first event on.
            seats=tuple(SeatPlan(each.caller_id, each.bot_level) for each in taken),
            forks=ForkPolicy.AFTER_END if wish.rated else ForkPolicy.ANY_TIME,
            rated=wish.rated,
            matched=True,
        )
        key = luck_key(seed, [b""] * len(taken))
        setup = rules.setup(options, len(taken), SeededChance(key, 0))
        events = [*taken, GameStarted(), *setup]
        payer = next((ticket.payer for ticket in match.tickets), "")
        request = RequestKey(f"match:{match.id}", b"")
        return await self._writer.create(game_id, rules, created, seed, request, events, payer)

    def _taken(self, match: Match, number: int) -> SeatTaken:
        seat = match.seats[number]
        if seat.bot_level:
            return bot_seat_taken(Seat(number), seat.bot_level)
        [ticket] = [each for each in match.tickets if each.id == seat.ticket_id]
        return SeatTaken(Seat(number), ticket.display_name or f"Player {number + 1}", caller_id=ticket.owner)
