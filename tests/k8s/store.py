"""Runs the Redis of the component as its manifests say."""

from __future__ import annotations

import base64
import subprocess
from pathlib import Path

from support.servers import RedisServer, run
from support.waiting import wait_until

from .manifests import Object, containers, one


class ComponentRedis(RedisServer):
    """A server with the configuration and the users of the component; `settings` override them."""

    def __init__(self, overlay: str, folder: Path) -> None:
        super().__init__(folder)
        self.settings, self._overlay = {}, overlay

    def start(self) -> RedisServer:
        self.launch()
        wait_until(self.answers)
        return self

    def launch(self) -> None:
        users = base64.b64decode(one(self._overlay, "Secret", "redis-users")["data"]["users.acl"])
        (self.folder / "users.acl").write_bytes(users)
        (self.folder / "redis.conf").write_text(self._configuration())
        self._process = run(["redis-server", "redis.conf", "--bind", "127.0.0.1"], self.folder)

    def _configuration(self) -> str:
        here = {"port": str(self.port), "dir": str(self.folder), "aclfile": str(self.folder / "users.acl")}
        given = configuration(self._overlay) | here | self.settings
        return "".join(f"{name} {value}\n" for name, value in given.items())

    def answers(self) -> bool:
        """Whether the readiness probe of the component succeeds."""
        return 0 == self.probed("readinessProbe").returncode

    def probed(self, name: str) -> subprocess.CompletedProcess[str]:
        """Runs a probe of the component; only its exit code matters to the kubelet."""
        program, *arguments = container(self._overlay)[name]["exec"]["command"]
        command = [program.replace("valkey", "redis"), "-p", str(self.port), *arguments]
        return subprocess.run(command, capture_output=True, text=True)


def configuration(overlay: str) -> dict[str, str]:
    lines = one(overlay, "ConfigMap", "redis")["data"]["redis.conf"].splitlines()
    return {name: value for name, _, value in (line.partition(" ") for line in lines)}


def container(overlay: str) -> Object:
    (found,) = containers(one(overlay, "StatefulSet", "redis"))
    return found
