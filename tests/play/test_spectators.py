"""Tests of spectators: who may watch without a seat, and with which delay."""

from __future__ import annotations

import asyncio
import random
from contextlib import aclosing
from typing import Any

import pytest

from gamehost.play.watching import stream as watching_stream
from gamehost.rules.catalog import CATALOG
from rules.facts import FACTS
from shedu.v1.game_service_pb2 import GoAwayReason
from support.keyed_service import KeyedService
from support.service import Service
from support.started_game import StartedGame
from support.waiting import PATIENCE, settle

LOOKS = ("GetView", "ListEvents", "GetFairness")
NOBODY = {"policy": "SPECTATOR_POLICY_NONE"}
TOKEN = {"policy": "SPECTATOR_POLICY_TOKEN"}


async def refused_stream(service: Service, token: str | None, **fields: Any) -> str:
    with pytest.raises(Exception, match="PERMISSION_DENIED") as error:
        await anext(service.watch(token, **fields))
    return str(error.value.reason)  # type: ignore[attr-defined]


async def test_a_game_without_spectators_shows_its_table_and_nothing_else():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob", spectators=NOBODY)

    for name in LOOKS:
        assert ("PERMISSION_DENIED", "NO_SPECTATORS") == await service.refusal(name, game_id=game_id)
        await service.call(name, ann, game_id=game_id)
    assert "NO_SPECTATORS" == await refused_stream(service, None, game_id=game_id)
    assert 0 == (await anext(service.watch(ann, game_id=game_id))).snapshot.seat
    assert game_id == (await service.call("GetGame", game_id=game_id)).game.game_id
    assert [game_id] == [game.game_id for game in (await service.call("ListGames")).games]


async def test_a_game_without_spectators_can_be_joined():
    service = Service()
    game_id, _ = await service.table("Ann", spectators=NOBODY)

    bob = await service.join(game_id)

    assert 1 == (await service.call("GetView", bob, game_id=game_id)).view.seat


async def test_the_spectator_token_opens_its_game_for_looking_alone():
    service = Service()
    created = await service.call("CreateGame", title="tides", spectators=TOKEN)
    game_id, token = created.game.game_id, created.spectator_token
    for _ in range(2):
        await service.join(game_id)

    for name in LOOKS:
        await service.call(name, token, game_id=game_id)
        assert ("PERMISSION_DENIED", "SPECTATOR_TOKEN_MISSING") == await service.refusal(
            name, game_id=game_id
        )
    assert token.startswith("shedu_spectator_")
    assert not (await anext(service.watch(token, game_id=game_id))).snapshot.HasField("seat")
    assert "SPECTATOR_TOKEN_MISSING" == await refused_stream(service, None, game_id=game_id)
    for name in ("ListLegalActions", "LeaveGame", "RefreshSeatToken"):
        assert ("PERMISSION_DENIED", "NOT_YOUR_SEAT") == await service.refusal(name, token, game_id=game_id)


async def test_a_spectator_token_is_good_for_its_own_game_only():
    service = Service()
    token = (await service.call("CreateGame", title="tides", spectators=TOKEN)).spectator_token
    other = (await service.call("CreateGame", title="tides", spectators=TOKEN)).game.game_id

    for name in (*LOOKS, "GetGame"):
        assert ("PERMISSION_DENIED", "NOT_YOUR_SEAT") == await service.refusal(name, token, game_id=other)


async def test_a_repeated_creation_hands_out_the_same_spectator_token():
    service = Service()
    wish = {"title": "tides", "spectators": TOKEN, "request_id": "0123456789abcdef"}
    first = await service.call("CreateGame", **wish)
    service.now += 5_000_000

    assert first == await service.call("CreateGame", **wish)
    assert "" == (await service.call("CreateGame", title="tides")).spectator_token


async def test_a_spectator_token_opens_a_private_game_but_no_seat_of_it():
    service = Service()
    wish = {"title": "tides", "spectators": TOKEN, "visibility": "VISIBILITY_PRIVATE"}
    created = await service.call("CreateGame", **wish)
    game_id, token = created.game.game_id, created.spectator_token

    assert game_id == (await service.call("GetView", token, game_id=game_id)).view.game.game_id
    for who in (None, token):
        assert ("NOT_FOUND", "GAME_NOT_FOUND") == await service.refusal("JoinGame", who, game_id=game_id)
    assert ("NOT_FOUND", "GAME_NOT_FOUND") == await service.refusal("GetView", game_id=game_id)


async def test_a_token_cannot_change_its_role():
    service = Service()
    created = await service.call("CreateGame", title="tides", spectators=TOKEN)
    seat = await service.join(created.game.game_id)
    bodies = created.spectator_token.removeprefix("shedu_spectator_"), seat.removeprefix("shedu_seat_")

    for forged in (f"shedu_seat_{bodies[0]}", f"shedu_spectator_{bodies[1]}"):
        assert ("UNAUTHENTICATED", "TOKEN_INVALID") == await service.refusal(
            "GetView", forged, game_id=created.game.game_id
        )


async def test_a_spectator_token_is_understood_where_identities_are_asked_for():
    service = KeyedService()
    ann = await service.key("ann")
    created = await service.call("CreateGame", ann, title="tides", spectators=TOKEN)
    game_id = created.game.game_id

    assert ("PERMISSION_DENIED", "SPECTATOR_TOKEN_MISSING") == await service.refusal(
        "GetView", ann, game_id=game_id
    )
    await service.call("GetView", created.spectator_token, game_id=game_id)
    assert ("UNAUTHENTICATED", "TOKEN_MISSING") == await service.refusal(
        "CreateGame", created.spectator_token, title="tides"
    )


async def test_bad_spectators_are_named():
    service = Service()

    for spectators in ({"delay": 1001}, {"policy": 9}):
        error = await service.error("CreateGame", title="tides", spectators=spectators)
        assert "INVALID_REQUEST" == error.reason
        assert "spectators." in error.status.message


# With a delay of n, a spectator gets what one without a delay got n versions ago.


async def twins(title: str, delay: int) -> tuple[Service, Service, str, list[str]]:
    """Creates the same game with and without a delay: same id, same luck, same seats."""
    services = Service(), Service()
    wish = {"title": title, "request_id": "0123456789abcdef"}
    for service, spectators in zip(services, ({}, {"delay": delay}), strict=True):
        created = await service.call("CreateGame", **wish, spectators=spectators)
        game_id = created.game.game_id
        tokens = [await service.join(game_id, display_name=f"P{i}") for i in range(len(created.game.seats))]
    return *services, game_id, tokens


async def play_both(services: tuple[Service, Service], game_id: str, tokens: list[str], choice: int) -> bool:
    view = (await services[0].call("GetView", tokens[0], game_id=game_id)).view
    if not view.decisions:
        return False
    token = tokens[view.decisions[0].seat]
    legal = await services[0].call("ListLegalActions", token, game_id=game_id)
    number = choice % len(legal.actions)
    for service in services:
        await service.move(game_id, token, number)
    return True


def plain(message: Any) -> Any:
    """Returns a copy of the message without the spectator settings."""
    copy = type(message)()
    copy.CopyFrom(message)
    for game in (getattr(copy, "game", None), getattr(getattr(copy, "view", None), "game", None)):
        if game is not None:
            game.ClearField("spectators")
    for event in getattr(copy, "events", ()):
        event.game_created.ClearField("spectators") if event.HasField("game_created") else None
    return copy


async def looks(service: Service, game_id: str) -> dict[str, Any]:
    names = ("GetGame", "GetView", "ListEvents", "GetFairness")
    answers = {name: await service.call(name, game_id=game_id, **_whole(name)) for name in names}
    found = (await service.call("ListGames")).games[0]
    answers["ListGames"] = type(answers["GetGame"])(game=found)
    return {name: plain(answer) for name, answer in answers.items()}


def _whole(name: str) -> dict[str, Any]:
    return {"page_size": 1000} if name == "ListEvents" else {}


@pytest.mark.parametrize("title", sorted(CATALOG))
@pytest.mark.parametrize("delay", [1, 7])
async def test_every_call_is_so_many_versions_behind(title: str, delay: int):
    prompt, late, game_id, tokens = await twins(title, delay)
    start = (await prompt.call("GetGame", game_id=game_id)).game.version
    history = {start: await looks(prompt, game_id)}
    coin = random.Random(f"{title}{delay}")

    for _ in range(FACTS[title].moves(25)):
        assert await play_both((prompt, late), game_id, tokens, coin.randrange(1000))
        head = (await prompt.call("GetGame", game_id=game_id)).game.version
        history[head] = await looks(prompt, game_id)
        visible = max(version for version in history if version <= max(start, head - delay))

        assert history[visible] == await looks(late, game_id)
        assert visible == (await late.call("GetView", game_id=game_id)).view.version
        assert head == (await late.call("GetView", tokens[0], game_id=game_id)).view.version
        for version in (visible + 1, head):
            if version > visible:
                error = await late.error("GetView", game_id=game_id, version=version)
                assert "VERSION_IN_FUTURE" == error.reason
                assert error.status.message.endswith(f"the game is at {visible}")


@pytest.mark.parametrize("title", sorted(CATALOG))
async def test_a_delayed_stream_tells_each_version_once_and_late_and_in_the_end_all(title: str):
    delay = FACTS[title].moves(30)
    prompt, late, game_id, tokens = await twins(title, delay)
    expected = (await prompt.call("ListEvents", game_id=game_id, page_size=1000)).events
    told: list[Any] = []
    heads: list[tuple[int, int]] = []

    async def listen() -> None:
        async with aclosing(late.watch(game_id=game_id, after_version=0)) as stream:
            async for message in stream:
                head = await late.store.version(game_id)
                if message.WhichOneof("kind") == "happened":
                    told.extend(message.happened.events)
                    heads.append((message.happened.view.version, head))

    listener = asyncio.create_task(listen())
    coin = random.Random(title)
    for _ in range(40):
        if not await play_both((prompt, late), game_id, tokens, coin.randrange(1000)):
            break
        await settle()
    else:
        await StartedGame(late, game_id, tokens).agree("ProposeAbandon", 0)
    await asyncio.wait_for(listener, PATIENCE)

    end = await late.store.version(game_id)
    assert list(range(1, end + 1)) == [event.version for event in told]
    start = len(expected)
    assert all(version <= max(start, head - delay) for version, head in heads if head < end)
    assert len({head for _, head in heads}) > 5
    assert len(told) - heads[-1][0] == 0


async def test_resuming_a_delayed_stream_loses_and_repeats_nothing():
    _, late, game_id, tokens = await twins("tides", 4)
    for token in tokens * 3:
        await late.move(game_id, token)
    visible = (await late.call("GetGame", game_id=game_id)).game.version
    whole = (await late.call("ListEvents", game_id=game_id, page_size=1000)).events

    for after in range(visible + 1):
        told = []
        async with aclosing(late.watch(game_id=game_id, after_version=after)) as stream:
            async for message in stream:
                told += message.happened.events
                if message.WhichOneof("kind") == "caught_up":
                    assert visible == message.caught_up.version
                    break
        assert list(whole)[after:] == told
    with pytest.raises(Exception, match="OUT_OF_RANGE"):
        await anext(late.watch(game_id=game_id, after_version=visible + 1))


async def test_the_long_burst_at_the_end_of_a_delayed_game_is_nobodys_slowness(monkeypatch):
    monkeypatch.setattr(watching_stream, "BACKLOG", 3)
    service = Service()
    game_id, tokens = await service.table("Ann", "Bob", spectators={"delay": 1000})
    start = await service.store.version(game_id)
    async with aclosing(service.watch(game_id=game_id)) as stream:
        await anext(stream)
        await service.finish(game_id, tokens)
        messages = [message async for message in stream]

    told = [event.version for message in messages for event in message.happened.events]
    assert list(range(start + 1, await service.store.version(game_id) + 1)) == told
    assert GoAwayReason.GO_AWAY_REASON_FINISHED == messages[-1].go_away.reason


async def test_gathering_is_seen_at_once_and_so_is_the_start():
    service = Service()
    game_id, _ = await service.table("Ann", spectators={"delay": 1000})
    assert "Ann" == (await service.call("GetView", game_id=game_id)).view.game.seats[0].display_name

    await service.join(game_id, display_name="Bob")

    view = (await service.call("GetView", game_id=game_id)).view
    assert ["Ann", "Bob"] == [seat.display_name for seat in view.game.seats]
    assert view.HasField("tides")


async def test_a_sandbox_of_a_spectator_is_as_late_and_as_forbidden_as_its_view():
    _, late, game_id, tokens = await twins("stone_age", 6)
    for _ in range(6):
        view = (await late.call("GetView", tokens[0], game_id=game_id)).view
        await late.move(game_id, tokens[view.decisions[0].seat])
    visible = (await late.call("GetView", game_id=game_id)).view.version
    closed, _ = await late.table("Ann", "Bob", spectators=NOBODY)

    fork = (await late.call("ForkGame", game_id=game_id)).game.fork_of

    assert visible == fork.version < await late.store.version(game_id)
    assert ("OUT_OF_RANGE", "VERSION_IN_FUTURE") == await late.refusal(
        "ForkGame", game_id=game_id, version=visible + 1
    )
    assert ("PERMISSION_DENIED", "NO_SPECTATORS") == await late.refusal("ForkGame", game_id=closed)


async def test_what_is_undone_is_undone_late():
    _, late, game_id, tokens = await twins("stone_age", 4)
    start, undone = await late.store.version(game_id), 0

    for number in range(12):
        view = (await late.call("GetView", tokens[0], game_id=game_id)).view
        mover = tokens[view.decisions[0].seat]
        played = await late.move(game_id, mover)
        if number % 3 == 2 and played.view.HasField("undo_to_version"):
            await late.call("ProposeUndo", mover, game_id=game_id)
            undone += 1
        head = await late.store.version(game_id)
        seen = (await late.call("GetView", game_id=game_id)).view
        assert seen.version <= max(start, head - 4)
        again = (await Service(late.store).call("GetView", game_id=game_id)).view
        assert again == seen
    assert undone


async def test_once_over_a_delayed_game_is_told_to_its_end():
    service = Service()
    game_id, tokens = await service.table("Ann", "Bob", spectators={"delay": 1000})

    last = await service.finish(game_id, tokens)

    view = (await service.call("GetView", game_id=game_id)).view
    assert last.view.version == view.version
    assert last.view.game.outcome == view.game.outcome


async def test_a_delay_survives_the_loss_of_all_memory():
    service = Service()
    game_id, tokens = await service.table("Ann", "Bob", spectators={"delay": 5})
    for token in tokens * 2:
        await service.move(game_id, token)

    other = Service(service.store)

    assert await looks(service, game_id) == await looks(other, game_id)


async def test_one_delayed_game_that_cannot_be_read_spoils_no_list():
    service = Service()
    good, _ = await service.table("Ann", "Bob", spectators={"delay": 5})
    bad, _ = await service.table("Cid", "Dot", spectators={"delay": 5})
    await service.store.append(bad, [b"\xff\xff"], expected=await service.store.version(bad))

    assert [good] == [game.game_id for game in (await service.call("ListGames")).games]


async def test_the_caller_who_sits_is_not_behind_in_lists_either():
    service = KeyedService()
    ann, bob, eve = [await service.key(name) for name in ("ann", "bob", "eve")]
    game_id, _ = await service.shared_table(ann, bob, spectators={"delay": 50})
    start = await service.store.version(game_id)
    await service.move(game_id, ann)

    seen = {who: (await service.call("ListGames", who)).games[0].version for who in (ann, eve)}

    assert {ann: start + 1, eve: start} == seen
