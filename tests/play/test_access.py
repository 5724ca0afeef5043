"""Tests of access: which callers may see and do what."""

from __future__ import annotations

import jwt
import pytest

from gamehost.api.auth.seat_tokens import SEAT_TOKEN_PREFIX
from support.service import DAY, SECRET, Service

OTHER_READS = ("GetGame", "GetView", "ListEvents")


async def test_without_a_token_one_is_a_spectator_and_nothing_else():
    service = Service()
    game_id, _ = await service.table("Ann", "Bob")

    view = (await service.call("GetView", game_id=game_id)).view

    assert not view.HasField("seat")
    assert [] == list(view.tides.hand)
    for name in ("ListLegalActions", "LeaveGame", "StartGame"):
        assert ("UNAUTHENTICATED", "TOKEN_MISSING") == await service.refusal(name, game_id=game_id)
    move = {"decision_id": "draft.1.1.0", "action": {"tides": {"choose_card": {"card": "CARD_MOLEHILL"}}}}
    assert ("UNAUTHENTICATED", "TOKEN_MISSING") == await service.refusal(
        "PlayAction", game_id=game_id, **move
    )


async def test_a_forged_garbled_or_expired_token_is_refused():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    claims = jwt.decode(ann.removeprefix(SEAT_TOKEN_PREFIX), options={"verify_signature": False})
    forged = SEAT_TOKEN_PREFIX + jwt.encode(claims, b"another secret of thirty-two byte", "HS256")
    unsigned = SEAT_TOKEN_PREFIX + jwt.encode(claims, None, "none")

    for bad in (forged, unsigned, SEAT_TOKEN_PREFIX, SEAT_TOKEN_PREFIX + "x", "nonsense", ann[:-4] + "AAAA"):
        assert ("UNAUTHENTICATED", "TOKEN_INVALID") == await service.refusal("GetView", bad, game_id=game_id)

    service.now += 31 * DAY * 1_000_000
    assert ("UNAUTHENTICATED", "TOKEN_EXPIRED") == await service.refusal("GetView", ann, game_id=game_id)


async def test_a_token_is_good_for_its_own_game_only():
    service = Service()
    game_id, _ = await service.table("Ann", "Bob")
    _, (stranger, _) = await service.table("Cid", "Dot")

    for name in (*OTHER_READS, "ListLegalActions"):
        assert ("PERMISSION_DENIED", "NOT_YOUR_SEAT") == await service.refusal(
            name, stranger, game_id=game_id
        )


async def test_a_token_cannot_answer_for_another_seat():
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    request = await service.request(game_id, ann)

    assert ("FAILED_PRECONDITION", "NOT_YOUR_DECISION") == await service.refusal("PlayAction", bob, **request)


async def test_leaving_ends_a_token_and_the_next_owner_gets_another():
    service = Service()
    game_id, (ann,) = await service.table("Ann")
    await service.call("LeaveGame", ann, game_id=game_id)

    next_one = await service.join(game_id, display_name="Eve")

    assert ann != next_one
    assert ("PERMISSION_DENIED", "NOT_YOUR_SEAT") == await service.refusal("GetView", ann, game_id=game_id)
    assert (await service.call("GetView", next_one, game_id=game_id)).view.seat == 0


async def test_a_private_game_is_to_strangers_as_if_it_were_not():
    service = Service()
    created = await service.call("CreateGame", title="tides", visibility="VISIBILITY_PRIVATE")
    game_id, code = created.game.game_id, created.invite_code
    _, (stranger, _) = await service.table("Cid", "Dot")
    absent = "a" * 20

    for token in (None, stranger):
        for name in (*OTHER_READS, "JoinGame", "ListLegalActions"):
            private = await service.error(name, token, game_id=game_id)
            nowhere = await service.error(name, token, game_id=absent)
            assert "GAME_NOT_FOUND" == private.reason
            assert private.status.message == nowhere.status.message.replace(absent, game_id)

    ann = await service.join(game_id, invite_code=code)
    assert (await service.call("GetView", ann, game_id=game_id)).view.game.game_id == game_id
    assert [] == [game for game in await listed(service) if game == game_id]


async def test_a_private_stream_is_closed_to_strangers():
    service = Service()
    game_id, _ = await service.table(visibility="VISIBILITY_PRIVATE")

    with pytest.raises(Exception, match="NOT_FOUND"):
        await anext(service.watch(game_id=game_id))


async def test_an_unlisted_game_is_found_by_its_id_alone():
    service = Service()
    game_id, _ = await service.table(visibility="VISIBILITY_UNLISTED")

    assert game_id == (await service.call("GetGame", game_id=game_id)).game.game_id
    assert game_id not in await listed(service)


async def test_two_secrets_are_trusted_while_one_takes_over():
    old = Service()
    game_id, (ann, _) = await old.table("Ann", "Bob")
    new = Service(old.store, secrets=(b"the next secret", SECRET))

    assert 0 == (await new.call("GetView", ann, game_id=game_id)).view.seat


async def listed(service: Service) -> list[str]:
    return [game.game_id for game in (await service.call("ListGames", page_size=100)).games]
