"""Tests that the sessions in the README of the client work as written."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path
from runpy import run_path

import pytest

import shedu
from gamehost.rules.catalog import CATALOG
from shedu.deciding import ask, load
from support.process import ROOT, Serve, environment, shedu_here
from support.waiting import PATIENCE

README = (ROOT / "clients/python/README.md").read_text()
BLOCKS = re.findall(r"^```(sh|python|toml)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def block(language: str, containing: str) -> str:
    (found,) = [text for kind, text in BLOCKS if kind == language and containing in text]
    return found


def session(serve: Serve, containing: str, folder: Path, **settings: str) -> list[str]:
    """Runs a Python session of the README, and returns the lines that it prints."""
    text = block("python", containing).replace("localhost:50051", f"localhost:{serve.grpc_port}")
    return run([sys.executable, "-W", "error", "-c", text], folder, **settings)


def run(command: list[str], folder: Path, **settings: str) -> list[str]:
    place = environment(COLUMNS="120", **settings)
    done = subprocess.run(command, cwd=folder, env=place, capture_output=True, text=True, timeout=PATIENCE)
    assert (0, "") == (done.returncode, re.sub("^shedu: connecting to .*\n", "", done.stderr))
    return done.stdout.splitlines()


def test_first_steps(serve, tmp_path):
    lines = session(serve, "you, and a hosted bot", tmp_path)

    assert "Round 1 of 3, card 1 of 5: choose a card to play." == lines[0]
    assert lines[-1].startswith("ROUNDS_PLAYED [")


def test_first_steps_with_asyncio(serve, tmp_path):
    assert ["ROUNDS_PLAYED"] == session(serve, "async for turn", tmp_path)


def test_exceptions(serve, tmp_path):
    refusal, late = session(serve, "except shedu.Refused", tmp_path)

    assert re.fullmatch(r"[A-Z_]+ TT-\d+", refusal)
    assert "DECISION_ANSWERED True" == late


def test_finding_and_opening(serve, tmp_path):
    titles, facts, started, listed = session(serve, "shedu.bank(600", tmp_path)

    assert {*CATALOG} == set(titles.split())
    assert "'max_rounds'" in facts
    assert "'random'" in facts
    assert "1 2" == started
    assert "False" == listed


def test_playing(serve, tmp_path):
    question, chosen, known, before, undone, outcome, rematch = session(serve, "validate_only", tmp_path)

    assert question.startswith("Round 1 of 3, card 1 of 5: choose a card to play. | Play ")
    assert ["['card_chosen']", "True", "False"] == [chosen, known, before]
    assert ("['proposal_answered', 'move_undone']", "RESIGNED [1, 2]", "True") == (undone, outcome, rematch)


def test_watching(serve, tmp_path):
    *moments, rest, eyes, seats, seed = session(serve, "game.fork", tmp_path)

    versions = [int(number) for line in moments for number in re.findall(r"\d+(?=[,\]])", line)]
    assert list(range(1, len(versions) + 1)) == versions
    assert (str(len(versions) - 10), "0", "[0, 1]", "True") == (rest, eyes, seats, seed)
    assert "is fair" in shedu_here("verify", tmp_path / "game.jsonl").stdout


def test_all_your_games(keyed_serve, tmp_path):
    lines = session(keyed_serve, "server.inbox()", tmp_path, SHEDU_TOKEN=keyed_serve.key("reader"))

    assert 14 == lines.count("decision")
    assert ["finished", "[True]"] == lines[-2:]


def files(folder: Path, worlds: int = 1) -> None:
    """Writes the bots of the README; the clock of the search bot allows it so many worlds."""
    (folder / "my_bot.py").write_text(block("python", "# my_bot.py"))
    (folder / "my_bot.toml").write_text(block("toml", "# my_bot.toml"))
    search = block("python", "# search_bot.py").replace("time.monotonic()", "next(CLOCK)")
    clock = f"\\1\nCLOCK = itertools.count(0, SECONDS / {worlds - 0.5})\n"
    (folder / "search_bot.py").write_text(re.sub(r"^(SECONDS = .*)$", clock, search, flags=re.MULTILINE))


@pytest.mark.parametrize(("name", "games"), [("my_bot.py", 10), ("search_bot.py", 6), ("my_bot.toml", 4)])
def test_bots_play(serve, tmp_path, name, games):
    files(tmp_path)
    words = block("sh", f"bot run {name}").split()

    lines = run([sys.executable, "-m", "gamehost", *words[1:]], tmp_path, SHEDU_SERVER=serve.address)

    shown = dict(reversed(re.findall(r"(?:│ )?(\w+) +(?:│ )?([\d.]+)", "\n".join(lines))))
    assert (games, games * 14, 0) == tuple(int(shown[each]) for each in ("games", "decisions", "failures"))


def test_the_search_bot_beats_one_that_plays_at_random(tmp_path):
    files(tmp_path, worlds=25)
    bots = f"{tmp_path / 'search_bot.py'},random"

    done = shedu_here("arena", "--title", "tides", "--bots", bots, "--games", "6", "--jobs", "1", "--json")

    searching, _ = json.loads(done.stdout)["bots"]
    assert (6, 0) == (searching["games"], searching["forfeits"])
    assert searching["wins"] > 3


@pytest.mark.parametrize("title", CATALOG)
def test_the_search_bot_plays_every_title_and_looks_at_the_clock_after_every_world(serve, tmp_path, title):
    files(tmp_path, worlds=1)
    search_bot, imagined = run_path(str(tmp_path / "search_bot.py")), []
    names, play_on = search_bot["decide"].__globals__, search_bot["played_out"]
    names["played_out"] = lambda *world: imagined.append(1) or play_on(*world)
    with shedu.connect(serve.address, patience=PATIENCE) as server:
        me = server.create(title, bots=["random"]).join("Ann")
        for turn in islice(me.turns(), 2):
            chosen = search_bot["decide"](turn.view, turn.decision, turn.actions)
            assert turn.play(chosen).view.version > turn.view.version
        me.resign()

    assert 2 == len(imagined)


def test_a_bot_counts_what_its_seat_has_witnessed(serve, tmp_path):
    (tmp_path / "counting_bot.py").write_text(block("python", "# counting_bot.py"))
    make = load(tmp_path / "counting_bot.py")
    counting = make()

    with shedu.connect(serve.address, patience=PATIENCE) as server:
        me = server.create("tides", bots=["random"]).join("Ann")
        for turn in me.turns(events=True):
            turn.play(
                turn.actions[ask("counting", counting, turn.view, turn.decision, turn.actions, turn.events)]
            )

    assert counting.shown.total() > 14


def test_bots_in_a_program(serve, tmp_path):
    files(tmp_path)

    first, *matches = session(serve, "await match(", tmp_path)

    assert "2 28" == first
    assert ["('mine', 'twin')", "('twin', 'mine')"] == [line.partition(" [")[0] for line in matches]


def test_every_session_is_tried():
    python = [text for kind, text in BLOCKS if kind == "python"]

    # The session with client certificates is tested in e2e/test_tls.py.
    assert 12 == len(python)


def test_every_link_leads_somewhere():
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / "clients/python" / target).exists(), target
    headings = {text.lower().replace(" ", "-") for text in re.findall(r"^#+ (.*)", README, re.MULTILINE)}
    assert headings >= set(re.findall(r"\]\(#([^)]+)\)", README))
