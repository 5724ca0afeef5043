"""Helpers to set up positions of Tides of Time."""

from __future__ import annotations

from gamehost.rules.chance import ScriptedChance
from gamehost.rules.kit import Seat, replay
from gamehost.titles.tides.rules import TIDES
from gamehost.titles.tides.rules.actions import Action, ChooseCard, ChooseRelic
from gamehost.titles.tides.rules.events import Event
from gamehost.titles.tides.rules.material import Card
from gamehost.titles.tides.rules.model import State
from gamehost.titles.tides.rules.options import Options

FIRST, SECOND = Seat(0), Seat(1)
NEST, DIVIDE, PALACE, LIBRARY, WELL, CITADELS, ZIGGURAT, BATHS, MAZE = list(Card)[:9]
EYE, SHACKLES, PASS, SPRING, PILLARS, VESTIBULE, MOLEHILL, ROOF, PORT = list(Card)[9:]

HANDS = ((NEST, DIVIDE, PALACE, LIBRARY, WELL), (CITADELS, ZIGGURAT, BATHS, MAZE, EYE))
ROUND_ONE = ((NEST, CITADELS), (ZIGGURAT, DIVIDE), (PALACE, BATHS), (MAZE, LIBRARY))
"""What each seat plays of HANDS, pick by pick; WELL and EYE are the last cards."""

DRAWS = ((SHACKLES, PASS), (SPRING, PILLARS)), ((VESTIBULE, MOLEHILL), (ROOF, PORT))


def dealt(hands: tuple[tuple[Card, ...], ...] = HANDS, options: Options | None = None) -> State:
    return replay(TIDES, TIDES.setup(options or Options(), 2, ScriptedChance(*hands)))


def told(state: State, seat: Seat, action: Action, *luck: tuple[Card, ...]) -> list[Event]:
    return list(TIDES.decide(state, seat, action, ScriptedChance(*luck)))


def after(state: State, seat: Seat, action: Action, *luck: tuple[Card, ...]) -> State:
    return replay(TIDES, told(state, seat, action, *luck), state)


def drafted(state: State, *picks: tuple[Card, Card]) -> State:
    for first, second in picks:
        state = after(state, FIRST, ChooseCard(first))
        state = after(state, SECOND, ChooseCard(second))
    return state


def kept(state: State, first: ChooseRelic, second: ChooseRelic, draws: tuple[tuple[Card, ...], ...]) -> State:
    return after(after(state, FIRST, first), SECOND, second, *draws)


def any_round(state: State) -> State:
    """Plays a round in which both always choose their lowest card."""
    for _ in range(4):
        state = drafted(state, (min(state.seats[0].hand), min(state.seats[1].hand)))
    return state


def lowest_two(state: State, seat: Seat) -> ChooseRelic:
    return ChooseRelic(*sorted(state.seats[seat].played)[:2])


def finished(options: Options | None = None) -> State:
    state = any_round(dealt(options=options))
    for draws in DRAWS:
        state = any_round(kept(state, lowest_two(state, FIRST), lowest_two(state, SECOND), draws))
    return state
