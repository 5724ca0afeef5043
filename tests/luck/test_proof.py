"""Tests of the verifier: it decides a game again, and names the first difference."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from google.protobuf.message import Message

from gamehost.codec.exported_game import ExportedGame, recorded_game
from gamehost.codec.process_codec import CODEC
from gamehost.commands.recorded.verify import Verdict, verify_game
from gamehost.play.proof import Mismatch, ProofStep, ProvenCause, cause_of, prove, steps
from gamehost.play.table.events import TABLE_EVENTS
from gamehost.rules.catalog import CATALOG
from gamehost.rules.chance import SeededChance
from shedu.v1 import game_pb2
from support.service import Service

from .games import exported, finished, play

EACH = pytest.mark.parametrize("title", CATALOG)


def altered(game: ExportedGame, change: Callable[[ExportedGame], object]) -> Verdict:
    """Returns the verdict on a changed copy of a game."""
    copied = game_pb2.Game()
    copied.CopyFrom(game.game)
    events = []
    for event in game.events:
        events.append(game_pb2.Event())
        events[-1].CopyFrom(event)
    copy = ExportedGame(copied, events)
    change(copy)
    return verify_game(copy)


def leaves(message: Message) -> Iterator[Callable[[], None]]:
    """Yields for each value in a message a function that changes it."""
    for field, value in message.ListFields():
        if field.message_type is not None:
            for part in value if field.is_repeated else [value]:
                yield from leaves(part)
        elif field.is_repeated:
            yield from (lambda items=value, at=at: exchange(items, at) for at in range(len(value)))
        else:
            yield lambda name=field.name, value=value: setattr(message, name, other(value))


def exchange(items: Any, at: int) -> None:
    items[at] = other(items[at])


def other(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + 1 if value < 2 else value - 1
        case str():
            return value + "!"
        case _:
            return bytes(value) + b"!"


@EACH
async def test_a_game_is_as_its_seed_says(title):
    game = await finished(title)

    verdict = verify_game(game)

    assert verdict.verified, verdict.text
    assert verdict.numbers > 0
    assert verdict.decisions > 0


@EACH
async def test_whatever_is_changed_in_the_deal_is_found(title):
    game = await finished(title)
    start = next(at for at, event in enumerate(game.events) if event.HasField("game_started"))
    deal = range(
        start + 1, next(at for at in range(start, len(game.events)) if not game.events[at].continues) + 1
    )
    values = [(at, which) for at in deal for which, _ in enumerate(leaves(getattr(game.events[at], title)))]

    for at, which in random.Random(title).sample(values, min(30, len(values))):
        verdict = altered(game, lambda copy, at=at, which=which: own_leaf(copy, at, title, which))

        assert not verdict.verified, game.events[at]
        assert verdict.unchecked or verdict.mismatch["version"] == game.events[at].version


def own_leaf(copy: ExportedGame, at: int, title: str, which: int) -> None:
    [*leaves(getattr(copy.events[at], title))][which]()


@EACH
async def test_luck_that_was_rolled_again_is_found(title):
    """The log of a service that drew again until it liked the result."""
    game = recorded_game(CODEC, await finished(title))
    lucky = [
        (step, cause)
        for step in steps(game.game_id, game.rules, game.records)
        if (cause := cause_of(step, game.seed)) and cause.numbers and cause.action is not None
    ]

    found = 0
    for step, cause in lucky:
        again = list(decide_again(step, cause))
        told = [record.event for record in step.records if not isinstance(record.event, TABLE_EVENTS)]
        if len(again) != len(told) or again == told:
            continue
        changed = [record.event for record in step.records]
        changed[: len(told)] = again
        forged = list(game.records)
        for record, event in zip(step.records, changed, strict=True):
            forged[record.version - 1] = replace(record, event=event)
        with pytest.raises(Mismatch) as mismatch:
            prove(game.game_id, game.rules, forged, game.seed)
        first = next(n for n, (old, new) in enumerate(zip(told, again, strict=True)) if old != new)
        assert step.records[first].version == mismatch.value.version
        found += 1
        if found == 8:
            break

    assert found


def decide_again(step: ProofStep, cause: ProvenCause) -> Sequence[Any]:
    assert step.before is not None
    chance = SeededChance(b"another seed", step.before.position)
    return step.before.rules.decide(step.before.state, cause.seat, cause.action, chance)


async def test_the_first_mismatch_of_a_draw_is_named():
    game = await finished("tides")
    at = next(at for at, event in enumerate(game.events) if event.tides.HasField("cards_drawn"))
    unseen = next(card for card in range(1, 19) if card not in game.events[at].tides.cards_drawn.cards)

    verdict = altered(game, lambda copy: put(copy.events[at].tides.cards_drawn.cards, unseen))

    assert at + 1 == verdict.mismatch["version"]
    assert "the seed leads to a different event" == verdict.mismatch["why"]
    assert verdict.mismatch["told"] != verdict.mismatch["due"]
    assert f"version {at + 1}" in verdict.text


def put(cards: Any, card: int) -> None:
    cards[0] = card


async def test_a_draw_in_the_middle_of_the_game_is_checked_too():
    game = await finished("tides")
    at = [at for at, event in enumerate(game.events) if event.tides.HasField("cards_drawn")][-1]

    def swap(copy: ExportedGame) -> None:
        cards = copy.events[at].tides.cards_drawn.cards
        cards[0], cards[1] = cards[1], cards[0]

    assert at + 1 == altered(game, swap).mismatch["version"]


@pytest.mark.parametrize(
    ("change", "version", "why"),
    [
        (
            lambda copy: setattr(copy.events[-1].seed_revealed, "seed", bytes(32)),
            1,
            "the revealed seed does not match the commitment",
        ),
        (lambda copy: exchange(copy.game.outcome.scores, 0), None, "ended with another outcome"),
        (lambda copy: exchange(copy.events[-2].game_finished.outcome.scores, 0), -1, "not give this outcome"),
        (lambda copy: copy.events.pop(20), 21, "the next event has version 22"),
        (lambda copy: copy.events.pop(-2), -1, "the next event has version 89"),
        (
            lambda copy: setattr(copy.events[1].seat_taken, "client_seed", b"another"),
            6,
            "the seed leads to a different event",
        ),
        (lambda copy: setattr(copy.game, "game_id", "a" * 20), 1, "commitment"),
    ],
    ids=["seed", "outcome line", "outcome event", "lost event", "lost end", "client seed", "game id"],
)
async def test_whatever_else_is_changed_is_found(change, version, why):
    game = await finished("tides")

    verdict = altered(game, change)

    assert verdict.mismatch is not None, verdict.text
    assert why in verdict.mismatch["why"]
    if version == -1:
        assert game.game.version - 1 == verdict.mismatch["version"]
    elif version is not None:
        assert version == verdict.mismatch["version"]


async def test_an_action_the_rules_refuse_is_found():
    """The service is not trusted: a log in which a seat plays a card that it does not hold is invalid."""
    game = await finished("tides")
    at = next(at for at, event in enumerate(game.events) if event.tides.HasField("card_chosen"))
    hands = [event.tides.cards_drawn for event in game.events if event.tides.HasField("cards_drawn")][:2]
    foreign = next(hand.cards[0] for hand in hands if hand.seat != game.events[at].seat)

    verdict = altered(game, lambda copy: setattr(copy.events[at].tides.card_chosen, "card", foreign))

    assert at + 1 == verdict.mismatch["version"]
    assert "no legal action leads to this" == verdict.mismatch["why"]


@pytest.mark.parametrize(
    ("policy", "token_of", "why"),
    [
        (game_pb2.REVEAL_POLICY_NEVER, 0, "never revealed"),
        (game_pb2.REVEAL_POLICY_PARTICIPANTS, None, "revealed to its seats only"),
    ],
)
async def test_what_is_not_revealed_is_said_to_be_unchecked(policy, token_of, why):
    service = Service()
    game_id, tokens = await play(service, "tides", random.Random(1), reveal=policy)
    token = None if token_of is None else tokens[token_of]

    verdict = verify_game(await exported(service, game_id, token))

    assert (True, False, None) == (verdict.unchecked, verdict.verified, verdict.mismatch)
    assert why in verdict.text


async def test_a_participant_can_verify_what_is_revealed_to_participants():
    service = Service()
    policy = game_pb2.REVEAL_POLICY_PARTICIPANTS
    game_id, (_, bob) = await play(service, "tides", random.Random(1), reveal=policy)

    assert verify_game(await exported(service, game_id, bob)).verified


async def test_a_game_under_other_rules_is_said_to_be_unchecked():
    game = await finished("tides")

    def older(copy: ExportedGame) -> None:
        copy.game.rules_version = copy.events[0].game_created.rules_version = 99

    verdict = altered(game, older)

    assert verdict.unchecked
    assert "version 99 of the rules" in verdict.text


def test_the_codec_of_the_commands_knows_every_title():
    assert CATALOG.keys() == CODEC.titles.keys()
