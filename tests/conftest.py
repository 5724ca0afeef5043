"""What takes long begins first, so that no process is left alone with it at the end.

What tests start hears Ctrl-C, as at a terminal, also where the tests run in the background.
"""

from __future__ import annotations

import signal

import pytest

LONG = (
    "robustness",
    "web",
    "k8s",
    "topologies",
    "typescript",
    "e2e",
    "play",
    "conformance",
    "secrecy",
    "hosted",
    "sdk",
    "bots",
)

# Programs inherit an ignored signal, not a handled one. To change it in a forked child is no way: gRPC may be
# at work in this process, and does not survive a fork.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    folder = item.nodeid.split("/")[1]
    return LONG.index(folder) if folder in LONG else len(LONG)
