"""Tests that events of older releases are upgraded to the current form wherever they are read."""

from __future__ import annotations

import random
from contextlib import aclosing
from dataclasses import dataclass

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from gamehost.codec.exported_game import export_lines, parse_export, recorded_game
from gamehost.codec.mirror import Undecodable, mirror
from gamehost.codec.upgrades import event_kind, upgraded
from gamehost.commands.recorded.verify import verify_game
from gamehost.stores.memory import MemoryEventStore
from luck.games import exported, play
from shedu.tides.v1 import tides_pb2
from shedu.v1 import game_pb2
from support.service import Service


def name_apart(event):
    """An invented upgrade: the seat used to be part of the name."""
    newer = game_pb2.Event()
    newer.CopyFrom(event)
    seat, bar, name = event.seat_taken.display_name.partition("|")
    if bar:
        newer.seat_taken.seat, newer.seat_taken.display_name = int(seat), name
    return newer


def chooser_named(event):
    """An invented upgrade: the event did not name the seat that chose."""
    newer = game_pb2.Event()
    newer.CopyFrom(event)
    newer.tides.card_chosen.seat = event.seat
    return newer


MADE_UP = {"seat_taken": name_apart, "tides.card_chosen": chooser_named}


def aged(payload: bytes) -> bytes:
    """Returns the event as the invented older release stored it."""
    event = game_pb2.Event.FromString(payload)
    if event.HasField("seat_taken"):
        taken = event.seat_taken
        taken.display_name, taken.seat = f"{taken.seat}|{taken.display_name}", 0
    if event_kind(event) == "tides.card_chosen":
        event.tides.card_chosen.seat = 0
    return event.SerializeToString()


async def grown_old(service: Service, game_id: str) -> Service:
    """Returns a service on a copy of the game whose events are in the old form."""
    kept, store = await service.store.whole_game(game_id), MemoryEventStore()
    await store.append(
        game_id, [aged(event) for event in kept.events], expected=0, seed=kept.seed, summary=kept.summary
    )
    return Service(store, upgrades=MADE_UP)


async def told(service: Service, game_id: str, token: str) -> list[bytes]:
    """Returns everything that a seat is shown of a finished game: views, the stream, and the export."""
    game = (await service.call("GetGame", token, game_id=game_id)).game
    views = [
        await service.call("GetView", token, game_id=game_id, version=version)
        for version in range(1, game.version + 1, 7)
    ]
    async with aclosing(service.watch(token, game_id=game_id, after_version=0)) as stream:
        watched = [message async for message in stream]
    export = await exported(service, game_id, token)
    return [each.SerializeToString() for each in (game, *views, *watched, export.game, *export.events)]


async def test_an_old_log_is_told_and_verified_as_if_it_were_new():
    service = Service(luck="lifts")
    game_id, tokens = await play(service, "tides", random.Random(5))

    old = await grown_old(service, game_id)

    for token in tokens:
        assert await told(service, game_id, token) == await told(old, game_id, token)
    assert verify_game(await exported(old, game_id)).verified


async def test_an_export_of_old_events_is_lifted_too():
    service = Service(luck="lifts")
    game_id, _ = await play(service, "tides", random.Random(5))
    export = await exported(service, game_id)
    old = parse_export(export_lines(export))
    for number, event in enumerate(old.events):
        old.events[number].CopyFrom(game_pb2.Event.FromString(aged(event.SerializeToString())))

    again = recorded_game(Service(upgrades=MADE_UP).codec, old)

    assert recorded_game(service.codec, export).records == again.records


async def test_play_goes_on_upon_an_old_log():
    service = Service()
    game_id, (ann, bob) = await service.table("Ann", "Bob")
    old = await grown_old(service, game_id)

    last = await old.finish(game_id, [ann, bob])

    assert ["Ann", "Bob"] == [seat.display_name for seat in last.view.game.seats]


async def test_without_its_lift_an_old_log_is_misread():
    service = Service(luck="lifts")
    game_id, _ = await play(service, "tides", random.Random(5))
    old = await grown_old(service, game_id)

    unaware = await Service(old.store).call("GetGame", game_id=game_id)

    assert [("1|Player 1", True), ("", False)] == [
        (seat.display_name, seat.taken) for seat in unaware.game.seats
    ]


def test_lifts_are_taken_one_after_the_other():
    steps = {
        "seat_left": lambda event: game_pb2.Event(version=event.version, game_started=game_pb2.GameStarted()),
        "game_started": lambda event: game_pb2.Event(version=event.version, seat_reclaimed={"seat": 1}),
    }

    newest = upgraded(game_pb2.Event(version=3, seat_left={"seat": 1}), steps)

    assert game_pb2.Event(version=3, seat_reclaimed={"seat": 1}) == newest


def test_an_event_is_known_by_its_title_and_case():
    chosen = game_pb2.Event(tides=tides_pb2.Event(card_chosen=tides_pb2.CardChosen()))

    assert ["tides.card_chosen", "seat_left", ""] == [
        event_kind(event) for event in (chosen, game_pb2.Event(seat_left={}), game_pb2.Event())
    ]


@dataclass(frozen=True)
class Thrown:
    pips: int


@dataclass(frozen=True)
class Passed:
    seat: int


def message_type(name: str):
    """Builds a message type with a deprecated field `sum` and a deprecated case `rolled`."""
    file = descriptor_pb2.FileDescriptorProto(name="old.proto", package="old", syntax="proto3")
    for message, fields in {"Thrown": ["pips", "sum"], "Passed": ["seat"], "Rolled": ["sides"]}.items():
        made = file.message_type.add(name=message)
        for number, field in enumerate(fields, 1):
            made.field.add(name=field, number=number, type=5, label=1).options.deprecated = field == "sum"
    event = file.message_type.add(name="Event")
    event.oneof_decl.add(name="kind")
    for number, case in enumerate(["thrown", "passed", "rolled"], 1):
        field = event.field.add(name=case, number=number, type=11, label=1, oneof_index=0)
        field.type_name, field.options.deprecated = f".old.{case.title()}", case == "rolled"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"old.{name}"))


def test_deprecated_fields_and_cases_have_no_mirror():
    event = message_type("Event")

    pair = mirror(Thrown | Passed, event)

    assert Thrown(4) == pair.decode(event(thrown={"pips": 4, "sum": 9}))
    with pytest.raises(Undecodable):
        pair.decode(event(rolled={"sides": 6}))
