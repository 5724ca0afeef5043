"""The steps of a round: deal, draft, scoring and relics."""

from __future__ import annotations

from gamehost.rules.kit import Seat

from .actions import ChooseRelic
from .events import (
    CardChosen,
    CardsDrawn,
    CardsRevealed,
    GameEnded,
    HandReceived,
    RelicChosen,
    RelicsRevealed,
    RoundBegun,
    RoundScored,
)
from .evolve import GameStory
from .material import DRAWN_BETWEEN_ROUNDS, ROUNDS, Card
from .scoring import score, totals


def draw(story: GameStory, count: int) -> None:
    """Draws cards for each seat, seat 0 first. A card is chosen at random when it is drawn."""
    for number in range(len(story.state.seats)):
        story.tell(CardsDrawn(Seat(number), story.chance.draw(sorted(story.state.pile), count)))


def choose_card(story: GameStory, seat: Seat, card: Card) -> None:
    """TT-2: places the card face down, and reveals both cards once both seats have chosen."""
    story.tell(CardChosen(seat, card))
    chosen = [side.chosen_card for side in story.state.seats if side.chosen_card is not None]
    if len(chosen) == len(story.state.seats):
        reveal_cards(story, tuple(chosen))


def reveal_cards(story: GameStory, cards: tuple[Card, ...]) -> None:
    story.tell(CardsRevealed(cards))
    exchange_hands(story)
    hands = [side.hand for side in story.state.seats]
    if all(len(hand) == 1 for hand in hands):
        play_last_cards(story, tuple(card for hand in hands for card in hand))


def exchange_hands(story: GameStory) -> None:
    """TT-2: gives each seat the remaining hand of the other."""
    passed = [tuple(sorted(side.hand)) for side in reversed(story.state.seats)]
    story.tell(*(HandReceived(Seat(number), cards) for number, cards in enumerate(passed)))


def play_last_cards(story: GameStory, cards: tuple[Card, ...]) -> None:
    """TT-2: plays the last card of each hand without asking, and scores the round."""
    story.tell(CardsRevealed(cards))
    score_round(story)


def score_round(story: GameStory) -> None:
    """TT-5, TT-8: scores both kingdoms, and ends the game after the third round."""
    state = story.state
    scores = score(tuple(side.kingdom for side in state.seats), state.options)
    story.tell(RoundScored(state.round, scores))
    if state.round == ROUNDS:
        story.tell(GameEnded(totals(story.state)))


def choose_relic(story: GameStory, seat: Seat, choice: ChooseRelic) -> None:
    """TT-6: keeps the choice secret, and reveals both choices once both seats have chosen."""
    story.tell(RelicChosen(seat, choice.relic, choice.removed))
    chosen = [side.chosen_relic for side in story.state.seats if side.chosen_relic is not None]
    if len(chosen) == len(story.state.seats):
        reveal_relics(story, chosen)


def reveal_relics(story: GameStory, chosen: list[ChooseRelic]) -> None:
    """TT-6: reveals the relics, returns the other cards to the hands, draws two each, begins the next round.

    TT-9: the pile is empty after the draw before round 3.
    """
    relics, removed = zip(*((choice.relic, choice.removed) for choice in chosen), strict=True)
    story.tell(RelicsRevealed(relics, removed))
    draw(story, DRAWN_BETWEEN_ROUNDS)
    story.tell(RoundBegun(story.state.round + 1))
