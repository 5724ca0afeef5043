"""The unfinished steps of a turn. `State.agenda` is a stack of them, and the last one asks a seat."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from gamehost.rules.kit import Seat

from .material import Colour
from .spaces import Space


@dataclass(frozen=True, slots=True)
class Acting:
    """The active seat takes an action or ends its turn."""

    left: int
    """The number of actions left, 0 to 2."""


@dataclass(frozen=True, slots=True)
class PlacingTile:
    """The active seat chooses the space for a tile."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class PlacingLeader:
    """The active seat chooses the space for a leader."""

    leader: Colour


@dataclass(frozen=True, slots=True)
class PlacingCatastrophe:
    """The active seat chooses the space for a catastrophe."""


@dataclass(frozen=True, slots=True)
class Swapping:
    """The active seat chooses the tiles to swap."""


Step = PlacingTile | PlacingLeader | PlacingCatastrophe | Swapping
"""An action that was chosen and still needs its space or its tiles."""


@dataclass(frozen=True, slots=True)
class Unifying:
    """A tile has joined two kingdoms. The active seat chooses which war is fought next."""

    space: Space
    """The space of the tile that joined them."""


class ConflictKind(Enum):
    """The two kinds of conflict."""

    REVOLT = 1
    """Within one kingdom. Temples decide it."""
    WAR = 2
    """Between kingdoms that were joined. Tiles of the leaders' colour decide it."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A conflict between two leaders of one colour. The attacker commits tiles first, then the defender."""

    kind: ConflictKind
    colour: Colour
    """The colour of the leaders."""
    attacker: Seat
    """The seat of the attacking leader."""
    defender: Seat
    """The seat of the defending leader."""
    attacker_strength: int
    """Its strength on the board, without committed tiles."""
    defender_strength: int
    """Its strength on the board, without committed tiles."""
    attacker_committed: int | None = None
    """The number of tiles that the attacker committed. Absent until then."""
    defender_committed: int | None = None
    """The number of tiles that the defender committed. Absent until then."""

    @property
    def support(self) -> Colour:
        """TE-40: temples in a revolt; TE-43: the leaders' colour in a war."""
        return Colour.RED if self.kind is ConflictKind.REVOLT else self.colour

    @property
    def asked(self) -> Seat:
        return self.attacker if self.attacker_committed is None else self.defender

    @property
    def attacker_total(self) -> int:
        return self.attacker_strength + (self.attacker_committed or 0)

    @property
    def defender_total(self) -> int:
        return self.defender_strength + (self.defender_committed or 0)


@dataclass(frozen=True, slots=True)
class OfferingBuilding:
    """The tile that was just placed completes a line of three. The active seat can build a building."""

    space: Space
    """The space of that tile."""


@dataclass(frozen=True, slots=True)
class OfferingMonument:
    """The tile that was just placed completes a square or a cross. The active seat can build a monument or
    the wonder.
    """

    space: Space
    """The space of that tile."""


@dataclass(frozen=True, slots=True)
class TakingTreasure:
    """The owner of the trader in a kingdom chooses one of several treasures."""

    seat: Seat
    """The owner of the trader."""


@dataclass(frozen=True, slots=True)
class ChoosingColour:
    """The king of the active seat is in the wonder's kingdom. The seat chooses the colour of a point."""


Phase = (
    Acting
    | PlacingTile
    | PlacingLeader
    | PlacingCatastrophe
    | Swapping
    | Unifying
    | Conflict
    | OfferingBuilding
    | OfferingMonument
    | TakingTreasure
    | ChoosingColour
)
"""A step of the turn that is not finished."""
