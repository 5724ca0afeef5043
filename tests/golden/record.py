"""Records the golden games of a title: tries seeds in order until a game shows what it should.

    PYTHONPATH=service:tests python -m golden.record tides

Run it only for a new rules version or for a new game: a recorded game is never changed to please a test.
"""

from __future__ import annotations

import sys
from importlib import import_module
from itertools import count

from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import AnyRules, Outcome
from rules.playouts import play

from .games import Golden, decided, golden_path, write
from .wanted import Wanted

WANTED: dict[str, tuple[Wanted, ...]] = {
    title: import_module(f"titles.{title}.recorded").GAMES for title in CATALOG
}


def attempt(rules: AnyRules, wanted: Wanted, seed: bytes) -> Golden:
    options = rules.options(**wanted.options)
    nothing = Outcome((), (), "")
    blank = Golden(rules.title, wanted.shows, rules.version, options, wanted.seats, seed, nothing, ())
    played = play(rules, options, wanted.seats, seed, wanted.coin(seed))
    return decided(blank, [position.move for position in played.positions if position.move])


def record(title: str) -> None:
    for wanted in WANTED[title]:
        games = (attempt(CATALOG[title], wanted, number.to_bytes(32, "big")) for number in count(1))
        write(next(game for game in games if wanted.found(game)), golden_path(title, wanted.name))


if __name__ == "__main__":
    for name in sys.argv[1:] or WANTED:
        record(name)
