"""The actions of Stone Age."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from .goods import Resources
from .material import Place


@dataclass(frozen=True, slots=True)
class PlacePeople:
    """Puts people on one place. Allowed in the placing phase."""

    place: Place
    people: int
    """The number of people."""


@dataclass(frozen=True, slots=True)
class ResolvePlace:
    """Takes the people of one place back and uses the place."""

    place: Place


@dataclass(frozen=True, slots=True)
class AddTools:
    """Chooses the tools to add to the dice that were just rolled. Both lists can be empty."""

    tools: frozenset[int]
    """The spaces of the tools to use, 0 to 2."""
    one_use_tools: frozenset[int]
    """The values of the one-use tools to use up."""


@dataclass(frozen=True, slots=True)
class Pay:
    """Pays for the card or the tile that is offered."""

    resources: Resources
    """The resources to pay."""
    food: int = 0
    """Must be 0: cards and tiles cannot be paid with food."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Does not buy the card or the tile that is offered."""


@dataclass(frozen=True, slots=True)
class TakeDie:
    """Takes one of the dice that were rolled for every seat."""

    face: int
    """The number on the die, 1 to 6."""


@dataclass(frozen=True, slots=True)
class Feed:
    """Feeds the people with all food, and with one resource for each person that the food does not feed."""

    resources: Resources
    """The resources to pay."""


@dataclass(frozen=True, slots=True)
class GoHungry:
    """Pays all food, does not feed everyone, and loses ten points."""


@dataclass(frozen=True, slots=True)
class TakeResources:
    """Uses the card for any two resources. The open decision is then asked again with a new id."""

    resources: Resources
    """The two resources to take."""


Action = PlacePeople | ResolvePlace | AddTools | Pay | Decline | TakeDie | Feed | GoHungry | TakeResources
"""An action of a seat."""
ACTIONS: tuple[type, ...] = get_args(Action)
