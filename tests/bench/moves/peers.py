"""Measures boardgame.io for comparison: its own server and client, in memory, from npm."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from support.servers import can_connect, free_port
from support.waiting import wait_until

PACKAGE = "boardgame.io@0.50.2"
SCRIPT = Path(__file__).with_name("peers.js")
NO_NPM = "boardgame.io is left out: it needs Node.js and npm."


def measure(games: int, moves: int) -> dict[str, Any] | None:
    """Returns the cost of a move on the server of boardgame.io; None without npm."""
    if not shutil.which("npm") or not shutil.which("node"):
        return None
    environment = {**os.environ, "NODE_PATH": str(installed() / "node_modules"), "NODE_ENV": "production"}
    port = str(free_port())
    server = subprocess.Popen(["node", SCRIPT, "server", port], env=environment, stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: can_connect(int(port)))
        command = ["node", SCRIPT, "load", port, str(server.pid), str(games), str(moves)]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    finally:
        server.terminate()
        server.wait(15)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def installed() -> Path:
    """The folder with the package, in the cache of the user; it is installed there once."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "shedu-bench" / PACKAGE
    if not (folder / "node_modules" / "boardgame.io").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true}')
        options = ("--no-audit", "--no-fund", "--ignore-scripts", "--silent")
        subprocess.run(["npm", "install", *options, PACKAGE], cwd=folder, check=True)
    return folder
