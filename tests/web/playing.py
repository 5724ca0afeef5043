"""Games played over the API, by pointing at the board and by choices in words."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from playwright.sync_api import Page, expect

from support.browser import Person, next_asked
from support.process import Serve
from support.waiting import wait_until

LIT = ".board-area .lit:not(.picked), .board-area .is-lit"
FIRST, LATER, ENOUGH = 4, 8, 150  # answers by pointing, and of a whole game
PEOPLE = ("Anna", "Bert")


def started(
    serve: Serve, title: str = "tides", names: Sequence[str] = PEOPLE, **fields: Any
) -> tuple[str, list[str]]:
    """A game at which people of these names sit: its id, and the keys to its seats."""
    game: str = serve.post("/v1/games", {"title": title, "seatCount": len(names), **fields})["game"]["gameId"]
    return game, [join(serve, game, name)[1] for name in names]


def join(serve: Serve, address: str, name: str = "Bert") -> tuple[str, str]:
    """Somebody sits down at the table with this address: its id, and the key to the seat."""
    game = address.rpartition("/")[2]
    return game, serve.post(f"/v1/games/{game}:join", {"displayName": name})["seatToken"]


def asked(serve: Serve, game: str, token: str) -> dict[str, Any]:
    """The first question that is open at the table."""
    return _asked(serve.get(f"/v1/games/{game}/view", token)["view"])[0]


def _asked(view: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"seat": 0, **decision} for decision in view.get("decisions", ())]


def play(serve: Serve, game: str, token: str, decision: dict[str, Any], action: dict[str, Any]) -> Any:
    answer = {"decisionId": decision["decisionId"], "action": action}
    return serve.post(f"/v1/games/{game}:play", answer, token)


def replies(
    serve: Serve, game: str, tokens: Sequence[str], move: Callable[[str, str], Any] | None = None
) -> Iterator[Any]:
    """Moves for whoever is asked until the game is over, with the first choice or by `move`; the replies."""
    view = serve.get(f"/v1/games/{game}/view", tokens[0])["view"]
    while questions := _asked(view):
        reply = (move or serve.move)(game, tokens[questions[0]["seat"]])
        view = reply["view"]
        yield reply


def advance(serve: Serve, game: str, tokens: Sequence[str], moves: int | None = None) -> None:
    """Plays so many moves, or to the end."""
    for _ in islice(replies(serve, game, tokens), moves):
        pass


def point(person: Person, choose: random.Random) -> bool:
    """Points at what is lit until one choice is left; in words where the board offers nothing to point at."""
    person.offered()
    for _ in range(6):
        lit = person.page.locator(LIT)
        if (count := lit.count()) == 0:
            break
        lit.nth(choose.randrange(count)).click(force=True)
        person.see()
        if person.page.locator(".confirm").is_visible():
            person.confirm()
            return True
    # A move of somebody else hides the choices for a moment; then what was pointed at is shown again.
    person.page.locator(".choice, .confirm").first.wait_for(state="attached")
    if person.page.locator(".confirm").is_visible():
        person.confirm()
        return True
    say(person, [], choose)
    return False


def say(person: Person, wishes: Sequence[str], choose: random.Random) -> None:
    """Takes a choice in words, and confirms it."""
    choice = person.page.locator(".choice").nth(chosen(person.offered(), wishes, choose))
    if not choice.is_visible():
        choice.locator("xpath=ancestor::details/summary").click()
    choice.click()
    person.confirm()


def chosen(words: Sequence[str], wishes: Sequence[str], choose: random.Random) -> int:
    """The last choice that fits the first wish that any fits, or else any."""
    fitting = (
        [at for at, text in enumerate(words) if re.search(wish, text, re.IGNORECASE)] for wish in wishes
    )
    return next(filter(None, fitting), [choose.randrange(len(words))])[-1]


def hurry(person: Person) -> None:
    """Wishes to see what others do without a pause."""
    person.page.goto("/")
    person.page.get_by_text("Settings").click()
    person.page.get_by_label("Show moves of other players without animation").check()


def play_whole(person: Person, serve: Serve, wishes: Sequence[str], hastened: int) -> int:
    """How many answers it took, the hastened ones included.

    The person points at the board at first, then gives so many answers over the API while the page looks on,
    points again, and in the end chooses in words what ends the game soonest.
    """
    choose = random.Random(11)
    pointed = [point(person, choose) for _ in asked_again(person, FIRST)]
    hasten(person, serve, wishes, hastened)
    pointed += [point(person, choose) for _ in asked_again(person, LATER)]
    said = [say(person, wishes, choose) for _ in asked_again(person, ENOUGH)]
    assert sum(pointed) > len(pointed) / 2
    assert len(said) < ENOUGH, "the game does not end"
    return len(pointed) + hastened + len(said)


def asked_again(person: Person, most: int) -> Iterator[Person]:
    """So many times, each time when something is asked, unless the game is over before."""
    return islice(iter(lambda: next_asked([person]), None), most)


def hasten(person: Person, serve: Serve, wishes: Sequence[str], answers: int) -> None:
    """Answers over the API for somebody who plays against a bot, and loads the page again."""
    game, token, choose = person.page.url.rpartition("/")[2], person.token(), random.Random(12)
    for _ in range(answers):
        if not wait_until(lambda: asked_or_over(serve, game, token))["decisions"]:
            break
        legal = serve.get(f"/v1/games/{game}/legalActions", token)
        words = [found["text"]["english"] for found in legal["actions"]]
        action = legal["actions"][chosen(words, wishes, choose)]["action"]
        play(serve, game, token, legal["decision"], action)
    wait_until(lambda: asked_or_over(serve, game, token))
    person.page.reload()


def asked_or_over(serve: Serve, game: str, token: str) -> Any:
    """The view of a seat, if something is asked of it or the game is over."""
    view = {"seat": 0, "decisions": [], **serve.get(f"/v1/games/{game}/view", token)["view"]}
    seats = [question["seat"] for question in _asked(view)]
    return view if view["seat"] in seats or not seats else None


def shows_its_end(page: Page, reason: str) -> None:
    expect(page.locator(".result h2")).to_contain_text(re.compile("wins|share the victory"))
    expect(page.locator(".result .facts").first).to_have_text(reason)
    expect(page.locator(".result .place td")).to_have_count(2)
    expect(page.locator(".fairness summary")).to_contain_text("verified")
