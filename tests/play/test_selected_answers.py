"""Tests that callers select the content of answers: legal actions of their seat, and a read mask."""

from __future__ import annotations

import json
from contextlib import aclosing
from typing import Any

import pytest
from google.rpc import error_details_pb2

from gamehost.api.pipeline.call import Call
from gamehost.codec.encoded import EncodedMessage, write_json
from gamehost.codec.encoded_view import ViewEncoder
from gamehost.codec.json_write import unchanged
from gamehost.rules.catalog import CATALOG
from shedu.v1 import game_service_pb2 as pb
from support.keyed_service import KeyedService
from support.service import Service, detail
from support.started_game import StartedGame

TITLES = sorted(CATALOG)
MASKED = ["PlayAction", "GetView", "WatchGame", "WatchInbox"]


def mask(*paths: str) -> dict[str, Any]:
    return {"read_mask": {"paths": list(paths)}}


async def listed(game: StartedGame, seat: int, **fields: Any) -> pb.LegalActions | None:
    """Returns the result of ListLegalActions in the form that other answers have."""
    page = await game.call("ListLegalActions", seat, page_size=1000, **fields)
    if not page.HasField("decision"):
        return None
    return pb.LegalActions(
        actions=page.actions,
        decision=page.decision,
        version=page.version,
        next_page_token=page.next_page_token,
    )


def carried(answer: Any) -> pb.LegalActions | None:
    return answer.legal_actions if answer.HasField("legal_actions") else None


@pytest.mark.parametrize("title", TITLES)
async def test_an_answer_carries_what_list_legal_actions_lists(title: str):
    game = await StartedGame.open(title)
    found = set[bool]()
    for _ in range(12):
        seat, answer = await game.answer()

        played = await game.call("PlayAction", seat, **answer, legal_actions_limit=1000)

        for other in range(len(game.tokens)):
            looked = await game.call("GetView", other, legal_actions_limit=1000)
            assert await listed(game, other) == carried(looked)
        assert await listed(game, seat) == carried(played)
        found.add(played.HasField("legal_actions"))
    assert title != "tigris" or found == {False, True}


async def test_nobody_gets_legal_actions_without_asking():
    game = await StartedGame.open("tides")
    seat, answer = await game.answer()

    assert not (await game.call("GetView", seat)).HasField("legal_actions")
    assert not (await game.call("PlayAction", seat, **answer)).HasField("legal_actions")
    assert (
        carried((await game.service.read_stream("WatchGame", game.tokens[0], game_id=game.game_id))[0])
        is None
    )


async def test_spectators_get_none():
    game = await StartedGame.open("tides")

    looked = await game.call("GetView", legal_actions_limit=1000)
    watched = await game.service.read_stream("WatchGame", game_id=game.game_id, legal_actions_limit=1000)

    assert looked.view.decisions
    assert [] == [answer for answer in (looked, *watched) if carried(answer)]


@pytest.mark.parametrize("limit", [1, 3, 2**31 - 1])
async def test_the_rest_of_a_long_list_is_found_with_its_token(limit: int):
    game = await StartedGame.open("tigris")
    seat = (await game.asked())[0].seat
    whole = await listed(game, seat)
    assert whole is not None

    for fields in ({}, {"seat": seat}, {"version": whole.version}):
        part = (await game.call("GetView", seat, legal_actions_limit=limit, **fields)).legal_actions
        actions = list(part.actions)
        assert len(actions) == min(limit, 1000, len(whole.actions))
        token = part.next_page_token
        while token:
            page = await game.call("ListLegalActions", seat, page_token=token, **fields)
            actions += page.actions
            token = page.next_page_token
        assert list(whole.actions) == actions


async def test_watchers_get_legal_actions_of_the_present_only():
    game = await StartedGame.open("tides")
    await game.play(6)
    service, game_id = game.service, game.game_id
    seat = (await game.asked())[0].seat
    version = (await game.view()).version

    past = await service.read_stream(
        "WatchGame", game.tokens[seat], game_id=game_id, after_version=0, legal_actions_limit=1000
    )

    shown = [
        (message.happened.view.version, carried(message)) for message in past if message.HasField("happened")
    ]
    assert (version, await listed(game, seat)) == shown[-1]
    assert {None} == {actions for _, actions in shown[:-1]}


async def test_watchers_get_legal_actions_with_every_new_decision():
    game = await StartedGame.open("tigris_cards")
    request = {"game_id": game.game_id, "legal_actions_limit": 1000}
    async with aclosing(game.service.stream("WatchGame", game.tokens[0], **request)) as stream:
        messages = aiter(stream)
        first = await anext(messages)
        assert await listed(game, 0) == carried(first)
        for _ in range(10):
            await game.play()
            message = await anext(messages)
            while not message.HasField("happened"):
                message = await anext(messages)
            assert await listed(game, 0) == carried(message)


async def test_an_inbox_carries_the_legal_actions_of_each_decision():
    service = KeyedService()
    ann, bob = await service.key("ann"), await service.key("bob")
    games = [(await service.shared_table(ann, bob))[0] for _ in range(3)]

    told = await service.read_stream("WatchInbox", ann, legal_actions_limit=1000)

    items = {each.item.game_id: each.item for each in told if each.item.HasField("decision")}
    assert set(games) == set(items)
    for game_id, item in items.items():
        page = await service.call("ListLegalActions", ann, game_id=game_id)
        assert (page.actions, page.decision) == (item.legal_actions.actions, item.decision)


async def test_an_inbox_of_a_seat_carries_its_legal_actions_and_the_token_of_the_rest():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")

    told = await service.read_stream("WatchInbox", ann, legal_actions_limit=1)

    [item] = [each.item for each in told if each.item.HasField("decision")]
    rest = await service.call(
        "ListLegalActions",
        ann,
        game_id=game_id,
        seat=item.seat,
        page_token=item.legal_actions.next_page_token,
    )
    whole = await service.call("ListLegalActions", ann, game_id=game_id)
    assert list(whole.actions) == [*item.legal_actions.actions, *rest.actions]


async def test_an_inbox_item_whose_decision_was_answered_has_no_legal_actions(
    monkeypatch: pytest.MonkeyPatch,
):
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    read, looks = service.application.tables.current, 0

    async def answered_meanwhile(game: str) -> Any:
        nonlocal looks
        looks += 1
        if looks == 2:  # the inbox has made its item
            monkeypatch.undo()
            await service.move(game_id, ann)
            await service.move(game_id, bob)  # now Ann has another decision
        return await read(game)

    monkeypatch.setattr(service.application.tables, "current", answered_meanwhile)

    told = await service.read_stream("WatchInbox", ann, legal_actions_limit=5)

    assert [True, False] == [told[0].item.HasField(name) for name in ("decision", "legal_actions")]


@pytest.mark.parametrize("name", MASKED)
@pytest.mark.parametrize(
    "paths",
    [
        ["nothing"],
        ["events.version.nothing"],
        ["view.nothing"],
        ["view.decisions.prompt"],  # through a list
        [""],
        ["view", "."],
        ["view", "events "],
    ],
)
async def test_an_unknown_path_is_refused_and_changes_nothing(name: str, paths: list[str]):
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    fields: dict[str, Any] = mask(*paths) if name == "WatchInbox" else {"game_id": game_id, **mask(*paths)}
    if name == "PlayAction":
        fields |= await service.request(game_id, ann)
    before = (await service.call("GetGame", game_id=game_id)).game.version

    error = await refused(service, name, ann, fields)

    [violation] = detail(error, error_details_pb2.BadRequest).field_violations
    assert "read_mask" == violation.field
    assert before == (await service.call("GetGame", game_id=game_id)).game.version


async def test_a_mask_has_a_bound():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")

    error = await refused(service, "GetView", ann, {"game_id": game_id, **mask(*["view"] * 101)})

    assert "read_mask" == detail(error, error_details_pb2.BadRequest).field_violations[0].field


async def refused(service: Service, name: str, token: str, fields: dict[str, Any]) -> Any:
    if name.startswith("Watch"):
        with pytest.raises(Exception, match="INVALID_ARGUMENT") as caught:
            await anext(service.stream(name, token, **fields))
        return caught.value
    return await service.error(name, token, **fields)


@pytest.mark.parametrize("title", TITLES)
async def test_a_mask_selects_from_the_whole_answer(title: str):
    game = await StartedGame.open(title)
    await game.play(3)
    seat, answer = await game.answer()
    request = {**answer, "request_id": "once", "legal_actions_limit": 10}
    whole = await game.call("PlayAction", seat, **request)
    view = whole.view

    async def again(*paths: str) -> pb.PlayActionResponse:
        response: pb.PlayActionResponse = await game.call("PlayAction", seat, **request, **mask(*paths))
        return response

    assert whole == await again()
    assert whole == await again("*")
    assert whole == await again("events", "view", "legal_actions", "view.version")
    assert pb.PlayActionResponse(events=whole.events) == await again("events")
    assert pb.PlayActionResponse(view=view) == await again("view")
    assert pb.PlayActionResponse(view={"decisions": view.decisions}) == await again("view.decisions")
    assert pb.PlayActionResponse(view={"game": {"seats": view.game.seats}}) == await again("view.game.seats")
    assert pb.PlayActionResponse(view={"clocks": view.clocks, "seat": view.seat}) == await again(
        "view.seat", "view.clocks"
    )
    own = pb.PlayActionResponse()
    getattr(own.view, title).CopyFrom(getattr(view, title))
    assert own == await again(f"view.{title}")


async def test_a_repeated_move_may_select_other_parts_and_is_applied_once():
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    request = await service.request(game_id, ann)
    first = await service.call("PlayAction", ann, **request, request_id="once", **mask("view.version"))
    await service.move(game_id, bob)

    again = await service.call("PlayAction", ann, **request, request_id="once", legal_actions_limit=9)

    assert first.view.version == again.view.version
    assert [] == list(first.events)
    assert first.view.version == again.events[-1].version


async def test_what_is_masked_out_is_not_computed(monkeypatch: pytest.MonkeyPatch):
    game = await StartedGame.open("tides")
    seat, answer = await game.answer()

    def fail(*_: Any) -> Any:
        raise AssertionError("computed")

    monkeypatch.setattr(ViewEncoder, "_title_view", fail)
    monkeypatch.setattr(type(game.service.codec.renderer), "legal_action", fail)

    played = await game.call(
        "PlayAction", seat, **answer, legal_actions_limit=5, **mask("events", "view.decisions")
    )
    looked = await game.call("GetView", seat, legal_actions_limit=5, **mask("view.version"))
    watched = await game.service.read_stream(
        "WatchGame",
        game.tokens[0],
        game_id=game.game_id,
        legal_actions_limit=5,
        **mask("happened.events"),
    )

    assert played.events
    assert played.events[-1].version == looked.view.version == watched[0].snapshot.version


async def test_streams_can_be_resumed_whatever_the_mask_leaves_out():
    game = await StartedGame.open("tides")
    await game.play(2)
    version = (await game.view()).version

    request = {"game_id": game.game_id, "after_version": 1}
    whole = await game.service.read_stream("WatchGame", game.tokens[0], **request)

    told = await game.service.read_stream("WatchGame", game.tokens[0], **request, **mask("legal_actions"))
    inbox = await game.service.read_stream("WatchInbox", game.tokens[0], **mask("item.game_id"))

    assert [each.happened.view.version for each in whole] == [each.happened.view.version for each in told]
    assert not any(each.happened.events for each in told)
    assert version == told[-1].caught_up.version
    assert all(message.cursor for message in inbox)
    assert {""} == {message.item.decision.decision_id for message in inbox}


async def test_watchers_with_other_masks_get_other_messages():
    """Messages are cached for all watchers of a game."""
    game = await StartedGame.open("tides")
    await game.play(2)
    service, wishes = game.service, [{}, mask("snapshot.version"), {"legal_actions_limit": 1}, {}]

    told = [
        (await service.read_stream("WatchGame", game.tokens[0], game_id=game.game_id, **wish))[0]
        for wish in wishes
    ]

    assert told[0] == told[3]
    assert [True, False, True] == [each.snapshot.HasField("game") for each in told[:3]]
    assert [False, False, True] == [each.HasField("legal_actions") for each in told[:3]]


async def test_masked_json_is_that_of_the_masked_message():
    game = await StartedGame.open("tides")
    seat, answer = await game.answer()
    for paths in (
        (),
        ("events",),
        ("view.decisions", "legal_actions"),
        ("view.game.seats",),
        ("legal_actions.actions",),
    ):
        method = game.service.methods["PlayAction"]
        request = method.request(
            game_id=game.game_id, request_id="once", legal_actions_limit=2, **answer, **mask(*paths)
        )
        call = Call(f"Bearer {game.tokens[seat]}", "test")
        dispatch = game.service.dispatch
        encoded = await dispatch.unary(method, lambda request=request: request, call, unchanged)
        assert isinstance(encoded, EncodedMessage)
        assert json.loads(write_json(encoded.message())) == json.loads(write_json(encoded))
