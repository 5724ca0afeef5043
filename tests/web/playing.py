"""Hands that point at a board, or say in words what they want, to the end of a game."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from playwright.sync_api import Locator, Page, expect

from support.browser import Person

LIT = ".board-area .lit:not(.picked), .board-area .is-lit"
ENOUGH = 150


def point(person: Person, choose: random.Random) -> bool:
    """Points at what is lit until one choice is left; in words where the board offers nothing to point at."""
    before = person.page.locator(".prompt.mine").inner_text()
    person.page.locator(".choice").first.wait_for(state="attached")
    for _ in range(6):
        if person.page.locator(".confirm").is_visible():
            person.confirm()
            return True
        lit = person.page.locator(LIT)
        count = lit.count()
        if count == 0 or before != person.page.locator(".prompt.mine").inner_text():
            break
        lit.nth(choose.randrange(count)).click(force=True)
    say(person, [], choose)
    return False


def say(person: Person, wishes: Sequence[str], choose: random.Random) -> None:
    """Takes a choice in words: the last that fits the first wish that any fits, or else any."""
    choices = person.page.locator(".choice")
    words = offered(choices)
    fitting = ([at for at, text in enumerate(words) if re.search(wish, text)] for wish in wishes)
    wanted = next(filter(None, fitting), [choose.randrange(len(words))])[-1]
    choice = choices.nth(wanted)
    if not choice.is_visible():
        choice.locator("xpath=ancestor::details/summary").click()
    choice.click()
    person.confirm()


def offered(choices: Locator) -> list[str]:
    """The choices in words; those of the last question may go just as one looks."""
    while True:
        choices.first.wait_for(state="attached")
        if words := choices.all_text_contents():
            return words


def hurry(person: Person) -> None:
    """Wishes to see what others do without a pause."""
    person.page.goto("/")
    person.page.get_by_text("Settings").click()
    person.page.get_by_label("Show the moves of others without a pause").check()


def play_whole(person: Person, wishes: Sequence[str], pointing: int) -> int:
    """Points at the board so many times, then says what ends the game soonest; how many answers it took."""
    choose = random.Random(11)
    for answers in range(ENOUGH):
        person.page.locator(".result, .choice").first.wait_for(state="attached")
        if person.page.locator(".result").is_visible():
            return answers
        if answers < pointing:
            point(person, choose)
        else:
            say(person, wishes, choose)
    raise AssertionError(f"the game is not over after {ENOUGH} answers")


def shows_its_end(page: Page, reason: str) -> None:
    expect(page.locator(".result h2")).to_contain_text(re.compile("has won|share the win"))
    expect(page.locator(".result .facts").first).to_have_text(reason)
    expect(page.locator(".result .place td")).to_have_count(2)
    expect(page.locator(".fairness summary")).to_contain_text("proved")
