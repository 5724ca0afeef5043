"""The games of the card game that `golden.record` records."""

from __future__ import annotations

from gamehost.titles.tigris_cards.rules import TIGRIS_CARDS
from gamehost.titles.tigris_cards.rules import events as cards
from golden.wanted import Wanted, ends_by, flipped, tells_of

from .coins import Idle, Trading

GAMES = (
    Wanted("deck_exhausted", "a hand cannot be filled", 2, {}, ends_by("DECK_EXHAUSTED"), Trading),
    Wanted("one_treasure_left", "traders empty the row", 2, {}, ends_by("ONE_TREASURE_LEFT"), Trading),
    Wanted("no_card_played", "ten rounds of passing", 2, {}, ends_by("NO_CARD_PLAYED"), Idle),
    Wanted(
        "every_option_flipped",
        "ships, wars and traders among four, with all options the other way",
        4,
        flipped(TIGRIS_CARDS),
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
)
