"""Tests that the JSON writer produces the output of `json_format` for all responses."""

from __future__ import annotations

import json

import pytest
from google.protobuf import json_format

from gamehost.api.transports.event_stream import EVENTS
from gamehost.codec import json_write
from gamehost.codec.json_write import write_message
from gamehost.rules.catalog import CATALOG
from shedu.v1 import game_service_pb2 as pb
from support.service import Service


def as_json_format_prints(message):
    return json_format.MessageToDict(message, always_print_fields_with_no_presence=True)


@pytest.mark.parametrize("title", CATALOG)
async def test_it_prints_a_game_as_json_format_does(title):
    service = Service()
    created = await service.call("CreateGame", title=title)
    game_id, tokens = created.game.game_id, []
    for seat in created.game.seats:
        tokens.append(await service.join(game_id, display_name=f"Zoë {seat.seat}"))
    created.game.seats[0].display_name = "Zoë \u2028\x1b\n"  # older games have such names

    said = [created, await service.call("GetTitle", title=title), pb.WatchGameResponse()]
    for _ in range(30):
        view = await service.call("GetView", tokens[0], game_id=game_id)
        if not view.view.decisions:
            break
        seat = view.view.decisions[0].seat
        legal = await service.call("ListLegalActions", tokens[seat], game_id=game_id)
        said += [view, legal, await service.move(game_id, tokens[seat], len(legal.actions) // 2)]

    for message in said:
        assert as_json_format_prints(message) == json.loads(write_message(message))


def test_a_message_for_a_crowd_is_written_once_and_never_taken_for_another(monkeypatch):
    written = list[bytes]()
    monkeypatch.setattr(
        json_write, "write_message", lambda message: written.append(write_message(message)) or written[-1]
    )
    same = pb.WatchGameResponse(heartbeat=pb.Heartbeat(version=7))

    assert {b'event: heartbeat\nid: 7\ndata: {"heartbeat":{"version":"7"}}\n\n'} == {
        EVENTS.message(same) for _ in range(50)
    }
    assert 1 == len(written)
    for version in range(500):
        message = pb.WatchGameResponse(heartbeat=pb.Heartbeat(version=version))
        assert f"id: {version}\n" in EVENTS.message(message).decode()
