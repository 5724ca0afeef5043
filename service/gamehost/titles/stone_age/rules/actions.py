"""What a seat may ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from .goods import Resources
from .material import Place


@dataclass(frozen=True, slots=True)
class PlacePeople:
    place: Place
    people: int


@dataclass(frozen=True, slots=True)
class ResolvePlace:
    """Bring the people of one place home and do what the place offers."""

    place: Place


@dataclass(frozen=True, slots=True)
class AddTools:
    """Spaces of the tools to use (0 to 2) and values of the one-use tools to spend; both may be empty."""

    tools: frozenset[int]
    one_use_tools: frozenset[int]


@dataclass(frozen=True, slots=True)
class Pay:
    """For the card or the tile asked about. Food never pays, and is named so that the refusal can say so."""

    resources: Resources
    food: int = 0


@dataclass(frozen=True, slots=True)
class Decline:
    """Leave the card or the tile where it is."""


@dataclass(frozen=True, slots=True)
class TakeDie:
    face: int


@dataclass(frozen=True, slots=True)
class Feed:
    """Pay all food, and these resources for the people it does not feed."""

    resources: Resources


@dataclass(frozen=True, slots=True)
class GoHungry:
    """Pay all food and lose points."""


@dataclass(frozen=True, slots=True)
class TakeResources:
    """Use the any-two-resources card; the question asked stays."""

    resources: Resources


Action = PlacePeople | ResolvePlace | AddTools | Pay | Decline | TakeDie | Feed | GoHungry | TakeResources
ACTIONS: tuple[type, ...] = get_args(Action)
