"""Tests which address a request counts for, with and without trusted proxies."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from api.limited_servers import TRANSPORTS, Answer, running_limited_servers
from gamehost.api.pipeline.quotas import Limits
from gamehost.api.transports.forwarding import Proxies, limit_key

PROXIES = Proxies(map(ip_network, ("10.0.0.0/8", "2001:db8:1::/48")))
ONE_CALL = Limits(calls_per_second=0.5)  # the burst is two seconds of calls, so one call


@pytest.mark.parametrize(
    ("host", "told", "caller"),
    [
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.7"], "198.51.100.7"),
        ("198.51.100.9", ["198.51.100.7"], "198.51.100.9"),
        ("10.0.0.1", ["203.0.113.5, 198.51.100.7"], "198.51.100.7"),
        ("10.0.0.1", ["203.0.113.5, 198.51.100.7, 10.2.3.4"], "198.51.100.7"),
        ("10.0.0.1", ["203.0.113.5", "198.51.100.7", "10.2.3.4"], "198.51.100.7"),
        ("10.0.0.1", ["10.1.1.1, 10.2.2.2"], "10.1.1.1"),
        ("10.0.0.1", ["198.51.100.7, nonsense"], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.7, nonsense, 10.2.3.4"], "10.2.3.4"),
        ("10.0.0.1", [""], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.7:4711"], "198.51.100.7"),
        ("2001:db8:1::1", ["2001:db8:2::7"], "2001:db8:2::7"),
        ("2001:db8:1::1", ["[2001:db8:2::7]:443"], "2001:db8:2::7"),
        ("::ffff:10.0.0.1", ["198.51.100.7"], "198.51.100.7"),
        ("10.0.0.1", ["::ffff:198.51.100.7"], "198.51.100.7"),
        ("2001:db8:3::1", ["2001:db8:2::7"], "2001:db8:3::1"),
    ],
)
def test_the_last_address_that_is_no_proxys_is_the_callers(host: str, told: list[str], caller: str) -> None:
    assert caller == PROXIES.caller(host, told)


def test_without_proxies_nobody_is_believed() -> None:
    assert "127.0.0.1" == Proxies().caller("127.0.0.1", ["198.51.100.7"])


@pytest.mark.parametrize(
    ("address", "whose"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("2001:db8:1:2::7", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("::ffff:198.51.100.7", "198.51.100.7"),
        ("unix", "unix"),
    ],
)
def test_a_host_cannot_leave_its_limits_by_another_address_of_its_network(address: str, whose: str) -> None:
    assert whose == limit_key(address)


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_an_address_that_anyone_could_have_sent_does_not_count(transport: str) -> None:
    async with running_limited_servers(ONE_CALL, proxies=Proxies()) as servers:
        first = await servers.list_games(transport, x_forwarded_for="198.51.100.1")
        second = await servers.list_games(transport, x_forwarded_for="198.51.100.2")

    assert ["", "TOO_MUCH"] == [first.reason, second.reason]
    assert ["address:127.0.0.1"] == [call.payer for call in servers.echo.calls]


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_behind_a_proxy_every_caller_has_limits_of_its_own(transport: str) -> None:
    addresses = ["198.51.100.1", "198.51.100.2", "203.0.113.9, 198.51.100.1", "2001:db8::1", "2001:db8::2"]
    async with running_limited_servers(ONE_CALL) as servers:
        answers = [await servers.list_games(transport, x_forwarded_for=each) for each in addresses]

    assert ["", "", "TOO_MUCH", "", "TOO_MUCH"] == [answer.reason for answer in answers]
    payers = ["address:198.51.100.1", "address:198.51.100.2", "address:2001:db8::/64"]
    assert payers == [call.payer for call in servers.echo.calls]


async def test_a_proxys_connection_is_shared_by_callers_with_limits_of_their_own() -> None:
    async with running_limited_servers(Limits(connection_calls_per_second=0.5)) as servers:
        answers = [await servers.list_games("rest", x_forwarded_for=f"198.51.100.{n}") for n in (1, 2, 1)]

    assert [Answer(""), Answer("")] == answers[:2]
    assert "TOO_MUCH" == answers[2].reason
