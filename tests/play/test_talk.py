"""Tests what seats say to each other: who may say what, who reads it, and that the game is left alone."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import pytest
from google.rpc import error_details_pb2

from gamehost.play.errors import InvalidRequest
from gamehost.play.table.events import TalkPolicy
from gamehost.rules.catalog import CATALOG
from shedu.v1 import game_pb2
from shedu.v1 import talk_service_pb2 as pb
from support.keyed_service import KeyedService
from support.service import Service, detail
from support.waiting import PATIENCE

FREE = {"policy": "TALK_POLICY_FREE_TEXT"}
READ_BY_ALL = {"policy": "TALK_POLICY_FREE_TEXT", "spectators": True}
REQUEST_ID = "0123456789abcdef"


@pytest.fixture
def service() -> Service:
    return Service()


async def said(service: Service, game_id: str, token: str | None, **fields: Any) -> list[str]:
    found = await service.call("ListTalk", token, game_id=game_id, **fields)
    return [remark.text or remark.phrase.id for remark in found.remarks]


async def test_a_phrase_is_read_by_everybody_at_the_table(service: Service) -> None:
    game_id, (ann, bob) = await service.full_table("tides")

    answer = await service.call("Say", ann, game_id=game_id, phrase_id="talk.good_luck")

    found = await service.call("ListTalk", bob, game_id=game_id)
    [remark] = found.remarks
    assert remark == answer.remark
    assert (0, "Ann", "talk.good_luck", "Good luck!") == (
        remark.seat,
        remark.display_name,
        remark.phrase.id,
        remark.phrase.english,
    )
    assert service.seconds() == remark.time.ToMicroseconds() / 1e6


async def test_talk_leaves_the_log_and_the_streams_of_the_game_alone(service: Service) -> None:
    game_id, (ann, bob) = await service.full_table("tides")
    before = await service.call("ListEvents", ann, game_id=game_id)
    async with aclosing(service.watch(bob, game_id=game_id)) as stream:
        while (await anext(stream)).WhichOneof("kind") != "caught_up":
            pass
        await service.call("Say", ann, game_id=game_id, phrase_id="talk.hello")
        await service.move(game_id, ann)
        message = await anext(stream)
        while message.WhichOneof("kind") == "heartbeat":
            message = await anext(stream)

    assert "happened" == message.WhichOneof("kind")
    after = await service.call("ListEvents", ann, game_id=game_id)
    assert before.events == after.events[: len(before.events)]
    assert 1 == len(after.events) - len(before.events)


async def test_free_text_needs_the_game_and_the_operator(service: Service) -> None:
    free, (ann, _) = await service.full_table("tides", talk=FREE)
    phrases, (cid, _) = await service.full_table("tides")
    silent, (eve, _) = await service.full_table("tides", talk={"policy": "TALK_POLICY_NONE"})

    remark = (await service.call("Say", ann, game_id=free, text=" ¡Hola, señor 🂡! ")).remark

    assert "¡Hola, señor 🂡!" == remark.text
    assert ("FAILED_PRECONDITION", "FREE_TEXT_OFF") == await service.refusal(
        "Say", cid, game_id=phrases, text="a"
    )
    for name, fields in (
        ("Say", {"phrase_id": "talk.hello"}),
        ("ListTalk", {}),
        ("MuteSeat", {"muted_seat": 1}),
    ):
        assert ("FAILED_PRECONDITION", "TALK_OFF") == await service.refusal(
            name, eve, game_id=silent, **fields
        )
    assert game_pb2.TALK_POLICY_FREE_TEXT == (await service.call("GetGame", game_id=free)).game.talk.policy
    assert game_pb2.TALK_POLICY_PHRASES == (await service.call("GetGame", game_id=phrases)).game.talk.policy


async def test_the_operator_decides_what_games_may_allow(service: Service) -> None:
    game_id, (ann, _) = await service.full_table("tides", talk=FREE)
    service.application.talk.allowed = TalkPolicy.PHRASES
    error = await service.error("CreateGame", title="tides", talk=FREE)
    [violation] = detail(error, error_details_pb2.BadRequest).field_violations

    assert "talk.policy" == violation.field
    assert ("FAILED_PRECONDITION", "FREE_TEXT_OFF") == await service.refusal(
        "Say", ann, game_id=game_id, text="a"
    )
    await service.call("Say", ann, game_id=game_id, phrase_id="talk.hello")
    service.application.talk.allowed = TalkPolicy.NONE
    assert ("FAILED_PRECONDITION", "TALK_OFF") == await service.refusal("ListTalk", ann, game_id=game_id)


INVALID = [
    ("Say", {}, "phrase_id"),
    ("Say", {"text": ""}, "text"),
    ("Say", {"text": "   "}, "text"),
    ("Say", {"text": "a" * 201}, "text"),
    ("Say", {"text": "a\nb"}, "text"),
    ("Say", {"text": "a\u202eb"}, "text"),
    ("Say", {"phrase_id": "talk.nothing"}, "phrase_id"),
    ("Say", {"phrase_id": "tigris.talk.war"}, "phrase_id"),
    ("Say", {"phrase_id": "A B"}, "phrase_id"),
    ("Say", {"text": "a", "request_id": "short"}, "request_id"),
    ("ListTalk", {"page_token": "x"}, "page_token"),
    ("MuteSeat", {"muted_seat": 0}, "muted_seat"),
    ("MuteSeat", {"muted_seat": 2}, "muted_seat"),
    ("MuteSeat", {"muted_seat": 4294967295}, "muted_seat"),
]


@pytest.mark.parametrize(("name", "fields", "field"), INVALID)
async def test_invalid_fields_are_named_and_change_nothing(
    service: Service, name: str, fields: dict[str, Any], field: str
) -> None:
    game_id, (ann, _) = await service.full_table("tides", talk=FREE)

    error = await service.error(name, ann, game_id=game_id, **fields)

    [violation, *_] = detail(error, error_details_pb2.BadRequest).field_violations
    assert field == violation.field
    assert [] == await said(service, game_id, ann)


@pytest.mark.parametrize("cursor", ["x", "-1", "9" * 17, "1.0"])
async def test_an_invalid_cursor_is_refused(service: Service, cursor: str) -> None:
    game_id, (ann, _) = await service.full_table("tides")

    with pytest.raises(Exception, match="cursor") as error:
        await anext(service.stream("WatchTalk", ann, game_id=game_id, cursor=cursor))
    assert not isinstance(error.value, InvalidRequest), "it left the dispatch as a status"


async def test_a_repeated_request_says_it_once(service: Service) -> None:
    game_id, (ann, bob) = await service.full_table("tides", talk=FREE)

    for _ in range(2):
        await service.call("Say", ann, game_id=game_id, text="once", request_id=REQUEST_ID)
    await service.call("Say", bob, game_id=game_id, text="mine", request_id=REQUEST_ID)

    assert ["once", "mine"] == await said(service, game_id, ann)
    assert ("INVALID_ARGUMENT", "REQUEST_ID_REUSED") == await service.refusal(
        "Say", ann, game_id=game_id, text="other", request_id=REQUEST_ID
    )


async def test_a_seat_that_talks_too_fast_has_to_wait(service: Service) -> None:
    game_id, (ann, bob) = await service.full_table("tides")
    for _ in range(20):
        await service.call("Say", ann, game_id=game_id, phrase_id="talk.hello")

    error = await service.error("Say", ann, game_id=game_id, phrase_id="talk.hello")

    assert "TOO_MUCH" == error.reason
    assert 0 < detail(error, error_details_pb2.RetryInfo).retry_delay.seconds <= 60
    await service.call("Say", bob, game_id=game_id, phrase_id="talk.hello")
    await service.pass_time(60)
    await service.call("Say", ann, game_id=game_id, phrase_id="talk.hello")


async def test_only_seats_talk_and_read_unless_the_game_lets_spectators_read(service: Service) -> None:
    closed, (ann, _) = await service.full_table("tides")
    open_game, (bob, _) = await service.full_table("tides", talk=READ_BY_ALL)
    await service.call("Say", ann, game_id=closed, phrase_id="talk.hello")
    await service.call("Say", bob, game_id=open_game, text="hello all")

    assert ("PERMISSION_DENIED", "NO_SPECTATORS") == await service.refusal("ListTalk", game_id=closed)
    assert ["hello all"] == await said(service, open_game, None)
    for name, fields in (
        ("Say", {"phrase_id": "talk.hello"}),
        ("MuteSeat", {"muted_seat": 1, "muted": True}),
    ):
        assert ("UNAUTHENTICATED", "TOKEN_MISSING") == await service.refusal(
            name, game_id=open_game, **fields
        )
        assert ("PERMISSION_DENIED", "NOT_YOUR_SEAT") == await service.refusal(
            name, ann, game_id=open_game, **fields
        )


async def test_a_private_game_is_as_unknown_as_its_talk(service: Service) -> None:
    game_id, (ann, _) = await private_table(service)
    await service.call("Say", ann, game_id=game_id, phrase_id="talk.hello")

    for name, fields in (
        ("ListTalk", {}),
        ("Say", {"phrase_id": "talk.hello"}),
        ("MuteSeat", {"muted_seat": 1}),
    ):
        hidden = await service.error(name, game_id=game_id, **fields)
        unknown = await service.error(name, game_id="a" * 20, **fields)
        assert "GAME_NOT_FOUND" == hidden.reason
        assert str(unknown) == str(hidden).replace(game_id, "a" * 20)


async def private_table(service: Service) -> tuple[str, list[str]]:
    created = await service.call(
        "CreateGame", title="tides", visibility="VISIBILITY_PRIVATE", talk=READ_BY_ALL
    )
    game_id = created.game.game_id
    return game_id, [await service.join(game_id, invite_code=created.invite_code) for _ in range(2)]


async def test_spectators_with_a_delay_read_as_late_as_they_see(service: Service) -> None:
    game_id, tokens = await service.full_table(
        "tides", talk=READ_BY_ALL, spectators={"policy": "SPECTATOR_POLICY_PUBLIC", "delay": 2}
    )
    late = list[int]()
    for number in range(4):
        view = (await service.call("GetView", tokens[0], game_id=game_id)).view
        await service.move(game_id, tokens[view.decisions[0].seat])
        await service.call("Say", tokens[0], game_id=game_id, text=f"now {number}")
        found = await service.call("ListTalk", game_id=game_id)
        seen = (await service.call("GetView", game_id=game_id)).view.version
        assert all(remark.version <= seen for remark in found.remarks)
        late.append(number + 1 - len(found.remarks))

    assert all(late)
    assert 4 > late[-1], "the first ones are read by now"
    assert 4 == len(await said(service, game_id, tokens[1]))
    await service.finish(game_id, tokens)
    assert ["now 0", "now 1", "now 2", "now 3"] == await said(service, game_id, None)


async def test_a_muted_seat_is_hidden_from_one_seat_only(service: Service) -> None:
    game_id, (ann, bob, cid) = await service.full_table("stone_age", 3, talk=FREE)
    await service.call("Say", bob, game_id=game_id, text="before")

    muted = await service.call("MuteSeat", ann, game_id=game_id, muted_seat=1, muted=True)
    await service.call("Say", bob, game_id=game_id, text="hidden")
    await service.call("Say", cid, game_id=game_id, text="shown")

    assert [1] == list(muted.muted_seats)
    assert ["shown"] == await said(service, game_id, ann)
    assert ["before", "hidden", "shown"] == await said(service, game_id, cid)
    assert ["before", "hidden", "shown"] == await said(service, game_id, bob)
    shown = await service.call("MuteSeat", ann, game_id=game_id, muted_seat=1, muted=False)
    assert [] == list(shown.muted_seats)
    assert ["before", "hidden", "shown"] == await said(service, game_id, ann)


async def test_talk_is_listed_in_pages_and_goes_on_as_a_stream(service: Service) -> None:
    game_id, (ann, bob) = await service.full_table("tides", talk=FREE)
    for number in range(5):
        await service.call("Say", ann, game_id=game_id, text=str(number))

    first = await service.call("ListTalk", bob, game_id=game_id, page_size=3)
    second = await service.call(
        "ListTalk", bob, game_id=game_id, page_size=3, page_token=first.next_page_token
    )

    assert ["0", "1", "2", "3", "4"] == [remark.text for page in (first, second) for remark in page.remarks]
    assert "" == second.next_page_token
    async with aclosing(service.stream("WatchTalk", bob, game_id=game_id, cursor=first.cursor)) as stream:
        seen = [await next_but_heartbeats(stream) for _ in range(3)]
        await service.call("Say", bob, game_id=game_id, text="5")
        seen.append(await next_but_heartbeats(stream))
    assert ["3", "4", "", "5"] == [message.remark.text for message in seen]
    assert "caught_up" == seen[2].WhichOneof("kind")
    again = await service.read_stream("WatchTalk", ann, game_id=game_id, cursor=seen[1].cursor)
    assert ["5", ""] == [message.remark.text for message in again]


async def next_but_heartbeats(stream: Any) -> pb.WatchTalkResponse:
    async with asyncio.timeout(PATIENCE):
        while (message := await anext(stream)).WhichOneof("kind") == "heartbeat":
            pass
    found: pb.WatchTalkResponse = message
    return found


async def test_a_stream_ends_when_the_token_is_revoked_or_the_process_drains(service: Service) -> None:
    game_id, (ann, bob) = await service.full_table("tides")
    async with aclosing(service.stream("WatchTalk", ann, game_id=game_id)) as stream:
        await next_but_heartbeats(stream)
        await service.call("RevokeSeatTokens", ann, game_id=game_id)
        with pytest.raises(Exception, match="PERMISSION_DENIED"):
            await next_but_heartbeats(stream)
    async with aclosing(service.stream("WatchTalk", bob, game_id=game_id)) as stream:
        await next_but_heartbeats(stream)
        service.application.talk.drain()
        assert "go_away" == (await next_but_heartbeats(stream)).WhichOneof("kind")


async def test_nobody_is_told_that_something_was_said_that_they_cannot_read() -> None:
    service = Service(heartbeat=PATIENCE)
    game_id, (ann, bob) = await service.full_table("tides")
    await service.call("MuteSeat", ann, game_id=game_id, muted_seat=1, muted=True)
    async with aclosing(service.stream("WatchTalk", ann, game_id=game_id)) as stream:
        assert "caught_up" == (await anext(stream)).WhichOneof("kind")
        message = asyncio.ensure_future(anext(stream))
        await service.call("Say", bob, game_id=game_id, phrase_id="talk.hello")
        for _ in range(20):  # the stream reads what was said
            await asyncio.sleep(0)
        await service.call("Say", ann, game_id=game_id, phrase_id="talk.thanks")
        async with asyncio.timeout(PATIENCE):
            assert "talk.thanks" == (await message).remark.phrase.id


async def test_callers_with_an_identity_talk_without_a_seat_token() -> None:
    service = KeyedService()
    ann, bob = await service.key("ann"), await service.key("bob")
    eve = await service.key("eve")
    game_id, _ = await service.shared_table(ann, bob)

    await service.call("Say", ann, game_id=game_id, phrase_id="talk.hello")

    assert ["talk.hello"] == await said(service, game_id, bob)
    assert ("PERMISSION_DENIED", "NO_SPECTATORS") == await service.refusal("ListTalk", eve, game_id=game_id)
    assert ("PERMISSION_DENIED", "NOT_YOUR_SEAT") == await service.refusal(
        "Say", eve, game_id=game_id, phrase_id="talk.hello"
    )


async def test_players_do_not_read_those_whom_they_have_blocked() -> None:
    service = KeyedService()
    ann, bob = await service.key("ann"), await service.key("bob")
    for name, key in (("ann", ann), ("bob", bob)):
        await service.call("UpdateProfile", key, handle=name)
    game_id, (ann_seat, _) = await service.shared_table(ann, bob)
    await service.call("Say", bob, game_id=game_id, phrase_id="talk.hello")

    await service.call("BlockPlayer", ann, handle="bob")
    blocked = [await said(service, game_id, reader) for reader in (ann, ann_seat, bob)]
    await service.call("UnblockPlayer", ann, handle="bob")

    assert [[], [], ["talk.hello"]] == blocked
    assert ["talk.hello"] == await said(service, game_id, ann)


async def test_a_rematch_keeps_the_rules_of_talk(service: Service) -> None:
    game_id, tokens = await service.full_table("tides", talk=READ_BY_ALL)
    await service.finish(game_id, tokens)

    again = await service.call("Rematch", tokens[0], game_id=game_id)

    assert (game_pb2.TALK_POLICY_FREE_TEXT, True) == (again.game.talk.policy, again.game.talk.spectators)


@pytest.mark.parametrize("title", CATALOG)
async def test_every_title_has_phrases_in_three_languages(service: Service, title: str) -> None:
    found = await service.call("ListPhrases", title=title, page_size=100)

    ids = [phrase.phrase_id for phrase in found.phrases]
    assert len(ids) == len({*ids})
    assert {"talk"} == {each.removeprefix(f"{title}.").partition(".")[0] for each in ids}
    assert any(each.startswith(f"{title}.") for each in ids)
    for phrase in found.phrases:
        assert {"en", "es", "pt"} == {*phrase.texts}
        assert all(0 < len(text) <= 60 for text in phrase.texts.values())


async def test_phrases_of_an_unknown_title_are_not_found(service: Service) -> None:
    assert ("NOT_FOUND", "TITLE_NOT_FOUND") == await service.refusal("ListPhrases", title="chess")
