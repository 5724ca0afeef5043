"""The table, the phases, the state and the view."""

from __future__ import annotations

from dataclasses import dataclass

from gamehost.rules.kit import Hidden, Seat

from .material import CARDS, GAPS, HEADS, Colour, Dynasty, Ending, Face, Ship
from .options import Options

NOBODY_YET = Seat(0)


@dataclass(frozen=True, slots=True)
class Leader:
    seat: Seat
    colour: Colour


@dataclass(frozen=True, slots=True)
class Card:
    """A card, treasure or ship on the table, and who stands on it."""

    face: Face
    leader: Leader | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Row 0 is the head of the column, 1 to 8 lie below; no row is the gap to the column's right."""

    column: int
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    columns: tuple[tuple[Card, ...], ...]  # each begins with its head
    links: tuple[Card | None, ...]  # by gap; gap n lies between columns n and n + 1


@dataclass(frozen=True, slots=True)
class FaceDownLink:
    """The link being laid: it joins nothing in `Table` until it is turned up."""

    gap: int
    colour: Colour | Hidden


@dataclass(frozen=True, slots=True)
class Pile:
    """Points of one seat. Only the top card and the height are ever shown before the end."""

    counts: tuple[int, ...] = (0, 0, 0, 0, 0)  # by colour, then treasures
    top: Face | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """The active seat takes actions."""

    actions: int


@dataclass(frozen=True, slots=True)
class PointOffer:
    """`seat` may put a card of `colour` from hand onto its pile."""

    seat: Seat
    colour: Colour
    column: int | None  # where a card was laid; none after a conflict without cards


@dataclass(frozen=True, slots=True)
class ShipOffer:
    """The active seat may build one of `ships` at the bottom of `column`."""

    column: int
    ships: tuple[Ship, ...]


@dataclass(frozen=True, slots=True)
class Linking:
    """A link lies face down; the active seat picks which of its conflicts comes next."""

    gap: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two leaders of one colour in one kingdom; first the attacker commits cards, then the defender."""

    external: bool
    colour: Colour
    attacker: Seat
    defender: Seat
    attacker_strength: int  # before cards
    defender_strength: int
    attacker_cards: int | None  # once committed
    defender_cards: int | None

    @property
    def suit(self) -> Colour:
        """The colour of the cards that count: EC-30 knows only red, EC-40 the leader's own."""
        return self.colour if self.external else Colour.RED

    @property
    def rule(self) -> str:
        return "EC-40" if self.external else "EC-30"


@dataclass(frozen=True, slots=True)
class Exchange:
    """`seat` may swap the treasure of one of `columns` for a red card."""

    seat: Seat
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Income:
    """The active seat may put cards onto its pile: so many of each colour."""

    due: tuple[int, ...]


Phase = Turn | PointOffer | ShipOffer | Linking | Conflict | Exchange | Income


@dataclass(frozen=True, slots=True)
class State:
    options: Options = Options()  # noqa: RUF009  it is frozen
    moment: int = 0  # events told so far; names the open question
    turn: int = 0
    active: Seat = NOBODY_YET
    agenda: tuple[Phase, ...] = ()  # the last is asked now
    table: Table = Table(((Card(Face.TREASURE),),) * HEADS, (None,) * GAPS)
    face_down: FaceDownLink | None = None
    ships: tuple[Ship, ...] = tuple(Ship)  # not yet built
    deck: tuple[int, ...] = CARDS  # by colour, with those set aside: nobody ever sees which they are
    set_aside: int = 0
    discards: tuple[int, ...] = (0, 0, 0, 0)
    hands: tuple[tuple[int, ...], ...] = ()  # by seat and colour
    piles: tuple[Pile, ...] = ()
    calamities: tuple[bool, ...] = ()  # by seat: still to be played
    card_turn: int = 0  # the last turn in which a card left a hand
    ending: Ending | None = None


@dataclass(frozen=True, slots=True)
class Kingdom:
    """Joined columns with a leader. While a link lies face down, its two sides are listed apart."""

    first_column: int
    last_column: int
    leaders: tuple[Leader, ...]
    strengths: tuple[int, ...]  # by colour


@dataclass(frozen=True, slots=True)
class PileSeen:
    height: int
    top: Face | None


@dataclass(frozen=True, slots=True)
class View:
    seat: Seat | None
    options: Options
    dynasties: tuple[Dynasty, ...]
    moment: int
    turn: int
    active: Seat
    agenda: tuple[Phase, ...]
    table: Table
    face_down: FaceDownLink | None
    kingdoms: tuple[Kingdom, ...]
    open_columns: tuple[int, ...]  # with a free place
    open_gaps: tuple[int, ...]  # that would take a link
    ships: tuple[Ship, ...]
    deck_size: int
    set_aside: int
    hand: tuple[Colour, ...]  # empty for a spectator
    hand_sizes: tuple[int, ...]
    piles: tuple[PileSeen, ...]
    calamities: tuple[bool, ...]
    card_turn: int
    ending: Ending | None
    points: tuple[tuple[int, ...], ...]  # by seat, colour and treasures; only once the game is over
