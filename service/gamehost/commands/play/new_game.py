"""Creates or joins the game of `shedu play`."""

from __future__ import annotations

import os
from dataclasses import dataclass

from google.protobuf.json_format import ParseDict, ParseError

import shedu
from gamehost.commands.console import fail
from gamehost.rules.kit import span
from shedu.v1 import catalog_service_pb2, game_pb2

LUCK = 16  # bytes of the client seed


@dataclass(frozen=True, slots=True)
class PlayRequest:
    """The options of the command that select a game and a seat."""

    title: str
    bots: str
    seats: int
    options: list[str]
    game: str
    invite: str
    name: str


def create_or_join(there: shedu.Server, request: PlayRequest) -> shedu.Player:
    if request.game:
        table = there.game(request.game, invite_code=request.invite)
    else:
        title = there.title(request.title)
        seats, bots = seat_plan(title, request)
        table = there.create(
            request.title,
            seats=seats,
            bots=bots,
            options=parsed_options(title, request.options),
            visibility="unlisted",
        )
    # A seed of the player is mixed into the luck of the game, so that the server cannot choose it alone.
    return table.join(request.name, client_seed=os.urandom(LUCK))


def seat_plan(title: catalog_service_pb2.Title, request: PlayRequest) -> tuple[int, list[str]]:
    """Return the number of seats and a bot level for each seat but one."""
    known = [bot.level for bot in title.bots]
    levels = [level.strip() for level in request.bots.split(",") if level.strip()]
    levels = levels or [bot.level for bot in title.bots if bot.default] or known[:1]
    for level in levels:
        if level not in known:
            fail(f"there is no bot {level} for {title.title}; there are: {', '.join(known)}")
    seats = request.seats or max(title.min_seats, len(levels) + 1)
    if not title.min_seats <= seats <= title.max_seats:
        fail(f"{title.title} is for {span(title.min_seats, title.max_seats)} players, not {seats}")
    if len(levels) >= seats:
        fail(f"{len(levels)} bots leave no seat for you at a table of {seats}")
    return seats, levels + levels[-1:] * (seats - 1 - len(levels))


def parsed_options(title: catalog_service_pb2.Title, given: list[str]) -> game_pb2.Options | None:
    values = dict(parsed_option(title, each) for each in given)
    try:
        return ParseDict({title.title: values}, game_pb2.Options()) if values else None
    except ParseError as error:
        fail(f"these are no options of {title.title}: {error}")


def parsed_option(title: catalog_service_pb2.Title, given: str) -> tuple[str, bool | int | str]:
    name, _, value = given.partition("=")
    option = next((each for each in title.options if each.name == name), None)
    if option is None:
        fail(f"{title.title} has no option {name}; it has: {', '.join(each.name for each in title.options)}")
    words = {"true": True, "yes": True, "false": False, "no": False}
    if option.type == "bool" and value.lower() in words:
        return name, words[value.lower()]
    if option.type == "int" and value.isdecimal():
        return name, int(value)
    choices = [choice.strip('"') for choice in option.choices]
    named = [each for each in choices if value and f"_{each.lower()}".endswith(f"_{value.lower()}")]
    if len(named) != 1:
        fail(f"{name} is {' or '.join(choices) or option.type}, not {value or 'nothing'}")
    return name, named[0]
