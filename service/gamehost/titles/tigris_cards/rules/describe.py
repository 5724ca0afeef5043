"""The texts of the rules by id, and the texts of actions and questions."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from gamehost.rules.kit import Text, text

from .actions import (
    Action,
    BuildShip,
    ChooseConflict,
    CommitCards,
    Decline,
    EndTurn,
    ExchangeTreasure,
    LayCard,
    LayLink,
    PlaceLeader,
    PlayCalamity,
    TakeIncome,
    TakePoint,
    WithdrawLeader,
)
from .material import LEADERS, Colour, Ship
from .model import Conflict, Exchange, Income, Linking, Phase, Place, PointOffer, ShipOffer, Turn

TEXTS: Final = {
    "EC-1": "Eight treasures stand in a row, each at the head of a column, with a gap between neighbours.",
    "EC-2": "A column holds up to eight cards below its head. A ship fills one of those places.",
    "EC-3": "A card in a gap links two columns. Linked columns are a region; with a leader it is a kingdom.",
    "EC-4": "Everyone is dealt eight cards. With two players thirty cards are taken out unseen before.",
    "EC-9": "A turn has up to two actions of any kind. Ending it early forgoes those left.",
    "EC-10": "A leader stands on a free card of a colour other than its own, or any treasure; no ship.",
    "EC-11": "An own leader may be taken back from the table.",
    "EC-12": "A leader entering a kingdom that has another leader of its colour starts an internal conflict.",
    "EC-20": "A card goes to the bottom of a column. The owner of the kingdom's leader of that colour, "
    "or else of its king, may put a hand card of that colour onto the point pile.",
    "EC-21": "A card may link two columns of at least three cards each. It scores nothing and lies face down "
    "until the conflicts and the exchange it causes are over.",
    "EC-22": "After a link, if the kingdom has two treasures or more, its trader's owner may take one "
    "in exchange for a red card.",
    "EC-23": "Four cards of one colour at the bottom of a column may be turned into the ship showing it; "
    "blue ones into any ship. Leaders on them go home.",
    "EC-24": "Once a game a player may remove a card that is no head, no ship and has no leader on it.",
    "EC-30": "In an internal conflict each side plays red cards, one more counts for standing on red; "
    "the defender wins ties and the loser's leader goes home. The winner scores one of the cards played "
    "or, if there is none, may score one from hand.",
    "EC-40": "In an external conflict each side adds hand cards of the leader's colour to those in its own "
    "former kingdom; the winner takes the cards of that colour from the loser's side, and one of those "
    "played or, if there is none, may score one from hand.",
    "EC-41": "If a conflict breaks the kingdom apart, only leaders still joined go on fighting.",
    "EC-50": "At the end of a turn each own leader sharing a kingdom with a ship of its colour may bring one "
    "hand card of that colour onto the point pile.",
    "EC-51": "Then everybody draws up to eight cards, the active player first.",
    "EC-60": "The game ends after a turn that leaves a hand unfilled, or a single treasure in the row.",
    "EC-61": "Most points in the weakest colour win, then in the next weakest. Treasures fill any colour.",
    "EC-62": "Cards left in hand count for nothing.",
    "EC-63": "The game also ends after ten rounds in which no card left a hand.",
}


def describe(action: Action) -> Text:
    id = f"tigris_cards.{_snake(type(action).__name__)}"
    match action:
        case LayCard(colour, column):
            return text(id, "lay a {colour} card in column {column}", colour=_word(colour), column=column + 1)
        case LayLink(colour, gap):
            words = "lay a {colour} link between columns {left} and {right}"
            return text(id, words, colour=_word(colour), left=gap + 1, right=gap + 2)
        case PlaceLeader(colour, place):
            return text(id, "put the {leader} on {place}", leader=LEADERS[colour], place=_where(place))
        case WithdrawLeader(colour):
            return text(id, "take the {leader} back", leader=LEADERS[colour])
        case PlayCalamity(place):
            return text(id, "strike {place} with the calamity", place=_where(place))
        case _:
            return _describe_answer(id, action)


def _describe_answer(id: str, action: Action) -> Text:
    match action:
        case BuildShip(ship):
            return text(id, "build the {ship} ship", ship=_ship_name(ship))
        case ChooseConflict(colour):
            return text(id, "let the {leader}s fight next", leader=LEADERS[colour])
        case CommitCards(colour, count):
            return text(id, "commit {count} {colour}", count=count, colour=_word(colour))
        case ExchangeTreasure(column):
            return text(id, "take the treasure of column {column} for a red card", column=column + 1)
        case TakeIncome(colour):
            return text(id, "put a {colour} card onto the pile for a ship", colour=_word(colour))
        case _:
            return text(id, SHORT[type(action)])


SHORT: Final[dict[type, str]] = {
    EndTurn: "end the turn",
    TakePoint: "put a card of that colour onto the pile",
    Decline: "leave the offer",
}


@lru_cache(maxsize=1024)
def prompt(phase: Phase) -> Text:
    """Returns the question of a phase."""
    id = f"tigris_cards.asks.{_snake(type(phase).__name__)}"
    match phase:
        case Turn(actions):
            return text(id, "Take an action ({actions} left) or end the turn.", actions=actions)
        case PointOffer(_, colour, _):
            return text(id, "Put a {colour} card onto your pile?", colour=_word(colour))
        case ShipOffer(column):
            return text(id, "Build a ship in column {column}?", column=column + 1)
        case Linking():
            return text(id, "Which leaders fight next?")
        case Conflict():
            leader, suit = LEADERS[phase.colour], _word(phase.suit)
            return text(id, "Commit {suit} cards to the {leader}s' conflict.", suit=suit, leader=leader)
        case Exchange():
            return text(id, "Exchange a treasure for a red card?")
        case Income():
            return text(id, "Put a card onto your pile for a ship?")


def _word(colour: Colour) -> str:
    return colour.name.lower()


def _ship_name(ship: Ship) -> str:
    return ship.name.lower().replace("_", "/")


def _where(place: Place) -> str:
    if place.row is None:
        return f"the link between columns {place.column + 1} and {place.column + 2}"
    if place.row == 0:
        return f"the head of column {place.column + 1}"
    return f"card {place.row} of column {place.column + 1}"


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
