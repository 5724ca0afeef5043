"""The table, the phases, the state and the view."""

from __future__ import annotations

from dataclasses import dataclass

from gamehost.rules.kit import Hidden, Seat

from .material import CARDS, GAPS, HEADS, Colour, Dynasty, Ending, Face, Ship
from .options import Options

NOBODY_YET = Seat(0)


@dataclass(frozen=True, slots=True)
class Leader:
    """A leader, on the table or in the supply."""

    seat: Seat
    """The owner."""
    colour: Colour


@dataclass(frozen=True, slots=True)
class Card:
    """A card, treasure or ship on the table."""

    face: Face
    leader: Leader | None = None
    """The leader that stands on it. Absent if there is none."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place on the table."""

    column: int
    """From 0 (left) to 7."""
    row: int | None = None
    """0 is the head of the column, 1 to 8 are the rows below. Absent for the gap to the right of the column.
    """


@dataclass(frozen=True, slots=True)
class Table:
    """The cards, treasures, links, ships and leaders on the table."""

    columns: tuple[tuple[Card, ...], ...]  # each begins with its head
    """The eight columns, from the left."""
    links: tuple[Card | None, ...]
    """The seven gaps. Gap n is between columns n and n + 1."""


@dataclass(frozen=True, slots=True)
class FaceDownLink:
    """A link that is being laid. It joins no columns until it is turned up."""

    gap: int
    """From 0 (left) to 6."""
    colour: Colour | Hidden
    """Absent unless the viewer is the seat that laid it."""


@dataclass(frozen=True, slots=True)
class Pile:
    """The pile of one seat, which has its points."""

    counts: tuple[int, ...] = (0, 0, 0, 0, 0)
    """The number of cards: black, red, green, blue, treasures."""
    top: Face | None = None
    """The topmost card. Absent while the pile is empty."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The active seat takes an action or ends its turn."""

    actions: int
    """The number of actions left."""


@dataclass(frozen=True, slots=True)
class PointOffer:
    """A seat can put a card of its hand onto its pile."""

    seat: Seat
    """The seat that is asked."""
    colour: Colour
    """The colour of the card."""
    column: int | None
    """The column in which a card was laid. Absent if the offer follows a conflict that was decided without
    cards.
    """


@dataclass(frozen=True, slots=True)
class ShipOffer:
    """The active seat can build one of the ships at the bottom of a column."""

    column: int
    """From 0 (left) to 7."""
    ships: tuple[Ship, ...]
    """The ships to choose from."""


@dataclass(frozen=True, slots=True)
class Linking:
    """A link lies face down and causes several conflicts. The active seat chooses which is fought next."""

    gap: int
    """The gap of the link."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A conflict between two leaders of one colour in one kingdom. The attacker commits cards first, then the
    defender.
    """

    external: bool
    """True if the conflict is fought with cards of the leaders' colour. False for an internal conflict, which
    is fought with red cards.
    """
    colour: Colour
    """The colour of the leaders."""
    attacker: Seat
    """The seat of the attacking leader."""
    defender: Seat
    """The seat of the defending leader."""
    attacker_strength: int
    """Its strength without committed cards."""
    defender_strength: int
    """Its strength without committed cards."""
    attacker_cards: int | None
    """The number of cards that the attacker committed. Absent until then."""
    defender_cards: int | None
    """The number of cards that the defender committed. Absent until then."""

    @property
    def suit(self) -> Colour:
        """The colour of the cards that count: red in an internal conflict (EC-30), else the leaders'."""
        return self.colour if self.external else Colour.RED

    @property
    def rule(self) -> str:
        return "EC-40" if self.external else "EC-30"


@dataclass(frozen=True, slots=True)
class Exchange:
    """A seat can exchange the treasure of one of these columns for a red card."""

    seat: Seat
    columns: tuple[int, ...]
    """The columns, from 0 (left) to 7."""


@dataclass(frozen=True, slots=True)
class Income:
    """The active seat can put cards onto its pile for the ships of its leaders."""

    due: tuple[int, ...]
    """The number of cards by colour: black, red, green, blue."""


Phase = Turn | PointOffer | ShipOffer | Linking | Conflict | Exchange | Income
"""A step of the turn that is not finished."""


@dataclass(frozen=True, slots=True)
class State:
    """The complete state of a game, including hidden information. Stored in snapshots."""

    options: Options = Options()  # noqa: RUF009  it is frozen
    moment: int = 0
    """The number of events so far. It makes decision ids unique."""
    turn: int = 0
    """The number of the turn, from 1. 0 before the first."""
    active: Seat = NOBODY_YET
    """The seat whose turn it is."""
    agenda: tuple[Phase, ...] = ()
    """A stack of unfinished steps. The last entry is the one that is asked now."""
    table: Table = Table(((Card(Face.TREASURE),),) * HEADS, (None,) * GAPS)
    face_down: FaceDownLink | None = None
    """The link that is being laid. Absent if there is none."""
    ships: tuple[Ship, ...] = tuple(Ship)
    """The ships that were not built yet."""
    deck: tuple[int, ...] = CARDS  # by colour, with those set aside: nobody ever sees which they are
    """The number of cards in the deck, by colour, including those set aside. The deck has no order: a random
    card is chosen when one is drawn.
    """
    set_aside: int = 0
    """The number of cards in `deck` that are never drawn."""
    discards: tuple[int, ...] = (0, 0, 0, 0)
    """The number of discarded cards, by colour."""
    hands: tuple[tuple[int, ...], ...] = ()  # by seat and colour
    """The hand of each seat."""
    piles: tuple[Pile, ...] = ()
    """The pile of each seat."""
    calamities: tuple[bool, ...] = ()
    """For each seat, true if it has not used its calamity."""
    card_turn: int = 0
    """The last turn in which a seat played a card."""
    ending: Ending | None = None
    """Absent until the game is over."""


@dataclass(frozen=True, slots=True)
class Kingdom:
    """Joined columns with at least one leader. While a link lies face down, the columns on its two sides are
    separate kingdoms.
    """

    first_column: int
    """The leftmost column."""
    last_column: int
    """The rightmost column."""
    leaders: tuple[Leader, ...]
    strengths: tuple[int, ...]
    """The number of cards by colour: black, red, green, blue. Heads count as red."""


@dataclass(frozen=True, slots=True)
class PileSeen:
    """The public information about a pile."""

    height: int
    """The number of cards."""
    top: Face | None
    """The topmost card. Absent while the pile is empty."""


@dataclass(frozen=True, slots=True)
class View:
    """A game as one seat, or a spectator, sees it."""

    seat: Seat | None
    """The seat of the viewer. Absent for a spectator."""
    options: Options
    dynasties: tuple[Dynasty, ...]
    """The symbol of each seat."""
    moment: int
    """The number of events so far."""
    turn: int
    """The number of the turn, from 1."""
    active: Seat
    """The seat whose turn it is. The last entry of the agenda can ask another seat."""
    agenda: tuple[Phase, ...]
    """A stack of unfinished steps. The last entry is the one that is asked now."""
    table: Table
    face_down: FaceDownLink | None
    """The link that is being laid. Absent if there is none."""
    kingdoms: tuple[Kingdom, ...]
    """From the left."""
    open_columns: tuple[int, ...]
    """The columns with room for another card."""
    open_gaps: tuple[int, ...]
    """The gaps into which a link can be laid."""
    ships: tuple[Ship, ...]
    """The ships that were not built yet."""
    deck_size: int
    """The number of cards that can still be drawn."""
    set_aside: int
    """The number of cards that are never drawn."""
    hand: tuple[Colour, ...]
    """The viewer's hand. Empty for a spectator."""
    hand_sizes: tuple[int, ...]
    """The number of cards in the hand of each seat."""
    piles: tuple[PileSeen, ...]
    """The pile of each seat."""
    calamities: tuple[bool, ...]
    """For each seat, true if it has not used its calamity."""
    card_turn: int
    """The last turn in which a seat played a card."""
    ending: Ending | None
    """Absent until the game is over."""
    points: tuple[tuple[int, ...], ...]  # by seat, colour and treasures; only once the game is over
    """The content of the pile of each seat. Empty until the game is over."""
