"""Plays games over the API, by clicks on the board, and by the list of choices."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from playwright.sync_api import ElementHandle, Error, Locator

from support.browser import Person, next_asked
from support.process import Serve

LIT = ".board-area .lit:not(.picked), .board-area :is(.is-lit, .is-hint)"
ENOUGH = 150  # limit of the answers of a whole game
NARROW = 500  # pixels: the screen of a telephone
PEOPLE = ("Anna", "Bert")


def started(
    serve: Serve, title: str = "tides", names: Sequence[str] = PEOPLE, **fields: Any
) -> tuple[str, list[str]]:
    """Creates a game with these people; returns its id and the tokens of its seats."""
    game: str = serve.post("/v1/games", {"title": title, "seatCount": len(names), **fields})["game"]["gameId"]
    return game, [join(serve, game, name)[1] for name in names]


def join(serve: Serve, address: str, name: str = "Bert") -> tuple[str, str]:
    """Joins the game with this address; returns its id and the token of the seat."""
    game = address.rpartition("/")[2]
    return game, serve.post(f"/v1/games/{game}:join", {"displayName": name})["seatToken"]


def asked(serve: Serve, game: str, token: str) -> dict[str, Any]:
    """Returns the first open decision of a game."""
    return _asked(serve.get(f"/v1/games/{game}/view", token)["view"])[0]


def _asked(view: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"seat": 0, **decision} for decision in view.get("decisions", ())]


def play(serve: Serve, game: str, token: str, decision: dict[str, Any], action: dict[str, Any]) -> Any:
    answer = {"decisionId": decision["decisionId"], "action": action}
    return serve.post(f"/v1/games/{game}:play", answer, token)


def replies(
    serve: Serve, game: str, tokens: Sequence[str], move: Callable[[str, str], Any] | None = None
) -> Iterator[Any]:
    """Plays for every seat until the game is over, by `move` or the first action; yields the replies."""
    view = serve.get(f"/v1/games/{game}/view", tokens[0])["view"]
    while questions := _asked(view):
        reply = (move or serve.move)(game, tokens[questions[0]["seat"]])
        view = reply["view"]
        yield reply


def advance(serve: Serve, game: str, tokens: Sequence[str], moves: int | None = None) -> None:
    """Plays so many moves, or to the end."""
    for _ in islice(replies(serve, game, tokens), moves):
        pass


def move(serve: Serve, choose: random.Random, game: str, token: str) -> Any:
    """Mostly ends the turn, because a game without actions ends soon."""
    legal: Any = serve.get(f"/v1/games/{game}/legalActions", token)
    actions = [found["action"] for found in legal["actions"]]
    ends = [action for action in actions if "endTurn" in next(iter(action.values()))]
    action = choose.choice(ends if ends and choose.random() < 0.95 else actions)
    return play(serve, game, token, legal["decision"], action)


def point(person: Person, choose: random.Random) -> bool:
    """Clicks highlighted parts of the board until one choice is left; a listed choice if there are none."""
    person.offered()
    for _ in range(6):
        if not point_at(person, choose):
            break
        person.see()
        if person.page.locator(".confirm").is_visible():
            person.confirm()
            return True
    # A move of another player hides the choices for a moment; then the clicked part is shown again.
    person.page.locator(".choice, .confirm").first.wait_for(state="attached")
    if person.page.locator(".confirm").is_visible():
        person.confirm()
        return True
    say(person, [], choose)
    return False


def point_at(person: Person, choose: random.Random) -> bool:
    """Clicks something that is lit, unless the page replaced it meanwhile; whether anything is lit."""
    found = person.page.locator(LIT).element_handles()
    if found:
        with suppress(Error):
            press(person, choose.choice(found))
    return bool(found)


def press(person: Person, target: Locator | ElementHandle) -> None:
    """Taps it on a telephone, and clicks it elsewhere."""
    touch = (person.page.viewport_size or {"width": 0})["width"] < NARROW
    (target.tap if touch else target.click)(force=True)


def say(person: Person, wishes: Sequence[str], choose: random.Random) -> None:
    """Clicks one of the listed choices, and confirms it."""
    choice = person.page.locator(".choice").nth(chosen(person.offered(), wishes, choose))
    if not choice.is_visible():
        choice.locator("xpath=ancestor::details/summary").last.click()
    choice.click()
    person.confirm()


def chosen(words: Sequence[str], wishes: Sequence[str], choose: random.Random) -> int:
    """Returns the last choice that matches the first matching pattern, or a random one."""
    fitting = (
        [at for at, text in enumerate(words) if re.search(wish, text, re.IGNORECASE)] for wish in wishes
    )
    return next(filter(None, fitting), [choose.randrange(len(words))])[-1]


def hurry(person: Person) -> None:
    """Turns off the animation of moves of other players."""
    person.page.goto("/")
    person.page.get_by_text("Settings").click()
    person.page.get_by_label("Show moves of other players without animation").check()


def asked_again(person: Person, most: int) -> Iterator[Person]:
    """Yields the person at each of its decisions, at most so many times, until the game is over."""
    return islice(iter(lambda: next_asked([person]), None), most)


def asked_or_over(serve: Serve, game: str, token: str) -> Any:
    """Returns the view of a seat if it has a decision or the game is over; otherwise None."""
    view = {"seat": 0, "decisions": [], **serve.get(f"/v1/games/{game}/view", token)["view"]}
    seats = [question["seat"] for question in _asked(view)]
    return view if view["seat"] in seats or not seats else None
