"""The end of a turn and of the game: ship income, refill, ending (EC-50 to EC-63)."""

from __future__ import annotations

from collections.abc import Iterable

from gamehost.rules.kit import Seat

from .events import CardsDrawn, GameEnded, IncomeOffered, TurnBegun
from .evolve import GameStory
from .material import COLOURS, HAND, QUIET_ROUNDS, SHOWN, Colour, Ending, Ship
from .model import State
from .regions import WHOLE, region_of, ships_in, standing, treasures_in

NOTHING = (0, 0, 0, 0)
BLACK, RED, GREEN, BLUE = ((colour,) for colour in COLOURS)


def end_turn(story: GameStory) -> None:
    """Offers the income of ships (EC-50) or, if there is none, closes the turn (EC-51)."""
    state = story.state
    due = income_due(state, state.active)
    if any(due):
        story.tell(IncomeOffered(state.active, due))
    else:
        close_turn(story)


def income_due(state: State, seat: Seat) -> tuple[int, ...]:
    """EC-50: returns how many cards the seat may keep for ships that show the colour of its leaders there."""
    if len(state.ships) == len(Ship):
        return NOTHING
    places = standing(state.table, seat)
    return tuple(
        _earned(state, colour, places[colour].column) if colour in places else 0 for colour in COLOURS
    )


def _earned(state: State, colour: Colour, column: int) -> int:
    ships = ships_in(state.table, region_of(state.table, column))
    serving = sum(colour in SHOWN[ship] for ship in ships)
    return serving if state.options.income_per_ship else min(serving, 1)


def close_turn(story: GameStory) -> None:
    """EC-51, EC-60, EC-63: refills the hands, then begins the next turn or ends the game."""
    refill(story, story.state.active)
    state = story.state
    ending = how_it_ends(state)
    if ending is None:
        story.tell(TurnBegun(Seat((state.active + 1) % len(state.hands))))
    else:
        story.tell(GameEnded(ending, tuple(pile.counts for pile in state.piles)))


def refill(story: GameStory, first: Seat) -> None:
    """EC-51: refills hands to eight cards, that of `first` first, as long as the deck lasts."""
    seats = len(story.state.hands)
    for seat in (Seat((first + step) % seats) for step in range(seats)):
        state = story.state
        if count := min(HAND - sum(state.hands[seat]), sum(state.deck) - state.set_aside):
            story.tell(CardsDrawn(seat, story.chance.draw(laid_out(state.deck), count)))


def laid_out(counts: Iterable[int]) -> tuple[Colour, ...]:
    """Returns the cards, sorted, from their numbers by colour."""
    black, red, green, blue = counts
    return BLACK * black + RED * red + GREEN * green + BLUE * blue


def how_it_ends(state: State) -> Ending | None:
    """Returns why the game ends after this turn, or None (EC-60, EC-63)."""
    if any(sum(hand) < HAND for hand in state.hands):
        return Ending.DECK_EXHAUSTED
    if len(treasures_in(state.table, WHOLE)) == 1:
        return Ending.ONE_TREASURE_LEFT
    if state.turn - state.card_turn >= QUIET_ROUNDS * len(state.hands):
        return Ending.NO_CARD_PLAYED
    return None
