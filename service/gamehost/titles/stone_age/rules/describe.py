"""The texts of the rules by id, and the texts of actions."""

from __future__ import annotations

from collections.abc import Mapping

from gamehost.rules.kit import Text, text

from .actions import (
    Action,
    AddTools,
    Decline,
    Feed,
    GoHungry,
    Pay,
    PlacePeople,
    ResolvePlace,
    TakeDie,
    TakeResources,
)
from .material import HUNGER, PLACE_NAMES

TEXTS: Mapping[str, str] = {
    "SA-1": "Everyone begins with five people, five more in reserve, twelve food and nothing else. Wood, "
    "brick, stone and gold are worth 3, 4, 5 and 6 and never run out, nor does food.",
    "SA-2": "Four cards lie open, costing 1 to 4 from the right. The tiles make stacks of seven, one "
    "stack for each player, the top tile open; the rest stay out unseen.",
    "SA-3": "The start player is drawn by lot.",
    "SA-10": "In turn, put people on one place, each place once a round. Tool maker, field, every card and "
    "every tile hold one; the hut exactly two of one player; forest, clay pit, quarry and river "
    "seven in all; hunting any number.",
    "SA-11": "A player with people and a place for them must place. A player who cannot is skipped, and the "
    "phase ends when no one can. People who were not placed must be fed, too.",
    "SA-12": "With two or three players only two of tool maker, hut and field are used in a round, and "
    "forest, clay pit, quarry and river take one player each with two players, two with three.",
    "SA-13": "A card or tile may be occupied without the means to pay for it, and hut, field and tool "
    "maker at their limits, without gain.",
    "SA-20": "From the start player on, each player resolves all own places in any order.",
    "SA-21": "The tool maker raises the lowest of three tools by one, up to 4, an unused one among equals. "
    "It may be used at once, unless the raised tool was used already.",
    "SA-22": "The hut brings a person, who eats this round and works from the next, up to ten. The field "
    "raises the food track by one, up to ten.",
    "SA-23": "Roll a die for each person; after seeing the sum add any ready tools, whole, once a round; "
    "divide rounding down: hunting by 2, forest 3, clay pit 4, quarry 5, river 6.",
    "SA-24": "A card costs as many resources as its slot says, of any kind, never food. Its upper half "
    "acts at once. It may be declined.",
    "SA-25": "A tile costs what it shows: three given resources, 4 or 5 of an exact number of kinds, or 1 "
    "to 7 of any kind. It scores the value paid. It may be declined.",
    "SA-26": "Upper halves: dice for all, one taken by each from the buyer on, for wood, brick, stone, gold, "
    "a tool or a field step (1 to 6); food, resources, points, a tool or a field step; two dice with "
    "tools; a card off the deck, unseen by others, for its lower half; a tool for one use; or any two "
    "resources at a later decision of one's own, worth two points if never used.",
    "SA-30": "The food track gives its food, then everyone pays one food for each person.",
    "SA-31": "A player who lacks food pays all of it, and either the rest in resources, 1 for 1, or 10 "
    "points. The score may fall below zero.",
    "SA-40": "The start player moves on, cards left slide to the right, new ones fill the gaps from the "
    "right, and tools are ready again. During a round no gap is filled.",
    "SA-41": "The game ends at once when the deck cannot fill the free slots of a new round, or after the "
    "round in which a stack ran empty.",
    "SA-42": "The game ends after the number of rounds chosen when it was created.",
    "SA-43": "Different symbols squared, duplicates again; farmers times food track; toolmakers times "
    "tools; hut builders times tiles; shamans times people; 1 for each resource left. "
    "Food and one-use tools count nothing.",
    "SA-44": "Ties go by food track, tools and people, one after the other or summed, as chosen; then they "
    "are shared.",
}


def describe(action: Action) -> Text:
    match action:
        case PlacePeople(place, people):
            sentence = "Put {people} of your people on {place}."
            return text("stone_age.place_people", sentence, people=people, place=PLACE_NAMES[place])
        case ResolvePlace(place):
            return text("stone_age.resolve_place", "Resolve {place}.", place=PLACE_NAMES[place])
        case AddTools(tools, one_use_tools):
            return describe_tools(sorted(tools), sorted(one_use_tools))
        case Pay(resources, 0):
            return text("stone_age.pay", "Pay {resources}.", resources=resources)
        case Pay(resources, food):
            sentence = "Pay {resources} and {food} food."
            return text("stone_age.pay_food", sentence, resources=resources, food=food)
        case Decline():
            return text("stone_age.decline", "Pay nothing and leave it.")
        case TakeDie(face):
            return text("stone_age.take_die", "Take the {face}.", face=face)
        case Feed(resources):
            return text("stone_age.feed", "Feed the people with {resources}.", resources=resources)
        case GoHungry():
            return text("stone_age.go_hungry", "Go hungry and lose {points} points.", points=HUNGER)
        case TakeResources(resources):
            return text("stone_age.take_resources", "Use the card to take {resources}.", resources=resources)


def describe_tools(tools: list[int], one_use_tools: list[int]) -> Text:
    spaces = " and ".join(str(space + 1) for space in tools) or "none"
    values = " and ".join(map(str, one_use_tools)) or "none"
    sentence = "Use these tools: {tools}; spend these one-use tools: {one_use_tools}."
    return text("stone_age.add_tools", sentence, tools=spaces, one_use_tools=values)
