"""Wrong keys and tokens are counted by address, and each makes it wait longer."""

from __future__ import annotations

import pytest

from api.limited_servers import TRANSPORTS, Gate, running_gate
from gamehost.api.auth import api_keys
from gamehost.api.auth.wrong_tokens import FORGET_SECONDS, LONGEST_REFUSAL, MOST_ENTRIES, WrongTokens
from gamehost.play.access import SeatKey
from gamehost.play.errors import TooMuch
from gamehost.rules.kit import Seat

EVE, ANN = "198.51.100.66", "198.51.100.7"
SECRET = "a" * 52


async def key(gate: Gate, name: str) -> str:
    return await api_keys.create_key(gate.store, name, 0.0, lambda size: name.encode().ljust(size))


async def guess(
    gate: Gate, transport: str, address: str = EVE, token: str = f"shedu_key_ann_{SECRET}"
) -> str:
    answer = await gate.list_games(transport, x_forwarded_for=address, authorization=f"Bearer {token}")
    return answer.reason


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_an_address_with_too_many_wrong_keys_is_refused_without_a_look_into_the_store(
    transport: str,
) -> None:
    async with running_gate(keys=True, wrong_tokens=3) as gate:
        reasons = [await guess(gate, transport) for _ in range(8)]
        looked = gate.store.looked
        elsewhere = await guess(gate, transport, ANN)

    assert ["TOKEN_INVALID"] * 3 + ["TOO_MUCH"] * 5 == reasons
    assert 3 == looked
    assert "TOKEN_INVALID" == elsewhere


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_each_wrong_key_doubles_the_wait_up_to_a_bound(transport: str) -> None:
    waits = []
    async with running_gate(keys=True, wrong_tokens=2) as gate:
        await guess(gate, transport)
        for _ in range(12):
            assert "TOKEN_INVALID" == await guess(gate, transport)
            authorization = f"Bearer shedu_key_eve_{SECRET}"
            refused = await gate.list_games(transport, x_forwarded_for=EVE, authorization=authorization)
            waits.append(refused.wait)
            gate.clock.advance(refused.wait or 0.0)

    assert [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, LONGEST_REFUSAL, LONGEST_REFUSAL] == waits


async def test_wrong_seat_tokens_and_garbage_count_where_nobody_is_asked_who_it_is() -> None:
    async with running_gate(wrong_tokens=3) as gate:
        reasons = [await guess(gate, "rest", token=token) for token in ("shedu_seat_x.y.z", "x", "?", "?")]

    assert ["TOKEN_INVALID"] * 3 + ["TOO_MUCH"] == reasons


async def test_a_key_that_was_good_lately_passes_and_another_one_waits() -> None:
    """Others may share the address of whoever guesses."""
    async with running_gate(keys=True, wrong_tokens=1) as gate:
        ann, bob = await key(gate, "ann"), await key(gate, "bob")
        first = await guess(gate, "rest", token=ann)
        await guess(gate, "rest")

        reasons = [await guess(gate, "rest", token=token) for token in (ann, bob)]
        gate.clock.advance(1.0)
        later = await guess(gate, "rest", token=bob)

    assert ["", "TOO_MUCH"] == [first, reasons[1]]
    assert ["", ""] == [reasons[0], later]


@pytest.mark.parametrize("keys", [True, False], ids=["keys", "open"])
async def test_a_new_seat_token_passes_where_others_guess(keys: bool) -> None:
    """Somebody who shares the address has just joined a game."""
    async with running_gate(keys=keys, wrong_tokens=1) as gate:
        joined = gate.tokens.issue(SeatKey("a" * 20, Seat(0), 1), since=gate.clock() / 1e6)
        await guess(gate, "rest")

        reasons = [await guess(gate, "rest", token=token) for token in (joined, f"{joined[:-4]}AAAA")]

    assert ["", "TOO_MUCH"] == reasons


async def test_a_good_key_does_not_make_up_for_wrong_ones() -> None:
    async with running_gate(keys=True, wrong_tokens=2) as gate:
        ann = await key(gate, "ann")
        reasons = [await guess(gate, "rest", token=token) for token in ("x", ann, "x", ann, "x")]

    assert ["TOKEN_INVALID", "", "TOKEN_INVALID", "", "TOO_MUCH"] == reasons


async def test_a_key_that_is_removed_counts_as_wrong() -> None:
    async with running_gate(keys=True, wrong_tokens=1) as gate:
        ann = await key(gate, "ann")
        assert "" == await guess(gate, "rest", token=ann)
        await api_keys.revoke_key(gate.store, "ann")
        gate.clock.advance(60)

        assert ["TOKEN_INVALID", "TOO_MUCH"] == [await guess(gate, "rest", token=ann) for _ in range(2)]


async def test_calls_without_a_token_go_on() -> None:
    async with running_gate(wrong_tokens=1) as gate:
        assert "TOKEN_INVALID" == await guess(gate, "rest")

        assert "" == (await gate.list_games("rest", x_forwarded_for=EVE)).reason


async def test_what_lies_long_ago_is_forgotten() -> None:
    async with running_gate(keys=True, wrong_tokens=2) as gate:
        reasons = [await guess(gate, "rest") for _ in range(3)]
        gate.clock.advance(1 + FORGET_SECONDS)
        after = [await guess(gate, "rest") for _ in range(3)]

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
