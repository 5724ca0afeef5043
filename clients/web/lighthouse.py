"""Runs Lighthouse over the built web client: accessibility and best practices must reach 95 points."""

from __future__ import annotations

import importlib
import json
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, sync_playwright
from rich.progress import track

FOLDER = Path(__file__).resolve().parent / "lighthouse"
PROGRAM = FOLDER / "node_modules" / "lighthouse" / "cli" / "index.js"
CATEGORIES = ("accessibility", "best-practices")
LEAST = 95

# Scripts, not packages: one knows where Node.js is, and installs what package.json pins; the other brings
# games to their middle.
generate: Any = importlib.import_module("generate")
games: Any = importlib.import_module("screenshots")


def paths(server: Any, context: BrowserContext) -> list[str]:
    """The gallery, a form, the lobby, and for each title a table at which somebody has to decide."""
    found = ["/", "/create/tigris", "/lobby"]
    page = context.new_page()
    page.goto(f"{server.url}/healthz")
    for title in server.titles():
        game, tokens = server.table(title, 2)
        seat, _ = server.play(game, tokens, min(games.MOVES, server.middle(title, 2)))
        kept = {"gameId": game, "title": title, "seat": seat, "seatToken": tokens[seat], "at": 1}
        kept["commitment"] = ""
        page.evaluate(
            "([name, value]) => localStorage.setItem(name, value)", [f"shedu:seat:{game}", json.dumps(kept)]
        )
        found.append(f"/games/{game}")
    page.close()
    return found


def scores(url: str, port: int) -> tuple[dict[str, int], list[str]]:
    """The score of each category, and what costs points."""
    command = ["node", str(PROGRAM), url, f"--port={port}", "--output=json", "--quiet", "--preset=desktop"]
    command += [f"--only-categories={','.join(CATEGORIES)}", "--disable-storage-reset"]
    done = subprocess.run(command, capture_output=True, text=True, env=generate.node(), check=True)
    report = json.loads(done.stdout)
    found = {name: round(100 * report["categories"][name]["score"]) for name in CATEGORIES}
    wrong = [audit["title"] for audit in report["audits"].values() if audit["score"] == 0]
    return found, wrong


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> None:
    generate.install_typescript(FOLDER)
    port, poor = free_port(), False
    with games.serving() as server, sync_playwright() as playwright, tempfile.TemporaryDirectory() as profile:
        program = shutil.which("chromium")
        flags = [*games.QUIET, f"--remote-debugging-port={port}"]
        context = playwright.chromium.launch_persistent_context(profile, executable_path=program, args=flags)
        for path in track(paths(server, context), "Lighthouse"):
            found, wrong = scores(f"{server.url}{path}", port)
            print(f"{path:32}", *(f"{name} {score}" for name, score in found.items()), *wrong, sep="  ")
            poor |= min(found.values()) < LEAST
        context.close()
    if poor:
        sys.exit(f"A page has fewer than {LEAST} points.")
