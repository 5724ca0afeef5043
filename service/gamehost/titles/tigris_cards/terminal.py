"""Draws the Euphrates & Tigris card game: eight columns with their heads, and the links between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from gamehost.commands.terminal.parts import (
    LEADERS,
    LETTERS,
    STYLES,
    counted,
    labelled_line,
    text_table,
    word,
)
from gamehost.commands.terminal.title import Terminal
from shedu.tigris_cards.v1 import tigris_cards_pb2 as pb

COLOURS = ("black", "red", "green", "blue")
INITIALS = [LETTERS[colour] for colour in COLOURS]
TREASURE, SHIP, LINK = "$", "~", "-"
WIDTH = 5  # of a column, and of a gap
LEGEND = (
    "K settlement (black)  R temple (red)  G trade (green)  B farming (blue)",
    "$ treasure  ~BK ship, blue and black  -R--- link  -?--- link face down",
    "k0 king  p0 priest  t0 trader  f0 farmer, of seat 0",
)


def drawn(view: pb.View, names: Sequence[str]) -> RenderableType:
    ships = ", ".join(word(pb.Ship, ship).replace(" ", "/") for ship in view.ships) or "none"
    parts: list[RenderableType] = [
        labelled_line(f"Turn {view.turn}", f"{view.deck_size} cards in the deck; ships to build: {ships}"),
        table_of(view),
        *(Text(words, "dim") for words in LEGEND),
    ]
    if view.kingdoms:
        parts.append(text_table(("kingdom", "leaders", "cards"), kingdoms(view, names)))
    parts.append(text_table(("dynasty", "hand", "pile", "calamity"), players(view, names)))
    if view.hand:
        parts.append(labelled_line("Your hand", hand_of(view)))
    return Group(*parts)


def table_of(view: pb.View) -> Text:
    columns = [column.cards for column in view.table.columns]
    last = len(columns) - 1
    numbers = "".join(f"{n + 1:<{WIDTH}}{' ' * WIDTH if n < last else ''}" for n in range(len(columns)))
    lines = [Text(f"  {numbers.rstrip()}", "dim")]
    for row in range(max(map(len, columns))):
        cells = [Text(f"{row} ", "dim")]
        for n, cards in enumerate(columns):
            cells.append(card_of(cards[row]) if row < len(cards) else Text(" " * WIDTH))
            if n < last:
                cells.append(link_of(view, n) if row == 0 else Text(" " * WIDTH))
        lines.append(Text.assemble(*cells))
    return Text("\n").join(lines)


def card_of(card: pb.Card) -> Text:
    letters, style = face_of(card.face)
    return Text.assemble((f"{letters:<3}", style), leader_of(card, "  "))


def face_of(face: int) -> tuple[str, str]:
    name = word(pb.Face, face)
    if name == "treasure":
        return TREASURE, "bold yellow"
    if name.endswith(" ship"):
        return SHIP + "".join(LETTERS[colour] for colour in name.split()[:2]), "bold cyan"
    return LETTERS[name], STYLES[name]


def leader_of(card: pb.Card, nobody: str) -> tuple[str, str]:
    if not card.HasField("leader"):
        return nobody, ""
    colour = word(pb.Colour, card.leader.colour)
    return f"{LEADERS[colour][0]}{card.leader.seat}", f"{STYLES[colour]} reverse"


def link_of(view: pb.View, gap: int) -> Text:
    found = view.table.links[gap]
    if found.HasField("link"):
        letters, style = face_of(found.link.face)
        return Text.assemble(LINK, (letters, style), leader_of(found.link, LINK * 2), LINK)
    if view.HasField("face_down") and view.face_down.gap == gap:
        return Text(f"{LINK}?{LINK * 3}")
    return Text(" " * WIDTH)


def kingdoms(view: pb.View, names: Sequence[str]) -> Iterator[Sequence[str]]:
    for kingdom in view.kingdoms:
        leaders = (
            f"{LEADERS[word(pb.Colour, each.colour)]} of {names[each.seat]}" for each in kingdom.leaders
        )
        first, last = kingdom.first_column + 1, kingdom.last_column + 1
        place = f"column {first}" if first == last else f"columns {first} to {last}"
        yield place, ", ".join(leaders), counted(INITIALS, kingdom.strengths)


def players(view: pb.View, names: Sequence[str]) -> Iterator[Sequence[str]]:
    for seat, pile in enumerate(view.piles):
        top = f", top {word(pb.Face, pile.top)}" if pile.HasField("top") else ""
        points = counted([*INITIALS, TREASURE], view.points[seat].counts) if view.points else ""
        yield (
            f"{seat} {names[seat]}, {word(pb.Dynasty, view.dynasties[seat])}"
            f"{' (active)' if seat == view.active else ''}",
            f"{view.hand_sizes[seat]} cards",
            points or f"{pile.height} cards{top}",
            "to be played" if view.calamities[seat] else "played",
        )


def hand_of(view: pb.View) -> str:
    held = [word(pb.Colour, card) for card in view.hand]
    return counted(INITIALS, [held.count(colour) for colour in COLOURS])


def place_of(place: pb.Place) -> str:
    """Name a place in the words of the actions."""
    column = place.column + 1
    if not place.HasField("row"):
        return f"the link right of column {column}"
    return f"card {place.row} of column {column}" if place.row else f"the head of column {column}"


SENTENCES: Mapping[str, str] = {
    "cards_set_aside": "{count} cards were set aside unseen.",
    "cards_drawn": "{seat} drew {cards!}.",
    "turn_begun": "{seat} had the turn.",
    "turn_passed": "{seat} ended the turn early.",
    "card_laid": "{seat} laid a {colour} card in column {column:next}.",
    "point_taken": "{seat} put a {colour} card onto the pile.",
    "offer_declined": "{seat} left the offer.",
    "ship_built": "{seat} built the {ship} ship in column {column:next}.",
    "link_laid": "{seat} laid a link face down, right of column {gap:next}.",
    "link_turned_up": "The {colour} link right of column {gap:next} was turned up.",
    "leader_placed": "The {leader.colour:leader} of {leader.seat} went to {place}.",
    "leader_withdrawn": "The {leader.colour:leader} of {leader.seat} was taken back from {place}.",
    "calamity_played": "{seat} struck {place} with the calamity.",
    "conflict_begun": "{attacker} attacked {defender}, {colour:leader} against {colour:leader}: "
    "{attacker_strength} to {defender_strength} before cards.",
    "cards_committed": "{seat} committed {count} {colour}.",
    "conflict_won": "{winner} won; the {loser.colour:leader} of {loser.seat} went home.",
    "treasure_exchanged": "{seat} took the treasure of column {column:next} for a red card.",
    "income_taken": "{seat} put a {colour} card onto the pile for a ship.",
    "game_ended": "The game ended: {ending}.",
}

TERMINAL: Final = Terminal(drawn, SENTENCES, words={"leader": LEADERS}, messages={"Place": place_of})
