"""Tests that the committed bundle is built from the sources, and how it is served."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from support.node import built, npm
from support.process import Serve
from support.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "clients" / "web"
COMMITTED = ROOT / "service" / "gamehost" / "web"
SOURCES = [
    *(
        WEB / name
        for name in (
            "src",
            "public",
            "build.mjs",
            "discovered_titles.mjs",
            "package.json",
            "package-lock.json",
            "tsconfig.json",
        )
    ),
    ROOT / "clients" / "typescript" / "src",
]
FIRST_BOARD_BYTES = 200 * 1024


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_committed_bundle_is_what_the_sources_make() -> None:
    fresh, committed = content(built(WEB, "bundle", SOURCES, build)), content(COMMITTED)

    assert fresh.keys() == committed.keys(), "run `python3 clients/web`"
    assert [] == [name for name in fresh if fresh[name] != committed[name]], "run `python3 clients/web`"


def build(target: Path) -> None:
    npm(WEB, "run", "--silent", "check")
    npm(WEB, "run", "--silent", "build", "--", str(target))


TITLES = sorted(path.parent.name for path in (WEB / "src" / "titles").glob("*/board.tsx"))


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_everything_a_first_board_loads_is_small(title: str, language: str) -> None:
    entry = set(re.findall(r"/assets/([\w.-]+)", (COMMITTED / "index.html").read_text()))
    board, pages, texts = chunks(title), chunks(language), chunks(f"{title}-text-{language}")

    names = reached(entry | board | pages | texts)

    sizes = {name: len(gzip.compress((COMMITTED / "assets" / name).read_bytes())) for name in names}

    assert [1, 1, 1] == [len(board), len(pages), len(texts)]
    assert FIRST_BOARD_BYTES > sum(sizes.values()), sizes


def chunks(name: str) -> set[str]:
    """Returns the files of a part of the bundle, whose names end with a hash."""
    return {path.name for path in (COMMITTED / "assets").glob(f"{name}-????????.js")}


def test_nothing_of_a_title_but_facts_and_cover_is_loaded_with_the_first_page() -> None:
    entry = set(re.findall(r"/assets/([\w.-]+)", (COMMITTED / "index.html").read_text()))

    first = reached(entry)

    parts = {part for title in TITLES for part in (title, f"{title}-luck", f"{title}-text-en")}
    assert set() == first & {name for part in parts for name in chunks(part)}
    assert len(parts) == sum(len(chunks(part)) for part in parts)


def reached(names: set[str]) -> set[str]:
    """Returns these files with everything that they import statically."""
    found: set[str] = set()
    while names:
        name = names.pop()
        found.add(name)
        text = (COMMITTED / "assets" / name).read_text("utf-8") if name.endswith(".js") else ""
        imported = re.findall(r'(?:from|import)\s*"\./([\w.-]+\.js)"', text)
        names |= set(imported) - found
    return found


@pytest.fixture
def web(serve: Serve) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=serve.url, timeout=PATIENCE) as client:
        yield client


def test_the_page_is_served_wherever_links_lead(web: httpx.Client) -> None:
    paths = ["/", "/lobby", "/mine", "/create/tides", "/games/abcdefghij0123456789", "/games/x/replay"]
    paths += ["/account", "/play/tides", "/leaderboard/tides", "/players/anna"]

    answers = [web.get(path) for path in paths]

    assert {200} == {answer.status_code for answer in answers}
    assert 1 == len({answer.text for answer in answers})
    assert {"no-cache"} == {answer.headers["cache-control"] for answer in answers}
    policy = answers[0].headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("name", ["service_worker.js", "manifest.webmanifest"])
def test_files_at_fixed_paths_are_asked_for_anew(web: httpx.Client, name: str) -> None:
    answer = web.get(f"/{name}")

    assert (COMMITTED / name).read_bytes() == answer.content
    assert "no-cache" == answer.headers["cache-control"]
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_assets_are_packed_and_kept_for_ever(web: httpx.Client) -> None:
    name = re.findall(r'src="(/assets/[\w.-]+\.js)"', web.get("/").text)[0]

    answer = web.get(name)

    assert ("gzip", "public, max-age=31536000, immutable", "text/javascript; charset=utf-8") == (
        answer.headers["content-encoding"],
        answer.headers["cache-control"],
        answer.headers["content-type"],
    )
    assert (COMMITTED / name.removeprefix("/")).read_bytes() == answer.content
    plain = web.get(name, headers={"accept-encoding": "identity"})
    assert answer.content == plain.content
    assert "content-encoding" not in plain.headers
    again = web.get(name, headers={"if-none-match": answer.headers["etag"]})
    assert (304, b"") == (again.status_code, again.content)


@pytest.mark.parametrize("name", ["../index.html", "%2e%2e/index.html", "x.js", "..%2f..%2fsettings.py"])
def test_nothing_else_is_served_as_an_asset(web: httpx.Client, name: str) -> None:
    answer = web.get(f"/assets/{name}")

    assert 404 == answer.status_code
    assert b"import" not in answer.content


def test_a_wrong_path_is_a_page_for_people_and_an_error_for_programs(web: httpx.Client) -> None:
    person = web.get("/nonsense", headers={"accept": "text/html,*/*"})
    program = web.get("/nonsense")

    assert (404, "text/html; charset=utf-8") == (person.status_code, person.headers["content-type"])
    assert (404, "application/json") == (program.status_code, program.headers["content-type"])
    assert 200 == web.get("/docs").status_code
