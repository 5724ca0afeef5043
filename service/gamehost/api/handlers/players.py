"""Handlers of PlayerService: profiles, ratings, leaderboards and histories."""

from __future__ import annotations

from collections.abc import Mapping

from gamehost.api.pipeline.call import Call
from gamehost.codec.table_events import timestamp
from gamehost.play.application import Application
from gamehost.play.errors import FeatureOff
from gamehost.play.players.finished_games import BOT_PLAYER
from gamehost.play.players.histories import HistoryEntry, ResultCount, SeatResult, TitleCounts, result_of
from gamehost.play.players.leaderboards import LeaderboardLine
from gamehost.play.players.players import KnownPlayer, Players, caller_of
from gamehost.play.players.profiles import Profile, caller_digest
from gamehost.play.players.rating_model import Rating
from gamehost.play.players.rating_sequence import is_bot_player
from shedu.v1 import player_service_pb2 as pb

from .paging import page_position, page_size, page_token, parsed_number

RESULTS = {result: pb.GameResult.Value(f"GAME_RESULT_{result.name}") for result in SeatResult}


class PlayerHandlers:
    """Answers the rpcs about players. The contract describes each of them."""

    def __init__(self, application: Application) -> None:
        self._kept, self._viewing = application.players, application.viewing

    @property
    def _players(self) -> Players:
        if self._kept is None:
            raise FeatureOff("this service keeps nothing about players")
        return self._kept

    async def get_profile(self, request: pb.GetProfileRequest, call: Call) -> pb.GetProfileResponse:
        profile = await self._players.profiles.of_caller(caller_of(call.principal))
        return pb.GetProfileResponse(player=await self._player(profile))

    async def update_profile(self, request: pb.UpdateProfileRequest, call: Call) -> pb.UpdateProfileResponse:
        profile = await self._players.profiles.update(
            caller_of(call.principal),
            request.handle if request.HasField("handle") else None,
            request.hide_history if request.HasField("hide_history") else None,
        )
        return pb.UpdateProfileResponse(player=await self._player(profile))

    async def erase_player_data(
        self, request: pb.ErasePlayerDataRequest, call: Call
    ) -> pb.ErasePlayerDataResponse:
        await self._players.erase(call.principal, request.handle)
        return pb.ErasePlayerDataResponse()

    async def get_player(self, request: pb.GetPlayerRequest, call: Call) -> pb.GetPlayerResponse:
        profile = await self._players.named(request.handle, call.principal)
        return pb.GetPlayerResponse(player=await self._player(profile))

    async def _player(self, profile: Profile) -> pb.Player:
        return player_message(await self._players.known(profile))

    async def list_player_games(
        self, request: pb.ListPlayerGamesRequest, call: Call
    ) -> pb.ListPlayerGamesResponse:
        position = page_position(request, request.page_token, 1)
        entries, last = await self._players.history(
            request.handle,
            call.principal,
            after=position[0] if position else "",
            limit=page_size(request.page_size, 50, 100),
        )
        wanted = [entry for entry in entries if _matches(request, entry)]
        handles = await self._players.handles_in(wanted)
        return pb.ListPlayerGamesResponse(
            games=[played_game(entry, handles) for entry in wanted],
            next_page_token=page_token(request, last) if last else "",
        )

    async def get_player_statistics(
        self, request: pb.GetPlayerStatisticsRequest, call: Call
    ) -> pb.GetPlayerStatisticsResponse:
        counts = await self._players.statistics(request.handle, call.principal)
        return pb.GetPlayerStatisticsResponse(
            titles=[title_statistics(title, counts[title]) for title in sorted(counts)]
        )

    async def list_leaderboard(
        self, request: pb.ListLeaderboardRequest, call: Call
    ) -> pb.ListLeaderboardResponse:
        position = page_position(request, request.page_token, 1)
        size = page_size(request.page_size, 50, 100)
        start = parsed_number(position[0]) if position else await self._start(request, call, size)
        if start is None:
            return pb.ListLeaderboardResponse(min_games=self._players.min_games)
        page = await self._players.leaderboard(request.title, start=start, limit=size)
        me = await self._player_key(call)
        handles = await self._players.handles_on(page)
        return pb.ListLeaderboardResponse(
            entries=[leaderboard_entry(request.title, line, handles, me) for line in page.lines],
            next_page_token=page_token(request, start + size) if start + size < page.players else "",
            players=page.players,
            min_games=self._players.min_games,
        )

    async def _start(self, request: pb.ListLeaderboardRequest, call: Call, size: int) -> int | None:
        """The first place of the first page; None if the caller is to be in it and is not listed."""
        if not request.around_me:
            return 0
        place = await self._players.my_place(request.title, call.principal)
        return None if place is None else max(0, place - size // 2)

    async def _player_key(self, call: Call) -> str:
        """The player key of the caller; "" for one without an identity."""
        caller = getattr(call.principal, "id", "")
        return (await self._players.profiles.read(caller_digest(caller))).key if caller else ""

    async def list_game_players(
        self, request: pb.ListGamePlayersRequest, call: Call
    ) -> pb.ListGamePlayersResponse:
        players = self._players
        table = await self._viewing.game(request.game_id, call.principal)
        call.note(game=table.game_id, version=table.version)
        return pb.ListGamePlayersResponse(
            players=[player_message(each) for each in await players.at_table(table)]
        )

    async def block_player(self, request: pb.BlockPlayerRequest, call: Call) -> pb.BlockPlayerResponse:
        await self._players.profiles.block(caller_of(call.principal), request.handle)
        return pb.BlockPlayerResponse()

    async def unblock_player(self, request: pb.UnblockPlayerRequest, call: Call) -> pb.UnblockPlayerResponse:
        await self._players.profiles.unblock(caller_of(call.principal), request.handle)
        return pb.UnblockPlayerResponse()

    async def list_blocked_players(
        self, request: pb.ListBlockedPlayersRequest, call: Call
    ) -> pb.ListBlockedPlayersResponse:
        profile = await self._players.profiles.read(caller_digest(caller_of(call.principal)))
        handles = await self._players.profiles.handles(profile.blocked)
        return pb.ListBlockedPlayersResponse(handles=sorted(filter(None, handles.values())))


def player_message(player: KnownPlayer) -> pb.Player:
    """The message of a player."""
    return pb.Player(
        handle=player.handle,
        bot_level=player.bot_level,
        ratings=[rating_message(title, player.ratings[title]) for title in sorted(player.ratings)],
        history_hidden=player.hidden,
    )


def rating_message(title: str, rating: Rating) -> pb.PlayerRating:
    """The message of a rating, in points."""
    return pb.PlayerRating(
        title=title, rating=rating.points, deviation=rating.points_deviation, games=rating.games
    )


def played_game(entry: HistoryEntry, handles: Mapping[str, str]) -> pb.PlayedGame:
    """The message of a game of a history."""
    game = entry.game
    change = None
    if entry.before and entry.after:
        change = pb.RatingChange(before=entry.before.points, after=entry.after.points)
    return pb.PlayedGame(
        game_id=game.game_id,
        title=game.title,
        seat=entry.seat,
        result=RESULTS[result_of(game, entry.seat)],
        seats=[
            pb.PlayedSeat(
                handle=handles.get(seat.player, ""),
                bot_level=seat.bot_level,
                rank=seat.rank,
                score=seat.score,
            )
            for seat in game.seats
        ],
        reason=game.reason,
        end_time=timestamp(game.end),
        length=game.length,
        rated=game.rated,
        rating_change=change,
    )


def title_statistics(title: str, counts: TitleCounts) -> pb.TitleStatistics:
    """The message of the counts of a title."""
    seats = [counts.seats.get(seat, ResultCount()) for seat in range(max(counts.seats) + 1)]
    return pb.TitleStatistics(
        title=title,
        total=_counts(counts.total),
        seats=map(_counts, seats),
        mean_length=counts.length / counts.total.games,
    )


def _counts(counts: ResultCount) -> pb.ResultCounts:
    return pb.ResultCounts(games=counts.games, won=counts.won, drawn=counts.drawn)


def leaderboard_entry(
    title: str, line: LeaderboardLine, handles: Mapping[str, str], me: str
) -> pb.LeaderboardEntry:
    """The message of a line of a leaderboard."""
    bot = is_bot_player(line.player)
    return pb.LeaderboardEntry(
        place=line.place + 1,
        handle=handles.get(line.player, ""),
        bot_level=line.player.removeprefix(BOT_PLAYER) if bot else "",
        rating=rating_message(title, line.rating),
        me=line.player == me,
    )


def _matches(request: pb.ListPlayerGamesRequest, entry: HistoryEntry) -> bool:
    return (
        (not request.title or entry.game.title == request.title)
        and (not request.HasField("rated") or entry.game.rated == request.rated)
        and (not request.result or RESULTS[result_of(entry.game, entry.seat)] == request.result)
    )
