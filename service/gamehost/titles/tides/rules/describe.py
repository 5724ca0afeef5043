"""The texts of the rules by id, and the texts of actions."""

from __future__ import annotations

from gamehost.rules.kit import Text, text

from .actions import Action, ChooseCard, ChooseRelic
from .material import PRINTS

TEXTS = {
    "TT-1": "Two players get five of the eighteen cards each; the other eight are the draw pile.",
    "TT-2": "Both secretly choose a card of their hand; both cards are shown together and join the kingdoms, "
    "then the hands are exchanged. A last card is played without being asked for.",
    "TT-3": "Everyone may see that a player has chosen, nobody else what, until both have chosen.",
    "TT-4": "A choice is final.",
    "TT-5": "Both kingdoms score at the end of each round, and the points of three rounds add up.",
    "TT-6": "After rounds 1 and 2 each player picks, in secret and at the same time, one of the cards played "
    "this round to stay as a relic and another to leave the game; the rest go back to the hand and two "
    "cards are drawn, seat 0 first.",
    "TT-7": "A relic keeps its suit and ability, and stays to the end.",
    "TT-8": "The game ends when round 3 is scored. Most points win; equal totals share the win, "
    "with King's Nest or without.",
    "TT-9": "All eighteen cards come into play: the pile is empty before round 3, and four cards end out "
    "of the game.",
    "TT-10": "The printed suits of a kingdom are counted, relics included.",
    "TT-11": "The Roof of the World first doubles its owner's most numerous suit, or all that tie for it.",
    "TT-12": "Each card scores for its owner alone, and a suit may serve several cards.",
    "TT-13": "The Sapphire Port comes last and compares the best scoring card of each side, itself left out.",
    "TT-14": "More means strictly more; a tie gives nothing, except to the owner of King's Nest.",
}


def describe(action: Action) -> Text:
    match action:
        case ChooseCard(card):
            return text("tides.choose_card", "Play {card}.", card=PRINTS[card].name)
        case ChooseRelic(relic, removed):
            return text(
                "tides.choose_relic",
                "Keep {relic} as a relic and remove {removed} from the game.",
                relic=PRINTS[relic].name,
                removed=PRINTS[removed].name,
            )
