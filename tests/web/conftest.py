from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from support.browser import Person, chromium
from support.process import Serve

Meet = Callable[..., Person]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    with Serve(tmp_path_factory.mktemp("web"), SHEDU_HEARTBEAT_SECONDS="1") as serve:
        yield serve


@pytest.fixture
def meet(browser: Browser, serve: Serve) -> Iterator[Meet]:
    """Makes a person with a browser; in the end their pages must not have failed."""
    people: list[Person] = []

    def meet(name: str, **settings: object) -> Person:
        people.append(Person(browser, serve.url, name, **settings))
        return people[-1]

    yield meet
    for person in people:
        person.leave()
