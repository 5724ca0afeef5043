"""The bots that enter a tournament, and the games (fixtures) that they play."""

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
    """A bot of the tournament. `word` is the level or file of `--bots`, `name` is unique."""

    name: str
    word: str

    @property
    def file(self) -> Path | None:
        return Path(self.word) if self.word.endswith(".py") else None


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game to play. It determines the game completely: every process plays it in the same way."""

    number: int
    title: str
    options: Any
    players: tuple[Entrant, ...]  # by seat
    seed: int
    logged: bool = False

    @property
    def secret(self) -> bytes:
        """The seed of the game's random numbers."""
        return hashlib.sha256(f"shedu:arena:{self.title}:{self.seed}:{self.number}".encode()).digest()

    def bot_chance(self, seat: int, version: int) -> SeededChance:
        """Return the random numbers of a bot. They are independent of the game's, so that a bot cannot
        predict the cards from its own numbers."""
        return SeededChance(hmac.digest(self.secret, b"shedu:arena:bot:%d" % seat, "sha256"), version)


def enter(title: str, words: Sequence[str]) -> list[Entrant]:
    """Return the entrants with unique names. Raises NoSuchBot or BadBot for one that cannot play."""
    entrants: list[Entrant] = []
    for word in words:
        short = Path(word).name if word.endswith(".py") else word
        namesakes = sum(other.word == word or other.name == short for other in entrants)
        entrants.append(Entrant(f"{short}#{namesakes + 1}" if namesakes else short, word))
        check_entrant(title, entrants[-1])
    return entrants


def check_entrant(title: str, entrant: Entrant) -> None:
    if entrant.file is not None:
        with redirect_stdout(sys.stderr):
            load(entrant.file)
    else:
        bot(title, entrant.word)


def lineups(entrants: Sequence[Entrant], seats: int) -> list[tuple[Entrant, ...]]:
    """Return all combinations of entrants at a table. If there are fewer entrants than seats, they repeat."""
    if len(entrants) < seats:
        return [tuple(islice(cycle(entrants), seats))]
    return list(combinations(entrants, seats))


@dataclass(frozen=True, slots=True)
class Season:
    """A tournament: `games` games for each lineup, in which the seats rotate."""

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
    def runs_files(self) -> bool:
        """Whether a bot is a file, that is, untrusted code that may hang or end its process."""
        return any(entrant.file is not None for entrant in self.entrants)

    def __len__(self) -> int:
        return self.games * len(lineups(self.entrants, self.seats))
