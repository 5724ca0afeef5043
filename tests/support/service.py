"""The whole service in one process, with a clock and luck that a test controls."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from google.protobuf.message import Message
from google.rpc import error_details_pb2

from gamehost.api.auth.identity import IdentityProvider, PrincipalReader
from gamehost.api.auth.seat_tokens import SeatTokens
from gamehost.api.handlers.groups import handler_groups
from gamehost.api.pipeline.admission import Admission
from gamehost.api.pipeline.call import Call
from gamehost.api.pipeline.dispatch import Dispatch
from gamehost.api.pipeline.quotas import Limits, Quotas
from gamehost.api.pipeline.status import RpcError, code_name
from gamehost.api.pipeline.stream_queue import StreamQueue
from gamehost.codec.encoded import as_message
from gamehost.codec.store_codec import StoreCodec
from gamehost.codec.titles import TITLES
from gamehost.codec.upgrades import UPGRADES, Upgrades
from gamehost.composition import SERVICES
from gamehost.hosted.catalog import HostedBotCatalog
from gamehost.play.application import Application, Dependencies
from gamehost.play.matching.matchmaking import MatchSettings
from gamehost.play.players.players import PlayerSettings
from gamehost.play.ports.archive import Archive
from gamehost.play.ports.bots import BotRunner
from gamehost.play.ports.event_store import EventStore
from gamehost.play.table.table import Table
from gamehost.play.tables.current import TableCache
from gamehost.play.writer import Plan
from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import Seat
from gamehost.stores.archive.archived_store import ArchivedEventStore
from gamehost.stores.memory import MemoryEventStore
from shedu.v1 import game_service_pb2 as pb
from support.bots import BackgroundCounts, InlineBots
from support.metrics import RecordedMetrics
from support.webhooks import RecordingSender, recorded_webhooks

SECRET = b"a secret for tests"
DAY = 86400
PLAYERS = PlayerSettings(min_games=2)
MATCHING = MatchSettings()
NAMES = ("Ann", "Bob", "Cid", "Dot")


def entropy_of(luck: str) -> Callable[[int], bytes]:
    """Returns an entropy source: the same `luck` gives the same bytes, call by call."""
    numbers = itertools.count()
    return lambda size: hashlib.shake_256(f"{luck}:{next(numbers)}".encode()).digest(size)


class Service:
    """One process of the service. Two instances on one store act as two processes of one service."""

    def __init__(
        self,
        store: EventStore | None = None,
        luck: str = "",
        cache_bytes: int = 256 << 20,
        secrets: tuple[bytes, ...] = (SECRET,),
        identities: IdentityProvider | None = None,
        limits: Limits | None = None,
        open_games: int = 0,
        bot_only_games: int = 0,
        bot_only_seconds: float = 0,
        expiry: int = 0,
        bots: BotRunner | None = None,
        upgrades: Upgrades = UPGRADES,
        archive: Archive | None = None,
        archive_after: float = 0,
        entropy: Callable[[int], bytes] | None = None,
        stream_queue: StreamQueue | None = None,
        heartbeat: float = 0.05,
        webhooks: bool = True,
        players: PlayerSettings | None = PLAYERS,
        matching: MatchSettings | None = MATCHING,
    ) -> None:
        kept = store or MemoryEventStore()
        self.store = ArchivedEventStore(kept, archive) if archive else kept
        self.codec = StoreCodec(TITLES, upgrades)
        self.now = 1_800_000_000_000_000
        self.slept = 0.0  # seconds that streams waited for their quota
        self.meter = RecordedMetrics()
        self.receiver = RecordingSender()
        dependencies = Dependencies(
            self.store,
            self.codec,
            CATALOG,
            clock=lambda: self.now,
            entropy=entropy or entropy_of(luck),
            secret=secrets[0],
            bot_catalog=HostedBotCatalog(),
            expiry=expiry,
            cache_bytes=cache_bytes,
            heartbeat=heartbeat,
            most_open_games=open_games,
            most_bot_only_games=bot_only_games,
            background_seconds=bot_only_seconds,
            archive=archive,
            archive_after=int(archive_after * 1e6),
            webhooks=recorded_webhooks(self.receiver, secrets) if webhooks else None,
            metrics=self.meter,
            players=players,
            matching=matching,
        )
        self.application = Application(dependencies)
        self._create_workers(bots or InlineBots(), archive)
        self.dispatch = self._dispatch(secrets, identities, limits or Limits(), stream_queue)
        self.methods = {method.name: method for method in self.dispatch.methods.values()}

    def _create_workers(self, bots: BotRunner, archive: Archive | None) -> None:
        self.background = BackgroundCounts()
        self.timeout_worker = self.application.timeout_worker(self.background)
        self.archive_worker = self.application.archive_worker(archive, self.background) if archive else None
        self.matcher = self.application.matcher(self.background)
        self.recorder = self.application.recorder(self.background)
        self.bot_worker = self.application.bot_worker(bots, self.background)
        webhooks = self.application.webhooks
        self.webhook_worker = webhooks.worker(self.background) if webhooks else None

    def _dispatch(
        self,
        secrets: tuple[bytes, ...],
        identities: IdentityProvider | None,
        limits: Limits,
        stream_queue: StreamQueue | None,
    ) -> Dispatch:
        tokens = SeatTokens(secrets, self.seconds, 30 * DAY)
        quotas = Quotas(limits, self.store, self.seconds)
        handlers = handler_groups(self.codec.renderer, self.application, tokens, self.seconds)
        admission = Admission(PrincipalReader(tokens, identities), quotas, self.seconds, sleep=self._sleep)
        return Dispatch(handlers, SERVICES, admission, stream_queue)

    async def pass_time(self, seconds: float) -> None:
        """Advances the clock, and runs the time-out worker until nothing is due."""
        self.now += int(seconds * 1e6)
        while await self.timeout_worker.run_once():
            pass

    async def settled(self) -> None:
        """Waits for background writes: boards, snapshots, lists."""
        await self.application.writer.wait_for_background_writes()

    async def archive_due_games(self) -> None:
        """Archives the games that have been over for long enough."""
        await self.settled()
        while self.archive_worker and await self.archive_worker.run_once():
            pass

    async def deliver(self, seconds: float = 0) -> None:
        """Advances the clock, and runs the worker of webhooks until nothing is due."""
        await self.settled()
        self.now += int(seconds * 1e6)
        while self.webhook_worker and await self.webhook_worker.run_once():
            await self.settled()

    async def record_finished_games(self, seconds: float = 3) -> None:
        """Advances the clock, and records the games that have ended, in histories and ratings."""
        self.now += int(seconds * 1e6)
        while self.recorder and await self.recorder.run_once():
            pass

    async def match_tickets(self, seconds: float = 0) -> None:
        """Advances the clock, and lets matchmaking look at the pools once."""
        self.now += int(seconds * 1e6)
        if self.matcher:
            await self.matcher.run_once()

    async def let_bots_play(self) -> None:
        """Runs the bot worker until no bot has a decision to answer."""
        await self.settled()
        while await self.bot_worker.run_once():
            await self.settled()

    async def _sleep(self, seconds: float) -> None:
        """Advances the clock of the test instead of waiting, and lets other tasks run."""
        self.now += int(seconds * 1e6)
        self.slept += seconds
        await asyncio.sleep(0)

    def seconds(self) -> float:
        return self.now / 1e6

    async def call(self, name: str, token: str | None = None, /, **fields: Any) -> Any:
        method = self.methods[name]
        return await self.dispatch.unary(method, lambda: method.request(**fields), _call(token), as_message)

    def watch(self, token: str | None = None, /, **fields: Any) -> AsyncGenerator[Any]:
        return self.stream("WatchGame", token, **fields)

    async def stream(self, name: str, token: str | None = None, /, **fields: Any) -> AsyncGenerator[Any]:
        method = self.methods[name]
        stream: Any = self.dispatch.stream(method, lambda: method.request(**fields), _call(token))
        async with aclosing(stream) as messages:
            async for message in messages:
                yield message

    async def read_stream(
        self, name: str, token: str | None = None, /, *, until: str = "caught_up", **fields: Any
    ) -> list[Any]:
        """Returns the messages of a stream up to and including the first of the kind `until`."""
        messages = []
        async with aclosing(self.stream(name, token, **fields)) as stream:
            async for message in stream:
                messages.append(message)
                if message.WhichOneof("kind") == until:
                    break
        return messages

    async def refusal(self, name: str, token: str | None = None, /, **fields: Any) -> tuple[str, str]:
        """Returns the code and the reason with which a call fails."""
        error = await self.error(name, token, **fields)
        return code_name(error.status), error.reason

    async def error(self, name: str, token: str | None = None, /, **fields: Any) -> RpcError:
        try:
            answer = await self.call(name, token, **fields)
        except RpcError as error:
            return error
        raise AssertionError(f"{name} was answered: {answer}")

    async def table(self, *names: str, title: str = "tides", **fields: Any) -> tuple[str, list[str]]:
        """Creates a game, joins these players, and returns its id and their tokens."""
        game_id = (await self.call("CreateGame", title=title, **fields)).game.game_id
        return game_id, [await self.join(game_id, display_name=name) for name in names]

    async def full_table(self, title: str, seats: int = 2, **fields: Any) -> tuple[str, list[str]]:
        """Creates a game with a person on every seat; returns its id and their tokens."""
        return await self.table(*NAMES[:seats], title=title, seat_count=seats, **fields)

    async def append_events(self, game_id: str, *events: Any, seat: Seat | None = None) -> None:
        """Appends events to the log that no call of a test can cause at that point."""

        async def plan(_table: Table) -> Plan:
            return Plan(events, seat)

        await self.application.writer.change(game_id, plan)

    async def join(self, game_id: str, **fields: Any) -> str:
        joined: pb.JoinGameResponse = await self.call("JoinGame", game_id=game_id, **fields)
        return joined.seat_token

    async def move(self, game_id: str, token: str, choice: int = 0, **fields: Any) -> pb.PlayActionResponse:
        """Plays one of the legal actions."""
        request = await self.request(game_id, token, choice)
        played: pb.PlayActionResponse = await self.call("PlayAction", token, **request, **fields)
        return played

    async def request(self, game_id: str, token: str, choice: int = 0) -> dict[str, Any]:
        legal = await self.call("ListLegalActions", token, game_id=game_id)
        return {
            "game_id": game_id,
            "decision_id": legal.decision.decision_id,
            "action": legal.actions[choice].action,
        }

    async def finish(self, game_id: str, tokens: list[str]) -> pb.PlayActionResponse:
        """Plays the first legal action until the game is over; returns the last response."""
        while True:
            view = (await self.call("GetView", tokens[0], game_id=game_id)).view
            last = await self.move(game_id, tokens[view.decisions[0].seat])
            if last.view.game.HasField("outcome"):
                return last


class StoreWithoutSnapshots:
    """A store without snapshots, so that a reader folds games from their first event."""

    def __init__(self, store: EventStore) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def snapshot(self, _game: str) -> None:
        return None


def tables_from_logs(service: Service) -> TableCache:
    """Returns an empty cache of tables that reads only the logs, as a new process without snapshots would."""
    store: Any = StoreWithoutSnapshots(service.store)
    return TableCache(store, service.codec, CATALOG)


def detail(error: RpcError, kind: type[Message]) -> Any:
    """Returns the error detail of that kind; fails if there is none."""
    found = kind()
    assert any(detail.Unpack(found) for detail in error.status.details), f"no {kind.DESCRIPTOR.full_name}"
    return found


def info(error: RpcError) -> error_details_pb2.ErrorInfo:
    found: error_details_pb2.ErrorInfo = detail(error, error_details_pb2.ErrorInfo)
    return found


def _call(token: str | None) -> Call:
    return Call(authorization=f"Bearer {token}" if token else None, transport="test")
