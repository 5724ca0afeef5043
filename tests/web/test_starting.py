"""Tests of starting a game in two clicks, of field errors, and of the installable client."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Locator, expect

from support.browser import Person, launched
from support.process import PLAIN, Serve
from web.conftest import Meet
from web.playing import join

HIDE = "Object.defineProperty(document, 'hidden', { value: true, configurable: true })"
SHOWN = """async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return (await registration.getNotifications()).map(({ title, data }) => [title, data]);
}"""


def card(person: Person, name: str = "Tides of Time") -> Locator:
    return person.page.locator(".title-card", has_text=name)


def test_a_game_against_a_bot_starts_with_one_click(meet: Meet) -> None:
    anna = meet("Anna")
    anna.page.goto("/")
    anna.page.get_by_label("Your name").fill("Anna")

    card(anna).get_by_role("button", name="Play a bot").click()

    expect(anna.page.locator(".choice").first).to_be_attached()
    expect(anna.page.locator(".players")).to_contain_text("Anna (you)")
    expect(anna.page.locator(".players")).to_contain_text("Greedy bot")


def test_a_friend_is_invited_with_one_click_by_link_and_by_qr_code(meet: Meet, serve: Serve) -> None:
    anna = meet("Anna")
    anna.page.goto("/")

    card(anna).get_by_role("button", name="Invite a friend").click()

    link = anna.page.get_by_label("Invite others with this link").input_value()
    code = anna.page.get_by_role("img", name="The invitation link as a QR code")
    expect(code).to_have_attribute("data-link", link)
    assert anna.page.url == link
    assert 300 < str(code.locator("path").get_attribute("d")).count("M")  # dark modules
    join(serve, link)
    expect(anna.page.locator(".choice").first).to_be_attached()


def test_a_number_out_of_bounds_is_refused_beside_its_field(meet: Meet) -> None:
    anna = meet("Anna")
    created: list[str] = []
    anna.page.on("request", lambda request: created.append(request.url))
    anna.page.goto("/create/stone_age")
    anna.page.get_by_text("Advanced", exact=True).click()
    field = anna.page.get_by_label("The game ends after this many rounds")

    for rounds in ("-3", "0", "1001", "2.5", ""):
        field.fill(rounds)
        anna.page.get_by_text("Advanced", exact=True).click()
        anna.page.get_by_role("button", name="Create game").click()

        expect(field).to_be_focused()
        expect(anna.page.locator(".field-error")).to_have_text("Enter a whole number from 1 to 1000.")
        assert [] == [url for url in created if url.endswith("CreateGame")]
        field.fill("3")
        expect(anna.page.locator(".field-error")).to_be_empty()


def test_the_client_is_installable_and_opens_without_a_network(meet: Meet, serve: Serve) -> None:
    anna = meet("Anna", service_workers="allow")
    anna.page.goto("/")
    path = anna.page.locator("link[rel=manifest]").get_attribute("href")
    manifest = httpx.get(f"{serve.url}{path}", **PLAIN).json()
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    answers = [httpx.get(f"{serve.url}{icon['src']}", **PLAIN) for icon in manifest["icons"]]
    assert {200} == {answer.status_code for answer in answers}
    anna.page.evaluate("navigator.serviceWorker.ready.then(() => null)")

    anna.context.set_offline(True)
    anna.page.goto("/lobby")

    expect(anna.page.locator("h1")).to_have_text("Lobby")
    expect(anna.page.locator(".connection")).to_contain_text("You are offline.")
    anna.context.set_offline(False)
    expect(anna.page.locator("main")).to_contain_text("Open games")
    expect(anna.page.locator(".connection")).to_be_empty()


@pytest.fixture
def notified(browser: Browser, serve: Serve) -> Iterator[Person]:
    """Someone with a whole Chromium: its headless shell has no notifications."""
    with launched(browser.browser_type, "chromium") as whole:
        anna = Person(whole, serve.url, "Anna", service_workers="allow", permissions=["notifications"])
        yield anna
        anna.leave()


def test_a_hidden_tab_notifies_that_it_is_the_players_turn(notified: Person, serve: Serve) -> None:
    anna = notified
    game, tokens = serve.table()
    serve.move(game, tokens[0])
    anna.take_seat(game, "tides", 0, tokens[0])
    expect(anna.page.locator(".asking")).to_contain_text("Waiting for")
    anna.page.get_by_text("Settings").click()
    anna.page.get_by_label("Notification when it is my turn").check()
    anna.page.evaluate("navigator.serviceWorker.ready.then(() => null)")

    anna.page.evaluate(HIDE)
    anna.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    serve.move(game, tokens[1])
    expect(anna.page).to_have_title("● Your turn – Shedu")

    anna.page.wait_for_function(f"({SHOWN})().then((shown) => shown.length > 0)")
    assert [["Tides of Time", f"/games/{game}"]] == anna.page.evaluate(SHOWN)
