"""Tests that an archived game is shown as before, by any process, and only to those who may see it."""

from __future__ import annotations

import asyncio
import gzip
import os
import random
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from gamehost.api.pipeline.status import RpcError
from gamehost.commands.recorded.verify import verify_game
from gamehost.play.ports.event_log import StoreUnavailable
from gamehost.rules.catalog import CATALOG
from gamehost.stores.archive.files import FileArchive
from gamehost.stores.memory import MemoryEventStore
from gamehost.stores.redis.store import connect
from luck.games import exported, play
from rules.facts import FACTS
from shedu.v1 import game_pb2
from support.budget import budget
from support.keyed_service import KeyedService
from support.service import Service
from support.started_game import StartedGame
from support.waiting import PATIENCE

EACH = pytest.mark.parametrize("title", CATALOG)
DAY = 86400
FINISHED = game_pb2.GAME_STATUS_FINISHED


@pytest.fixture
def archive(tmp_path: Path) -> FileArchive:
    found = FileArchive(tmp_path / "archive")
    found.prepare()
    return found


@pytest.fixture(params=["memory", "redis"][: budget(1, 2)])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[object]:
    if request.param == "memory":
        yield MemoryEventStore()
        return
    opened = connect(request.getfixturevalue("redis_url"))
    yield opened
    await opened.close()


async def answer(service: Service, name: str, token: str | None, **fields: object) -> bytes:
    """Returns the response of a call, or its error."""
    try:
        return (await service.call(name, token, **fields)).SerializeToString(deterministic=True)
    except RpcError as error:
        return error.status.SerializeToString(deterministic=True)


async def stream(service: Service, token: str | None, **fields: object) -> list[bytes]:
    async with aclosing(service.watch(token, **fields)) as messages:
        return [message.SerializeToString(deterministic=True) async for message in messages]


async def told(service: Service, game_id: str, token: str | None) -> list[object]:
    """Returns all responses about a finished game that a caller gets."""
    here = {"game_id": game_id}
    version = (await service.call("GetGame", token, **here)).game.version
    asked = [
        *((name, {}) for name in ("GetGame", "GetView", "ListLegalActions", "GetFairness", "Resign")),
        *((name, {}) for name in ("JoinGame", "RefreshSeatToken", "ProposeAbandon", "LeaveGame")),
        *(("GetView", {"version": number}) for number in range(1, version + 2, 11)),
        *(("GetView", {"as_seat": seat}) for seat in range(3)),
        ("ListLegalActions", {"version": version // 2}),
        ("ListEvents", {"page_size": 1000}),
        ("ForkGame", {"request_id": f"fork-{token and token[-12:]}-{game_id}", "version": version // 2}),
    ]
    answers = [await answer(service, name, token, **here, **fields) for name, fields in asked]
    streams = [await stream(service, token, **here, after_version=after) for after in (0, version // 2)]
    lists = [
        await answer(service, "ListGames", token, status=FINISHED),
        await answer(service, "ListGames", token, mine=True),
        await answer(service, "ListGames", token),
    ]
    return [*answers, *streams, await stream(service, token, **here), *lists]


async def count_events(store: object, game_id: str) -> int:
    return await store.version(game_id)  # type: ignore[attr-defined,no-any-return]


@EACH
async def test_all_is_told_as_before(title, archive):
    hot = MemoryEventStore()
    service = Service(hot, luck="archive", archive=archive)
    game = await StartedGame.open(title, "archive", service)
    await game.play(FACTS[title].moves(15))
    await game.agree("ProposeAbandon", 0)
    game_id, tokens = game.game_id, game.tokens
    before = [await told(service, game_id, who) for who in (None, *tokens)]

    await service.archive_due_games()

    assert 0 == await hot.version(game_id)
    assert archive.path(game_id).exists()
    for process in (service, Service(hot, luck="another", archive=archive)):
        assert before == [await told(process, game_id, who) for who in (None, *tokens)]
        assert verify_game(await exported(process, game_id)).verified


async def test_a_whole_game_is_told_as_before(store, archive):
    service = Service(store, luck="whole", archive=archive)
    game_id, tokens = await play(service, "tides", random.Random(3))
    before = [await told(service, game_id, who) for who in (None, *tokens)]

    await service.archive_due_games()

    assert 0 == await count_events(store, game_id)
    other = Service(store, luck="another", archive=archive)
    assert before == [await told(other, game_id, who) for who in (None, *tokens)]


async def test_callers_find_their_games_and_requests_as_before(store, archive):
    service = KeyedService(store, archive=archive)
    ann, bob = [await service.key(name) for name in ("ann", "bob")]
    create = {"title": "tides", "request_id": "create-0123456789abcdef"}
    created = await service.call("CreateGame", ann, **create)
    wish = {"game_id": created.game.game_id}
    joined = [await service.call("JoinGame", key, seat=seat, **wish) for seat, key in enumerate((ann, bob))]
    tokens = [each.seat_token for each in joined]
    move = {**await service.request(created.game.game_id, tokens[0]), "request_id": "move-0123456789"}
    await service.call("PlayAction", tokens[0], **move)
    await service.finish(created.game.game_id, tokens)
    again = [
        (ann, "Rematch", {**wish, "seat": 0}),
        *((key, "ListGames", {"mine": True}) for key in (ann, bob)),
        (ann, "CreateGame", create),
        (tokens[0], "PlayAction", move),
        (tokens[0], "PlayAction", {**move, "decision_id": "another"}),
        (ann, "GetGame", wish),
    ]
    before = [await answer(service, name, who, **fields) for who, name, fields in again]

    await service.archive_due_games()

    assert 0 == await count_events(store, created.game.game_id)
    process = KeyedService(store, archive=archive)
    assert before == [await answer(process, name, who, **fields) for who, name, fields in again]


@pytest.mark.parametrize("is_kept", [True, False], ids=["with an archive", "without"])
async def test_games_wait_for_an_archive_only_where_there_is_one(store, archive, is_kept):
    service = KeyedService(store, archive=archive if is_kept else None)
    ann, bob = [await service.key(name) for name in ("ann", "bob")]

    await service.finish(*await service.shared_table(ann, bob))

    assert is_kept == (await store.outlook("archive")).games


async def test_games_wait_until_they_have_been_over_for_long_enough(store, archive):
    service = Service(store, archive=archive, archive_after=DAY)
    game_id, tokens = await service.table("Ann", "Bob")
    running, _ = await service.table("Cid", "Dot")
    await service.finish(game_id, tokens)

    await service.archive_due_games()
    assert 0 < await count_events(store, game_id)
    service.now += DAY * 1_000_000 + 1
    await service.archive_due_games()

    assert 0 == await count_events(store, game_id)
    assert 0 < await count_events(store, running)
    assert {"tides archived": 1, "archive looked": 1} == dict(service.background.counts)


class Dying:
    """A store or an archive that fails before or after a given call, and at every later call."""

    def __init__(self, inner: object, *, before: str = "", after: str = "") -> None:
        self._inner, self._before, self._after = inner, before, after

    def __getattr__(self, name: str) -> object:
        if name not in (self._before, self._after):
            return getattr(self._inner, name)

        async def die(*arguments: object, **named: object) -> None:
            if name == self._after:
                await getattr(self._inner, name)(*arguments, **named)
            raise StoreUnavailable("the process is gone")

        return die


@pytest.mark.parametrize(
    ("store_dies", "archive_dies"),
    [
        ({}, {"before": "put"}),
        ({}, {"after": "put"}),
        ({"before": "remove_game"}, {}),
        ({"after": "remove_game"}, {}),
    ],
    ids=["before it is written", "after it is written", "before it is removed", "after it is removed"],
)
async def test_a_process_that_dies_loses_nothing(store, archive, store_dies, archive_dies):
    dying = Service(Dying(store, **store_dies), archive=Dying(archive, **archive_dies))
    game_id, tokens = await dying.table("Ann", "Bob")
    await dying.finish(game_id, tokens)
    before = await told(dying, game_id, tokens[0])

    await dying.archive_due_games()
    between = await told(Service(store, archive=archive), game_id, tokens[0])
    heir = Service(store, archive=archive)
    heir.now += 61_000_000
    await heir.archive_due_games()

    assert before == between == await told(heir, game_id, tokens[0])
    assert (0, 1) == (await count_events(store, game_id), archive.count())
    assert [] == list((archive.folder / "parts").iterdir())


async def test_two_processes_put_a_game_away_at_once(store, archive):
    one, other = (Service(store, archive=archive) for _ in range(2))
    game_id, tokens = await one.table("Ann", "Bob")
    await one.finish(game_id, tokens)
    before = await told(one, game_id, tokens[0])

    await asyncio.gather(*(service.archive_worker.check(game_id) for service in (one, other)))

    assert 1 == one.background.counts["tides archived"] + other.background.counts["tides archived"]
    assert before == await told(other, game_id, tokens[0])


async def test_what_was_appended_meanwhile_is_not_removed(store):
    await store.append("game", [b"a"], expected=0)

    assert not await store.remove_game("game", 2)
    assert not await store.remove_game("nothing", 0)
    assert 1 == await store.version("game")
    assert await store.remove_game("game", 1)
    assert None is await store.whole_game("game")


def altered(text: bytes) -> bytes:
    """Returns the file with one changed letter in an event."""
    at = text.rindex(b'"event"') + 20
    return text[:at] + (b"A" if text[at : at + 1] != b"A" else b"B") + text[at + 1 :]


async def test_a_damaged_file_spoils_its_own_game_only(archive):
    hot = MemoryEventStore()
    service = Service(hot, archive=archive)
    games = [await service.table("Ann", "Bob") for _ in range(5)]
    for game_id, tokens in games:
        await service.finish(game_id, tokens)
    await service.archive_due_games()
    data, good = (archive.path(game_id).read_bytes() for game_id in (games[0][0], games[3][0]))
    archive.path(games[0][0]).write_bytes(data[: len(data) // 2])
    archive.path(games[1][0]).write_bytes(data[:-3] + b"xyz")
    archive.path(games[2][0]).write_bytes(b"")
    archive.path(games[3][0]).write_bytes(gzip.compress(altered(gzip.decompress(good)), mtime=0))

    other = Service(hot, archive=archive)
    for game_id, (ann, _) in games[:4]:
        for name in ("GetView", "GetGame", "ListEvents", "ListLegalActions"):
            assert ("DATA_LOSS", "GAME_UNREADABLE") == await other.refusal(name, ann, game_id=game_id)
    last, (ann, _) = games[4]
    assert FINISHED == (await other.call("GetGame", ann, game_id=last)).game.status
    assert last in [game.game_id for game in (await other.call("ListGames")).games]


async def test_an_archive_that_is_away_is_no_reason_to_forget_a_game(archive, tmp_path):
    hot = MemoryEventStore()
    service = Service(hot, archive=archive)
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    running, _ = await service.table("Cid", "Dot")
    await service.finish(game_id, [ann, bob])
    await service.archive_due_games()
    archive.folder.rename(tmp_path / "elsewhere")

    other = Service(hot, archive=archive)

    assert ("UNAVAILABLE", "STORE_UNAVAILABLE") == await other.refusal("GetView", ann, game_id=game_id)
    assert (await other.call("GetGame", game_id=running)).game.version
    (tmp_path / "elsewhere").rename(archive.folder)
    assert (await other.call("GetView", ann, game_id=game_id)).view.game.version


async def test_a_follower_that_was_away_is_told_the_rest(store, archive):
    service = Service(store, archive=archive)
    game_id, tokens = await service.table("Ann", "Bob")
    await service.finish(game_id, tokens)
    following = service.store.follow(game_id, after=3)
    await service.archive_due_games()

    async with asyncio.timeout(PATIENCE):
        found = await anext(following)

    assert 4 == found[0].version
    assert await service.store.version(game_id) == found[-1].version
    await following.aclose()


async def test_what_is_never_revealed_stays_so_in_the_archive(archive):
    hot = MemoryEventStore()
    service = Service(hot, archive=archive)
    game_id, tokens = await service.table("Ann", "Bob", reveal=game_pb2.REVEAL_POLICY_NEVER)
    await service.finish(game_id, tokens)
    before = [await told(service, game_id, who) for who in (None, *tokens)]
    seed = await service.store.seed(game_id)

    await service.archive_due_games()

    other = Service(hot, archive=archive)
    after = [await told(other, game_id, who) for who in (None, *tokens)]
    assert before == after
    assert not any(seed in part for part in flat(after))
    assert 0o600 == archive.path(game_id).stat().st_mode & 0o777
    assert 0o700 == archive.path(game_id).parent.stat().st_mode & 0o777


def flat(answers):
    for each in answers:
        if isinstance(each, bytes):
            yield each
        else:
            yield from flat(each)


async def test_a_private_game_stays_unknown(archive):
    service = Service(archive=archive)
    created = await service.call("CreateGame", title="tides", visibility=game_pb2.VISIBILITY_PRIVATE)
    wish = {"game_id": created.game.game_id, "invite_code": created.invite_code}
    tokens = [(await service.call("JoinGame", **wish)).seat_token for _ in range(2)]
    await service.finish(wish["game_id"], tokens)
    before = await answer(service, "GetGame", None, game_id=wish["game_id"])

    await service.archive_due_games()

    assert before == await answer(service, "GetGame", None, game_id=wish["game_id"])
    unknown = await answer(service, "GetGame", None, game_id="a" * 20)
    assert before.replace(wish["game_id"].encode(), b"a" * 20) == unknown


def test_files_that_were_never_finished_are_swept_out(archive):
    part = archive.folder / "parts" / "left-behind"
    part.write_bytes(b"half a ga")

    archive.prepare()
    assert part.exists()
    os.utime(part, (0, 0))
    archive.prepare()

    assert not part.exists()
