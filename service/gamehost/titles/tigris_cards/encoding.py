"""The encoding of the Euphrates & Tigris card game."""

from __future__ import annotations

from itertools import product
from typing import Final

from gamehost.learning.encoding import (
    SEATS,
    Array,
    Block,
    Encoding,
    Slice,
    Viewer,
    by_seat,
    flags,
    one_hot,
    one_hot_seat,
    squashed,
)

from .rules.actions import (
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
from .rules.material import (
    ACTIONS,
    CARDS,
    COLOURS,
    COLUMN,
    GAPS,
    HAND,
    HEADS,
    QUIET_ROUNDS,
    Colour,
    Ending,
    Face,
    Ship,
)
from .rules.model import (
    Card,
    Conflict,
    Exchange,
    Income,
    Linking,
    Place,
    PointOffer,
    ShipOffer,
    Turn,
    View,
)

ENCODING_VERSION: Final = 1
PHASES: Final = (Turn, PointOffer, ShipOffer, Linking, Conflict, Exchange, Income)
ROWS: Final = COLUMN + 1
LEADER: Final = len(Face)
OWNER: Final = LEADER + len(COLOURS)
LAID: Final = OWNER + SEATS
"""The size of the encoding of one card on the table: face, leader and owner."""


def present(part: Array, viewer: Viewer) -> None:
    part[: len(viewer.order)] = 1


def phase(view: View) -> int | None:
    return PHASES.index(type(view.agenda[-1])) if view.agenda else None


def pending(part: Array, viewer: Viewer) -> None:
    for waiting in viewer.view.agenda[:-1]:
        part[PHASES.index(type(waiting))] = 1


def asked(view: View) -> int | None:
    match view.agenda:
        case (*_, (PointOffer() | Exchange()) as offer):
            return offer.seat
        case (*_, Conflict() as conflict):
            return conflict.attacker if conflict.attacker_cards is None else conflict.defender
        case ():
            return None
    return view.active


def course(view: View) -> list[float]:
    left = next((turn.actions for turn in view.agenda if isinstance(turn, Turn)), 0)
    quiet = (view.turn - view.card_turn) / (QUIET_ROUNDS * len(view.hand_sizes))
    deck = sum(CARDS)
    return [
        left / ACTIONS,
        squashed(view.turn, 40),
        min(1.0, quiet),
        view.deck_size / deck,
        view.set_aside / deck,
    ]


def options(view: View) -> list[bool]:
    chosen = view.options
    return [chosen.leader_colour_must_differ, chosen.voluntary_withdrawal, chosen.income_per_ship]


def lay(cell: Array, card: Card, viewer: Viewer) -> None:
    cell[card.face] = 1
    if card.leader is not None:
        cell[LEADER + card.leader.colour] = 1
        cell[OWNER + viewer.offset(card.leader.seat)] = 1


def columns(part: Array, viewer: Viewer) -> None:
    for cells, column in zip(part, viewer.view.table.columns, strict=True):
        for cell, card in zip(cells, column, strict=False):
            lay(cell, card, viewer)


def links(part: Array, viewer: Viewer) -> None:
    for cell, card in zip(part, viewer.view.table.links, strict=True):
        if card is not None:
            lay(cell, card, viewer)


def face_down(part: Array, viewer: Viewer) -> None:
    link = viewer.view.face_down
    if link is not None:
        part[link.gap] = 1
        if isinstance(link.colour, Colour):
            part[GAPS + link.colour] = 1


def room(part: Array, viewer: Viewer) -> None:
    part[list(viewer.view.open_columns)] = 1
    part[[HEADS + gap for gap in viewer.view.open_gaps]] = 1


def strengths(part: Array, viewer: Viewer) -> None:
    for kingdom in viewer.view.kingdoms:
        part[kingdom.first_column : kingdom.last_column + 1] = [
            squashed(strength, 5) for strength in kingdom.strengths
        ]


def ships(part: Array, viewer: Viewer) -> None:
    part[list(viewer.view.ships)] = 1


def hand(part: Array, viewer: Viewer) -> None:
    for colour in viewer.view.hand:
        part[colour] += 1 / HAND


def players(row: Array, view: View, seat: int) -> None:
    pile = view.piles[seat]
    row[0] = view.hand_sizes[seat] / HAND
    row[1] = view.calamities[seat]
    row[2] = squashed(pile.height, 10)
    if pile.top is not None:
        row[3 + pile.top] = 1


def points(row: Array, view: View, seat: int) -> None:
    if view.points:
        row[:] = [squashed(count, 10) for count in view.points[seat]]


def offer(part: Array, viewer: Viewer) -> None:
    """Fill the colour and column of a point or ship, the ships, the treasures' columns and the income due."""
    # The first index of each part; see the meaning of the slice "offer".
    colour, column, ship, treasure, income = 0, 4, 12, 15, 23
    match viewer.view.agenda:
        case (*_, PointOffer(_, offered, where)):
            part[colour + offered] = 1
            if where is not None:
                part[column + where] = 1
        case (*_, ShipOffer(where, offered)):
            part[column + where] = 1
            part[[ship + each for each in offered]] = 1
        case (*_, Exchange(_, offered)):
            part[[treasure + each for each in offered]] = 1
        case (*_, Income(due)):
            part[income:] = [squashed(count, 1) for count in due]


def conflict(part: Array, viewer: Viewer) -> None:
    match viewer.view.agenda:
        case (*_, Conflict() as fought):
            part[0] = fought.external
            part[1] = squashed(fought.attacker_strength, 5)
            part[2] = squashed(fought.defender_strength, 5)
            part[3] = fought.attacker_cards is not None
            part[4] = (fought.attacker_cards or 0) / HAND
            part[5 + fought.colour] = 1
            part[9 + viewer.offset(fought.attacker)] = 1
            part[13 + viewer.offset(fought.defender)] = 1


CARD_MEANING: Final = "face, one-hot of 8; leader's colour, one-hot of 4; its seat, one-hot of 4"
SLICES: Final = (
    Slice("present", (SEATS,), "1 for each seat of the game, in the viewer's order", present),
    Slice("options", (3,), "1 where an option is on, in the order of the title's options", flags(options)),
    Slice(
        "course",
        (5,),
        "actions left / 2; turn squashed by 40; quiet turns of those that end the game; deck and set "
        "aside / 185",
        flags(course),
    ),
    Slice("ending", (len(Ending),), "one-hot: why the game is over", one_hot(3, lambda view: view.ending)),
    Slice("active", (SEATS,), "one-hot: whose turn it is", one_hot_seat(lambda view: view.active)),
    Slice("asked", (SEATS,), "one-hot: who is asked", one_hot_seat(asked)),
    Slice(
        "phase",
        (len(PHASES),),
        "one-hot: turn, point, ship, linking, conflict, exchange, income",
        one_hot(len(PHASES), phase),
    ),
    Slice("pending", (len(PHASES),), "phases that wait below it, in the same order", pending),
    Slice(
        "offer", (27,), "colour (4), column (8), ships (3), treasures by column (8), income due (4)", offer
    ),
    Slice(
        "conflict",
        (17,),
        "external; strengths of attacker and defender squashed by 5; attacker has committed; cards committed "
        "/ 8; colour (4); attacker (4); defender (4)",
        conflict,
    ),
    Slice("columns", (HEADS, ROWS, LAID), f"by column and row from the head: {CARD_MEANING}", columns),
    Slice("links", (GAPS, LAID), f"by gap: {CARD_MEANING}", links),
    Slice("face_down", (GAPS + 4,), "the link being laid: its gap (7); its colour if known (4)", face_down),
    Slice("room", (HEADS + GAPS,), "columns with a free place (8); gaps that would take a link (7)", room),
    Slice(
        "strengths", (HEADS, 4), "by column: its kingdom's strength in each colour, squashed by 5", strengths
    ),
    Slice("ships", (len(Ship),), "ships not yet built", ships),
    Slice("hand", (4,), "own hand: cards of each colour / 8", hand),
    Slice(
        "players",
        (SEATS, 8),
        "by seat: hand / 8; calamity left; height of the pile squashed by 10; its top, one-hot of 5",
        by_seat(players),
    ),
    Slice(
        "points",
        (SEATS, 5),
        "by seat once the game is over: cards and treasures squashed by 10",
        by_seat(points),
    ),
)

PLACES: Final = (
    *(Place(column, row) for column, row in product(range(HEADS), range(ROWS))),
    *map(Place, range(GAPS)),
)
BLOCKS: Final = (
    Block("LayCard", "colour, then column", tuple(LayCard(*at) for at in product(COLOURS, range(HEADS)))),
    Block("LayLink", "colour, then gap", tuple(LayLink(*at) for at in product(COLOURS, range(GAPS)))),
    Block(
        "PlaceLeader",
        "colour, then place: columns, each from its head down, then gaps",
        tuple(PlaceLeader(*at) for at in product(COLOURS, PLACES)),
    ),
    Block("WithdrawLeader", "colour", tuple(map(WithdrawLeader, COLOURS))),
    Block(
        "PlayCalamity",
        "place: columns, each without its head, then gaps",
        tuple(PlayCalamity(place) for place in PLACES if place.row != 0),
    ),
    Block("EndTurn", "", (EndTurn(),)),
    Block("TakePoint", "", (TakePoint(),)),
    Block("Decline", "", (Decline(),)),
    Block("BuildShip", "ship", tuple(map(BuildShip, Ship))),
    Block("ChooseConflict", "colour", tuple(map(ChooseConflict, COLOURS))),
    Block(
        "CommitCards",
        "colour, then count from 0 to 8",
        tuple(CommitCards(*cards) for cards in product(COLOURS, range(HAND + 1))),
    ),
    Block("ExchangeTreasure", "column", tuple(map(ExchangeTreasure, range(HEADS)))),
    Block("TakeIncome", "colour", tuple(map(TakeIncome, COLOURS))),
)
ENCODING: Final = Encoding("tigris_cards", ENCODING_VERSION, lambda view: len(view.piles), SLICES, BLOCKS)
encode_view, index, action = ENCODING.encode_view, ENCODING.index, ENCODING.action
