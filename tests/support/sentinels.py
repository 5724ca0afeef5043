"""A primary, its replicas and the sentinels that monitor them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from redis.exceptions import ResponseError

from support.servers import REPLICATED, RedisServer, free_port
from support.waiting import wait_until

SERVICE = "games"
# `down-after-milliseconds`: long, so that no server counts as down on a busy machine; and short, while a
# failover is awaited.
CALM, ALERT = 120_000, 1000
FAILOVER_TIMEOUT = 5000  # milliseconds


class Sentinel(RedisServer):
    """A sentinel that is configured with the other sentinels, which saves the time of their discovery."""

    def __init__(self, folder: Path, number: int, **settings: str) -> None:
        super().__init__(folder)
        self.settings = settings
        self.identity = f"{number:040x}"

    def introduce(self, watched: Replicated) -> None:
        first, *replicas = watched.servers
        others = [other for other in watched.sentinels if other is not self]
        lines = [
            f"dir {self.folder}",
            *(f"{name} {value}" for name, value in {**self.ports(), **self.settings}.items()),
            f"sentinel myid {self.identity}",
            f"sentinel monitor {SERVICE} 127.0.0.1 {first.port} {len(watched.sentinels) // 2 + 1}",
            f"sentinel down-after-milliseconds {SERVICE} {CALM}",
            f"sentinel failover-timeout {SERVICE} {FAILOVER_TIMEOUT}",
            *(f"sentinel known-replica {SERVICE} 127.0.0.1 {server.port}" for server in replicas),
            *(f"sentinel known-sentinel {SERVICE} 127.0.0.1 {o.port} {o.identity}" for o in others),
        ]
        (self.folder / "sentinel.conf").write_text("\n".join([*lines, ""]))

    def command(self) -> list[str]:
        return ["redis-server", str(self.folder / "sentinel.conf"), "--sentinel", "--bind", "127.0.0.1"]


class Replicated:
    """`servers` has the first primary and its replicas; roles change with every failover.

    A silent server counts as down only between `kill_primary` and `promoted`.
    """

    def __init__(
        self, folder: Path, *, replicas: int = 1, sentinels: int = 3, sentinel_user: str = "", **settings: str
    ) -> None:
        quick = {**REPLICATED, **settings}
        self.servers = [RedisServer(folder / f"server{n}", **quick) for n in range(replicas + 1)]
        shared = {name: value for name, value in settings.items() if name.startswith("tls-")}
        if sentinel_user:
            shared["user"] = sentinel_user
        self.sentinels = [Sentinel(folder / f"sentinel{n}", n, **shared) for n in range(sentinels)]

    @property
    def url(self) -> str:
        return self.url_of("")

    def url_of(self, login: str, scheme: str = "redis") -> str:
        """Returns the URL; `login` is like `user:password@`."""
        hosts = ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in self.sentinels)
        return f"{scheme}+sentinel://{login}{hosts}/{SERVICE}"

    @property
    def primary(self) -> RedisServer:
        """The primary on which all sentinels agree."""
        wait_until(lambda: len({address_by(s)[1] for s in self.sentinels if s.running}) == 1)
        _, port = address_by(next(s for s in self.sentinels if s.running))
        return next(server for server in self.servers if server.port == int(port))

    def start(self) -> Replicated:
        first, *replicas = self.servers
        first.start()
        for server in replicas:
            server.follow(first)
        wait_until(lambda: online(first) == len(replicas))
        for sentinel in self.sentinels:
            sentinel.introduce(self)
            sentinel.start()
        wait_until(lambda: all(self._is_content(sentinel) for sentinel in self.sentinels))
        return self

    def _is_content(self, sentinel: Sentinel) -> bool:
        """Whether a sentinel knows all servers and sentinels, so that a failover can start at once."""
        try:
            sentinel.ask("SENTINEL CKQUORUM", SERVICE)
        except ResponseError:
            return False
        known = sentinel.ask("SENTINEL REPLICAS", SERVICE)
        linked = [each for each in known if each[b"master-link-status"] == b"ok"]
        return len(linked) == len(self.servers) - 1

    def kill_primary(self) -> RedisServer:
        primary = self.primary
        self._down_after(ALERT)
        primary.kill()
        return primary

    def _down_after(self, milliseconds: int) -> None:
        for sentinel in self.sentinels:
            if sentinel.running:
                sentinel.ask("SENTINEL SET", SERVICE, "down-after-milliseconds", milliseconds)

    def fail_over(self, *, told: bool = True) -> RedisServer:
        """Does a planned failover; returns the new primary.

        With `told` the old primary is demoted at once, as an operator does; Sentinel does it after 8 seconds.
        """
        before = self.primary
        wait_until(lambda: self._has_handed_over(before), pause=0.1)
        promoted = self.promoted(before)
        if told:
            before.ask("REPLICAOF", "127.0.0.1", promoted.port)
        return promoted

    def _has_handed_over(self, before: RedisServer) -> bool:
        """Requests a failover; returns whether it has happened. Repeated, since Sentinel may give one up.

        Sentinel refuses while one is running, and until it trusts a replica that came back.
        """
        sentinel = self.sentinels[0]
        if address_by(sentinel)[1] != before.port:
            return True
        with suppress(ResponseError):
            sentinel.ask("SENTINEL FAILOVER", SERVICE)
        return False

    def promoted(self, before: RedisServer) -> RedisServer:
        """Waits until another server is the primary, and returns it."""
        wait_until(lambda: self.primary is not before and role(self.primary) == "master")
        self._down_after(CALM)
        return self.primary

    def revive(self, server: RedisServer) -> None:
        """Restarts a killed server as a replica, and waits until it has caught up."""
        server.follow(primary := self.primary)
        wait_until(lambda: online(primary) == sum(each.running for each in self.servers) - 1)

    def cut_off(self) -> None:
        """Cuts the replicas off from their primary, which clients can still reach."""
        self._follow(self.primary, free_port())

    def reunite(self) -> None:
        """Makes all servers follow the current primary, and waits until they have caught up."""
        primary = self.primary
        self._follow(primary, primary.port)
        wait_until(lambda: online(primary) == len(self.servers) - 1)

    def _follow(self, primary: RedisServer, port: int) -> None:
        for server in self.servers:
            if server is not primary:
                server.ask("REPLICAOF", "127.0.0.1", port)

    def stop(self) -> None:
        for server in (*self.sentinels, *self.servers):
            server.stop()


@contextmanager
def replicated(folder: Path, **settings: Any) -> Iterator[Replicated]:
    topology = Replicated(folder, **settings)
    try:
        yield topology.start()
    finally:
        topology.stop()


def address_by(sentinel: Sentinel) -> tuple[str, int]:
    host, port = sentinel.ask("SENTINEL GET-MASTER-ADDR-BY-NAME", SERVICE)
    return host, int(port)


def role(server: RedisServer) -> str:
    return str(server.ask("INFO", "replication")["role"]) if server.answers() else "gone"


def online(primary: RedisServer) -> int:
    """Returns the number of replicas that are online and have acknowledged an offset."""
    with primary.client() as client:
        facts = client.execute_command("INFO", "replication")
        if facts["role"] == "master":
            # WAIT makes the replicas acknowledge, which they otherwise do only after a write.
            client.execute_command("PUBLISH", "online", "")
            client.execute_command("WAIT", facts["connected_slaves"], 20)
            facts = client.execute_command("INFO", "replication")
    replicas = [fact for fact in facts.values() if isinstance(fact, dict)]
    return sum(fact["state"] == "online" and fact["offset"] > 0 for fact in replicas)
