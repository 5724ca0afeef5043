"""`shedu new-title` makes a title that is served, played, watched, forked, verified and learnt at once.

It is made in a copy of the repository, and nothing there is edited by hand.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from support.browser import Person, chromium
from support.node import install
from support.process import ROOT, Serve, environment
from support.waiting import PATIENCE
from web.playing import asked_again, hurry, point, replies, started

pytestmark = pytest.mark.server
TITLE = "high_card"
CARDS, ROUNDS = 16, 8  # of a game of two seats
LAWS = (
    "rules",
    "codec",
    "secrecy",
    f"titles/{TITLE}",
    "wire/test_title_proto.py",
    "golden/test_golden.py",
    "learning/test_laws.py",
    *(f"play/test_{name}.py" for name in ("every_version", "forks", "undo")),
)
# Those of a title, and those that are generated from its dataclasses.
FOLDERS = re.compile(
    rf"(service/gamehost/titles|tests/titles)/{TITLE}/"
    rf"|proto/shedu/(storage/)?{TITLE}/|clients/python/shedu/(storage/)?{TITLE}/"
    rf"|clients/typescript/src/gen/shedu/{TITLE}/"
)
GENERATED = re.compile(
    r"proto/shedu/v1/game\.proto|clients/python/shedu/(descriptors\.binpb|title_types\.py|v1/game_pb2\.pyi?)"
    r"|clients/typescript/src/(titles\.ts|gen/shedu/v1/game_pb\.ts)|service/gamehost/web/.*"
)
# Neither is needed to make or to serve a title, and both are large.
LEFT_OUT = ("tests/golden/releases/", "clients/web/pictures/")


def listed(root: Path) -> list[str]:
    """The files that are in git or are about to be."""
    command = [
        "git",
        "-c",
        "safe.directory=*",
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]
    found = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if found.returncode:
        pytest.skip("NOT CHECKED: git does not know this folder")
    return [name for name in found.stdout.split("\0") if name and (root / name).is_file()]


def without_compilers() -> dict[str, str]:
    """Go and Rust code is generated where there are toolchains; to build their generators takes minutes."""
    folders = os.environ["PATH"].split(os.pathsep)
    kept = [path for path in folders if not any(shutil.which(name, path=path) for name in ("go", "cargo"))]
    return {"PATH": os.pathsep.join(kept)}


def run(copy: Path, *arguments: object, **settings: str) -> subprocess.CompletedProcess[str]:
    """Runs Python with the sources of the copy."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=copy,
        env={**environment(copy), **without_compilers(), **settings},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=6 * PATIENCE,
        check=False,
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository without the title, with the installed packages of its clients."""
    copy = tmp_path_factory.mktemp("repository")
    for name in listed(ROOT):
        if not name.startswith(LEFT_OUT):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    for client in ("web", "typescript"):
        install(ROOT / "clients" / client)
        (copy / "clients" / client / "node_modules").symlink_to(ROOT / "clients" / client / "node_modules")
    return copy


@dataclass(frozen=True)
class Made:
    """Returns the output of the command, and the files that it wrote."""

    said: str
    written: tuple[str, ...]


@pytest.fixture(scope="module")
def made(copy: Path) -> Made:
    before = contents(copy)
    done = run(copy, "-m", "gamehost", "new-title", TITLE)
    assert 0 == done.returncode, done.stdout + done.stderr
    after = contents(copy)
    return Made(done.stdout, tuple(name for name, text in after.items() if before.get(name) != text))


def contents(copy: Path) -> dict[str, bytes]:
    """The files by name, without installed packages and compiled files."""
    folders = {"node_modules", "__pycache__"}
    found = ((path, path.relative_to(copy)) for path in copy.rglob("*"))
    return {
        str(name): path.read_bytes()
        for path, name in found
        if path.is_file() and folders.isdisjoint(name.parts)
    }


@pytest.fixture(scope="module")
def title_serve(copy: Path, made: Made, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    settings = {"SHEDU_BOT_THINK_SECONDS": "0"}
    with Serve(tmp_path_factory.mktemp("serve"), root=copy, **settings) as process:
        yield process


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


def test_it_writes_only_into_its_folders_and_says_what_to_do_next(made: Made) -> None:
    elsewhere = [name for name in made.written if not (FOLDERS.match(name) or GENERATED.fullmatch(name))]

    assert [] == elsewhere
    assert f"service/gamehost/titles/{TITLE}/rules/rules.py" in made.written
    assert f"proto/shedu/{TITLE}/v1/{TITLE}.proto" in made.written
    assert "High Card can be played" in made.said
    assert f"python3 proto --title {TITLE}" in made.said


def test_a_second_call_overwrites_nothing(copy: Path, made: Made) -> None:
    done = run(copy, "-m", "gamehost", "new-title", TITLE)

    assert 2 == done.returncode
    assert f"there is already a title {TITLE}" in done.stderr


def test_laws_secrecy_codec_and_every_default_hold_without_a_change(copy: Path, title_serve: Serve) -> None:
    paths = ["tests/new_title/made_title.py", *(f"tests/{name}" for name in LAWS)]
    settings = {"SHEDU_TEST_TITLE": TITLE, "SHEDU_TEST_SERVER": title_serve.address}
    done = run(
        copy, "-m", "pytest", *paths, "-k", f"made_title or {TITLE}", SHEDU_TEST_BUDGET="small", **settings
    )

    assert 0 == done.returncode, done.stdout[-8000:] + done.stderr[-2000:]


def test_it_is_played_over_rest(title_serve: Serve) -> None:
    game, tokens = started(title_serve, TITLE)

    played = list(replies(title_serve, game, tokens))

    assert CARDS == len(played)
    assert ROUNDS == sum(title_serve.get(f"/v1/games/{game}")["game"]["outcome"]["scores"])


def test_it_is_played_in_a_browser_by_pointing_at_the_generic_board(
    title_serve: Serve, browser: Browser
) -> None:
    """In a language that it has no texts in, it is shown in English."""
    anna, choose = Person(browser, title_serve.url, "Anna"), random.Random(5)
    hurry(anna)
    address = anna.open_table(TITLE, Seat_2="random")

    pointed = [point(anna, choose) for _ in asked_again(anna, 2 * ROUNDS)]

    assert [True] * ROUNDS == pointed, "the board offered nothing to point at"
    expect(anna.page.locator(".result h2")).to_contain_text(re.compile("wins|share the victory"))
    log = anna.log()
    chosen = [line for line in log if re.search(r"^Anna: card chosen \(card [a-z]+\)\.", line)]
    shown = [line for line in log if re.search(r"^Cards revealed \(cards [a-z]+, [a-z]+; winner \w", line)]
    assert ROUNDS == len(chosen) == len(shown), log
    pedro = Person(browser, title_serve.url, "Pedro", locale="es-ES")
    pedro.page.goto(address)
    expect(pedro.page.locator("html")).to_have_attribute("lang", "es")
    expect(pedro.page.locator(".result h2")).to_contain_text(re.compile("gana|comparten", re.IGNORECASE))
    assert [line for line in pedro.log() if line.startswith("Anna: card chosen")]
    for person in (anna, pedro):
        person.leave()
