"""Tests of the Redis of the component: durability, bounded memory, and readiness after loading."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.servers import redis_server
from support.waiting import wait_until

from .manifests import OVERLAYS, README, of_kind, one
from .store import ComponentRedis, configuration, container

UNITS = {"Mi": 1 << 20, "Gi": 1 << 30, "mb": 1 << 20, "gb": 1 << 30}
KEYS = 5000
# Loads slowly: 20 ms for each key, and handles connections in between.
SLOWLY = {"key-load-delay": "20000", "loading-process-events-interval-bytes": "1024"}
FILL = "for number = 1, ARGV[1] do redis.call('SET', 'shedu:' .. number, string.rep('x', 1000)) end"


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[ComponentRedis]:
    server = ComponentRedis("dev", tmp_path)
    yield server
    server.stop()


def size(text: str) -> int:
    number, unit = re.fullmatch(r"(\d+)(\w\w)", text).groups()  # type: ignore[union-attr]
    return int(number) * UNITS[unit]


def overlays() -> list[str]:
    """Returns the overlays that have a Redis."""
    found = [overlay for overlay in OVERLAYS if of_kind(overlay, "StatefulSet")]
    assert {"dev", "production"} < set(found) < set(OVERLAYS)
    return found


def test_it_is_set_up_to_lose_nothing() -> None:
    wanted = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}

    assert all(wanted.items() <= configuration(overlay).items() for overlay in overlays())


def test_it_refuses_moves_long_before_it_is_killed_for_its_memory() -> None:
    """A fork may copy all memory; a server killed for its size would be killed again when it loads."""
    for overlay in overlays():
        limit = size(container(overlay)["resources"]["limits"]["memory"])
        assert 0 < 2 * size(configuration(overlay)["maxmemory"]) <= limit


def test_it_counts_as_ready_once_it_has_loaded(redis: ComponentRedis) -> None:
    fill(redis.folder)
    redis.settings = SLOWLY

    redis.launch()
    wait_until(lambda: "LOADING" in said(redis.probed("startupProbe")))

    assert redis.probed("startupProbe").returncode
    assert redis.probed("readinessProbe").returncode
    redis.kill()
    redis.settings = {}
    redis.start()
    assert 0 == redis.probed("startupProbe").returncode


def said(probe: subprocess.CompletedProcess[str]) -> str:
    return probe.stdout + probe.stderr


def fill(folder: Path) -> None:
    """Fills a Redis and rewrites its log, because only the rewritten part obeys `key-load-delay`."""
    with redis_server(folder, **{"aof-use-rdb-preamble": "yes"}) as server:
        server.ask("EVAL", FILL, 0, KEYS)
        server.ask("BGREWRITEAOF")
        wait_until(lambda: not server.ask("INFO", "persistence")["aof_rewrite_in_progress"])


def test_what_the_readme_says_to_watch_is_there() -> None:
    """Checks the names of metrics of the kubelet for this pod and its volume."""
    redis = one("production", "StatefulSet", "redis")
    pod, (volume,) = f"{redis['metadata']['name']}-0", redis["spec"]["volumeClaimTemplates"]
    watched = re.findall(r"^(\w+\{.*)$", block("kubelet_volume_stats"), re.MULTILINE)

    assert 2 == len(watched)
    assert f'pod="{pod}"' in watched[0]
    assert f'persistentvolumeclaim="{volume["metadata"]["name"]}-{pod}"' in watched[1]
    assert all('namespace="shedu"' in each for each in watched)


def block(containing: str) -> str:
    (found,) = [text for text in README.split("```") if containing in text]
    return found
