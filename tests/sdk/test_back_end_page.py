"""Tests that the programs of clients/back_end.md work as written: a back end with a key, and its players."""

from __future__ import annotations

import re
import subprocess
import sys

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

        told = [player.communicate(timeout=PATIENCE) for player in players]
        results, complaints = back_end.communicate(timeout=PATIENCE)

    assert [("", "")] * 2 == told
    assert re.fullmatch(r"\{0: \d+, 1: \d+\}\n", results), results + complaints
