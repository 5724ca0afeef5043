"""The final scores and the outcome (SA-43, SA-44)."""

from __future__ import annotations

from collections import Counter

from gamehost.rules.kit import Outcome, ranks

from .final_score import FinalScore
from .material import LOWER, Card, Culture, Figures, Person, TieBreak
from .model import Player, State

UNUSED_ANY_TWO = 2


def final_score(player: Player) -> FinalScore:
    """SA-43: returns the points of a seat by source. Food and one-use tools give none."""
    cards = (*player.cards, *player.drawn)
    people = figures(cards)
    parts = {
        "tiles": player.tile_points,
        "cards": player.card_points,
        "cultures": culture_points(cards),
        "farmers": people[Person.FARMER] * player.food_track,
        "toolmakers": people[Person.TOOLMAKER] * player.tool_sum,
        "hut_builders": people[Person.HUT_BUILDER] * len(player.tiles),
        "shamans": people[Person.SHAMAN] * player.people,
        "resources": player.resources.total,
        "any_two": UNUSED_ANY_TWO if player.any_two else 0,
    }
    return FinalScore(**parts, hunger=player.hunger, total=sum(parts.values()) - player.hunger)


def culture_points(cards: tuple[Card, ...]) -> int:
    """Returns the squared number of different symbols, plus the same for the symbols held twice."""
    symbols = Counter(LOWER[card] for card in cards if isinstance(LOWER[card], Culture))
    return sum(sum(held >= copies for held in symbols.values()) ** 2 for copies in (1, 2))


def figures(cards: tuple[Card, ...]) -> Counter[Person]:
    count: Counter[Person] = Counter()
    for card in cards:
        lower = LOWER[card]
        if isinstance(lower, Figures):
            count[lower.person] += lower.count
    return count


def outcome(state: State) -> Outcome | None:
    if state.ended is None:
        return None
    standing = [(player.score, *tie_break(player, state.options.tie_break)) for player in state.players]
    scores = tuple(player.score for player in state.players)
    return Outcome(ranks(standing), scores, state.ended.name)


def tie_break(player: Player, mode: TieBreak) -> tuple[int, ...]:
    """SA-44: returns the values that break ties; seats that are still equal share a rank."""
    strength = (player.food_track, player.tool_sum, player.people)
    return strength if mode is TieBreak.SEQUENCE else (sum(strength),)
