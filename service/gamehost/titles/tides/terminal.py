"""Draws Tides of Time: two kingdoms side by side, and the hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from gamehost.commands.terminal.parts import labelled_line
from gamehost.commands.terminal.title import Terminal
from gamehost.message_text import printable
from shedu.tides.v1 import tides_pb2 as pb

from .rules import material
from .rules.material import PRINTS, Ability, Card, Suit

STYLES = {
    Suit.PALACE: "bold magenta",
    Suit.LIBRARY: "bold bright_blue",
    Suit.GARDEN: "bold green",
    Suit.TEMPLE: "bold yellow",
    Suit.STRONGHOLD: "bold red",
}
KINGDOM = 38  # columns, so that two fit into 80


def drawn(view: pb.View, names: Sequence[str]) -> RenderableType:
    kingdoms = (kingdom(seat, name) for seat, name in zip(view.seats, names, strict=True))
    return Group(heading(view), Columns(kingdoms, padding=(0, 1)), *before_you(view))


def heading(view: pb.View) -> Text:
    removed = ", ".join(map(name_of, view.removed)) or "none"
    pick = f", card {view.pick} of 5" if view.HasField("pick") else ""
    return labelled_line(
        f"Round {view.round} of 3{pick}", f"{view.pile_size} in the pile; out of the game: {removed}"
    )


def kingdom(seat: pb.SeatView, name: str) -> Panel:
    points = {each.card: each.points for each in seat.standing.cards}
    cards = [card_line(card, points[card], "◆") for card in seat.relics]
    cards += [card_line(card, points[card], " ") for card in seat.played]
    suits = "  ".join(f"{initial(each.suit)} {each.counted}" for each in seat.standing.suits)
    chosen = ", has chosen" if seat.has_chosen else ""
    body = [
        *(cards or [Text("no card laid yet", "dim")]),
        Text(f"suits {suits}", "dim"),
        Text(f"worth {seat.standing.points} now; {seat.total} scored so far", "bold"),
    ]
    title = Text(f"{printable(name)}: {seat.hand_size} in hand{chosen}")
    return Panel(Group(*body), title=title, width=KINGDOM, padding=(0, 1))


def card_line(card: int, points: int, mark: str) -> Text:
    return Text.assemble(mark, suited(card), f" {name_of(card):<28} {points:>2}")


def before_you(view: pb.View) -> Iterator[Text]:
    """Yield the lines that only the viewer may see."""
    if view.hand:
        yield Text("Your hand:", "dim")
    for card in view.hand:
        yield Text.assemble("  ", suited(card), f" {name_of(card):<28} ", (effect(card), "italic"))
    if view.HasField("chosen_card"):
        yield labelled_line("Your chosen card, face down", name_of(view.chosen_card))
    if view.HasField("chosen_relic"):
        kept, gone = name_of(view.chosen_relic.relic), name_of(view.chosen_relic.removed)
        yield labelled_line("Your chosen relic, face down", f"{kept}; you remove {gone}")


def suited(card: int) -> tuple[str, str]:
    suit = PRINTS[Card(card)].suit
    return ("-", "dim") if suit is None else (initial(suit), STYLES[suit])


def initial(suit: int) -> str:
    return Suit(suit).name[0]


def name_of(card: int) -> str:
    return PRINTS[Card(card)].name


def effect(card: int) -> str:
    """Describe what a card scores."""
    ability: Ability = PRINTS[Card(card)].ability
    match ability:
        case material.Majority(suit, points):
            return f"{points} for more of {suit.name.lower()} than the opponent"
        case material.EachOfSuit(suit, points):
            return f"{points} for each {suit.name.lower()}"
        case material.EachSet(suits, points):
            return f"{points} for each set of {', '.join(suit.name.lower() for suit in suits)}"
        case material.AllSuits(points):
            return f"{points} for all five suits"
        case material.EachMissingSuit(points):
            return f"{points} for each suit you lack"
        case material.MostSingles(points):
            return f"{points} for more suits with just one card"
        case material.BestCard(points):
            return f"{points} if your best card beats theirs"
        case material.WinsTies():
            return "wins every tie"
        case material.DoublesMost():
            return "doubles your most numerous suit"


SENTENCES: Mapping[str, str] = {
    "cards_drawn": "{seat} drew {cards!}.",
    "round_begun": "Round {round} began.",
    "card_chosen": "{seat} chose a card.",
    "cards_revealed": "Revealed: {cards:by_seat}.",
    "round_scored": "Round {round} scored: {scores:by_seat}.",
    "relic_chosen": "{seat} chose a relic and a card to remove.",
    "relics_revealed": "Relics: {relics:by_seat}. Removed from the game: {removed:by_seat}.",
    "game_ended": "The game ended: {totals:by_seat}.",
}

TERMINAL: Final = Terminal(
    drawn,
    SENTENCES,
    enums={"Card": name_of},
    messages={"Score": lambda score: str(score.points)},
)
