"""Tests that the JSON writer produces the output of `json_format` for all responses."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from api.echo import METHODS
from gamehost.api.transports.event_stream import EVENTS
from gamehost.codec import json_write
from gamehost.codec.json_write import write_message
from gamehost.rules.catalog import CATALOG
from shedu.v1 import game_service_pb2 as pb
from shedu.v1.player_service_pb2 import TitleStatistics
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


SAMPLES: dict[int, Any] = {
    FieldDescriptor.CPPTYPE_BOOL: True,
    FieldDescriptor.CPPTYPE_DOUBLE: 4.25,
    FieldDescriptor.CPPTYPE_ENUM: 1,
    FieldDescriptor.CPPTYPE_INT32: -7,
    FieldDescriptor.CPPTYPE_INT64: -(2**53) - 1,
    FieldDescriptor.CPPTYPE_UINT32: 7,
    FieldDescriptor.CPPTYPE_UINT64: 2**53 + 1,
}


def filled(kind: Descriptor, case: int = 0, depth: int = 8) -> Message:
    """Returns a message with a value in every field; of a oneof, in the case with that number."""
    message = GetMessageClass(kind)()
    if kind.full_name in ("google.protobuf.Timestamp", "google.protobuf.Duration"):
        return GetMessageClass(kind)(seconds=7, nanos=25_000_000)
    if kind.full_name == "google.protobuf.Any":
        return message
    chosen = {oneof.fields[case % len(oneof.fields)].name for oneof in kind.oneofs}
    for field in kind.fields:
        if field.containing_oneof is None or field.name in chosen:
            fill(message, field, case, depth)
    return message


def fill(message: Message, field: FieldDescriptor, case: int, depth: int) -> None:
    kind = field.message_type
    if kind is not None and kind.GetOptions().map_entry:
        getattr(message, field.name)["a key"] = "a value"
    elif kind is not None and depth:
        value = filled(kind, case, depth - 1)
        target = getattr(message, field.name)
        (target.add() if field.is_repeated else target).CopyFrom(value)
    elif kind is None:
        value = SAMPLES.get(field.cpp_type, b"\xff" if field.type == FieldDescriptor.TYPE_BYTES else "é")
        if field.is_repeated:
            getattr(message, field.name).append(value)
        else:
            setattr(message, field.name, value)


@pytest.mark.parametrize("rpc", METHODS, ids=lambda rpc: rpc.name)
def test_it_prints_responses_with_all_fields_as_json_format_does(rpc: MethodDescriptor) -> None:
    for case in range(12):
        message = filled(rpc.output_type, case)

        assert as_json_format_prints(message) == json.loads(write_message(message))


@pytest.mark.parametrize("value", [0.0, 1e300, 0.1, math.nan, math.inf, -math.inf])
def test_it_prints_numbers_as_json_format_does(value: float) -> None:
    message = TitleStatistics(mean_length=value)

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
