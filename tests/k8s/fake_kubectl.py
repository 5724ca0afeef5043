"""A fake kubectl for the commands of the README: a pod is a local process, its volumes are folders.

As with the real kubectl, `scale` and `delete` only set the wanted state. Pods start and end when a command
waits for them, the latest moment that a cluster allows: a script that does not wait finds the old state.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

STORE_CLIENTS = ("gamehost", "bots")


class Cluster:
    """The state of the cluster, kept in a file between commands."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.state: dict[str, Any] = json.loads(file.read_text())

    def keep(self) -> None:
        self._file.write_text(json.dumps(self.state))

    def running(self, name: str) -> bool:
        """Whether the process runs; a zombie does not."""
        pid = self.state["pods"].get(name)
        try:
            return pid is not None and Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
        except FileNotFoundError:
            return False

    def end(self, name: str) -> None:
        if self.running(name):
            os.kill(self.state["pods"][name], signal.SIGTERM)
        while self.running(name):
            time.sleep(0.05)

    def begin(self, name: str) -> None:
        """Starts a pod that does not run, and waits until it is ready."""
        if not self.running(name):
            start = self.state["start"][name]
            with Path(start["log"]).open("ab") as log:
                process = subprocess.Popen(
                    start["command"], cwd=start["folder"], stdin=subprocess.DEVNULL, stdout=log, stderr=log
                )
            self.state["pods"][name] = process.pid
        while not is_ready(self.state["start"][name]["ready"]):
            assert self.running(name), f"{name} ended"
            time.sleep(0.05)


def is_ready(probe: str | list[str]) -> bool:
    if isinstance(probe, list):
        return not subprocess.run(probe, capture_output=True).returncode
    try:
        with urllib.request.urlopen(probe) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def main(file: str, *words: str) -> int:
    cluster = Cluster(Path(file))
    assert words[:2] == ("-n", "shedu"), words
    verb, rest = words[2], [word for word in words[3:] if word != "-i"]
    code = VERBS[verb](cluster, *rest)
    cluster.keep()
    return code


def get(cluster: Cluster, what: str, *_: str) -> int:
    print(cluster.state["wanted"][what.removeprefix("deployment/")], end="")
    return 0


def scale(cluster: Cluster, *words: str) -> int:
    *deployments, count = words
    for each in deployments:
        cluster.state["wanted"][each.removeprefix("deployment/")] = int(count.removeprefix("--replicas="))
    return 0


def wait(cluster: Cluster, *words: str) -> int:
    assert words[:3] == ("--for=delete", "pod", "--selector=shedu/store-client=true"), words
    for name in STORE_CLIENTS:
        assert not cluster.state["wanted"][name], "the pod is waited for to end, but was not scaled down"
        cluster.end(name)
    return 0


def delete(cluster: Cluster, *words: str) -> int:
    assert words == ("pod", "redis-0", "--wait"), words
    cluster.end("redis-0")
    return 0


def rollout(cluster: Cluster, *words: str) -> int:
    name = words[1].partition("/")[2].replace("redis", "redis-0")
    assert words[0] == "status", words
    if name != "redis-0":
        assert is_ready(cluster.state["start"]["redis-0"]["ready"]), (
            "the pod is started before its store is ready"
        )
        assert cluster.state["wanted"][name], "the pod is waited for, but was not scaled up"
    if name in cluster.state["start"]:
        cluster.begin(name)
    return 0


def execute(cluster: Cluster, pod: str, dashes: str, *command: str) -> int:
    assert dashes == "--", dashes
    name = pod.removeprefix("deployment/")
    if not cluster.running(name) or not is_ready(cluster.state["start"][name]["ready"]):
        sys.exit(f"error: {pod} is not running")
    if command[0] == "rm" and any(map(cluster.running, STORE_CLIENTS)):
        sys.exit(f"{pod} is still written to")
    if command[0] == "shedu":
        return subprocess.call([sys.executable, "-m", "gamehost", *command[1:]])
    text = " ".join(command)
    for mount, folder in cluster.state["volumes"].items():
        text = text.replace(mount, folder)
    return subprocess.call([*interrupted(cluster, text), *text.split()[1:]])


def interrupted(cluster: Cluster, text: str) -> list[str]:
    """Returns the command of tar; in the first copy of Redis it triggers a rewrite of the log."""
    program = text.split()[0]
    if "-cf - appendonlydir" not in text or not cluster.state["rewrite"]:
        return [program]
    action, cluster.state["rewrite"] = cluster.state["rewrite"], ""
    return [program, "--blocking-factor=1", "--checkpoint=1", f"--checkpoint-action=exec={action}"]


VERBS = {
    "get": get,
    "scale": scale,
    "wait": wait,
    "delete": delete,
    "rollout": rollout,
    "exec": execute,
}

if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
