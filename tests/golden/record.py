"""Records the golden games of a title, seeds tried in order until a game shows what it should.

    PYTHONPATH=service:tests python -m golden.record tides

Only for a new rules version or a new game to keep: a recorded game is never changed to please a test.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from itertools import count
from typing import Any

from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import AnyRules, Outcome
from gamehost.rules.stone_age.material import TieBreak
from gamehost.rules.tigris import events as tigris
from gamehost.rules.tigris.material import BoardSide
from gamehost.rules.tigris.options import BagExhaustion
from gamehost.rules.tigris_cards import events as cards
from rules.playouts import play
from rules.tigris_cards_coins import Idle, Trading
from rules.tigris_coins import Heaping, Lazy, Paving, Restless

from .games import FOLDER, Golden, decided, write


@dataclass(frozen=True)
class Wanted:
    """A game worth keeping: what it shows, and how to tell that it does."""

    name: str
    shows: str
    seats: int
    options: dict[str, Any]
    found: Callable[[Golden], bool]
    coin: Callable[[bytes], random.Random] = random.Random


def flipped(rules: AnyRules) -> dict[str, Any]:
    """Every flag the other way round."""
    return {each.name: not each.default for each in fields(rules.options) if isinstance(each.default, bool)}


def differs_by_default(golden: Golden) -> bool:
    """The same moves score otherwise under the title's own options."""
    answers = [(move.seat, move.action) for move in golden.moves[1:]]
    plain = decided(replace(golden, options=golden.rules.options()), answers)
    return plain.outcome.scores != golden.outcome.scores


def ends_by(reason: str, most_events: int = 1200) -> Callable[[Golden], bool]:
    return lambda it: it.outcome.reason == reason and len(it.events) <= most_events


def tie_break_matters(golden: Golden) -> bool:
    """The same moves rank otherwise when ties are broken in sequence."""
    answers = [(move.seat, move.action) for move in golden.moves[1:]]
    sequence = replace(golden.options, tie_break=TieBreak.SEQUENCE)
    return decided(replace(golden, options=sequence), answers).outcome.ranks != golden.outcome.ranks


def tells_of(*kinds: type) -> Callable[[Golden], bool]:
    return lambda golden: {*kinds} <= {type(event) for event in golden.events}


WANTED: dict[str, list[Wanted]] = {
    "stone_age": [
        Wanted(
            "deck_exhausted",
            "the deck cannot fill the free slots",
            2,
            {},
            ends_by("DECK_EXHAUSTED", most_events=1200),
        ),
        Wanted(
            "stack_emptied", "a stack of tiles runs empty", 2, {}, ends_by("STACK_EMPTIED", most_events=1200)
        ),
        Wanted(
            "rounds_played",
            "the last of three rounds, and a tie broken by the sum",
            4,
            {"max_rounds": 3, "tie_break": TieBreak.SUM},
            tie_break_matters,
        ),
    ],
    "tides": [
        Wanted("own_options", "a game won after three rounds", 2, {}, lambda it: 2 in it.outcome.ranks),
        Wanted("shared_win", "equal totals share the win", 2, {}, lambda it: it.outcome.ranks == (1, 1)),
        Wanted(
            "every_option_flipped",
            "all five options the other way, and it matters",
            2,
            flipped(CATALOG["tides"]),
            differs_by_default,
        ),
    ],
    "tigris_cards": [
        Wanted("deck_exhausted", "a hand cannot be filled", 2, {}, ends_by("DECK_EXHAUSTED"), Trading),
        Wanted("one_treasure_left", "traders empty the row", 2, {}, ends_by("ONE_TREASURE_LEFT"), Trading),
        Wanted("no_card_played", "ten rounds of passing", 2, {}, ends_by("NO_CARD_PLAYED"), Idle),
        Wanted(
            "every_option_flipped",
            "ships, wars and traders among four, with all options the other way",
            4,
            flipped(CATALOG["tigris_cards"]),
            tells_of(
                cards.ShipBuilt,
                cards.IncomeTaken,
                cards.ConflictWon,
                cards.TreasureExchanged,
                cards.CalamityPlayed,
                cards.PointTaken,
            ),
            Trading,
        ),
    ],
    "tigris": [
        Wanted("few_treasures", "traders link the treasures", 2, {}, ends_by("FEW_TREASURES"), Paving),
        Wanted("standstill", "five rounds with nothing done", 2, {}, ends_by("STANDSTILL"), Lazy),
        Wanted(
            "bag_exhausted",
            "a swap finds the bag empty, and that is the end",
            3,
            {"bag_exhaustion": BagExhaustion.IMMEDIATE, "board": BoardSide.ADVANCED},
            ends_by("BAG_EXHAUSTED"),
            Restless,
        ),
        Wanted(
            "every_variant",
            "buildings, monuments, the wonder, revolts and wars",
            2,
            flipped(CATALOG["tigris"]),
            tells_of(
                tigris.BuildingRaised,
                tigris.BuildingReturned,
                tigris.MonumentBuilt,
                tigris.WonderBuilt,
                tigris.ConflictWon,
                tigris.KingdomsJoined,
            ),
            Heaping,
        ),
    ],
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
        write(next(game for game in games if wanted.found(game)), FOLDER / title / f"{wanted.name}.jsonl")


if __name__ == "__main__":
    for name in sys.argv[1:] or WANTED:
        record(name)
