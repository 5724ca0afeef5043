"""Seasons of the arena for tests: bots in files, and games played in this process."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

from gamehost.arena.decision_timer import DecisionTimer
from gamehost.arena.fixtures import Fixture, Season, enter
from gamehost.arena.match import GameResult, play_game
from gamehost.arena.processes import Referee
from gamehost.arena.results import Standings
from gamehost.commands.arena import show_standings
from gamehost.rules.catalog import CATALOG
from support.process import environment, shedu_here


def bot_file(folder: Path, code: str, name: str = "my_bot.py") -> Path:
    path = folder / name
    path.write_text(textwrap.dedent(code), encoding="utf-8")
    return path


def season(title: str = "tides", bots: Iterable[object] = ("random", "greedy"), **fields: Any) -> Season:
    wanted = {"seats": 2, "games": 6, "seed": 3, "options": CATALOG[title].options()} | fields
    return Season(title, entrants=tuple(enter(title, map(str, bots))), **wanted)


def inline(
    fixtures: Iterable[Fixture], processes: int = 1, referee: Referee = play_game, limit: float = 0
) -> Iterator[GameResult]:
    """Plays the same games as `crew.run`, one after the other in this process; only for harmless bots."""
    with patch.object(sys, "path", [*sys.path]):  # a bot in a file adds its folder
        for fixture in fixtures:
            yield referee(fixture, DecisionTimer())


def shown(asked: Season) -> tuple[Any, str]:
    """Plays a season here; returns what `shedu arena --json` prints for it, and its messages on stderr."""
    standings = Standings(asked)
    for played in inline(asked.fixtures()):
        standings.add(played)
    with redirect_stdout(io.StringIO()) as told, redirect_stderr(io.StringIO()) as complaints:
        show_standings(standings, as_json=True)
    return json.loads(told.getvalue()), complaints.getvalue().replace("\n", " ")


def arena(*arguments: object) -> tuple[Any, str]:
    """Returns the same from the whole command, which starts processes for bots in files."""
    done = shedu_here("arena", "--json", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr.replace("\n", " ")


def timeless(facts: Any) -> Any:
    """Returns the results without the times, which depend on the machine."""
    bots = [{name: fact for name, fact in bot.items() if "second" not in name} for bot in facts["bots"]]
    return {name: fact for name, fact in facts.items() if "second" not in name} | {"bots": bots}


@contextmanager
def session(
    *arguments: object, stderr: int = subprocess.PIPE, **settings: str
) -> Iterator[subprocess.Popen[str]]:
    """Runs a real `shedu` in a process group of its own, as a terminal does; kills the group at the end."""
    running = subprocess.Popen(
        [sys.executable, "-m", "gamehost", *map(str, arguments)],
        env=environment(**settings),
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        start_new_session=True,
    )
    try:
        yield running
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
            running.communicate()
