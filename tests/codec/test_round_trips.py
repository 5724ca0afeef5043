"""Tests that states, actions and events of every title survive encoding and decoding."""

from __future__ import annotations

from typing import Any

from google.protobuf import json_format

from gamehost.codec.store_codec import StoreCodec
from gamehost.codec.titles import TITLES as CODECS
from gamehost.play.table.table import EventRecord
from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import Seat
from rules.playouts import law


def test_every_title_of_the_catalog_has_a_codec():
    assert CATALOG.keys() == CODECS.keys()


@law(examples=20)
def test_actions_states_and_views_survive(rules, place):
    game, position = place.of(rules)
    codec = CODECS[rules.title]

    for seat in map(Seat, range(game.seats)):
        for action in rules.legal_actions(position.state, seat):
            assert action == codec.action.decode(again(codec.action.encode(action)))
    for viewer in game.viewers:
        view = rules.view(position.state, viewer)
        message = codec.view.encode(view)
        assert view == codec.view.decode(again(message))
        assert message == codec.wire.View.FromString(codec.view_bytes(view))
    assert position.state == codec.state.decode(again(codec.state.encode(position.state)))
    assert game.options == codec.options.decode(again(codec.options.encode(game.options)))


@law(examples=20)
def test_events_survive_as_told_and_as_witnessed(rules, place):
    game, position = place.of(rules)
    codec = StoreCodec(CODECS)

    for version, event in enumerate(game.events[:: max(1, len(game.events) // 20)], start=1):
        for seen in (event, *(rules.witness(event, viewer) for viewer in game.viewers)):
            record = EventRecord(version, 1_800_000_000_123_456, Seat(0), True, seen)
            assert record == codec.decode_record(codec.encode_record(rules.title, record))
    assert position


def again(message: Any) -> Any:
    """Encodes and decodes a message as bytes and as JSON."""
    kind = type(message)
    text = json_format.MessageToJson(kind.FromString(message.SerializeToString()))
    return json_format.Parse(text, kind())
