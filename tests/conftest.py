"""What takes long begins first, so that no process is left alone with it at the end."""

from __future__ import annotations

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    folder = item.nodeid.split("/")[1]
    return LONG.index(folder) if folder in LONG else len(LONG)
