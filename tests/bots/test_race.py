"""Tests of the race between candidates of a search: which continue, and when it ends."""

from __future__ import annotations

from random import Random

from gamehost.bots.search.race import MIN_ROUNDS, Race


def rounds_until_over(values, most=500):
    """Returns the leader and the rounds of a race; `values` gives the value of each candidate in a round."""
    names = "abcdef"[: len(values(0))]
    race = Race(dict.fromkeys(names, 1 / len(names)))
    for number in range(most):
        told = dict(zip(names, values(number), strict=True))
        while race.pending:
            candidate = race.pending.pop()
            race.record(candidate, told[candidate])
        if len(race.next_round(number / most)) == 1:
            return race.leader, number + 1
    return race.leader, most


def test_one_that_is_clearly_ahead_wins_at_once():
    assert ("b", MIN_ROUNDS) == rounds_until_over(lambda _: (0.4, 0.7, 0.3))


def test_what_all_meet_alike_does_not_hide_who_is_ahead():
    luck = Random(1)

    def values(_):
        world = luck.uniform(0.1, 0.8)
        return world + luck.gauss(0, 0.01), world + 0.05 + luck.gauss(0, 0.01)

    winner, rounds = rounds_until_over(values)

    assert "b" == winner
    assert rounds < 2 * MIN_ROUNDS


def test_it_is_thought_on_while_the_first_rounds_can_mislead():
    luck = Random(2)
    lost = 0
    for _ in range(100):
        winner, rounds = rounds_until_over(lambda _: (luck.gauss(0.5, 0.2), luck.gauss(0.6, 0.2)))
        lost += winner != "b"
        assert rounds >= MIN_ROUNDS

    assert lost < 20


def test_equals_are_not_thought_about_for_ever():
    luck = Random(3)

    def values(_):
        world = luck.random()
        return world, world

    assert MIN_ROUNDS < rounds_until_over(values)[1] < 60


def test_half_of_the_candidates_are_left_when_half_of_the_budget_is_spent():
    race = Race(dict.fromkeys("abcdefgh", 0.125))
    luck = Random(4)
    while race.pending:
        race.record(race.pending.pop(), luck.random())

    assert 4 == len(race.next_round(0.5))
    assert 2 == len(race.next_round(1.0))
