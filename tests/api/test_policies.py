"""Tests that every rpc has a policy, which is enforced before its handler runs."""

from __future__ import annotations

import pytest

from api.echo import SERVICES, Echo, open_admission
from gamehost.api.pipeline.dispatch import Dispatch
from gamehost.api.pipeline.policies import POLICIES, Policy
from support.keyed_service import KeyedService
from support.service import Service

GAME = "shedu.v1.GameService."
# Requests need not be valid: a caller is refused before they are parsed.


def rpcs(*policies: Policy) -> list[str]:
    streams = {rpc.full_name for each in SERVICES for rpc in each.methods if rpc.server_streaming}
    return [
        name.rpartition(".")[2]
        for name, policy in POLICIES.items()
        if policy in policies and name not in streams
    ]


def test_the_policies_are_those_of_the_contract() -> None:
    rpcs = {rpc.full_name for service in SERVICES for rpc in service.methods}
    assert rpcs == POLICIES.keys()


def test_a_server_with_an_undeclared_rpc_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(POLICIES, f"{GAME}PlayAction")

    with pytest.raises(TypeError, match=r"without a declared policy: shedu\.v1\.GameService\.PlayAction"):
        Dispatch([Echo()], SERVICES, open_admission())


@pytest.mark.parametrize("name", rpcs(Policy.VIEWER, Policy.CALLER, Policy.SEAT))
async def test_where_identities_are_asked_for_nobody_else_gets_past_the_door(name: str) -> None:
    service = KeyedService()

    assert ("UNAUTHENTICATED", "TOKEN_MISSING") == await service.refusal(name)
    assert ("UNAUTHENTICATED", "TOKEN_INVALID") == await service.refusal(name, "shedu_key_eve_forged")


async def test_a_stream_asks_for_an_identity_too() -> None:
    service = KeyedService()
    ann, bob = await service.key("ann"), await service.key("bob")
    game_id, _ = await service.shared_table(ann, bob)

    with pytest.raises(Exception, match="UNAUTHENTICATED"):
        await anext(service.watch(game_id=game_id))
    stream = service.watch(bob, game_id=game_id)
    assert 1 == (await anext(stream)).snapshot.seat
    await stream.aclose()


@pytest.mark.parametrize("name", rpcs(Policy.CALLER))
async def test_a_seat_token_is_no_identity(name: str) -> None:
    service = KeyedService()
    ann, bob = await service.key("ann"), await service.key("bob")
    _, (token, _) = await service.shared_table(ann, bob)

    assert ("UNAUTHENTICATED", "TOKEN_MISSING") == await service.refusal(name, token)


async def test_the_catalog_is_for_everyone() -> None:
    service = KeyedService()

    assert "tides" in [title.title for title in (await service.call("ListTitles")).titles]
    assert "tides" == (await service.call("GetTitle", title="tides")).title.title


@pytest.mark.parametrize("name", rpcs(Policy.SEAT))
async def test_where_nobody_is_asked_a_seat_still_needs_its_token(name: str) -> None:
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    fields = await service.request(game_id, ann) if name == "PlayAction" else {"game_id": game_id}
    fields |= {"proposal_id": "p1"} if name == "AnswerProposal" else {}

    assert ("UNAUTHENTICATED", "TOKEN_MISSING") == await service.refusal(name, **fields)
