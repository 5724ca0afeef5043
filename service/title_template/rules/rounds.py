"""The steps of a round: draw, choose and reveal."""

from __future__ import annotations

from gamehost.rules.kit import Seat

from .events import CardChosen, CardsDrawn, CardsRevealed, GameEnded
from .evolve import GameStory
from .material import Card


def draw(story: GameStory, count: int) -> None:
    """Draws cards for each seat, seat 0 first. The deck is sorted, because its order is part of the proof."""
    for number in range(len(story.state.seats)):
        cards = story.chance.draw(sorted(story.state.deck), count)
        story.tell(CardsDrawn(Seat(number), cards))


def choose_card(story: GameStory, seat: Seat, card: Card) -> None:
    """XT-2: lays the card face down, and reveals all cards once every seat has chosen."""
    story.tell(CardChosen(seat, card))
    chosen = tuple(side.chosen for side in story.state.seats if side.chosen is not None)
    if len(chosen) == len(story.state.seats):
        reveal(story, chosen)


def reveal(story: GameStory, cards: tuple[Card, ...]) -> None:
    """XT-3: gives the point; XT-4: draws a card for everyone if enough are left; XT-5: may end the game."""
    best = min(cards) if story.state.options.lowest_wins else max(cards)
    story.tell(CardsRevealed(cards, Seat(cards.index(best))))
    if len(story.state.deck) >= len(cards):
        draw(story, 1)
    if not any(seat.hand for seat in story.state.seats):
        story.tell(GameEnded(tuple(seat.points for seat in story.state.seats)))
