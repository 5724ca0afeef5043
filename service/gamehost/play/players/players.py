"""The use cases of players: profiles, ratings, leaderboards and histories."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from gamehost.play import access
from gamehost.play.background.schedule import Schedule
from gamehost.play.background.schedule_worker import ScheduleWorker
from gamehost.play.errors import HistoryHidden, InvalidRequest, NotFound, TooMuch, Unauthenticated
from gamehost.play.inbox.items import is_caller
from gamehost.play.ports.caller_news import CallerNews, NoCallerNews
from gamehost.play.ports.maps import Maps
from gamehost.play.ports.metrics import BackgroundMetrics
from gamehost.play.table.clocks import SECOND
from gamehost.play.table.table import Status, Table
from gamehost.play.tables.current import TableCache

from .end_order import EndOrder
from .finished_games import BOT_PLAYER, is_bot
from .histories import Histories, HistoryEntry, TitleCounts
from .leaderboards import LeaderboardPage, Leaderboards, people_of
from .opponents import RecentOpponents
from .profiles import Profile, Profiles, RefusedWords, caller_digest
from .rating_model import Rating
from .rating_sequence import RatingSequence
from .rebuild import RatingRebuild
from .recorder import SETTLE, GameRecorder

ME = "me"
# Few and short: the games of a process that dies hold up those that ended after them, see `end_order`.
RECORDING_LEASE, RECORDED_AT_ONCE = 3.0, 4
# Between two erasures of one caller. The profile keeps the time of each, so it must not grow with every call.
ERASURE_PAUSE = 600 * SECOND


@dataclass(frozen=True, slots=True)
class PlayerSettings:
    """The settings of players. `min_games` is the number of rated games from which on a player is listed."""

    min_games: int = 5
    refused_words: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """A player as everyone sees it, with its ratings by title; a bot has a level and no handle."""

    handle: str = ""
    bot_level: str = ""
    hidden: bool = False
    ratings: Mapping[str, Rating] = field(default_factory=dict)


class Players:
    """Reads and changes what is kept about players. `clock` returns microseconds since 1970."""

    def __init__(
        self,
        store: Maps,
        tables: TableCache,
        titles: Sequence[str],
        clock: Callable[[], int],
        entropy: Callable[[int], bytes],
        settings: PlayerSettings,
    ) -> None:
        self._store = store
        self._tables, self._titles, self._clock = tables, sorted(titles), clock
        self.min_games = settings.min_games
        self.profiles = Profiles(store, clock, entropy, RefusedWords(settings.refused_words))
        self.sequence, self.histories = RatingSequence(store, settings.min_games), Histories(store)
        self.ends = EndOrder(store, clock)
        self.recent = RecentOpponents(store, self.profiles)
        self._leaderboards = Leaderboards(store, self.sequence)

    def recorder(self, schedule: Schedule, metrics: BackgroundMetrics, news: CallerNews) -> ScheduleWorker:
        """Return the loop that records finished games."""
        return ScheduleWorker(
            schedule,
            self._recorder(metrics, news).check,
            self.settled,
            metrics,
            capacity=RECORDED_AT_ONCE,
            lease=RECORDING_LEASE,
        )

    def _recorder(self, metrics: BackgroundMetrics, news: CallerNews) -> GameRecorder:
        return GameRecorder(
            self._tables,
            self.profiles,
            self.histories,
            self.sequence,
            self.ends,
            metrics,
            self.settled,
            news,
        )

    def rebuild(self, metrics: BackgroundMetrics) -> RatingRebuild:
        """Return what computes all ratings again from the logs."""
        recorder = self._recorder(metrics, NoCallerNews())
        return RatingRebuild(
            self._store, self._tables, self.profiles, self.histories, self.sequence, recorder
        )

    def settled(self) -> int:
        """Return the time before which a game must have ended to be recorded."""
        return self._clock() - SETTLE

    async def known(self, profile: Profile) -> KnownPlayer:
        """Return a player as everyone sees it."""
        found = await asyncio.gather(*(self.sequence.ratings(title, [profile.key]) for title in self._titles))
        ratings = {title: each[profile.key] for title, each in zip(self._titles, found, strict=True) if each}
        return KnownPlayer(profile.handle, "", profile.hidden, ratings)

    async def named(self, handle: str, principal: access.Principal) -> Profile:
        """Return the profile with a handle, or the caller's own for "me"."""
        if handle != ME:
            return await self.profiles.with_handle(handle)
        return await self.profiles.of_caller(caller_of(principal))

    async def erase(self, principal: access.Principal, handle: str) -> None:
        """Delete the caller's data; `handle` is a confirmation."""
        profile = await self.profiles.of_caller(caller_of(principal))
        if handle.lower() != profile.handle.lower():
            raise InvalidRequest("handle", "must be your own, as a confirmation")
        now = self._clock()
        if profile.erased and now < profile.erased[-1] + ERASURE_PAUSE:
            wait = (profile.erased[-1] + ERASURE_PAUSE - now) / SECOND
            raise TooMuch("you have deleted your data minutes ago; try again later", wait)
        # The profile after them: whoever is interrupted before can call again.
        await self._forget(profile.key)
        await self.profiles.erase(profile)
        # Again, for games that were recorded meanwhile. Later ones see that the profile is erased.
        await self._forget(profile.key)

    async def _forget(self, player: str) -> None:
        for title in self._titles:
            await self.sequence.forget_player(title, player)
        await self.histories.erase(player)
        await self.recent.forget(player)

    async def history(
        self, handle: str, principal: access.Principal, *, after: str, limit: int
    ) -> tuple[list[HistoryEntry], str]:
        """Return a page of a history, and the game that the next one comes after, "" for the last page."""
        profile, own = await self._readable(handle, principal)
        return await self.histories.page(profile.key, after=after, limit=limit, everything=own)

    async def statistics(self, handle: str, principal: access.Principal) -> dict[str, TitleCounts]:
        """Return the counts of a player by title."""
        profile, own = await self._readable(handle, principal)
        return await self.histories.counts(profile.key, self._titles, everything=own)

    async def _readable(self, handle: str, principal: access.Principal) -> tuple[Profile, bool]:
        """Return a profile whose history the caller may see, and whether it is the caller's own."""
        profile = await self.named(handle, principal)
        own = isinstance(principal, access.Caller) and caller_digest(principal.id) == profile.digest
        if profile.hidden and not own:
            raise HistoryHidden(f"{profile.handle} hides the history from others")
        return profile, own

    async def handles_in(self, entries: Sequence[HistoryEntry]) -> dict[str, str]:
        """Return the handles of all players of these games, by player key."""
        players = {seat.player for entry in entries for seat in entry.game.seats} - {""}
        return await self.profiles.handles(sorted(players))

    def check_title(self, title: str) -> None:
        """Raise NotFound for a title that is not hosted."""
        if title not in self._titles:
            raise NotFound(f"there is no title {title}", reason="TITLE_NOT_FOUND")

    async def leaderboard(self, title: str, *, start: int, limit: int) -> LeaderboardPage:
        """Return a page of a leaderboard."""
        self.check_title(title)
        return await self._leaderboards.page(title, start=start, limit=limit)

    async def my_place(self, title: str, principal: access.Principal) -> int | None:
        """Return the caller's place on a leaderboard, None if it is not listed."""
        self.check_title(title)
        profile = await self.profiles.read(caller_digest(caller_of(principal)))
        return await self._leaderboards.place_of(title, profile.key)

    async def handles_on(self, page: LeaderboardPage) -> dict[str, str]:
        """Return the handles of the people on a page, by player key."""
        return await self.profiles.handles(people_of(page.lines))

    async def at_table(self, table: Table) -> list[KnownPlayer]:
        """Return who plays each seat; an empty player for a seat without an identity."""
        now = table.status is not Status.FINISHED
        at = self._clock() if now else await self._tables.last_change_at(table)
        title, found = table.rules.title, list[KnownPlayer]()
        for chair in table.chairs:
            if is_bot(chair):
                ratings = await self.sequence.ratings(title, [f"{BOT_PLAYER}{chair.bot_level}"])
                found.append(KnownPlayer(bot_level=chair.bot_level, ratings=_of_title(title, ratings)))
            elif is_caller(chair.caller_id):
                found.append(await self._at_table(chair.caller_id, at, title))
            else:
                found.append(KnownPlayer())
        return found

    async def _at_table(self, caller_id: str, at: int, title: str) -> KnownPlayer:
        profile = await self.profiles.read(caller_digest(caller_id))
        if profile.key_at(at) != profile.key:
            return KnownPlayer()  # the player has deleted its data
        ratings = await self.sequence.ratings(title, [profile.key])
        return KnownPlayer(profile.handle, "", profile.hidden, _of_title(title, ratings))


def _of_title(title: str, ratings: Mapping[str, Rating]) -> dict[str, Rating]:
    return dict.fromkeys([title], next(iter(ratings.values()))) if ratings else {}


def caller_of(principal: access.Principal) -> str:
    """Return the id of a caller; raises Unauthenticated for others."""
    if not isinstance(principal, access.Caller):
        raise Unauthenticated("players are callers with an identity, and this call has none")
    return principal.id
