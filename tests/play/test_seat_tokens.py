"""Tests of seat tokens: their claims, their renewal and their end."""

from __future__ import annotations

import jwt
import pytest

from gamehost.api.auth.seat_tokens import SEAT_TOKEN_PREFIX, SPECTATOR_PREFIX, SeatTokens
from gamehost.api.pipeline.status import RpcError
from gamehost.play.access import SeatKey
from gamehost.play.errors import Unauthenticated
from gamehost.rules.kit import Seat
from support.service import DAY, SECRET, Service

DAYS = DAY * 1_000_000
ONCE = "a-random-request-id"


def claims(token: str) -> dict[str, object]:
    found: dict[str, object] = jwt.decode(
        token.removeprefix(SEAT_TOKEN_PREFIX), options={"verify_signature": False}
    )
    return found


async def test_a_token_is_a_capability_for_one_seat_and_nothing_else():
    service = Service()
    game_id, (_, bob) = await service.table("Ann", "Bob")

    expires = int(service.seconds()) + 30 * DAY

    assert bob.startswith("shedu_seat_")
    assert {"game": game_id, "seat": 1, "role": "player", "gen": 1, "exp": expires} == claims(bob)


async def test_a_token_of_another_role_is_no_player():
    """Both are signed with the same key, so the role in the token counts, not the prefix."""
    service = Service()
    created = await service.call("CreateGame", title="tides", spectators={"policy": "SPECTATOR_POLICY_TOKEN"})
    game_id = created.game.game_id
    ann, _ = [await service.join(game_id) for _ in range(2)]
    spectator = SEAT_TOKEN_PREFIX + created.spectator_token.removeprefix(SPECTATOR_PREFIX)
    player = SPECTATOR_PREFIX + ann.removeprefix(SEAT_TOKEN_PREFIX)

    for good in (ann, created.spectator_token):
        assert await service.call("GetView", good, game_id=game_id)
    for bad in (spectator, player):
        assert ("UNAUTHENTICATED", "TOKEN_INVALID") == await service.refusal("GetView", bad, game_id=game_id)


async def test_a_token_comes_as_a_bearer_token():
    tokens, service = SeatTokens([SECRET], lambda: 0.0, DAY), Service()
    game_id, _ = await service.table("Ann")

    with pytest.raises(Unauthenticated):
        tokens.read(f"Basic {tokens.issue(SeatKey(game_id, Seat(0), 1), service.seconds())}")


async def test_a_refreshed_token_outlives_the_old_one():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    service.now += 20 * DAYS

    fresh = await service.call("RefreshSeatToken", ann, game_id=game_id)
    both = [
        (await service.call("GetView", token, game_id=game_id)).view.seat for token in (ann, fresh.seat_token)
    ]
    service.now += 20 * DAYS

    assert (0, [0, 0]) == (fresh.seat, both)
    assert ("UNAUTHENTICATED", "TOKEN_EXPIRED") == await service.refusal("GetView", ann, game_id=game_id)
    assert 0 == (await service.call("GetView", fresh.seat_token, game_id=game_id)).view.seat


async def test_revoking_ends_every_earlier_token_of_the_seat_and_no_other():
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    stolen = (await service.call("RefreshSeatToken", ann, game_id=game_id)).seat_token

    answer = await service.call("RevokeSeatTokens", ann, game_id=game_id)

    assert 2 == claims(answer.seat_token)["gen"]
    for dead in (ann, stolen):
        for name in ("GetView", "ListLegalActions", "RefreshSeatToken", "RevokeSeatTokens"):
            assert ("PERMISSION_DENIED", "NOT_YOUR_SEAT") == await service.refusal(
                name, dead, game_id=game_id
            )
    assert 0 == (await service.call("GetView", answer.seat_token, game_id=game_id)).view.seat
    assert 1 == (await service.call("GetView", bob, game_id=game_id)).view.seat


async def test_revoking_reaches_every_process():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    other = Service(service.store)
    await other.call("GetView", ann, game_id=game_id)

    await service.call("RevokeSeatTokens", ann, game_id=game_id)

    assert ("PERMISSION_DENIED", "NOT_YOUR_SEAT") == await other.refusal("GetView", ann, game_id=game_id)


async def test_revoking_ends_the_streams_of_a_stolen_token():
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    stolen, hers = service.watch(ann, game_id=game_id), service.watch(bob, game_id=game_id)
    for stream in (stolen, hers):
        assert ["snapshot", "caught_up"] == [(await anext(stream)).WhichOneof("kind") for _ in range(2)]

    await service.call("RevokeSeatTokens", ann, game_id=game_id)

    with pytest.raises(RpcError, match="PERMISSION_DENIED"):
        await anext(stolen)
    told = await anext(hers)
    assert "seat_tokens_revoked" == told.happened.events[0].WhichOneof("kind")
    await hers.aclose()


async def test_the_owner_still_remembers_what_it_saw_before_it_revoked():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    before = (await service.call("GetView", ann, game_id=game_id)).view

    token = (await service.call("RevokeSeatTokens", ann, game_id=game_id)).seat_token
    after = (await service.call("GetView", token, game_id=game_id, version=before.version)).view

    assert before == after
    stream = service.watch(token, game_id=game_id, after_version=before.version)
    assert 0 == (await anext(stream)).snapshot.seat
    await stream.aclose()


async def test_a_new_owner_does_not_inherit_what_the_seat_knew():
    service = Service()
    game_id, (ann,) = await service.table("Ann")
    version = (await service.call("GetGame", game_id=game_id)).game.version
    await service.call("LeaveGame", ann, game_id=game_id)
    eve = await service.join(game_id, display_name="Eve")

    past = (await service.call("GetView", eve, game_id=game_id, version=version)).view

    assert not past.HasField("seat")


async def test_a_repeated_revocation_is_answered_the_same_even_with_the_token_it_ended():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")

    first = await service.call("RevokeSeatTokens", ann, game_id=game_id, request_id=ONCE)
    service.now += DAYS
    second = await service.call("RevokeSeatTokens", ann, game_id=game_id, request_id=ONCE)

    assert first == second
    assert (
        "INVALID_REQUEST"
        == (await service.error("RevokeSeatTokens", ann, game_id=game_id, request_id="guessable")).reason
    )


async def test_when_the_game_is_over_tokens_stay_as_they_are():
    service = Service()
    game_id, tokens = await service.table("Ann", "Bob")
    await service.finish(game_id, tokens)

    for name in ("RefreshSeatToken", "RevokeSeatTokens"):
        assert ("FAILED_PRECONDITION", "GAME_FINISHED") == await service.refusal(
            name, tokens[0], game_id=game_id
        )
