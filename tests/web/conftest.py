from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from support.browser import Person, chromium
from support.process import Serve
from web.playing import started

Meet = Callable[..., Person]
Pair = tuple[Person, Person]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all tests of this folder in a process; every person has a separate context.

    Not for the session: Playwright keeps an event loop running in the thread of the tests, where no test with
    asyncio could run any more. It ends when the process goes on to another folder.
    """
    with chromium() as browser:
        yield browser


@pytest.fixture
def meet(browser: Browser, serve: Serve) -> Iterator[Meet]:
    """Returns a function that creates a person with a browser; their pages must have no errors at the end."""
    people: list[Person] = []

    def meet(name: str, **settings: object) -> Person:
        people.append(Person(browser, serve.url, name, **settings))
        return people[-1]

    yield meet
    for person in people:
        person.leave()


@pytest.fixture
def title() -> str:
    """The title of the game of `pair`; tests of several titles replace it."""
    return "tides"


@pytest.fixture
def pair(meet: Meet, serve: Serve, title: str) -> Pair:
    """Anna and Bert in a game that was created over the API, each in a browser."""
    game, tokens = started(serve, title)
    anna, bert = meet("Anna"), meet("Bert")
    for seat, person in enumerate((anna, bert)):
        person.take_seat(game, title, seat, tokens[seat])
    for person in (anna, bert):
        person.page.locator(".asking").wait_for()
    return anna, bert
