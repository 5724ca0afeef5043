"""A Redis Cluster: three primaries that share the slots, and optional replicas."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from redis.crc import key_slot
from redis.exceptions import ResponseError

from support.servers import REPLICATED, RedisServer, free_port
from support.waiting import wait_until

# Node timeouts in milliseconds: long, so that no node counts as failing on a busy machine; and short, while
# the nodes meet or a failover is awaited.
CALM, ALERT = 60_000, 1000
HANDS_OVER = 5.5  # seconds; a node cancels a planned failover after five
PRIMARIES = 3
BOUNDS = (0, 5461, 10923, 16384)


class Cluster:
    """`nodes` has the primaries first, then their replicas; roles change with every failover.

    A silent node counts as failing only between `kill_primary` and `promoted`.
    """

    def __init__(self, folder: Path, *, replicas: int = 0, **settings: str) -> None:
        """`replicas` is the number for each primary."""
        count = PRIMARIES * (1 + replicas)
        self.nodes = [node(folder / str(number), **settings) for number in range(count)]

    @property
    def url(self) -> str:
        return self.url_of("")

    def url_of(self, login: str, scheme: str = "redis") -> str:
        """Returns the URL; `login` is like `user:password@`."""
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes[:PRIMARIES])
        return f"{scheme}+cluster://{login}{hosts}"

    def start(self) -> Cluster:
        for each in self.nodes:
            each.start()
        primaries = self.nodes[:PRIMARIES]
        for each, first, end in zip(primaries, BOUNDS, BOUNDS[1:], strict=False):
            each.ask("CLUSTER ADDSLOTSRANGE", first, end - 1)
        for number, each in enumerate(self.nodes[1:], 1):
            each.ask("CLUSTER SET-CONFIG-EPOCH", number)
            self.nodes[0].ask("CLUSTER MEET", "127.0.0.1", each.port, each.settings["cluster-port"])
        wait_until(lambda: all(self._is_known(each) for each in self.nodes))
        for number, each in enumerate(self.nodes[PRIMARIES:]):
            each.ask("CLUSTER REPLICATE", identity(primaries[number % PRIMARIES]))
        self.wait_until_whole()
        self._node_timeout(CALM)
        return self

    def _node_timeout(self, milliseconds: int) -> None:
        for each in self.nodes:
            if each.running:
                each.ask("CONFIG SET", "cluster-node-timeout", milliseconds)

    def _is_known(self, observer: RedisServer) -> bool:
        return int(observer.ask("CLUSTER INFO")["cluster_known_nodes"]) == len(self.nodes)

    def wait_until_whole(self) -> None:
        """Waits until all slots are served and every replica follows its primary."""
        wait_until(lambda: all(is_well(each) for each in self.nodes if each.running))

    def owner(self, slot: int) -> RedisServer:
        """Returns the node that says that it is the primary of a slot."""
        return next(each for each in self.nodes if each.running and holds(each, slot))

    def replicas(self, primary: RedisServer) -> list[RedisServer]:
        return [
            each for each in self.nodes if each.running and facts(each).get("master_port") == primary.port
        ]

    def kill_primary(self, slot: int) -> RedisServer:
        primary = self.owner(slot)
        self._node_timeout(ALERT)
        primary.kill()
        return primary

    def promoted(self, slot: int, before: RedisServer) -> RedisServer:
        """Waits until another node is the primary of the slot, and returns it."""
        others = [each for each in self.nodes if each is not before and each.running]
        wait_until(lambda: any(holds(each, slot) for each in others))
        self._node_timeout(CALM)
        return next(each for each in others if holds(each, slot))

    def fail_over(self, slot: int) -> RedisServer:
        """Does a planned failover of a slot; returns the new primary."""
        before = self.owner(slot)
        heir = self.replicas(before)[0]
        # A node that was elected recently can be elected again only after a few node timeouts.
        self._node_timeout(ALERT)
        wait_until(lambda: hands_over(heir, slot))
        promoted = self.promoted(slot, before)
        self._wait_until_all_know(slot, promoted)
        return promoted

    def _wait_until_all_know(self, slot: int, primary: RedisServer) -> None:
        """Waits until every node sees the same primary of a slot; they are told one after the other.

        Until then two nodes own the slot, and a node refuses to take a slot from one that it believes to be a
        replica.
        """
        name = identity(primary)
        wait_until(lambda: all(primary_of(each, slot) == name for each in self.nodes if each.running))

    def revive(self, server: RedisServer) -> None:
        """Restarts a killed node, and waits until it follows the new primary."""
        server.start()
        wait_until(lambda: facts(server).get("master_link_status") == "up")
        self.wait_until_whole()
        self._node_timeout(CALM)

    def reshard(self, slot: int, to: RedisServer, midway: Callable[[], object] = lambda: None) -> None:
        """Moves a slot with its keys; calls `midway` when half of them are moved, and when all are."""
        source = self.owner(slot)
        self._wait_until_all_know(slot, source)
        to.ask("CLUSTER SETSLOT", slot, "IMPORTING", identity(source))
        source.ask("CLUSTER SETSLOT", slot, "MIGRATING", identity(to))
        keys = source.ask("CLUSTER GETKEYSINSLOT", slot, 1000)
        migrate(source, to, keys[: len(keys) // 2])
        midway()
        while keys := source.ask("CLUSTER GETKEYSINSLOT", slot, 100):
            migrate(source, to, keys)
        midway()
        for each in (to, source):
            each.ask("CLUSTER SETSLOT", slot, "NODE", identity(to))

    def stop(self) -> None:
        for each in self.nodes:
            each.stop()


def node(folder: Path, **settings: str) -> RedisServer:
    own = {
        "cluster-enabled": "yes",
        "cluster-port": str(free_port()),
        "cluster-node-timeout": str(ALERT),
        **REPLICATED,
    }
    return RedisServer(folder, **{**own, **settings})


@contextmanager
def cluster_of(folder: Path, **settings: Any) -> Iterator[Cluster]:
    cluster = Cluster(folder, **settings)
    try:
        yield cluster.start()
    finally:
        cluster.stop()


def slot_of(game: str) -> int:
    """Returns the slot of a game."""
    return int(key_slot(f"{{{game}}}".encode()))


def identity(server: RedisServer) -> str:
    return str(server.ask("CLUSTER MYID").decode())


def facts(server: RedisServer) -> dict[str, Any]:
    found: dict[str, Any] = server.ask("INFO", "replication")
    return found


def holds(server: RedisServer, slot: int) -> bool:
    """Whether a node sees itself as the primary of a slot."""
    return primary_of(server, slot) == identity(server)


def primary_of(observer: RedisServer, slot: int) -> str | None:
    """Returns the id of the primary of a slot as a node sees it, None while it sees none."""
    for first, last, primary, *_ in observer.ask("CLUSTER SLOTS"):
        if first <= slot <= last:
            return str(primary[2].decode())
    return None


def hands_over(heir: RedisServer, slot: int) -> bool:
    """Asks a replica to take over a slot; returns whether it did in time."""
    with suppress(ResponseError):
        heir.ask("CLUSTER FAILOVER")
    with suppress(AssertionError):
        return wait_until(lambda: holds(heir, slot), HANDS_OVER)
    return False


def is_well(server: RedisServer) -> bool:
    state = server.ask("CLUSTER INFO")["cluster_state"]
    return state == "ok" and facts(server).get("master_link_status", "up") == "up"


def migrate(source: RedisServer, to: RedisServer, keys: list[bytes]) -> None:
    if keys:
        source.ask("MIGRATE", "127.0.0.1", to.port, "", 0, 5000, "KEYS", *keys)
