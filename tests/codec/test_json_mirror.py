"""Tests that views and events written from parts or from values of the rules equal their messages."""

from __future__ import annotations

import json
import random
from functools import partial

import orjson
import pytest
from google.protobuf import json_format

from gamehost.api.pipeline.call import Call
from gamehost.codec.encoded import as_message, write_json
from gamehost.codec.json_write import unchanged
from gamehost.codec.table_events import PROPOSAL, timestamp, timestamp_text
from gamehost.play.table.events import TABLE_EVENTS
from gamehost.play.table.redaction import redacted, without_identities
from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import Seat
from shedu.v1 import game_pb2
from support.budget import budget
from support.service import NAMES, Service

EACH = pytest.mark.parametrize("title", CATALOG)
CLOCK = {"bank": {"initial": {"seconds": 600}, "increment": {"seconds": 5}}}


def printed(message):
    return json_format.MessageToDict(message, always_print_fields_with_no_presence=True)


def view_of_messages(codec, table, seat):
    """Builds a view from messages only, without the caches of its parts."""
    title_view = table.view(seat)
    part = (
        {}
        if title_view is None
        else {table.rules.title: codec.titles[table.rules.title].view.encode(title_view)}
    )
    return game_pb2.View(
        version=table.version,
        seat=seat,
        decisions=[codec.decision(table, decision) for decision in table.decisions],
        game=codec.game(table),
        clocks=codec.clocks(table.clocks),
        proposal=PROPOSAL.encode(table.proposal) if table.proposal else None,
        undo_to_version=table.free_undo(seat),
        **part,
    )


def check_views(codec, table):
    for seat in (None, *map(Seat, range(len(table.chairs)))):
        expected, encoded = view_of_messages(codec, table, seat), codec.encoded_view(table, seat)
        assert expected == as_message(encoded)
        assert printed(expected) == json.loads(write_json(encoded))


def event_of_messages(codec, table, record):
    """Builds an event of a title from messages only."""
    body = codec.titles[table.rules.title].event.encode(record.event)
    return game_pb2.Event(
        version=record.version,
        event_time=timestamp(record.at),
        seat=record.seat,
        continues=record.continues,
        clocks=codec.clocks(record.clocks),
        **{table.rules.title: body},
    )


def check_events(codec, table, records):
    for seat in (None, *map(Seat, range(len(table.chairs)))):
        for record in records:
            for everything in (False, True):
                encoded = codec.encoded_event(table, record, seat, everything=everything)
                assert printed(encoded.message) == json.loads(orjson.dumps(encoded.json))
                if not isinstance(record.event, TABLE_EVENTS):
                    shown = without_identities(record) if everything else redacted(table.rules, record, seat)
                    expected = event_of_messages(codec, table, shown)
                    assert expected.SerializeToString(deterministic=True) == encoded.binary


@EACH
@pytest.mark.parametrize("settings", [{}, {"clock": CLOCK}])
async def test_views_and_events_are_what_their_messages_say(title, settings):
    """Compares whole random games, for every seat and for spectators."""
    coin, seats = random.Random(f"{title}{settings}"), max(CATALOG[title].seats)
    service = Service(luck=title)
    game_id, tokens = await service.full_table(title, seats, **settings)
    codec, seen = service.codec.renderer, 0
    for _ in range(budget(20, 120)):
        table = await service.application.tables.current(game_id)
        check_views(codec, table)
        check_events(codec, table, await service.application.tables.read(game_id, after=seen))
        seen = table.version
        if not table.decisions:
            break
        token = tokens[table.decisions[0].seat]
        legal = await service.call("ListLegalActions", token, game_id=game_id)
        await service.move(game_id, token, coin.randrange(len(legal.actions)))


async def test_a_view_is_made_anew_when_anything_in_it_has_changed():
    """Names, seats, proposals and the end of a game are not part of the title's state."""
    service = Service()
    game_id = (await service.call("CreateGame", title="tides")).game.game_id
    codec, tables = service.codec.renderer, service.application.tables
    check_views(codec, await tables.current(game_id))
    tokens = []
    for name in NAMES[:2]:
        tokens.append(await service.join(game_id, display_name=name))
        check_views(codec, await tables.current(game_id))
    for step in (
        ("ProposeAbandon", tokens[0], {}),
        ("RevokeSeatTokens", tokens[0], {}),
        ("Resign", tokens[1], {}),
    ):
        await service.call(step[0], step[1], game_id=game_id, **step[2])
        check_views(codec, await tables.current(game_id))


@EACH
async def test_a_response_is_the_same_over_every_transport(title):
    service = Service(luck=title)
    game_id, tokens = await service.full_table(title)
    for _ in range(12):
        view = (await service.call("GetView", game_id=game_id)).view
        if not view.decisions:
            break
        token = tokens[view.decisions[0].seat]
        request = await service.request(game_id, token)
        method = service.methods["PlayAction"]
        call = Call(f"Bearer {token}", "test")

        answer = await service.dispatch.unary(method, partial(method.request, **request), call, unchanged)

        assert printed(as_message(answer)) == json.loads(write_json(answer))


@pytest.mark.parametrize(
    "at", [0, 1, 999, 1000, 123_456, 1_800_000_000_000_000, 1_800_000_000_500_000, 1_799_999_999_999_999]
)
def test_a_time_is_written_as_a_timestamp(at):
    assert timestamp(at).ToJsonString() == timestamp_text(at)
