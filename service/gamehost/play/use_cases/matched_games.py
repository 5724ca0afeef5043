"""Creates the games of matchmaking: full from the start, and the same one however often it is tried."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any

from gamehost.play.errors import TooMuch
from gamehost.play.ports.bots import BotCatalog
from gamehost.play.ports.event_log import RequestKey
from gamehost.play.table.events import ForkPolicy, GameCreated, GameStarted, SeatPlan, SeatTaken, Visibility
from gamehost.play.table.table import Table
from gamehost.play.writer import GameWriter
from gamehost.rules.chance import SeededChance, commitment, luck_key
from gamehost.rules.kit import AnyRules, Seat

from .bot_levels import BotLevels, bot_seat_taken
from .create_and_join import SEED_BYTES, CreateAndJoin
from .open_game_limit import BotOnlyGames, OpenGameLimit
from .payers import PayerDigest, Payers

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
        open_games: OpenGameLimit,
        bot_only: BotOnlyGames,
        payers: Payers,
        entropy: Callable[[int], bytes],
    ) -> None:
        self._open_games, self._bot_only, self._payers = open_games, bot_only, payers
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

    def game_id(self, match: Match) -> str:
        """Return the id of the game of a match."""
        return self._create_and_join.derive("match", match.id, 20)

    async def check_limits(self, payer: str, *, bots: bool) -> tuple[str, str]:
        """Raise TooMuch if the payer may not have another game; with `bots`, one that bots may play.

        Returns what a ticket keeps of its payer: the digest, and the name of the list of its games.
        """
        digest = self._payers.digest(payer)
        if not payer:
            return "", ""
        await self._open_games.check(payer)
        if bots:
            await self._bot_only.check(digest)
        return digest, self._open_games.list_name(payer)

    def was_full(self, ticket: Ticket) -> bool:
        """Whether the owner of a ticket was found at its limit of games within the last seconds."""
        return self._open_games.was_full(ticket.games_list)

    def may_have_bots(self, ticket: Ticket) -> bool:
        """Whether the owner of a ticket was not found at its limit of games with bots lately."""
        return not self._bot_only.was_full(self._bot_only.list_name(ticket.payer))

    async def claim(self, match: Match) -> bool:
        """Count the game of a match against the limits of all its callers; False if one has reached them."""
        game_id, claimed = self.game_id(match), list[str]()
        try:
            if any(seat.bot_level for seat in match.seats):
                for payer in {ticket.payer for ticket in match.tickets}:
                    await self._bot_only.check(payer)
            for games_list in sorted({ticket.games_list for ticket in match.tickets}):
                await self._open_games.claim_in(games_list, game_id)
                claimed.append(games_list)
        except TooMuch:
            await self._release(claimed, game_id)
            return False
        return True

    async def release(self, match: Match) -> None:
        """Take back what `claim` has counted, of a match whose tickets wait no longer."""
        await self._release({ticket.games_list for ticket in match.tickets}, self.game_id(match))

    async def _release(self, games_lists: Collection[str], game_id: str) -> None:
        for games_list in games_lists:
            await self._open_games.release(games_list, game_id)

    async def create(self, match: Match, wish: GameCreated, options: Any) -> Table:
        """Create the game of a match; a match whose game exists gets the same one."""
        rules = self._catalog[wish.title]
        game_id = self.game_id(match)
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
        payer = next((PayerDigest(ticket.payer) for ticket in match.tickets), "")
        request = RequestKey(f"match:{match.id}", b"")
        return await self._writer.create(game_id, rules, created, seed, request, events, payer)

    def _taken(self, match: Match, number: int) -> SeatTaken:
        seat = match.seats[number]
        if seat.bot_level:
            return bot_seat_taken(Seat(number), seat.bot_level)
        [ticket] = [each for each in match.tickets if each.id == seat.ticket_id]
        return SeatTaken(Seat(number), ticket.display_name or f"Player {number + 1}", caller_id=ticket.owner)
