"""Records the golden games of a title: tries seeds in order until a game meets its condition.

    python3 tests record tides

Run it only for a new rules version or for a new game: a recorded game is never changed to make a test pass.
"""

from __future__ import annotations

import sys
from importlib import import_module

from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import AnyRules, Outcome
from rules.playouts import play

from .games import Golden, decided, golden_path, write
from .wanted import Wanted

MOST_GAMES = 2_000  # that are tried for one that shows what it should
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
        seeds = (number.to_bytes(32, "big") for number in range(1, MOST_GAMES + 1))
        games = (attempt(CATALOG[title], wanted, seed) for seed in seeds)
        found = next((game for game in games if wanted.found(game)), None)
        if found is None:
            sys.exit(f"None of {MOST_GAMES} games of {title} is {wanted.name}: change its condition.")
        write(found, golden_path(title, wanted.name))


def main(titles: list[str]) -> None:
    for title in titles:
        if title not in WANTED:
            sys.exit(f"There is no title {title}: there are {', '.join(WANTED)}.")
    for title in titles or WANTED:
        record(title)


if __name__ == "__main__":
    main(sys.argv[1:])
