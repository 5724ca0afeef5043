"""Facts about Tigris & Euphrates for the laws."""

from __future__ import annotations

from collections import Counter

from hypothesis import strategies as st

from gamehost.titles.tigris.rules import actions as tigris_actions
from gamehost.titles.tigris.rules import events as tigris_events
from gamehost.titles.tigris.rules.material import COLOURS, TILES, Colour
from gamehost.titles.tigris.rules.model import State as TigrisState
from gamehost.titles.tigris.rules.model import View as TigrisView
from gamehost.titles.tigris.rules.spaces import ALL_SPACES
from rules.title_facts import Facts, Pieces


def pieces_of(state: TigrisState) -> Pieces:
    pieces: Pieces = Counter(treasure=state.board.treasures.bit_count() + sum(state.treasures))
    pieces["catastrophe"] = state.board.catastrophes.bit_count() + sum(state.catastrophes)
    for colour in COLOURS:
        rows = (state.bag, state.removed, *state.hands, *state.swapped)
        pieces[colour] = state.board.tiles[colour].bit_count() + sum(row[colour] for row in rows)
    return pieces


def placed(view: TigrisView) -> Pieces:
    return Counter({colour: TILES[colour] - view.unseen[colour] for colour in COLOURS})


def named(event: tigris_events.Event) -> Pieces:
    match event:
        case tigris_events.TilesDrawn(_, tuple(tiles)) | tigris_events.TilesSwapped(_, tuple(tiles)):
            return Counter(tiles)
        case tigris_events.TilePlaced(_, colour):
            return Counter([colour])
        case tigris_events.CatastrophePlayed(_, _, Colour() as colour):
            return Counter([colour])
        case tigris_events.SupportCommitted(_, colour, tiles):
            return Counter({colour: tiles})
        case _:
            return Counter()


SPACES = st.sampled_from(ALL_SPACES)

FACTS = Facts(
    games=30,
    longest=4000,
    pieces=pieces_of,
    placed=placed,
    named=named,
    held=(tigris_actions.PlaceTile,),
    greedy=True,
    answers={
        tigris_actions.ChooseSpace: st.builds(tigris_actions.ChooseSpace, SPACES),
        tigris_actions.DiscardTiles: st.builds(tigris_actions.DiscardTiles, *[st.integers(0, 2)] * 4),
        tigris_actions.CommitSupport: st.builds(tigris_actions.CommitSupport, st.integers(0, 6)),
    },
)
