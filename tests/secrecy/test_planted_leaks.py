"""Tests that the suite finds each kind of leak when it is planted."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import pytest

from gamehost.api.pipeline import dispatch, metrics
from gamehost.api.pipeline.call import Call
from gamehost.codec.messages import MessageRenderer
from gamehost.play.errors import Refused
from gamehost.play.table import table as table_module
from gamehost.play.tables import current as table_cache
from gamehost.play.use_cases import play_action
from gamehost.play.viewing import Viewing, Viewpoint
from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import AnyRules, Seat
from rules.facts import FACTS
from rules.playouts import game

from .differences import differences
from .probes import Probe
from .worlds import unfinished

ANN = Seat(0)


async def found(*rpcs: str, title: str = "tigris") -> set[str]:
    """Returns the rpcs among these, and the metrics, by which Ann can tell two worlds apart."""
    played = game(title, 0)
    place = CATALOG[title], played, unfinished(played, FACTS[title].hides_most), ANN
    return {leak.rpc if isinstance(leak, Probe) else leak for leak in await differences(*place, rpcs)}


@pytest.mark.parametrize("title", CATALOG)
async def test_the_service_as_it_is_leaks_nothing_here(title: str):
    asked = "GetFairness", "GetGame", "GetView", "ListEvents", "ListLegalActions", "PlayAction", "WatchGame"

    assert set() == await found(*asked, title=title)


@pytest.mark.parametrize("title", CATALOG)
async def test_a_view_of_another_seat(title: str, monkeypatch: pytest.MonkeyPatch):
    honest = table_module.Table.view
    monkeypatch.setattr(
        table_module.Table, "view", lambda self, seat: honest(self, Seat(len(self.chairs) - 1))
    )

    assert "GetView" in await found("GetView", title=title)


@pytest.mark.parametrize("title", CATALOG)
async def test_an_event_as_it_is_in_the_log(title: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("gamehost.codec.messages.redacted", lambda rules, record, seat: record)

    assert {"ListEvents", "WatchGame"} <= await found("ListEvents", "WatchGame", title=title)


async def test_an_answer_that_lists_actions_by_what_others_hold(monkeypatch: pytest.MonkeyPatch):
    honest = CATALOG["tides"].legal_actions

    def telling(self: AnyRules, state: Any, seat: Seat) -> list[Any]:
        theirs = sum(card.value for card in state.seats[1 - seat].hand)
        actions = list(honest(state, seat))
        return actions[theirs % 2 :]

    monkeypatch.setattr(type(CATALOG["tides"]), "legal_actions", telling)

    assert "ListLegalActions" in await found("ListLegalActions", title="tides")


async def test_a_refusal_that_says_what_the_bag_holds(monkeypatch: pytest.MonkeyPatch):
    def telling(it: table_module.Table, seat: Seat, answer: play_action.DecisionAnswer) -> None:
        raise Refused(f"with {it.state.bag} in the bag?", reason="NO", rule="TE-1", title="tigris")

    monkeypatch.setattr(play_action, "check_decision_open", telling)

    assert "PlayAction" in await found("PlayAction")


async def test_a_look_into_the_seed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("gamehost.play.access.is_revealed", lambda it, seat: True)

    assert "GetFairness" in await found("GetFairness")


async def test_a_log_line_with_a_hand_in_it(monkeypatch: pytest.MonkeyPatch):
    honest = table_cache.TableCache.put

    def talkative(
        self: table_cache.TableCache, it: table_module.Table, tail: bytes | None = None
    ) -> table_module.Table:
        dispatch.log.info("kept", hands=it.state and it.state.hands)
        return honest(self, it, tail)

    monkeypatch.setattr(table_cache.TableCache, "put", talkative)

    assert "GetGame" in await found("GetGame")


async def test_a_metric_that_counts_what_is_drawn(monkeypatch: pytest.MonkeyPatch):
    honest = MessageRenderer.encoded_view

    def counting(self: MessageRenderer, it: table_module.Table, *rest: Any) -> Any:
        metrics.STREAM_MESSAGES.labels("hand", str(it.state.hands[1])).inc()
        return honest(self, it, *rest)

    monkeypatch.setattr(MessageRenderer, "encoded_view", counting)

    assert any("shedu_stream_messages" in leak for leak in await found("GetView"))


async def test_a_gauge_that_is_as_high_as_a_hand(monkeypatch: pytest.MonkeyPatch):
    def telling(state: Any) -> int:
        return zlib.crc32(repr(state and state.hands[1]).encode()) % 1000

    monkeypatch.setattr(table_cache, "state_size", telling)

    assert {"GetView", "WatchGame"} <= await found("GetView", "WatchGame")


async def test_an_event_more_or_less(monkeypatch: pytest.MonkeyPatch):
    honest = Viewing.records

    async def selective(
        self: Viewing, sight: Viewpoint, *, after: int, upto: int
    ) -> Sequence[table_module.EventRecord]:
        records = await honest(self, sight, after=after, upto=upto)
        return [record for record in records if sum(repr(record.event).encode()) % 7]

    monkeypatch.setattr(Viewing, "records", selective)

    assert "ListEvents" in await found("ListEvents")


def test_no_call_is_noted_with_anything_but_what_it_is_about():
    with pytest.raises(TypeError):
        Call(None, "test").note(hand="red")  # type: ignore[call-arg]
