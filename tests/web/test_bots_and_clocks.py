"""Playing against the house and against time, by clicks."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from support.browser import play_on
from support.process import Serve
from web.conftest import Meet


def test_a_whole_game_against_a_bot(meet: Meet) -> None:
    anna = meet("Anna")

    anna.open_table("tides", Who_sits_on_seat_2="greedy")
    answers = play_on([anna], until=".result")

    assert 3 * 4 + 2 == answers
    expect(anna.page.locator(".fairness summary")).to_contain_text("proved")


def test_a_bot_takes_the_seat_that_nobody_wants(meet: Meet) -> None:
    anna = meet("Anna")
    anna.open_table("tides")

    anna.page.get_by_role("button", name="Add the bot").click()

    expect(anna.page.locator(".choice").first).to_be_visible()


def test_bots_of_the_same_name_are_numbered(meet: Meet) -> None:
    anna = meet("Anna")

    anna.open_table("tigris", Seats="3", Who_sits_on_seat_2="greedy", Who_sits_on_seat_3="greedy")

    for name in ("Greedy bot", "Greedy bot 2"):
        expect(anna.page.locator(".players").get_by_text(name, exact=True)).to_have_count(1)
        expect(anna.page.locator(".event-log")).to_contain_text(f"{name} sat down.")


@pytest.mark.parametrize(("language", "name"), [("pt-BR", "Robô ao acaso"), ("es-ES", "Robot al azar")])
def test_bots_are_called_in_the_language_of_the_page(
    meet: Meet, serve: Serve, language: str, name: str
) -> None:
    seats = {"seats": [{}, {"botLevel": "random"}]}
    game = serve.post("/v1/games", {"title": "tides", **seats})["game"]["gameId"]
    token = serve.post(f"/v1/games/{game}:join", {"displayName": "Random bot"})["seatToken"]
    anna = meet("Anna", locale=language)

    anna.take_seat(game, "tides", 0, token)

    for called in ("Random bot", name):
        expect(anna.page.locator(".players li", has_text=called)).to_have_count(1)
    expect(anna.page.locator(".event-log")).to_contain_text(name)


def test_a_clock_counts_down(meet: Meet) -> None:
    anna = meet("Anna")
    anna.open_table("tides", Who_sits_on_seat_2="random", Clock="bank")
    clock = anna.page.locator(".players li", has_text="Anna").get_by_role("timer")

    expect(clock).to_contain_text(re.compile(r"● (10:0|9:5)\d"))
    before = clock.inner_text()

    expect(clock).not_to_have_text(before)


def test_one_who_gives_up_has_lost(meet: Meet) -> None:
    anna, bert = meet("Anna"), meet("Bert")
    bert.sit_down(anna.open_table("tides"))

    anna.page.get_by_text("More", exact=True).click()
    anna.page.get_by_role("button", name="Give up").click()
    anna.page.get_by_role("button", name="Yes, give up").click()

    for person in (anna, bert):
        expect(person.page.locator(".result h2")).to_have_text("Bert has won")
        expect(person.page.locator(".event-log")).to_contain_text("Anna gave up.")


def test_a_bot_plays_for_one_whose_time_is_up_until_they_are_back(meet: Meet, serve: Serve) -> None:
    clock = {"perDecision": "1s"}
    game = serve.post("/v1/games", {"title": "tides", "clock": clock})["game"]["gameId"]
    tokens = [
        serve.post(f"/v1/games/{game}:join", {"displayName": name})["seatToken"] for name in ("Anna", "Bert")
    ]
    anna = meet("Anna")
    anna.take_seat(game, "tides", 0, tokens[0])

    expect(anna.page.locator(".event-log")).to_contain_text("Anna ran out of time; a bot plays on.")
    anna.page.get_by_role("button", name="Take my seat back").click()

    expect(anna.page.locator(".event-log")).to_contain_text("Anna is back.")
