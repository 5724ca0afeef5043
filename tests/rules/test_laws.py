"""Laws of every title in the catalog; `tests/titles/<title>/facts.py` has the facts of a title."""

from __future__ import annotations

import random
import re
from dataclasses import fields

import pytest
from hypothesis import strategies as st

from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import IllegalAction, Seat, led_to, replay

from .checks import check_questions, check_view_hides
from .facts import FACTS
from .playouts import TITLES, any_action, games, law

ENOUGH = 25  # listed actions to try at most


def answer(rules, state, seat, action):
    """Returns the events, or the refusal as a tuple; the luck is always the same."""
    try:
        return list(rules.decide(state, seat, action, SeededChance(b"law", 0)))
    except IllegalAction as refusal:
        return refusal.reason, refusal.rule, refusal.detail


@TITLES
def test_a_title_explains_itself(rules):
    assert rules.title == rules.title.lower()
    assert rules.name
    assert rules.summary
    assert rules.texts
    assert all(re.fullmatch(r"[A-Z]{2}-\d+", rule) and words for rule, words in rules.texts.items())
    assert all(each.metadata["meaning"] for each in fields(rules.options))
    for words in rules.texts.values():
        sentences = re.split(r"(?<=[.;]) ", words)
        assert len(set(sentences)) == len(sentences)


@law()
def test_events_alone_rebuild_the_state(rules, place):
    game, position = place.of(rules)

    assert replay(rules, game.events[: position.told]) == position.state


@law()
def test_the_same_luck_gives_the_same_events(rules, place):
    game, position = place.of(rules)
    if position.move is None:
        return

    again = rules.decide(position.state, *position.move, game.chance(position))

    assert list(again) == list(game.events[position.told : position.told + len(again)])
    assert replay(rules, again, position.state) == led_to(rules, again, position.state)


@TITLES
def test_every_game_ends_and_only_then_is_nobody_asked(rules):
    for game in games(rules):
        for position in game.positions:
            over = rules.outcome(position.state) is not None
            assert over == (not rules.decisions(position.state))
        assert over


@TITLES
def test_the_outcome_has_a_place_for_every_seat(rules):
    for game in games(rules):
        outcome = rules.outcome(game.positions[-1].state)
        assert len(outcome.ranks) == len(outcome.scores) == game.seats
        assert min(outcome.ranks) == 1
        assert re.fullmatch(r"[A-Z][A-Z_]+", outcome.reason)


@law()
def test_exactly_the_seats_asked_have_something_to_do(rules, place):
    game, position = place.of(rules)
    asked = [decision.seat for decision in rules.decisions(position.state)]

    able = [seat for seat in game.viewers[1:] if any(True for _ in rules.legal_actions(position.state, seat))]

    assert len(set(asked)) == len(asked)
    assert sorted(asked) == able


@law(salt=st.integers(0, 99))
def test_what_is_listed_is_accepted(rules, place, salt):
    _, position = place.of(rules)
    for decision in rules.decisions(position.state):
        listed = list(rules.legal_actions(position.state, decision.seat))
        assert len(set(listed)) == len(listed)
        kinds = {type(action) for action in listed}
        assert kinds <= set(decision.kinds) <= set(rules.actions)
        assert set(decision.kinds) - kinds <= set(FACTS[rules.title].held)
        for action in random.Random(salt).sample(listed, min(ENOUGH, len(listed))):
            events = rules.decide(position.state, decision.seat, action, SeededChance(b"law", 0))
            assert replay(rules, events, position.state) != position.state


@law(examples=300, data=st.data())
def test_what_is_not_listed_is_refused_with_a_reason_and_a_rule(rules, place, data):
    game, position = place.of(rules)
    seat = Seat(data.draw(st.integers(0, game.seats), label="seat"))
    action = data.draw(any_action(rules), label="action")
    if action in list(rules.legal_actions(position.state, seat)):
        return

    with pytest.raises(IllegalAction) as caught:
        rules.decide(position.state, seat, action, SeededChance(b"law", 0))

    assert re.fullmatch(r"[A-Z][A-Z_]+", caught.value.reason)
    assert caught.value.rule in rules.texts
    assert caught.value.detail


@law(salt=st.integers(0, 99))
def test_a_view_says_nothing_about_what_is_hidden(rules, place, salt):
    game, position = place.of(rules)
    for seat in game.viewers:
        world = check_view_hides(rules, position.state, seat, salt)

        assert rules.decisions(world) == rules.decisions(position.state)
        assert rules.outcome(world) == rules.outcome(position.state)
        assert FACTS[rules.title].pieces(world) == FACTS[rules.title].pieces(position.state)
        if seat is not None:
            assert list(rules.legal_actions(world, seat)) == list(rules.legal_actions(position.state, seat))


@law(examples=200, data=st.data())
def test_a_refusal_says_nothing_about_what_is_hidden(rules, place, data):
    game, position = place.of(rules)
    seat = Seat(data.draw(st.integers(0, game.seats - 1), label="seat"))
    action = data.draw(any_action(rules), label="action")
    world = rules.imagine(rules.view(position.state, seat), SeededChance(b"another world", 0))
    refusal = answer(rules, position.state, seat, action)

    elsewhere = answer(rules, world, seat, action)

    assert isinstance(refusal, tuple) == isinstance(elsewhere, tuple)
    assert refusal == elsewhere or isinstance(refusal, list)


@law(salt=st.integers(0, 99))
def test_an_imagined_world_can_be_played_to_its_end(rules, place, salt):
    game, position = place.of(rules)
    coin = random.Random(salt)
    state = rules.imagine(rules.view(position.state, coin.choice(game.viewers)), SeededChance(b"world", salt))
    for turn in range(FACTS[rules.title].longest):
        if not (questions := rules.decisions(state)):
            break
        seat = coin.choice(list(questions)).seat
        action = coin.choice(list(rules.legal_actions(state, seat)))
        state = replay(rules, rules.decide(state, seat, action, SeededChance(b"world", turn)), state)

    assert rules.outcome(state) is not None


@law()
def test_a_witness_names_only_what_the_seat_sees(rules, place):
    game, position = place.of(rules)
    told = replay(rules, game.events[: position.told])
    for event in game.events[position.told : position.told + 20]:
        told = rules.evolve(told, event)
        for seat in game.viewers:
            named = FACTS[rules.title].named(rules.witness(event, seat))
            assert named <= FACTS[rules.title].placed(rules.view(told, seat))


@law()
def test_a_witness_is_the_same_kind_of_event_and_no_truth(rules, place):
    game, position = place.of(rules)
    for event in game.events[position.told : position.told + 20]:
        for seat in game.viewers:
            seen = rules.witness(event, seat)
            assert type(seen) is type(event)
            assert rules.witness(seen, seat) == seen
            if seen != event:
                with pytest.raises(ValueError, match="witnessed"):
                    rules.evolve(position.state, seen)


@TITLES
def test_pieces_are_neither_lost_nor_made(rules):
    for game in games(rules):
        first, *others = (FACTS[rules.title].pieces(position.state) for position in game.positions)
        assert all(first == other for other in others)


@TITLES
def test_a_question_keeps_its_id_until_answered_and_is_never_put_again(rules):
    for game in games(rules):
        check_questions(rules, game)


@law()
def test_a_sealed_choice_is_seen_by_nobody_else(rules, place):
    game, position = place.of(rules)
    questions = rules.decisions(position.state)
    if len(questions) < 2:
        return
    chooser, *_ = (decision.seat for decision in questions)
    choices = [
        a for a in rules.legal_actions(position.state, chooser) if type(a) in FACTS[rules.title].sealed
    ]
    for seat in set(game.viewers) - {chooser}:
        seen = [as_seen(rules, position.state, chooser, action, seat) for action in choices]
        assert all(other == seen[0] for other in seen)


def as_seen(rules, state, chooser, action, seat):
    """Returns everything that `seat` is shown after `action` of `chooser`."""
    events = answer(rules, state, chooser, action)
    after = replay(rules, events, state)
    return (
        rules.view(after, seat),
        rules.decisions(after),
        [] if seat is None else list(rules.legal_actions(after, seat)),
        [rules.witness(event, seat) for event in events],
    )


@law()
def test_listed_actions_read_differently(rules, place):
    _, position = place.of(rules)
    for decision in rules.decisions(position.state):
        listed = list(rules.legal_actions(position.state, decision.seat))
        texts = [rules.describe(action) for action in listed]
        assert len({text.english for text in texts}) == len(listed)
        assert all(text.id.startswith(f"{rules.title}.") for text in (*texts, decision.prompt))
