"""Tests of games with strangers, of the pages about players, and of what the seats of a game say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

import pytest
from playwright.sync_api import Browser, expect

from support.browser import LOOK_AGAIN, Person
from support.process import Serve
from support.waiting import wait_until
from web.conftest import Meet, Pair
from web.playing import advance

RATED_GAMES = 5  # so many as the leaderboard asks for
NUMBERS = count(1)
Signed = tuple[Person, str, str]


@pytest.fixture
def signed(browser: Browser, keyed_serve: Serve) -> Iterator[list[Signed]]:
    """Two persons who have signed in on the page, each with key and handle."""
    people = [Person(browser, keyed_serve.url, name) for name in ("Anna", "Bert")]
    yield [sign_in(person, keyed_serve) for person in people]
    for person in people:
        person.leave()


def sign_in(person: Person, serve: Serve) -> Signed:
    """Follows the way from a refused call to the own profile, and chooses a handle there."""
    number = next(NUMBERS)
    key, handle = serve.key(f"{person.name.lower()}-web-{number}"), f"{person.name}_{number}"
    page = person.page
    page.goto("/lobby")
    page.locator(".notice").get_by_role("link", name="Sign in").click()
    page.get_by_label("Your key").fill("nonsense")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".notice")).to_be_visible()
    page.get_by_label("Your key").fill(key)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Your account").click()
    page.get_by_label("Name that others see").fill(handle)
    page.get_by_role("button", name="Change").click()
    expect(page.locator("nav")).to_contain_text(handle)
    return person, key, handle


def find_opponents(*people: Person) -> str:
    """All ask for a game of Tides with strangers; returns the id of the one that all are led to."""
    for person in people:
        person.page.goto("/")
        person.page.get_by_role("link", name=re.compile("Play strangers.*Tides")).click()
        person.page.get_by_role("button", name="Find opponents").click()
    for person in people:
        person.page.wait_for_url("**/games/*")
        expect(person.page.locator(".choice").first).to_be_visible()
    [game] = {person.page.url.rpartition("/")[2] for person in people}
    return game


def test_strangers_play_rated_games_that_their_profiles_and_the_leaderboard_show(
    signed: list[Signed], keyed_serve: Serve
) -> None:
    (anna, key, _), (bert, _, handle) = signed

    for _ in range(RATED_GAMES):
        game = find_opponents(anna, bert)
        view = keyed_serve.get(f"/v1/games/{game}/view", anna.token())["view"]
        order = (anna, bert) if view.get("seat", 0) == 0 else (bert, anna)
        advance(keyed_serve, game, [person.token() for person in order])
    history = f"/v1/players/{handle}/games"
    wait_until(
        lambda: RATED_GAMES == str(keyed_serve.get(history, key)).count("ratingChange"), pause=LOOK_AGAIN
    )

    anna.page.goto(f"/players/{handle}")
    expect(anna.page.locator(".ratings td").first).to_have_text(re.compile(r"^\d+ ± \d+$"))
    rows = anna.page.locator(".history .game-row")
    expect(rows.locator(".badge")).to_have_count(RATED_GAMES)
    course = anna.page.get_by_role("img", name="Rating after each game")
    ratings = rows.locator(".badge").all_inner_texts()
    newest_last = ", ".join(text.split()[0] for text in reversed(ratings))
    expect(course).to_have_attribute("aria-label", f"Rating after each game: {newest_last}")
    expect(rows.get_by_role("link", name=signed[0][2])).to_have_count(RATED_GAMES)
    anna.page.locator(".ratings").get_by_role("link", name="Tides of Time").click()
    board = anna.page.locator(".leaderboard tbody tr")
    expect(board.filter(has_text=handle)).to_have_count(1)
    expect(board.and_(anna.page.locator("[aria-current]"))).to_contain_text(signed[0][2])
    anna.page.get_by_label("Around me").check()
    expect(board.filter(has_text=handle)).to_have_count(1)


def test_a_hidden_history_is_shown_to_its_owner_alone(signed: list[Signed]) -> None:
    (anna, *_), (bert, _, handle) = signed

    bert.page.get_by_label("Hide my games from others").check()
    bert.page.get_by_role("link", name="My profile").click()
    anna.page.goto(f"/players/{handle}")

    expect(anna.page.locator("main")).to_contain_text("This player hides their history.")
    expect(bert.page.get_by_role("heading", name="History")).to_be_visible()
    bert.page.goto("/account")
    bert.page.get_by_role("button", name="Sign out").click()
    expect(bert.page.locator("nav")).not_to_contain_text(handle)


def test_strangers_meet_without_an_account_where_the_server_has_none(meet: Meet) -> None:
    anna, bert = meet("Anna"), meet("Bert")
    anna.page.goto("/play/tides")
    anna.page.get_by_label("If nobody comes").select_option("never")
    anna.page.get_by_role("button", name="Find opponents").click()
    expect(anna.page.get_by_role("timer")).to_contain_text("0:")
    expect(anna.page.locator("nav a")).to_have_count(3)
    anna.page.get_by_role("button", name="Stop looking").click()
    expect(anna.page.get_by_role("button", name="Find opponents")).to_be_visible()
    expect(anna.page.get_by_label("Rated game")).to_have_count(0)

    find_opponents(anna, bert)

    anna.answer()
    expect(bert.page.locator(".event-log")).to_contain_text("has chosen a card.")


def test_a_search_goes_on_after_a_reload_and_ends_with_its_page(meet: Meet) -> None:
    anna = meet("Anna")
    page, waiting = anna.new_tab(), anna.page.get_by_role("timer")
    anna.page.goto("/play/stone_age")
    anna.page.get_by_label("If nobody comes").select_option("never")
    anna.page.get_by_role("button", name="Find opponents").click()
    expect(waiting).to_be_visible()

    with anna.page.expect_request("**/CreateTicket"):
        anna.page.reload()
    expect(waiting).to_be_visible()
    page.goto("/play/stone_age")
    expect(page.get_by_role("timer")).to_be_visible()
    anna.page.close()

    expect(page.get_by_role("button", name="Find opponents")).to_be_visible()


def test_what_a_seat_says_is_shown_to_the_other_until_it_is_muted(pair: Pair) -> None:
    anna, bert = pair
    bert.keep("language", "es")
    bert.page.reload()
    for person, word in ((anna, "Talk"), (bert, "Charla")):
        person.page.locator(".talk summary", has_text=word).click()

    anna.page.get_by_role("button", name="Good luck!").click()
    expect(bert.page.locator(".notices .remark")).to_have_text("Anna ¡Suerte!")
    expect(bert.page.locator(".remarks li")).to_have_text(["Anna ¡Suerte!"])
    bert.page.get_by_label("No mostrar lo que dice Anna").check()
    expect(bert.page.locator(".remarks li")).to_have_count(0)
    anna.page.get_by_role("button", name="Sorry!").click()

    expect(anna.page.locator(".remarks li")).to_have_text(["Anna Good luck!", "Anna Sorry!"])
    expect(bert.page.locator(".remarks li")).to_have_count(0)
