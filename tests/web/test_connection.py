"""Tests of the page when the server is down, when two tabs play one seat, and when one is late."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from support.browser import Person
from support.process import Serve
from support.waiting import wait_until
from web.conftest import Meet, Pair
from web.playing import started

CHOSEN = "Anna has chosen a card."


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """A service for these tests only, which stop it. Its bots think so long that they never move."""
    settings = {"HEARTBEAT_SECONDS": "1", "BOT_THINK_SECONDS": "3600", "DRAIN_SECONDS": "0"}
    settings = {f"SHEDU_{name}": value for name, value in settings.items()}
    with Serve(tmp_path_factory.mktemp("connection"), **settings) as serve:
        yield serve


def watching(meet: Meet, pair: Pair) -> Person:
    carl = meet("Carl")
    carl.page.goto(pair[0].page.url)
    expect(carl.page.locator(".players")).to_contain_text("You are watching.")
    return carl


def test_a_server_that_is_killed_is_missed_and_the_game_goes_on_without_a_gap(
    meet: Meet, serve: Serve, pair: Pair
) -> None:
    anna, bert = pair
    carl = watching(meet, pair)
    anna.answer()
    expect(carl.page.locator(".event-log")).to_contain_text(CHOSEN)

    serve.signal(signal.SIGKILL)
    serve.wait()
    expect(carl.page.locator(".connection")).to_contain_text("Connection lost")
    serve.start()
    for person in (anna, bert, carl):
        expect(person.page.locator(".connection")).to_be_empty()
    bert.answer()

    everyone = (anna, bert, carl)
    for person in everyone:
        expect(person.page.locator(".event-log")).to_contain_text("Revealed.")
    assert 1 == carl.log().count(CHOSEN)
    carl.page.reload()
    expect(carl.page.locator(".event-log")).to_contain_text("Revealed.")
    wait_until(lambda: carl.log() == anna.log() == bert.log())


def test_a_move_made_while_the_server_is_away_is_played_once_it_is_back(serve: Serve, pair: Pair) -> None:
    anna, bert = pair
    anna.page.locator(".choice").first.click()

    serve.stop()
    anna.page.get_by_role("button", name="Confirm").click()
    serve.start()
    expect(anna.page.locator(".connection")).to_be_empty()
    anna.page.locator(".choice").or_(waiting_for_bert(anna)).first.wait_for()
    if anna.is_asked():
        anna.answer()

    expect(waiting_for_bert(anna)).to_be_visible()
    assert 1 == anna.log().count(CHOSEN)
    expect(bert.page.locator(".connection")).to_be_empty()


def waiting_for_bert(person: Person) -> Locator:
    return person.page.locator(".asking", has_text="Waiting for Bert")


def test_the_inbox_goes_on_after_the_server_was_away(meet: Meet, serve: Serve) -> None:
    game, tokens = started(serve)
    serve.move(game, tokens[0])
    anna = meet("Anna")
    anna.take_seat(game, "tides", 0, tokens[0])
    anna.page.get_by_role("link", name="Lobby").click()
    expect(anna.page.locator("h1")).to_have_text("Lobby")

    serve.stop()
    serve.start()
    serve.move(game, tokens[1])

    expect(anna.page.locator(".attention")).to_contain_text("Your turn")


def test_a_server_that_is_away_is_asked_again(meet: Meet, serve: Serve) -> None:
    person = meet("Anna")
    person.page.goto("/")
    expect(person.page.locator(".title-card")).to_have_count(4)

    serve.stop()
    person.page.get_by_role("link", name="Lobby").click()
    expect(person.page.locator("main")).to_contain_text("The server cannot be reached")
    expect(person.page.locator(".connection")).to_contain_text("Connection lost")
    serve.start()

    expect(person.page.locator("main")).to_contain_text("No public game has a free seat.")
    expect(person.page.locator(".connection")).to_be_empty()


def test_a_request_to_a_frozen_server_times_out_with_a_sentence(meet: Meet, serve: Serve) -> None:
    person = meet("Anna")
    person.page.clock.install()
    person.page.goto("/lobby")
    expect(person.page.locator("main")).to_contain_text("No public game has a free seat.")

    with serve.frozen():
        with person.page.expect_request("**/ListGames"):
            person.page.get_by_role("button", name="Refresh").click()
        person.page.clock.fast_forward("00:11")
        expect(person.page.locator("main")).to_contain_text("The server does not answer.")
        expect(person.page.locator(".connection")).to_contain_text("Connection lost")
    person.page.get_by_role("button", name="Try again").click()

    expect(person.page.locator("main")).to_contain_text("No public game has a free seat.")
    expect(person.page.locator(".connection")).to_be_empty()


def test_a_move_sent_to_a_frozen_server_can_be_sent_again_and_is_played_once(
    serve: Serve, pair: Pair
) -> None:
    anna, bert = pair
    page, notice = anna.page, anna.page.locator(".asking .notice")
    page.clock.install()
    page.reload()
    page.locator(".choice").first.wait_for()

    with serve.frozen():
        for _ in range(2):
            page.locator(".choice").first.click()
            with page.expect_request("**/PlayAction"):
                page.get_by_role("button", name="Confirm").click()
            expect(notice).to_be_hidden()
            page.clock.fast_forward("00:11")
            expect(notice).to_contain_text("The server does not answer.")
        page.locator(".choice").first.click()
        with page.expect_request("**/PlayAction"):
            page.get_by_role("button", name="Confirm").click()

    expect(waiting_for_bert(anna)).to_be_visible()
    expect(notice).to_be_hidden()
    expect(page.locator(".connection")).to_be_empty()
    bert.answer()
    expect(page.locator(".event-log")).to_contain_text("Revealed.")
    assert 1 == anna.log().count(CHOSEN)


def test_a_page_that_was_offline_goes_on_where_it_stopped(serve: Serve, pair: Pair) -> None:
    anna, bert = pair

    anna.context.set_offline(True)
    expect(anna.page.locator(".connection")).to_contain_text("You are offline.")
    game = anna.page.url.rpartition("/")[2]
    for person in pair:
        serve.move(game, person.token())
    expect(bert.page.locator(".event-log")).to_contain_text("Revealed.")
    anna.context.set_offline(False)

    expect(anna.page.locator(".connection")).to_be_empty()
    expect(anna.page.locator(".event-log")).to_contain_text("Revealed.")
    anna.answer()
    wait_until(lambda: anna.log() == bert.log())


def test_six_tabs_of_one_browser_are_all_told_and_can_all_play(meet: Meet, serve: Serve) -> None:
    games = [started(serve) for _ in range(6)]
    anna = meet("Anna")
    for game, tokens in games:
        anna.take_seat(game, "tides", 0, tokens[0])
    tabs = [anna.new_tab() for _ in games]
    for tab, (game, _) in zip(tabs, games, strict=True):
        tab.goto(f"/games/{game}")
        expect(tab.locator(".choice").first).to_be_visible()

    for game, tokens in games:
        serve.move(game, tokens[0])
        serve.move(game, tokens[1])

    for tab in tabs:
        expect(tab.locator(".event-log")).to_contain_text("Revealed.")
    for tab in tabs:
        tab.locator(".choice").first.click()
        tab.get_by_role("button", name="Confirm").click()
        expect(tab.locator(".asking")).to_contain_text("Waiting for Bert")
        expect(tab.locator(".connection")).to_be_empty()


def test_a_bot_plays_for_one_whose_time_is_up_until_they_are_back(meet: Meet, serve: Serve) -> None:
    game, tokens = started(serve, clock={"perDecision": "1s"})
    anna = meet("Anna")
    anna.take_seat(game, "tides", 0, tokens[0])

    expect(anna.page.locator(".event-log")).to_contain_text("Anna ran out of time; a bot plays on.")
    anna.page.get_by_role("button", name="Take back my seat").click()

    expect(anna.page.locator(".event-log")).to_contain_text("Anna is back.")


def test_two_tabs_of_one_seat_show_the_same(pair: Pair) -> None:
    anna, bert = pair
    other = anna.new_tab()
    other.goto(anna.page.url)
    expect(other.locator(".choice").first).to_be_visible()

    anna.answer()

    expect(other.locator(".asking")).to_contain_text("Waiting for Bert")
    bert.answer()
    expect(other.locator(".event-log")).to_contain_text("Revealed.")


def test_a_late_tab_is_told_what_it_missed(pair: Pair) -> None:
    anna, bert = pair
    late = anna.new_tab()
    late.add_init_script(SLOW_TO_HEAR)
    late.goto(anna.page.url)
    late.locator(".choice").first.click()
    late.evaluate("window.deaf = true")

    anna.answer()
    bert.answer()
    late.get_by_role("button", name="Confirm").click()

    notice = late.locator(".asking [role=alert]")
    expect(notice).to_contain_text("This decision has already been made, perhaps in another tab")
    expect(notice).to_contain_text("Revealed.")


# Blocks the streams of a page while `deaf` is set, as on a stuck connection.
SLOW_TO_HEAR = """
const read = ReadableStreamDefaultReader.prototype.read;
ReadableStreamDefaultReader.prototype.read = async function (...rest) {
  const found = await read.apply(this, rest);
  while (window.deaf) await new Promise((resolve) => setTimeout(resolve, 50));
  return found;
};
"""
