"""What is to be settled, as values on a stack: the topmost is asked now."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from gamehost.rules.kit import Seat

from .material import Colour
from .spaces import Space


@dataclass(frozen=True, slots=True)
class Acting:
    """The active player may act or end the turn."""

    left: int


@dataclass(frozen=True, slots=True)
class PlacingTile:
    colour: Colour


@dataclass(frozen=True, slots=True)
class PlacingLeader:
    leader: Colour


@dataclass(frozen=True, slots=True)
class PlacingCatastrophe:
    pass


@dataclass(frozen=True, slots=True)
class Swapping:
    pass


Step = PlacingTile | PlacingLeader | PlacingCatastrophe | Swapping
"""An action that was chosen and still lacks its where or which."""


@dataclass(frozen=True, slots=True)
class Unifying:
    """Two kingdoms are joined by the tile on this space; the active player chooses the next war."""

    space: Space


class ConflictKind(Enum):
    REVOLT = 1
    WAR = 2


@dataclass(frozen=True, slots=True)
class Conflict:
    """Strengths are those on the board. The attacker is asked until it has committed."""

    kind: ConflictKind
    colour: Colour
    attacker: Seat
    defender: Seat
    attacker_strength: int
    defender_strength: int
    attacker_committed: int | None = None
    defender_committed: int | None = None

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
    """Through the tile just placed on this space."""

    space: Space


@dataclass(frozen=True, slots=True)
class OfferingMonument:
    """Or the wonder, through the tile just placed on this space."""

    space: Space


@dataclass(frozen=True, slots=True)
class TakingTreasure:
    """The owner of a kingdom's trader takes one treasure of several alike."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ChoosingColour:
    """The active player's king is in the wonder's kingdom."""


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
