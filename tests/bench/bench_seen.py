"""Measures the time from an event of a game to its sight on another player's page, in a real Chromium.

python3 tests bench seen           40 moves; the aim is 100 ms at the 95th percentile
python3 tests bench seen 100       more moves
python3 tests bench seen 40 json   as JSON
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from datetime import datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / part) for part in ("tests", "service", "clients/python")]

from playwright.sync_api import Page  # noqa: E402
from rich.progress import track  # noqa: E402

from support.browser import Person, chromium  # noqa: E402
from support.process import Serve  # noqa: E402

GOAL_MILLISECONDS = 100.0
# The page shows steps one after the other, with a pause of at most so long after each.
PAUSE_MILLISECONDS = 1_000
# When entries of the log were drawn: in the task after the frame that shows them.
WATCH = """() => {
  window.seen = [];
  const drawn = () => requestAnimationFrame(() => setTimeout(() => window.seen.push(Date.now())));
  new MutationObserver(drawn).observe(document.querySelector('.event-log ol'), { childList: true });
}"""


def move(serve: Serve, game: str, tokens: list[str], page: Page) -> float:
    """Plays a move over the API; returns the milliseconds from its event until the page shows it."""
    before = page.evaluate("() => window.seen.length")
    asked = serve.get(f"/v1/games/{game}/view", tokens[0])["view"]["decisions"][0].get("seat", 0)
    events = serve.move(game, tokens[asked])["events"]
    made = datetime.fromisoformat(events[-1]["eventTime"]).timestamp() * 1000
    page.wait_for_function("(before) => window.seen.length > before", arg=before)
    page.wait_for_timeout(PAUSE_MILLISECONDS)
    return float(page.evaluate("(before) => window.seen[before]", before)) - made


def main(moves: str = "40", form: str = "") -> None:
    with tempfile.TemporaryDirectory() as folder, Serve(Path(folder)) as serve, chromium() as browser:
        game, tokens = serve.table(title="stone_age")
        person = Person(browser, serve.url, "Carl")
        person.page.goto(f"{serve.url}/games/{game}")
        person.page.locator(".event-log li").first.wait_for(state="attached")
        person.page.evaluate(WATCH)
        taken = [
            move(serve, game, tokens, person.page)
            for _ in track(range(int(moves)), "Moves", disable=bool(form))
        ]
        person.leave()
    cuts = statistics.quantiles(taken, n=100, method="inclusive")
    found = {
        "moves": len(taken),
        "p50": round(cuts[49], 1),
        "p95": round(cuts[94], 1),
        "most": round(max(taken), 1),
    }
    print(json.dumps(found) if form else f"From an event to its sight, in milliseconds: {found}")
    sys.exit(found["p95"] > GOAL_MILLISECONDS)


if __name__ == "__main__":
    main(*sys.argv[1:])
