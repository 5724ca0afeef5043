"""Tests that every error is shown as a message that says what to do next."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Route, expect

from support.browser import Person
from support.process import Serve
from web.conftest import Meet
from web.playing import started

NOWHERE = "Page not found"
NO_GAME = "Game not found. If it is private"


WRONG = {
    "/games/abcdefghij0123456789": NO_GAME,
    "/games/abcdefghij0123456789/replay": NO_GAME,
    "/games/short": NOWHERE,
    "/nonsense": NOWHERE,
    "/create/chess": "This server does not have this game.",
}


def test_a_wrong_link(meet: Meet) -> None:
    person = meet("Anna")

    for path, sentence in WRONG.items():
        person.page.goto(path)

        expect(person.page.locator("main")).to_contain_text(sentence)
        person.page.get_by_role("link", name=re.compile("All games|Go to the lobby")).first.click()
        expect(person.page.locator("main h1")).to_have_text(re.compile("Choose a game|Lobby"))


def test_a_seat_whose_key_is_worthless_can_be_given_up(meet: Meet, serve: Serve) -> None:
    game_id, _ = serve.table()
    person = meet("Anna")

    person.take_seat(game_id, "tides", 0, "sst_x.y")
    expect(person.page.locator("main")).to_contain_text("access key to your seat is not valid")
    person.page.get_by_role("button", name="Give up this seat").click()

    expect(person.page.locator(".players")).to_contain_text("You are watching.")


def test_a_seat_whose_key_has_expired_can_be_given_up(browser: Browser, tmp_path: Path) -> None:
    at_once = "0.000000001"
    with Serve(tmp_path, SHEDU_SEAT_TOKEN_DAYS=at_once) as serve:
        game, tokens = started(serve)
        person = Person(browser, serve.url, "Anna")
        person.take_seat(game, "tides", 0, tokens[0])
        expect(person.page.locator("main")).to_contain_text("access key to your seat has expired")
        person.page.get_by_role("button", name="Give up this seat").click()

        expect(person.page.locator(".players")).to_contain_text("You are watching.")
        person.leave()


def test_a_full_game_can_be_watched(meet: Meet, serve: Serve) -> None:
    game_id, _ = serve.table()
    person = meet("Carl")

    person.page.goto(f"/games/{game_id}")

    expect(person.page.locator(".players")).to_contain_text("You are watching.")
    expect(person.page.get_by_role("button", name="Join", exact=True)).to_be_hidden()


def test_a_seat_that_someone_else_took_first(meet: Meet, serve: Serve) -> None:
    game_id = serve.post("/v1/games", {"title": "tides"})["game"]["gameId"]
    person = meet("Carl")
    person.page.goto(f"/games/{game_id}")
    person.page.get_by_label("Your name").fill("Carl")
    person.page.route("**/JoinGame", lambda route: overtake(serve, game_id, route))

    person.page.get_by_role("button", name="Join").click()

    expect(person.page.locator("main")).to_contain_text(re.compile("already started|You are watching"))


def overtake(serve: Serve, game_id: str, route: Route) -> None:
    """Fills the game before this call arrives."""
    for _ in range(2):
        serve.post(f"/v1/games/{game_id}:join", {})
    route.continue_()


def test_a_private_game_is_joined_with_its_invitation_alone(meet: Meet) -> None:
    anna, bert, carl = meet("Anna"), meet("Bert"), meet("Carl")
    anna.open_table("tides", Visibility="3")
    invitation = anna.page.get_by_label("Invite others").input_value()

    carl.page.goto(invitation.partition("#")[0])
    bert.page.goto(invitation)
    expect(bert.page.locator("main")).to_contain_text("You are invited")
    bert.sit_down(invitation)

    assert re.search(r"/games/[a-z0-9]{20}#invite=.+", invitation)
    expect(carl.page.locator("main")).to_contain_text(NO_GAME)
    expect(bert.page.locator(".choice").first).to_be_visible()
    assert "#" not in bert.page.url


def test_no_key_to_a_seat_is_ever_part_of_an_address(meet: Meet) -> None:
    anna = meet("Anna")
    addresses: list[str] = []
    anna.page.on("request", lambda request: addresses.append(request.url))

    anna.open_table("tides")
    token = anna.token()

    assert token
    assert [] == [address for address in addresses if token in address]


def test_an_event_of_a_newer_server_is_said_to_be_unknown(meet: Meet, serve: Serve) -> None:
    game_id, _ = serve.table()
    person = meet("Carl")
    person.page.route(
        "**/shedu.v1.GameService/ListEvents",
        lambda route: route.fulfill(body=b"\x0a\x02\x08\x01", content_type="application/proto"),
    )

    person.page.goto(f"/games/{game_id}")

    expect(person.page.locator(".event-log")).to_contain_text("This page does not know this event")
