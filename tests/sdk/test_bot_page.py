"""Tests that the bot of clients/bot.md plays as written, and that links of pages for users lead somewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from support.process import ROOT, Serve, started
from support.waiting import PATIENCE

CLIENTS = ROOT / "clients"
BOT = (CLIENTS / "bot.md").read_text()
PAGES = ("bot.md", "frontend.md", "back_end.md")
README = (CLIENTS / "README.md").read_text()


def test_the_bot_of_the_page_plays_with_its_command(serve: Serve, tmp_path: Path) -> None:
    (bot,) = re.findall(r"^```python\n(.*?)^```", BOT, re.MULTILINE | re.DOTALL)
    (command,) = re.findall(r"^```sh\n(.*?)^```", BOT, re.MULTILINE | re.DOTALL)
    (tmp_path / "first_bot.py").write_text(bot)
    words = command.replace("first_bot.py", str(tmp_path / "first_bot.py")).split()[1:]

    playing = started("shedu", *words, "--json", SHEDU_SERVER=serve.address)
    printed, complaints = playing.communicate(timeout=PATIENCE)

    report = json.loads(printed)
    assert (0, 4, 56, 0) == (
        playing.returncode,
        report["games"],
        report["decisions"],
        report["failures"],
    ), complaints


@pytest.mark.parametrize("page", PAGES)
def test_the_page_is_linked_has_a_picture_and_its_links_lead_somewhere(page: str) -> None:
    text = (CLIENTS / page).read_text()
    links = re.findall(r"\]\(([^)#:]+)?(?:#([\w-]+))?\)", text)

    assert f"]({page})" in README
    assert "```mermaid\nsequenceDiagram" in text
    assert links
    assert [] == [path for path, _ in links if path and not (CLIENTS / path).exists()]
    assert [] == [(path, part) for path, part in links if part and part not in headings(CLIENTS / path)]


def headings(file: Path) -> set[str]:
    """Returns the names by which links reach the headings of a page."""
    found = re.findall(r"^#+ (.*)$", file.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in found}
