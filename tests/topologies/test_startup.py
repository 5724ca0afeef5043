"""Tests that the requested durability is printed and checked at the start, on every relevant server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.clusters import Cluster, cluster_of
from support.process import PATIENCE, Serve
from support.sentinels import replicated

DURABLE = ("--durability", "durable")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster_of(tmp_path_factory.mktemp("cluster")) as found:
        yield found


def refusal(folder: Path, *arguments: str) -> str:
    serve = Serve(folder, *arguments)
    assert 2 == serve.launch().wait(PATIENCE), serve.log.read_text()
    return " ".join(serve.log.read_text().split())


@pytest.mark.parametrize(
    ("setting", "wrong", "right", "said"),
    [
        ("maxmemory-policy", "allkeys-lru", "noeviction", "allkeys-lru and would drop games"),
        ("appendfsync", "everysec", "always", "set appendonly yes and appendfsync always"),
    ],
)
def test_one_wrong_node_of_a_cluster_is_named_and_refused(
    cluster: Cluster, tmp_path: Path, setting: str, wrong: str, right: str, said: str
) -> None:
    node = cluster.nodes[1]
    node.ask("CONFIG SET", setting, wrong)
    try:
        heard = refusal(tmp_path, "--redis", cluster.url, *DURABLE)
    finally:
        node.ask("CONFIG SET", setting, right)

    assert said in heard
    assert f"at 127.0.0.1:{node.port}" in heard


def test_a_cluster_without_replicas_cannot_replicate(cluster: Cluster, tmp_path: Path) -> None:
    heard = refusal(tmp_path, "--redis", cluster.url, "--durability", "replicated", "--replicas", "1")

    assert "with 1 replicas, but redis" in heard


def test_a_cluster_says_what_it_promises(cluster: Cluster, tmp_path: Path) -> None:
    with Serve(tmp_path, "--redis", cluster.url, *DURABLE) as serve:
        heard = " ".join(serve.log.read_text().split())

    assert "durable (requested); the server: append-only file, fsync always" in heard


def test_a_primary_that_a_sentinel_names_is_checked(tmp_path: Path) -> None:
    with replicated(tmp_path, sentinels=1, **{"maxmemory-policy": "allkeys-lru"}) as topology:
        heard = refusal(tmp_path, "--redis", topology.url, *DURABLE)

    assert "allkeys-lru and would drop games" in heard
