"""Tests of the TypeScript client on connections that lose replies and break."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.node import node
from support.process import Serve
from support.typescript import compiled_client

SCRIPT = Path(__file__).with_name("broken_lines.mjs")


@pytest.fixture(scope="module")
def told(serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> Any:
    client = compiled_client(tmp_path_factory.mktemp("typescript"))
    done = node(str(SCRIPT), str(client), serve.url)
    assert "" == done.stderr
    return json.loads(done.stdout)


def test_a_move_whose_reply_is_lost_is_played_once(told: Any) -> None:
    assert 2 * (3 * 4 + 2) == told["answers"]
    assert 2 * told["answers"] == told["sent"]["playAction"]


def test_a_watcher_is_told_each_version_once_over_all_breaks(told: Any) -> None:
    assert told["sent"]["streams"] > 3
    assert told["sent"]["streams"] == 1 + told["interruptions"]["lost"]
    assert list(range(1, told["last"] + 1)) == told["versions"]


def test_a_server_that_is_away_is_a_passing_trouble(told: Any) -> None:
    assert {"known": True, "transient": True, "reason": ""} == told["away"]
