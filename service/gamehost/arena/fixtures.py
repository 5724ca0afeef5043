"""Who plays whom: entrants, and the games they are to play."""

from __future__ import annotations

import hashlib
import hmac
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from itertools import combinations, cycle, islice
from pathlib import Path
from typing import Any

from gamehost.bots.levels import bot
from gamehost.rules.chance import SeededChance
from shedu.deciding import load


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot in the arena: a level, or a file."""

    name: str
    word: str

    @property
    def file(self) -> Path | None:
        return Path(self.word) if self.word.endswith(".py") else None


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game to be played. It says everything: whoever plays it gets the same game."""

    number: int
    title: str
    options: Any
    players: tuple[Entrant, ...]  # by seat
    seed: int
    logged: bool = False

    @property
    def secret(self) -> bytes:
        """The seed of the game's luck."""
        return hashlib.sha256(f"shedu:arena:{self.title}:{self.seed}:{self.number}".encode()).digest()

    def luck_of(self, seat: int, version: int) -> SeededChance:
        """A bot's own luck, which is not the game's: knowing one says nothing about the other."""
        return SeededChance(hmac.digest(self.secret, b"shedu:arena:bot:%d" % seat, "sha256"), version)


def enter(title: str, words: Sequence[str]) -> list[Entrant]:
    """The entrants with names that tell them apart. Raises NoSuchBot or BadBot for one that cannot play."""
    entrants: list[Entrant] = []
    for word in words:
        short = Path(word).name if word.endswith(".py") else word
        namesakes = sum(other.word == word or other.name == short for other in entrants)
        entrants.append(Entrant(f"{short}#{namesakes + 1}" if namesakes else short, word))
        check(title, entrants[-1])
    return entrants


def check(title: str, entrant: Entrant) -> None:
    if entrant.file is not None:
        with redirect_stdout(sys.stderr):
            load(entrant.file)
    else:
        bot(title, entrant.word)


def lineups(entrants: Sequence[Entrant], seats: int) -> list[tuple[Entrant, ...]]:
    """Everyone against everyone; entrants who are too few for a table sit down again."""
    if len(entrants) < seats:
        return [tuple(islice(cycle(entrants), seats))]
    return list(combinations(entrants, seats))


@dataclass(frozen=True, slots=True)
class Season:
    """What is asked of the arena: `games` for each lineup, the seats going round."""

    title: str
    options: Any
    entrants: tuple[Entrant, ...]
    seats: int
    games: int
    seed: int
    logged: bool = False

    def fixtures(self) -> Iterator[Fixture]:
        number = 0
        for lineup in lineups(self.entrants, self.seats):
            for game in range(self.games):
                turn = game % self.seats
                players = lineup[turn:] + lineup[:turn]
                yield Fixture(number, self.title, self.options, players, self.seed, self.logged)
                number += 1

    @property
    def homemade(self) -> bool:
        """Whether there are bots that may do anything."""
        return any(entrant.file is not None for entrant in self.entrants)

    def __len__(self) -> int:
        return self.games * len(lineups(self.entrants, self.seats))
