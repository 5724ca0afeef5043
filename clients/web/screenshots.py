"""Pictures of each title in the middle of a game, on a telephone and on a wide screen."""

from __future__ import annotations

import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from PIL import Image
from playwright.sync_api import Browser, sync_playwright
from rich.progress import track

FOLDER = Path(__file__).resolve().parent / "screenshots"
ROOT = FOLDER.parents[2]
PICTURES = FOLDER.with_name("pictures")
NAMES = ("Anna", "Bert", "Carla", "Dora")
LOOKS = {
    "1440": ((1440, 780), "light"),
    "1024": ((1024, 768), "light"),
    "390": ((390, 844), "light"),
    "1440-dark": ((1440, 780), "dark"),
    "390-dark": ((390, 844), "dark"),
}
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
MOVES = 90
# The width at which a picture is kept.
KEPT = {"1440": 1200, "390": 360}


class Server:
    """The calls that bring a game to its middle."""

    def __init__(self, url: str) -> None:
        self.url, self.http = url, httpx.Client(base_url=url)

    def post(self, path: str, body: dict[str, Any], token: str = "") -> Any:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return self.http.post(path, json=body, headers=headers).raise_for_status().json()

    def get(self, path: str, token: str) -> Any:
        headers = {"authorization": f"Bearer {token}"}
        return self.http.get(path, headers=headers).raise_for_status().json()

    def titles(self) -> dict[str, int]:
        """Every title of the server, with the most seats it takes."""
        found = self.http.get("/v1/titles").raise_for_status().json()["titles"]
        return {title["title"]: title["maxSeats"] for title in found}

    def table(self, title: str, seats: int) -> tuple[str, list[str]]:
        game = self.post("/v1/games", {"title": title, "seatCount": seats})["game"]["gameId"]
        joined = [self.post(f"/v1/games/{game}:join", {"displayName": name}) for name in NAMES[:seats]]
        return game, [seat["seatToken"] for seat in joined]

    def play(self, game: str, tokens: list[str], moves: int) -> tuple[int, int]:
        """Plays at random. Returns the seat that has a choice then (-1 if the game is over) and the moves."""
        choose, played = random.Random(7), 0
        while asked := [seat for seat, token in enumerate(tokens) if self.choices(game, token)]:
            for seat in asked:
                legal = self.choices(game, tokens[seat])
                if not legal:
                    continue
                if played >= moves and len(legal["actions"]) > 3:
                    return seat, played
                action = choose.choice(legal["actions"])["action"]
                answer = {"decisionId": legal["decision"]["decisionId"], "action": action}
                self.post(f"/v1/games/{game}:play", answer, tokens[seat])
                played += 1
        return -1, played

    def choices(self, game: str, token: str) -> Any:
        """The decision of a seat with its legal actions; empty when nothing is asked of it."""
        legal = self.get(f"/v1/games/{game}/legalActions", token)
        return legal if "decision" in legal else {}

    def middle(self, title: str, seats: int) -> int:
        """About how many moves lead to the middle of a game, but no more than `MOVES`."""
        game, tokens = self.table(title, seats)
        return min(MOVES, self.play(game, tokens, 2 * MOVES)[1] // 2)


@contextmanager
def serving() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as data, socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        port, grpc_port = one.getsockname()[1], other.getsockname()[1]
        one.close()
        other.close()
        ports = ["--port", str(port), "--grpc-port", str(grpc_port)]
        command = [sys.executable, "-m", "gamehost", "serve", "--data-dir", data, *ports]
        path = os.pathsep.join(str(ROOT / part) for part in ("service", "clients/python"))
        settings = {**os.environ, "PYTHONPATH": path}
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=settings)
        try:
            url = f"http://127.0.0.1:{port}"
            wait_until_ready(url)
            yield Server(url)
        finally:
            process.terminate()
            process.wait()


def wait_until_ready(url: str) -> None:
    for _ in range(300):
        try:
            if httpx.get(f"{url}/readyz").status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    sys.exit("The server does not start.")


def picture(browser: Browser, server: Server, title: str, game: str, seat: int, token: str) -> None:
    kept = {"gameId": game, "title": title, "seat": seat, "seatToken": token, "commitment": "", "at": 1}
    script = f"localStorage.setItem({json.dumps('shedu:seat:' + game)}, {json.dumps(json.dumps(kept))})"
    for name, ((width, height), scheme) in LOOKS.items():
        size: Any = {"width": width, "height": height}
        look: Any = scheme
        context = browser.new_context(viewport=size, color_scheme=look, locale="en-GB")
        context.add_init_script(script)
        page = context.new_page()
        page.goto(f"{server.url}/games/{game}")
        page.locator(".prompt.mine").wait_for()
        page.wait_for_timeout(800)
        page.screenshot(path=FOLDER / f"{title}-{name}.png")
        context.close()


def keep(title: str) -> None:
    """Small pictures for the pages that tell of the project."""
    for name, width in KEPT.items():
        with Image.open(FOLDER / f"{title}-{name}.png") as picture:
            size = (width, picture.height * width // picture.width)
            small = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
        small.save(PICTURES / f"{title}-{width}.webp", quality=84, method=6)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    PICTURES.mkdir(exist_ok=True)
    with serving() as server, sync_playwright() as playwright:
        program = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=QUIET)
        for title, seats in track(server.titles().items(), "Pictures"):
            game, tokens = server.table(title, seats)
            seat, _ = server.play(game, tokens, server.middle(title, seats))
            picture(browser, server, title, game, seat, tokens[seat])
            keep(title)
        browser.close()
    print("In", FOLDER, "and, small, in", PICTURES)


if __name__ == "__main__":
    main()
