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
    """Writes the games that the title asks for, and names files that it does not ask for any more."""
    for wanted in WANTED[title]:
        seeds = (number.to_bytes(32, "big") for number in range(1, MOST_GAMES + 1))
        games = (attempt(CATALOG[title], wanted, seed) for seed in seeds)
        found = next((game for game in games if wanted.found(game)), None)
        if found is None:
            sys.exit(f"None of {MOST_GAMES} games of {title} is {wanted.name}: change its condition.")
        path = golden_path(title, wanted.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write(found, path)
        print("wrote:", path.name)
    names = {wanted.name for wanted in WANTED[title]}
    for path in sorted(golden_path(title, "any").parent.glob("*.jsonl")):
        if path.stem not in names:
            print(
                f"{path.name}: no game of {title} asks for it; delete it unless a release has it.",
                file=sys.stderr,
            )


def main(titles: list[str]) -> None:
    if not titles or not WANTED.keys() >= {*titles}:
        sys.exit(f"Name titles to record: {', '.join(WANTED)}.")
    for title in titles:
        record(title)


if __name__ == "__main__":
    main(sys.argv[1:])
