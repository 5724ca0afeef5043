"""Draws Stone Age: places and people, cards and tiles on offer, and the players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich.console import Group, RenderableType

from gamehost.commands.terminal.parts import counted, labelled_line, text_table, word
from gamehost.commands.terminal.title import Terminal
from gamehost.rules.kit import span
from shedu.stone_age.v1 import stone_age_pb2 as pb

from .rules import material
from .rules.material import LOWER, UPPER, Card, Culture

GOODS = ("wood", "brick", "stone", "gold")
INITIALS = [good[0].upper() for good in GOODS]
GROUNDS = {
    "hunting": "food, the dice by 2",
    "forest": "wood, the dice by 3",
    "clay pit": "brick, the dice by 4",
    "quarry": "stone, the dice by 5",
    "river": "gold, the dice by 6",
    "tool maker": "a tool",
    "hut": "one more person",
    "field": "a step on the food track",
}


def drawn(view: pb.View, names: Sequence[str]) -> RenderableType:
    start = names[view.start_player] if view.start_player < len(names) else ""
    return Group(
        labelled_line(f"Round {view.round}", f"start player: {start}; {view.deck_size} cards in the deck"),
        text_table(("place", "room", "people", "what is there"), places(view, names)),
        text_table(("tribe", "people", "food", "goods", "tools", "score", "has"), players(view, names)),
        labelled_line("Worth", "W wood 3, B brick 4, S stone 5, G gold 6"),
        labelled_line("Food", "what is there + the food track; a tool in brackets is used"),
    )


def places(view: pb.View, names: Sequence[str]) -> Iterator[Sequence[str]]:
    offers = {**GROUNDS, **{f"card {offer.slot}": card_offer(offer) for offer in view.cards}}
    offers |= {f"tile {offer.stack}": tile_offer(offer) for offer in view.tiles}
    for place in view.places:
        name = word(pb.Place, place.place)
        there = [f"{names[seat]} {count}" for seat, count in enumerate(place.people) if count]
        room = str(place.capacity) if place.HasField("capacity") else "any"
        yield name, room, ", ".join(there) or "–", offers[name]


def card_offer(offer: pb.CardView) -> str:
    return f"for {offer.cost}: {card_text(offer.card)}" if offer.HasField("card") else "bought"


def tile_offer(offer: pb.TileView) -> str:
    return f"for {tile_text(offer)}; {offer.face_down} below" if offer.HasField("tile") else "none left"


def players(view: pb.View, names: Sequence[str]) -> Iterator[Sequence[str]]:
    for name, player in zip(names, view.players, strict=True):
        tools = [f"({tool.value})" if tool.used else str(tool.value) for tool in player.tools if tool.value]
        tools += [f"once {value}" for value in player.one_use_tools]
        yield (
            name,
            f"{player.people_at_home} of {player.people}",
            f"{player.food} +{player.food_track}",
            resources(player.resources),
            " ".join(tools) or "–",
            str(player.score),
            "\n".join(belongings(player)) or "–",
        )


def belongings(player: pb.PlayerView) -> Iterator[str]:
    """Yield the player's cards by what they score, and tiles."""
    known = [lower_text(card) for card in [*player.cards, *player.drawn]]
    for each in sorted({*known}):
        yield f"{known.count(each)}× {each}" if known.count(each) > 1 else each
    if player.hidden_drawn:
        yield f"{player.hidden_drawn} cards unseen"
    if player.tiles:
        yield f"{len(player.tiles)} tiles"
    if player.any_two:
        yield "any two resources"


def resources(held: pb.Resources) -> str:
    return counted(INITIALS, [held.wood, held.brick, held.stone, held.gold])


def card_text(card: int) -> str:
    return f"{upper_text(card)}; {lower_text(card)}"


def upper_text(card: int) -> str:
    match UPPER[Card(card)]:
        case material.Food(amount):
            return f"{amount} food"
        case material.Gift(gift):
            return str(gift)
        case material.Points(amount):
            return f"{amount} points"
        case material.TwoDice(good):
            return f"two dice for {good.name.lower()}"
        case material.OneUseTool(value):
            return f"a tool of {value} for one use"
        case other:
            return SHORT[type(other)]


SHORT: dict[type, str] = {
    material.DiceForAll: "a die for everyone",
    material.NewTool: "a tool",
    material.FieldStep: "a step on the food track",
    material.DrawCard: "a card off the deck",
    material.AnyTwo: "any two resources, later",
}


def lower_text(card: int) -> str:
    lower = LOWER[Card(card)]
    if isinstance(lower, Culture):
        return f"symbol of {lower.name.lower()}"
    figure = lower.person.name.lower().replace("_", " ")
    return f"{lower.count} {figure}{'s' if lower.count > 1 else ''}"


def tile_text(offer: pb.TileView) -> str:
    if offer.HasField("exactly"):
        return resources(offer.exactly)
    kinds = f" of {offer.kinds} kinds" if offer.HasField("kinds") else ""
    return f"{span(offer.least, offer.most)} resources{kinds or ' of any kind'}"


SENTENCES: Mapping[str, str] = {
    "round_begun": "Round {round} began; start player: {start_player}.",
    "card_revealed": "Card {slot}: {card:card}.",
    "people_placed": "{seat} put {people} on {place}.",
    "people_returned": "{seat} brought {people} home from {place}.",
    "tool_made": "{seat} made a tool of {value}.",
    "person_born": "A person was born to {seat}: {people} now.",
    "food_track_raised": "{seat} went to {food_track} on the food track.",
    "dice_rolled": "{seat} rolled {faces} for {good}.",
    "roll_counted": "{seat} had {total} and took {gained} {good}.",
    "card_bought": "{seat} bought a card for {paid}: {card:card}.",
    "card_declined": "{seat} left the card.",
    "tile_built": "{seat} built a tile with {paid} for {points} points.",
    "tile_declined": "{seat} left the tile.",
    "food_gained": "{seat} gained {food} food.",
    "resources_gained": "{seat} gained {resources}.",
    "points_gained": "{seat} gained {points} points.",
    "one_use_tool_gained": "{seat} gained a tool of {value} for one use.",
    "any_two_gained": "{seat} may take any two resources later.",
    "any_two_taken": "{seat} took {resources}.",
    "card_drawn": "{seat} drew a card off the deck.",
    "dice_for_all_rolled": "Dice for everyone: {faces}.",
    "die_taken": "{seat} took the {face}.",
    "food_produced": "{seat} gained {food} food from the fields.",
    "people_fed": "{seat} fed everyone with {food} food and {resources}.",
    "went_hungry": "{seat} went hungry and lost {points_lost} points.",
    "seat_scored": "{seat} has {score.total} points in the end.",
    "game_ended": "The game ended: {reason}.",
}

TERMINAL: Final = Terminal(drawn, SENTENCES, forms={"card": card_text}, messages={"Resources": resources})
