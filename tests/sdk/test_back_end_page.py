"""Tests that the programs of clients/back_end.md work as written: a back end with a key, and its players."""

from __future__ import annotations

import re
import subprocess
import sys

import shedu
from support.process import ROOT, Serve, environment
from support.waiting import PATIENCE

PAGE = (ROOT / "clients" / "back_end.md").read_text()
BACK_END, PLAYER = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def program(text: str, serve: Serve, *words: str, **settings: str) -> subprocess.Popen[str]:
    there = text.replace("localhost:50051", serve.address)
    return subprocess.Popen(
        [sys.executable, "-u", "-c", there, *words],
        env=environment(**settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_back_end_opens_a_game_that_players_play_with_tokens_alone(keyed_serve: Serve) -> None:
    with program(BACK_END, keyed_serve, SHEDU_TOKEN=keyed_serve.key("back-end")) as back_end:
        assert back_end.stdout is not None
        game_id, *tokens = back_end.stdout.readline().split()
        players = [program(PLAYER, keyed_serve, game_id, str(n), each) for n, each in enumerate(tokens)]

        ends = [told(player) for player in players]
        results, complaints = told(back_end)

    assert [("", "")] * 2 == ends
    assert re.fullmatch(r"\{0: \d+, 1: \d+\}\n", results), results + complaints


def test_a_back_end_that_was_down_gets_the_result_of_a_game_that_ended_meanwhile(keyed_serve: Serve) -> None:
    key = keyed_serve.key("late-back-end")
    functions, connect, _ = BACK_END.partition("with shedu.connect")
    late = f"{connect}('localhost:50051') as server:\n    print(results(server, sys.argv[1]))\n"
    with shedu.connect(keyed_serve.address, token=key, patience=PATIENCE) as server:
        game = server.create("tides", visibility="unlisted")
        loser, _winner = game.join("Ann", seat=0), game.join("Bob", seat=1)
        loser.resign()

        words = f"import sys\n{functions}{late}", keyed_serve, game.id
        with program(*words, SHEDU_TOKEN=key) as asking:
            results = told(asking)

    assert ("{}\n", "") == results  # a game that ends by resignation has no scores


def told(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Returns what a program prints until its end. One that does not end is killed."""
    try:
        return process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
