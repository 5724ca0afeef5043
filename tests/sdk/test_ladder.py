"""Tests of `bot run --ladder` and `Server.match`: games with opponents that the server finds."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path
from typing import Any

import pytest

import shedu
from shedu.finding import Wanted
from support.process import Serve, started
from support.waiting import PATIENCE, wait_until

FIRST = "def decide(view, decision, actions):\n    return actions[0]\n"


def test_two_bots_meet_on_the_ladder_and_are_rated(keyed_serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "my_bot.py").write_text(FIRST)
    words = (
        "bot",
        "run",
        str(tmp_path / "my_bot.py"),
        "--title",
        "tides",
        "--ladder",
        "--games",
        "1",
        "--json",
    )
    keys = [keyed_serve.key(name) for name in ("ladder-one", "ladder-two")]

    playing = [
        started(program, *words, SHEDU_SERVER=keyed_serve.address, SHEDU_TOKEN=key)
        for program, key in zip(("shedu", "gamehost"), keys, strict=True)
    ]
    told = [process.communicate(timeout=PATIENCE) for process in playing]

    reports = [json.loads(out) for out, _ in told]
    assert [1, 1] == [report["games"] for report in reports]
    assert 1 == sum(report["wins"] for report in reports)
    assert all("waiting for opponents on the ladder" in complaints for _, complaints in told)
    with shedu.connect(keyed_serve.address, token=keys[0]) as server:
        wait_until(lambda: [1] == [rating.games for rating in server.profile().ratings])


def test_a_bot_is_told_its_rating(keyed_serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "my_bot.py").write_text(FIRST)
    key, other = keyed_serve.key("ladder-three"), keyed_serve.key("ladder-four")
    with (
        shedu.connect(keyed_serve.address, token=key) as server,
        shedu.connect(keyed_serve.address, token=other) as opponent,
    ):
        found: list[Any] = []
        waiting = threading.Thread(target=lambda: found.append(opponent.match("tides", rated=True)))
        waiting.start()
        server.match("tides", rated=True).resign()
        waiting.join()
        wait_until(lambda: len(server.profile().ratings) == 1)
    words = ("shedu", "bot", "run", str(tmp_path / "my_bot.py"), "--title", "tides", "--ladder")

    playing = started(*words, SHEDU_SERVER=keyed_serve.address, SHEDU_TOKEN=key)
    assert playing.stderr is not None
    lines = iter(playing.stderr.readline, "")
    rating = next(line for line in lines if "rating" in line)
    playing.terminate()
    playing.communicate(timeout=PATIENCE)

    assert re.search(r"tides: rating \d+ ± \d+ after 1 rated games", rating)


def test_callers_without_a_key_play_with_strangers(serve: Serve) -> None:
    found: list[Any] = []
    with shedu.connect(serve.address) as one, shedu.connect(serve.address) as other:
        waiting = threading.Thread(target=lambda: found.append(one.match("tides", name="Ann")))
        waiting.start()
        player = other.match("tides", name="Bob")
        waiting.join()

        assert player.id == found[0].id
        assert {0, 1} == {player.seat, found[0].seat}
        player.resign()
        assert "RESIGNED" == found[0].outcome().reason


@pytest.mark.parametrize("fields", [{"create": 1}, {"join": ["a"]}, {"challenge": ["random"]}])
def test_the_ladder_does_without_other_games(fields: dict[str, Any]) -> None:
    assert "--ladder" in (Wanted(["tides"], "bot", ladder=True, **fields).objection or "")
    assert None is Wanted(["tides"], "bot", ladder=True).objection
