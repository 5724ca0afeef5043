"""Tables of the Euphrates & Tigris card game as text, and helpers to play on them.

    T       T  -r1b-r0k     T       T       T  =g===T       T
    k       g1r     b
            G

The first line is the row of heads, each with its column below; between heads lie the links, and
`=` for `-` means face down. A card is one letter: k black, r red, g green, b blue, T a treasure,
K, R, G the ship that shows blue and that colour. A leader on it is its seat and colour: `0k` is the
king of seat 0.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from textwrap import dedent
from typing import Any

from gamehost.rules.chance import ScriptedChance
from gamehost.rules.kit import IllegalAction, Seat, replay
from gamehost.titles.tigris_cards.rules import TIGRIS_CARDS
from gamehost.titles.tigris_cards.rules.actions import Action
from gamehost.titles.tigris_cards.rules.events import Event
from gamehost.titles.tigris_cards.rules.material import CARDS, COLOURS, GAPS, HEADS, Colour, Face, Ship
from gamehost.titles.tigris_cards.rules.model import (
    Card,
    FaceDownLink,
    Leader,
    Phase,
    Pile,
    State,
    Table,
    Turn,
)
from gamehost.titles.tigris_cards.rules.options import Options
from gamehost.titles.tigris_cards.rules.regions import WHOLE, cards_in

FIRST, SECOND, THIRD, FOURTH = map(Seat, range(4))
BLACK, RED, GREEN, BLUE = COLOURS
BLUE_BLACK, BLUE_RED, BLUE_GREEN = Ship

FACES = dict(zip("krgbTKRG", Face, strict=True))
LETTERS = {face: letter for letter, face in FACES.items()}
STEP, WIDTH = 8, 3

EMPTY = "T       T       T       T       T       T       T       T"


def parse(drawing: str) -> tuple[Table, FaceDownLink | None]:
    lines = dedent(drawing).strip("\n").splitlines()
    columns = tuple(tuple(_column(lines, at * STEP)) for at in range(HEADS))
    gaps = [lines[0][gap * STEP + WIDTH : (gap + 1) * STEP].strip() for gap in range(GAPS)]
    links = tuple(_card(gap.strip("-")) if gap.startswith("-") else None for gap in gaps)
    down = [FaceDownLink(at, Colour(FACES[gap.strip("=")])) for at, gap in enumerate(gaps) if "=" in gap]
    return Table(columns, links), next(iter(down), None)


def _column(lines: list[str], at: int) -> list[Card]:
    cells = [line[at : at + WIDTH].strip(" -=") for line in lines]
    return [_card(cell) for cell in cells if cell]


def _card(cell: str) -> Card:
    letter, *leader = cell
    if not leader:
        return Card(FACES[letter])
    seat, colour = leader
    return Card(FACES[letter], Leader(Seat(int(seat)), Colour(FACES[colour])))


def draw(table: Table, face_down: FaceDownLink | None = None) -> str:
    """Draws a table: the inverse of `parse`."""
    gaps = [*_gaps(table, face_down), ""]
    heads = "".join(_cell(column[0], " ") + gap for column, gap in zip(table.columns, gaps, strict=True))
    depth = max(map(len, table.columns))
    rows = ["".join(_cell_at(column, row) for column in table.columns) for row in range(1, depth)]
    return "\n".join(line.rstrip() for line in [heads, *rows])


def _gaps(table: Table, face_down: FaceDownLink | None) -> list[str]:
    gaps = [" " * 5 if link is None else f"-{_cell(link, '-')}-" for link in table.links]
    if face_down is not None:
        gaps[face_down.gap] = f"={LETTERS[Face(face_down.colour)]:=<3}="
    return gaps


def _cell_at(column: tuple[Card, ...], row: int) -> str:
    return _cell(column[row], " ").ljust(STEP) if row < len(column) else " " * STEP


def _cell(card: Card, fill: str) -> str:
    leader = "" if card.leader is None else f"{card.leader.seat}{LETTERS[Face(card.leader.colour)]}"
    return (LETTERS[card.face] + leader).ljust(WIDTH, fill)


def counts(cards: str) -> tuple[int, ...]:
    return tuple(Counter(cards)[letter] for letter in "krgb")


def pile(cards: str) -> Pile:
    """Returns a pile; the last card is on top, T is a treasure."""
    tallied = Counter(cards)
    return Pile(tuple(tallied[letter] for letter in "krgbT"), FACES[cards[-1]] if cards else None)


def given(
    drawing: str,
    *hands: str,
    active: Seat = FIRST,
    piles: tuple[str, ...] = (),
    agenda: tuple[Phase, ...] = (Turn(2),),
    **others: Any,
) -> State:
    """Returns a state with this table and these hands; the deck has all other cards."""
    table, face_down = parse(drawing)
    held = tuple(map(counts, hands))
    stacks = tuple(map(pile, piles)) or (Pile(),) * len(hands)
    afloat = [Ship(card.face - Face.BLUE_BLACK_SHIP) for card in cards_in(table, WHOLE) if card.face > 4]
    state = State(
        options=Options(),
        turn=1,
        active=active,
        agenda=agenda,
        table=table,
        face_down=face_down,
        ships=tuple(ship for ship in Ship if ship not in afloat),
        hands=held,
        piles=stacks,
        calamities=(True,) * len(hands),
    )
    return replace(state, **{"deck": _rest(state)} | others)


def _rest(state: State) -> tuple[int, ...]:
    faces = Counter(card.face for card in cards_in(state.table, WHOLE))
    return tuple(
        CARDS[colour]
        - faces[Face(colour)]
        - sum(hand[colour] for hand in state.hands)
        - sum(pile.counts[colour] for pile in state.piles)
        for colour in COLOURS
    )


def told(state: State, seat: Seat, action: Action, *luck: str) -> list[Event]:
    """Returns the events of an action; each refill in `luck` is written in letters."""
    return list(TIGRIS_CARDS.decide(state, seat, action, ScriptedChance(*map(_dealt, luck))))


def _dealt(cards: str) -> tuple[Colour, ...]:
    return tuple(Colour(FACES[letter]) for letter in cards)


def after(state: State, *moves: tuple[Seat, Action], luck: tuple[str, ...] = ()) -> State:
    """Returns the state after some answers; the luck is for the last of them."""
    for at, (seat, action) in enumerate(moves):
        state = replay(
            TIGRIS_CARDS, told(state, seat, action, *(luck if at == len(moves) - 1 else ())), state
        )
    return state


def drawn(state: State) -> str:
    return draw(state.table, state.face_down)


def picture(drawing: str) -> str:
    """Returns a drawing as `drawn` would return it, without indentation."""
    return "\n".join(line.rstrip() for line in dedent(drawing).strip("\n").splitlines())


def asks(state: State) -> tuple[Seat, tuple[type, ...]]:
    (decision,) = TIGRIS_CARDS.decisions(state)
    return decision.seat, decision.kinds


def legal(state: State, seat: Seat) -> list[Action]:
    return list(TIGRIS_CARDS.legal_actions(state, seat))


def refused(state: State, seat: Seat, action: Action) -> tuple[str, str]:
    """Returns reason and rule of a refusal; checks that the action is not listed as legal."""
    assert action not in legal(state, seat)
    try:
        told(state, seat, action)
    except IllegalAction as refusal:
        return refusal.reason, refusal.rule
    raise AssertionError(f"{action} was accepted")
