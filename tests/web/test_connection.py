"""The page stays right when the server goes away, when two tabs play one seat, and when one is late."""

from __future__ import annotations

import signal

from playwright.sync_api import expect

from support.browser import Person
from support.process import Serve
from web.conftest import Meet


def watch_the_others(meet: Meet) -> tuple[Person, Person, Person]:
    anna, bert, carl = meet("Anna"), meet("Bert"), meet("Carl")
    address = anna.open_table("tides")
    bert.sit_down(address)
    carl.page.goto(address)
    expect(carl.page.locator(".players")).to_contain_text("You are watching.")
    return anna, bert, carl


def test_a_server_that_is_killed_is_missed_and_the_game_goes_on_without_a_gap(
    meet: Meet, serve: Serve
) -> None:
    anna, bert, carl = watch_the_others(meet)
    anna.answer()

    serve.signal(signal.SIGKILL)
    serve.wait()
    expect(carl.page.locator(".connection")).to_contain_text("The connection is lost")
    serve.start()
    expect(carl.page.locator(".connection")).to_be_empty(timeout=20_000)
    bert.answer()

    expect(carl.page.locator(".event-log")).to_contain_text("Revealed.")
    assert 1 == len([line for line in carl.log() if line == "Anna has chosen a card."])
    carl.page.reload()
    expect(carl.page.locator(".event-log")).to_contain_text("Revealed.")
    for person in (anna, bert):
        expect(person.page.locator(".event-log")).to_contain_text("Revealed.")
    assert carl.log() == anna.log() == bert.log()


def test_a_move_made_while_the_server_is_away_is_played_once_it_is_back(meet: Meet, serve: Serve) -> None:
    anna, bert, _ = watch_the_others(meet)
    anna.page.locator(".choice").first.click()

    serve.signal(signal.SIGTERM)
    serve.wait()
    anna.page.get_by_role("button", name="Play it").click()
    serve.start()
    expect(anna.page.locator(".connection")).to_be_empty(timeout=20_000)
    if anna.is_asked():
        anna.answer()

    expect(anna.page.locator(".asking")).to_contain_text("Waiting for Bert")
    assert 1 == len([line for line in anna.log() if line == "Anna has chosen a card."])
    expect(bert.page.locator(".connection")).to_be_empty(timeout=20_000)


def test_two_tabs_of_one_seat_show_the_same(meet: Meet) -> None:
    anna, bert, _ = watch_the_others(meet)
    other = anna.new_tab()
    other.goto(anna.page.url)
    expect(other.locator(".choice").first).to_be_visible()

    anna.answer()

    expect(other.locator(".asking")).to_contain_text("Waiting for Bert")
    bert.answer()
    expect(other.locator(".event-log")).to_contain_text("Revealed.")


def test_a_late_tab_is_told_what_it_missed(meet: Meet) -> None:
    anna, bert, _ = watch_the_others(meet)
    late = anna.new_tab()
    late.add_init_script(SLOW_TO_HEAR)
    late.goto(anna.page.url)
    late.locator(".choice").first.click()
    late.evaluate("window.deaf = true")

    anna.answer()
    bert.answer()
    late.get_by_role("button", name="Play it").click()

    notice = late.locator(".asking [role=alert]")
    expect(notice).to_contain_text("This question has been answered already, perhaps in another tab")
    expect(notice).to_contain_text("Revealed.")


# A page whose streams fall silent while `deaf` is set, as behind a connection that is stuck.
SLOW_TO_HEAR = """
const read = ReadableStreamDefaultReader.prototype.read;
ReadableStreamDefaultReader.prototype.read = async function (...rest) {
  const found = await read.apply(this, rest);
  while (window.deaf) await new Promise((resolve) => setTimeout(resolve, 50));
  return found;
};
"""
