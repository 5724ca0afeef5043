"""Tests that wrong keys and tokens are counted by address, and that each prolongs the wait."""

from __future__ import annotations

import pytest

from api.limited_servers import TRANSPORTS, LimitedServers, running_limited_servers
from gamehost.api.auth import api_keys
from gamehost.api.auth.wrong_tokens import FORGET_SECONDS, LONGEST_REFUSAL, MOST_ENTRIES, WrongTokens
from gamehost.play.access import SeatKey
from gamehost.play.errors import TooMuch
from gamehost.rules.kit import Seat

EVE, ANN = "198.51.100.66", "198.51.100.7"
SECRET = "a" * 52


async def key(servers: LimitedServers, name: str) -> str:
    return await api_keys.create_key(servers.store, name, 0.0, lambda size: name.encode().ljust(size))


async def guess(
    servers: LimitedServers, transport: str, address: str = EVE, token: str = f"shedu_key_ann_{SECRET}"
) -> str:
    answer = await servers.list_games(transport, x_forwarded_for=address, authorization=f"Bearer {token}")
    return answer.reason


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_an_address_with_too_many_wrong_keys_is_refused_without_a_look_into_the_store(
    transport: str,
) -> None:
    async with running_limited_servers(keys=True, wrong_tokens=3) as servers:
        reasons = [await guess(servers, transport) for _ in range(8)]
        looked = servers.store.looked
        elsewhere = await guess(servers, transport, ANN)

    assert ["TOKEN_INVALID"] * 3 + ["TOO_MUCH"] * 5 == reasons
    assert 3 == looked
    assert "TOKEN_INVALID" == elsewhere


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_each_wrong_key_doubles_the_wait_up_to_a_bound(transport: str) -> None:
    waits = []
    async with running_limited_servers(keys=True, wrong_tokens=2) as servers:
        await guess(servers, transport)
        for _ in range(12):
            assert "TOKEN_INVALID" == await guess(servers, transport)
            authorization = f"Bearer shedu_key_eve_{SECRET}"
            refused = await servers.list_games(transport, x_forwarded_for=EVE, authorization=authorization)
            waits.append(refused.wait)
            servers.clock.advance(refused.wait or 0.0)

    assert [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, LONGEST_REFUSAL, LONGEST_REFUSAL] == waits


async def test_wrong_seat_tokens_and_garbage_count_where_nobody_is_asked_who_it_is() -> None:
    async with running_limited_servers(wrong_tokens=3) as servers:
        reasons = [await guess(servers, "rest", token=token) for token in ("shedu_seat_x.y.z", "x", "?", "?")]

    assert ["TOKEN_INVALID"] * 3 + ["TOO_MUCH"] == reasons


async def test_a_key_that_was_good_lately_passes_and_another_one_waits() -> None:
    """Good callers may share the address of a caller that guesses."""
    async with running_limited_servers(keys=True, wrong_tokens=1) as servers:
        ann, bob = await key(servers, "ann"), await key(servers, "bob")
        first = await guess(servers, "rest", token=ann)
        await guess(servers, "rest")

        reasons = [await guess(servers, "rest", token=token) for token in (ann, bob)]
        servers.clock.advance(1.0)
        later = await guess(servers, "rest", token=bob)

    assert ["", "TOO_MUCH"] == [first, reasons[1]]
    assert ["", ""] == [reasons[0], later]


@pytest.mark.parametrize("keys", [True, False], ids=["keys", "open"])
async def test_a_new_seat_token_passes_where_others_guess(keys: bool) -> None:
    """A caller that shares the address has just joined a game."""
    async with running_limited_servers(keys=keys, wrong_tokens=1) as servers:
        joined = servers.tokens.issue(SeatKey("a" * 20, Seat(0), 1), since=servers.clock() / 1e6)
        await guess(servers, "rest")

        reasons = [await guess(servers, "rest", token=token) for token in (joined, f"{joined[:-4]}AAAA")]

    assert ["", "TOO_MUCH"] == reasons


async def test_a_good_key_does_not_make_up_for_wrong_ones() -> None:
    async with running_limited_servers(keys=True, wrong_tokens=2) as servers:
        ann = await key(servers, "ann")
        reasons = [await guess(servers, "rest", token=token) for token in ("x", ann, "x", ann, "x")]

    assert ["TOKEN_INVALID", "", "TOKEN_INVALID", "", "TOO_MUCH"] == reasons


async def test_a_key_that_is_removed_counts_as_wrong() -> None:
    async with running_limited_servers(keys=True, wrong_tokens=1) as servers:
        ann = await key(servers, "ann")
        assert "" == await guess(servers, "rest", token=ann)
        await api_keys.revoke_key(servers.store, "ann")
        servers.clock.advance(60)

        assert ["TOKEN_INVALID", "TOO_MUCH"] == [await guess(servers, "rest", token=ann) for _ in range(2)]


async def test_calls_without_a_token_go_on() -> None:
    async with running_limited_servers(wrong_tokens=1) as servers:
        assert "TOKEN_INVALID" == await guess(servers, "rest")

        assert "" == (await servers.list_games("rest", x_forwarded_for=EVE)).reason


async def test_what_lies_long_ago_is_forgotten() -> None:
    async with running_limited_servers(keys=True, wrong_tokens=2) as servers:
        reasons = [await guess(servers, "rest") for _ in range(3)]
        servers.clock.advance(1 + FORGET_SECONDS)
        after = [await guess(servers, "rest") for _ in range(3)]

    assert ["TOKEN_INVALID", "TOKEN_INVALID", "TOO_MUCH"] == reasons == after


def test_the_addresses_that_are_remembered_are_bounded() -> None:
    wrong = WrongTokens(1, lambda: 0.0)
    wrong.failed("first", "x")
    with pytest.raises(TooMuch):
        wrong.check("first", "x")

    for number in range(MOST_ENTRIES):
        wrong.failed(str(number), "x")

    wrong.check("first", "x")
    with pytest.raises(TooMuch):
        wrong.check("0", "x")
