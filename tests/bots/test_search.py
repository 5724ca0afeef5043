"""Tests of the search bot: its time budget, its sampled worlds, and the endgame that it solves."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

import pytest

from bots.tables import luck, random_game
from gamehost.bots.bot import QuickChance
from gamehost.bots.levels import NoSuchBot, bot
from gamehost.bots.random_bot import RandomBot
from gamehost.bots.search import budget
from gamehost.bots.search.antithetic import AntitheticChance
from gamehost.bots.search.budget import Budget, InvalidBudget, parse_budget
from gamehost.bots.search.matrix import solve
from gamehost.bots.search.playouts import PlayoutBot
from gamehost.rules.catalog import CATALOG
from gamehost.rules.chance import SeededChance
from gamehost.rules.kit import led_to, replay
from gamehost.titles.tides.endgame import MARGIN, TidesEndgame, is_endgame
from gamehost.titles.tides.rules import TIDES


def questions(title, number=5):
    rules = CATALOG[title]
    asked = [one for one in random_game(rules, 2, rules.options(), f"search {title}") if len(one[2]) > 1]
    return asked[:: max(1, len(asked) // number)]


@pytest.mark.parametrize("title", CATALOG)
def test_so_many_iterations_answer_the_same_for_the_same_luck(title):
    for view, decision, actions in questions(title):
        first, second = (
            bot(title, "search:12").decide(view, decision, actions, SeededChance(b"luck", 3)) for _ in "12"
        )

        assert first in actions
        assert first == second


def test_a_search_without_a_heuristic_is_much_better_than_chance():
    """As for a title without a module `greedy`. With random values it leads by 16 points on an average."""
    bots = PlayoutBot(TIDES, parse_budget("20")), RandomBot()
    leads = []
    for number in range(6):
        seats = bots if number % 2 else bots[::-1]
        outcome = TIDES.outcome(played_out(TIDES, seats, luck(f"game {number}")))
        own = seats.index(bots[0])
        leads.append(outcome.scores[own] - outcome.scores[1 - own])

    assert sum(leads) / len(leads) > 22


def played_out(rules, seats, coin):
    """The end of a game between these bots."""
    state = replay(rules, rules.setup(rules.options(), len(seats), coin))
    while decisions := rules.decisions(state):
        seat = decisions[0].seat
        actions = list(rules.legal_actions(state, seat))
        action = seats[seat].decide(rules.view(state, seat), decisions[0], actions, coin)
        state = led_to(rules, rules.decide(state, seat, action, coin), state)
    return state


@dataclass
class Clocks:
    """Fake CPU and wall clocks, which advance by a fixed amount at every reading."""

    thinking: float
    passing: float
    looks: Counter = field(default_factory=Counter, init=False)

    def thread_time(self):
        self.looks["processor"] += 1
        return self.looks["processor"] * self.thinking

    def monotonic(self):
        self.looks["wall"] += 1
        return self.looks["wall"] * self.passing


@pytest.fixture
def clocks(monkeypatch):
    """Replaces the clocks that a budget reads."""

    def put(thinking, passing):
        monkeypatch.setattr(budget, "time", found := Clocks(thinking, passing))
        return found

    return put


def spent(budget):
    """Returns the shares of the steps, at most a hundred."""
    return list(itertools.islice(budget.spend(), 100))


def test_seconds_are_those_of_the_thread_that_thinks(clocks):
    clocks(thinking=0.125, passing=0.5)

    assert [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875] == spent(Budget(seconds=1))


def test_nobody_waits_much_longer_for_a_thread_that_is_kept_from_thinking(clocks):
    clocks(thinking=0.0, passing=2.5)

    assert [0, 0.25, 0.5, 0.75] == spent(Budget(seconds=1))


def test_a_budget_is_spent_on_the_clocks_of_this_machine():
    shares = list(Budget(seconds=0.02).spend())

    assert sorted(shares) == shares
    assert 0 == shares[0] < shares[-1] < 1


@pytest.mark.parametrize("title", CATALOG)
def test_a_search_keeps_its_budget(title, clocks):
    """It reads the clock before every iteration, and ends when its time is over."""
    for view, decision, actions in questions(title, 3):
        clock = clocks(thinking=0.01, passing=0.01)

        bot(title, "search:0.1s").decide(view, decision, actions, luck(1))

        assert (
            clock.looks["processor"] <= 0.1 / 0.01 + 2
        )  # an endgame of Tides is solved without reading the clock


@pytest.mark.parametrize("title", CATALOG)
def test_a_search_that_is_given_a_share_of_its_time_looks_at_the_clock_less_often(title, clocks):
    view, decision, actions = questions(title)[0]
    looks = []
    for share in (1.0, 0.2):
        found = clocks(thinking=0.01, passing=0.01)
        assert bot(title, "search", share).decide(view, decision, actions, luck(title)) in actions
        looks.append(found.looks["processor"])

    assert looks[1] < looks[0]


def test_a_share_of_the_time_leaves_iterations_as_they_are():
    view, decision, actions = questions("tides")[0]

    answers = [
        bot("tides", "search:12", share).decide(view, decision, actions, SeededChance(b"luck", 3))
        for share in (1.0, 0.2)
    ]

    assert answers[0] == answers[1]
    assert Budget(iterations=12) == Budget(iterations=12).reduced(0.2)
    assert Budget(seconds=0.1) == Budget(seconds=0.5).reduced(0.2)


def test_a_budget_is_said_in_seconds_or_iterations():
    assert Budget(seconds=0.25) == parse_budget("0.25s")
    assert Budget(iterations=40) == parse_budget("40")
    assert 40 == len(list(parse_budget("40").spend()))


@pytest.mark.parametrize("words", ["0", "-3", "0s", "soon", "1.5", "61s", "nans", "s"])
def test_other_words_are_no_budget(words):
    with pytest.raises(InvalidBudget, match="use seconds"):
        parse_budget(words)
    with pytest.raises(NoSuchBot, match=f"there is no level search:{words}"):
        bot("tides", f"search:{words}")


def test_antithetic_dice_are_average_in_sum_and_fair_each():
    dice = AntitheticChance(luck("dice"))
    rolls = [dice.roll(5) for _ in range(6000)]

    assert {17, 18} == {sum(roll) for roll in rolls}
    for face in range(1, 7):
        assert 800 < sum(roll[0] == face for roll in rolls) < 1200


def test_antithetic_luck_can_be_had_again():
    dice = AntitheticChance(luck("dice"))
    seed = dice.seed()

    dice.restart(seed)
    first = dice.roll(4), dice.draw(range(50), 5)
    dice.restart(seed)

    assert first == (dice.roll(4), dice.draw(range(50), 5))


# Matrix games


def value_by_supports(payoffs):
    """Returns the value of a small matrix game, by trying every pair of supports in exact arithmetic."""
    rows, columns = range(len(payoffs)), range(len(payoffs[0]))
    best = max(min(row) for row in payoffs)
    for size in range(2, min(len(rows), len(columns)) + 1):
        for chosen in itertools.combinations(rows, size):
            for others in itertools.combinations(columns, size):
                mix = equaliser([[payoffs[row][column] for row in chosen] for column in others])
                if mix is not None and min(mix) >= 0:
                    mixed = dict(zip(chosen, mix, strict=True))
                    guarantee = min(
                        sum(share * payoffs[row][column] for row, share in mixed.items())
                        for column in columns
                    )
                    best = max(best, guarantee)
    return best


def equaliser(rows):
    """Returns the shares with which all columns pay the same, by elimination; None if there are none."""
    size = len(rows)
    system = [[*map(Fraction, row), Fraction(-1), Fraction(0)] for row in rows]
    system.append([Fraction(1)] * size + [Fraction(0), Fraction(1)])
    for at in range(size + 1):
        pivot = next((row for row in range(at, size + 1) if system[row][at]), None)
        if pivot is None:
            return None
        system[at], system[pivot] = system[pivot], system[at]
        system[at] = [value / system[at][at] for value in system[at]]
        for row in range(size + 1):
            if row != at:
                factor = system[row][at]
                system[row] = [a - factor * b for a, b in zip(system[row], system[at], strict=True)]
    return [row[-1] for row in system[:-1]]


def test_matching_pennies_are_mixed_evenly():
    value, mix = solve([[1, -1], [-1, 1]])

    assert [0, 0.5, 0.5] == pytest.approx([value, *mix])


def test_a_saddle_point_is_played_outright():
    assert (2, [0, 1]) == solve([[1, 5], [2, 3]])


def test_matrix_games_have_the_value_of_their_best_supports():
    coin = QuickChance(SeededChance(b"matrix", 0))
    for number in range(150):
        height, width = coin.roll(2, 4)
        payoffs = [[face - 4 for face in coin.roll(width, 7)] for _ in range(height)]

        value, mix = solve(payoffs)

        assert float(value_by_supports(payoffs)) == pytest.approx(value), (number, payoffs)
        assert 1 == pytest.approx(sum(mix))
        assert min(mix) >= -1e-9
        for column in range(width):
            gained = sum(share * row[column] for share, row in zip(mix, payoffs, strict=True))
            assert gained >= value - 1e-9


# The endgame of Tides of Time


def value_by_rules(state, seat):
    """Returns the value of a third round for a seat, by playing out every choice with the rules."""
    outcome = TIDES.outcome(state)
    if outcome is not None:
        lead = outcome.scores[seat] - outcome.scores[1 - seat]
        return Fraction((lead > 0) - (lead < 0) + 1, 2) + Fraction(MARGIN).limit_denominator() * lead
    payoffs = []
    for action in TIDES.legal_actions(state, seat):
        chosen = led_to(TIDES, TIDES.decide(state, seat, action, luck(0)), state)
        answers = list(TIDES.legal_actions(chosen, 1 - seat))
        after = (led_to(TIDES, TIDES.decide(chosen, 1 - seat, each, luck(0)), chosen) for each in answers)
        payoffs.append([value_by_rules(world, seat) for world in after])
    return value_by_supports(payoffs)


def endgames(cards):
    """Yields views of third rounds with so many cards in hand, before any choice."""
    for seed in range(60):
        for view, decision, _ in random_game(TIDES, 2, TIDES.options(), seed):
            fresh = not any(seat.has_chosen for seat in view.seats)
            if is_endgame(view) and fresh and len(view.hand) == cards:
                yield view, decision.seat


@pytest.mark.parametrize(("cards", "games"), [(2, 12), (3, 6), (4, 1)])
def test_the_endgame_of_tides_is_solved_as_by_playing_everything_out(cards, games):
    for view, seat in itertools.islice(endgames(cards), games):
        state = TIDES.imagine(view, luck(1))

        value, mix = TidesEndgame(view).solve()

        assert float(value_by_rules(state, seat)) == pytest.approx(value)
        assert set(view.hand) == set(mix)


def test_what_is_solved_for_one_seat_is_the_rest_for_the_other():
    for view, seat in itertools.islice(endgames(5), 3):
        other = TIDES.view(TIDES.imagine(view, luck(1)), 1 - seat)

        assert 1 == pytest.approx(TidesEndgame(view).solve()[0] + TidesEndgame(other).solve()[0])
