"""Tests of the reveal policies: who sees hidden information after the end of a game."""

from __future__ import annotations

from typing import Any

import pytest

from gamehost.rules.catalog import CATALOG
from shedu.v1 import game_pb2
from support.service import Service

FULL, PARTICIPANTS, NEVER = (
    game_pb2.REVEAL_POLICY_FULL,
    game_pb2.REVEAL_POLICY_PARTICIPANTS,
    game_pb2.REVEAL_POLICY_NEVER,
)
# For each policy whether a seat, and a spectator, may see everything.
POLICIES = [(FULL, True, True), (PARTICIPANTS, True, False), (NEVER, False, False)]
EACH = pytest.mark.parametrize(("policy", "seat_may", "spectator_may"), POLICIES)


async def running(policy: int = FULL, **fields: Any) -> tuple[Service, str, list[str]]:
    service = Service(luck="reveal")
    game_id, tokens = await service.table("Ann", "Bob", reveal=policy, **fields)
    return service, game_id, tokens


async def finished(policy: int = FULL, **fields: Any) -> tuple[Service, str, list[str]]:
    service, game_id, tokens = await running(policy, **fields)
    await service.finish(game_id, tokens)
    return service, game_id, tokens


async def events(service: Service, game_id: str, token: str | None = None) -> list[game_pb2.Event]:
    return list((await service.call("ListEvents", token, game_id=game_id, page_size=1000)).events)


async def watched(service: Service, game_id: str, token: str | None = None) -> list[game_pb2.Event]:
    seen = service.watch(token, game_id=game_id, after_version=0)
    return [event async for moment in seen for event in moment.happened.events]


async def truth(service: Service, game_id: str) -> list[game_pb2.Event]:
    return [game_pb2.Event.FromString(stored.payload) for stored in await service.store.read(game_id)]


@EACH
async def test_the_policy_says_who_is_told_everything(policy, seat_may, spectator_may):
    service, game_id, (ann, _) = await finished(policy)
    everything = await truth(service, game_id)

    for tell in (events, watched):
        assert seat_may == (everything == await tell(service, game_id, ann))
        assert spectator_may == (everything == await tell(service, game_id))


@EACH
async def test_the_policy_says_who_is_given_the_seed(policy, seat_may, spectator_may):
    service, game_id, (ann, _) = await finished(policy)
    seed = await service.store.seed(game_id)

    async def has_seed(token: str | None) -> bool:
        fairness = (await service.call("GetFairness", token, game_id=game_id)).fairness
        shown = (await events(service, game_id, token), await watched(service, game_id, token))
        told = [any(seed in event.SerializeToString() for event in told) for told in shown]
        assert told == [fairness.seed == seed] * 2
        return fairness.HasField("seed")

    assert (seat_may, spectator_may) == (await has_seed(ann), await has_seed(None))


async def test_a_seed_that_is_never_told_is_not_in_the_log():
    service, game_id, _ = await finished(NEVER)
    seed = await service.store.seed(game_id)

    log = await service.store.read(game_id)

    assert not [stored for stored in log if seed in stored.payload]
    assert "game_finished" == (await truth(service, game_id))[-1].WhichOneof("kind")


@EACH
async def test_before_the_end_no_policy_tells_anything(policy, seat_may, spectator_may):
    service, game_id, (ann, bob) = await running(policy)
    await service.move(game_id, ann)

    seen = await events(service, game_id, bob)

    assert seen[-1].tides.HasField("card_chosen")
    assert not seen[-1].tides.card_chosen.HasField("card")
    assert not (await service.call("GetFairness", bob, game_id=game_id)).fairness.HasField("seed")
    for name in ("GetView", "ListLegalActions"):
        refused = await service.refusal(name, bob, game_id=game_id, as_seat=0)
        assert ("FAILED_PRECONDITION", "GAME_NOT_OVER") == refused


@EACH
async def test_after_the_end_the_policy_opens_every_seats_eyes_at_every_version(
    policy, seat_may, spectator_may
):
    service, game_id, (ann, bob) = await running(policy)
    then = (await service.call("GetView", bob, game_id=game_id)).view
    legal = await service.call("ListLegalActions", bob, game_id=game_id)
    await service.finish(game_id, [ann, bob])

    for token, may in ((ann, seat_may), (None, spectator_may)):
        wanted = {"game_id": game_id, "version": then.version, "as_seat": 1}
        if may:
            assert then == (await service.call("GetView", token, **wanted)).view
            assert legal == await service.call("ListLegalActions", token, **wanted)
        else:
            refused = {
                await service.refusal(name, token, **wanted) for name in ("GetView", "ListLegalActions")
            }
            assert {("PERMISSION_DENIED", "NOT_REVEALED")} == refused


async def test_ones_own_view_of_the_past_stays_what_it_was():
    service, game_id, (ann, bob) = await running()
    await service.move(game_id, ann)
    then = [(await service.call("GetView", token, game_id=game_id)).view for token in (bob, None)]
    await service.finish(game_id, [ann, bob])

    version = then[0].version
    now = [
        (await service.call("GetView", token, game_id=game_id, version=version)).view for token in (bob, None)
    ]

    assert then == now


async def test_there_are_no_eyes_where_there_is_no_seat():
    service, game_id, _ = await finished()

    assert ("NOT_FOUND", "SEAT_NOT_FOUND") == await service.refusal("GetView", game_id=game_id, as_seat=2)


async def test_a_private_game_reveals_nothing_to_those_who_may_not_know_of_it():
    service = Service()
    created = await service.call("CreateGame", title="tides", visibility=game_pb2.VISIBILITY_PRIVATE)
    game_id, code = created.game.game_id, created.invite_code
    tokens = [await service.join(game_id, invite_code=code) for _ in range(2)]
    while (view := (await service.call("GetView", tokens[0], game_id=game_id)).view).decisions:
        await service.move(game_id, tokens[view.decisions[0].seat])

    for name in ("GetFairness", "GetView", "ListEvents"):
        assert ("NOT_FOUND", "GAME_NOT_FOUND") == await service.refusal(name, game_id=game_id)
    assert ("NOT_FOUND", "GAME_NOT_FOUND") == await service.refusal("GetView", game_id=game_id, as_seat=0)


async def test_the_last_move_is_answered_the_same_twice():
    service, game_id, tokens = await running()
    while True:
        view = (await service.call("GetView", game_id=game_id)).view
        token = tokens[view.decisions[0].seat]
        move = {**await service.request(game_id, token), "request_id": f"move-{view.version}"}
        answer = await service.call("PlayAction", token, **move)
        if answer.view.game.HasField("outcome"):
            break

    assert answer == await service.call("PlayAction", token, **move)
    assert answer.events[-1].seed_revealed.seed == await service.store.seed(game_id)


async def test_a_stream_that_began_before_the_end_and_one_that_began_after_tell_the_same_versions():
    service, game_id, (ann, bob) = await running()
    live = service.watch(bob, game_id=game_id, after_version=0)
    first = [await anext(live) for _ in range(3)]
    await service.finish(game_id, [ann, bob])

    moments = [*first, *[moment async for moment in live]]

    seen = [event for moment in moments for event in moment.happened.events]
    assert [event.version for event in await truth(service, game_id)] == [event.version for event in seen]
    hidden = next(event for event in seen if event.tides.HasField("card_chosen") and event.seat == 0)
    assert not hidden.tides.card_chosen.HasField("card")


async def test_legal_actions_of_the_past_are_those_of_the_past():
    service, game_id, (ann, bob) = await running()
    then = await service.call("ListLegalActions", bob, game_id=game_id)
    await service.move(game_id, ann)
    await service.move(game_id, bob)
    now = await service.call("ListLegalActions", bob, game_id=game_id)

    again = await service.call("ListLegalActions", bob, game_id=game_id, version=then.version)

    assert then == again
    assert now.decision != then.decision
    none = await service.call("ListLegalActions", bob, game_id=game_id, version=2)
    assert (0, 2) == (len(none.actions), none.version)
    refused = await service.refusal("ListLegalActions", bob, game_id=game_id, version=now.version + 1)
    assert ("OUT_OF_RANGE", "VERSION_IN_FUTURE") == refused


async def test_legal_actions_of_the_past_come_in_pages_while_the_game_goes_on():
    service, game_id, (ann, bob) = await running()
    whole = await service.call("ListLegalActions", bob, game_id=game_id)
    asked = {"game_id": game_id, "version": whole.version, "page_size": 3}
    first = await service.call("ListLegalActions", bob, **asked)
    await service.move(game_id, ann)

    second = await service.call("ListLegalActions", bob, **asked, page_token=first.next_page_token)

    assert list(whole.actions) == [*first.actions, *second.actions]


async def test_a_spectator_has_no_legal_actions_of_its_own():
    service, game_id, _ = await finished()

    refused = await service.refusal("ListLegalActions", game_id=game_id, version=9)

    assert ("UNAUTHENTICATED", "TOKEN_MISSING") == refused


@EACH
async def test_the_game_says_what_it_will_reveal(policy, seat_may, spectator_may):
    service, game_id, _ = await running(policy)

    game = (await service.call("GetGame", game_id=game_id)).game

    assert policy == game.reveal
    assert policy == (await service.call("GetFairness", game_id=game_id)).fairness.reveal


async def test_left_out_the_policy_is_full():
    service = Service()

    created = await service.call("CreateGame", title=next(iter(CATALOG)))

    assert FULL == created.game.reveal
