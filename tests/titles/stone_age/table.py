"""Positions of Stone Age drawn as text, and helpers to play from them.

    hunting    AAAAA BB
    forest     AABBBB.      a ring for everyone who may stand there
    hut        CC
    cards      TIME_1 MUSIC_1:A ART_1 -      as they lie: slot 1 is the rightmost
    tiles      FREE_1 EXACT_4_2:B            stack 1 is the leftmost

Seats are letters, from A. Lines left out are places without people and the cards and tiles of PLAIN.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement, groupby

import pytest

from gamehost.rules.chance import ScriptedChance
from gamehost.rules.kit import IllegalAction, Seat, replay
from gamehost.titles.stone_age.rules import STONE_AGE
from gamehost.titles.stone_age.rules.actions import Action, AddTools, Pay
from gamehost.titles.stone_age.rules.events import Event
from gamehost.titles.stone_age.rules.goods import Resources
from gamehost.titles.stone_age.rules.material import (
    CAPACITY,
    CARD_PLACES,
    DECK,
    PLACE_NAMES,
    TILE_PLACES,
    TILES,
    Card,
    Place,
    Tile,
)
from gamehost.titles.stone_age.rules.model import Market, Player, Resolving, State, Task, Tool
from gamehost.titles.stone_age.rules.options import Options

A, B, C, D = (Seat(number) for number in range(4))
LETTERS = "ABCD"
RINGED = tuple(place for place in Place if place < Place.CARD_1)
PLAIN = {
    "cards": "HUT_BUILDER_5 MUSIC_2 WEAVING_1 FARMER_2",
    "tiles": "FIXED_WWB_1 EXACT_4_2 FREE_1 FIXED_SSG_1",
}
MUCH = Resources(9, 9, 9, 9)
RICH = Player(resources=MUCH)
BUSY = "hut  AA\nfield  A"  # A still has actions to take, so that nothing follows automatically
WOOD, BRICK, STONE, GOLD = (Resources(*(int(at == kind) for at in range(4))) for kind in range(4))
NO_TOOLS = AddTools(frozenset(), frozenset())


def tools(*values: int, used: Sequence[int] = ()) -> tuple[Tool, ...]:
    """Returns tools in three spaces; `used` names the used ones."""
    padded = (*values, 0, 0, 0)[:3]
    return tuple(Tool(value, space in used) for space, value in enumerate(padded))


def table(
    picture: str = "",
    *,
    seats: int = 4,
    players: Mapping[Seat, Player] | None = None,
    agenda: tuple[Task, ...] = (Resolving(A),),
    start_player: Seat = A,
    round: int = 1,
    options: Options | None = None,
    stacks: Sequence[int] | None = None,
    deck: Sequence[Card] | None = None,
) -> State:
    """Returns the state of a drawing; all other cards and tiles are in the stacks, unless `deck` is given."""
    lines = {"tiles": " ".join(PLAIN["tiles"].split()[:seats]), "cards": PLAIN["cards"], **lines_of(picture)}
    rows = tuple((players or {}).get(Seat(number), Player()) for number in range(seats))
    display = tuple(reversed([card_named(name) for name in words_of(lines["cards"])]))
    open_tiles = tuple(tile_named(name) for name in words_of(lines["tiles"]))
    owned = {card for player in rows for card in (*player.cards, *player.drawn)}
    built = {tile for player in rows for tile in player.tiles}
    return State(
        options=options or Options(),
        round=round,
        start_player=start_player,
        told=100,
        agenda=agenda,
        players=rows,
        people=people_of(lines, seats),
        market=Market(
            display=display,
            deck=frozenset(DECK if deck is None else deck) - {*display} - owned,
            open_tiles=open_tiles,
            stacks=tuple(stacks or (6,) * seats),
            unseen_tiles=frozenset(TILES) - {*open_tiles} - built,
        ),
    )


def lines_of(picture: str) -> dict[str, str]:
    """Returns the lines by name; two spaces end a name."""
    split = (line.strip().split("  ", 1) for line in picture.splitlines() if line.strip())
    return {name: rest.strip() for name, rest in split}


def words_of(line: str) -> list[str]:
    return [word.split(":")[0] for word in line.split()]


def card_named(name: str) -> Card | None:
    return None if name == "-" else Card[name]


def tile_named(name: str) -> Tile | None:
    return None if name == "-" else Tile[name]


def people_of(lines: Mapping[str, str], seats: int) -> tuple[tuple[int, ...], ...]:
    standing = {place: lines.get(PLACE_NAMES[place], "") for place in RINGED}
    for places, row in ((CARD_PLACES, lines["cards"].split()[::-1]), (TILE_PLACES, lines["tiles"].split())):
        standing.update({place: word.partition(":")[2] for place, word in zip(places, row, strict=False)})
    return tuple(
        tuple(standing.get(place, "").count(letter) for letter in LETTERS[:seats]) for place in Place
    )


def picture(state: State) -> str:
    """Draws a state: the inverse of `table`, except for what a drawing does not have."""
    lines = [f"{PLACE_NAMES[place]:<12}{rings(state, place)}" for place in RINGED]
    cards = [named(state, *each) for each in zip(CARD_PLACES, state.market.display, strict=True)]
    tiles = [named(state, *each) for each in zip(TILE_PLACES, state.market.open_tiles, strict=False)]
    lines += [f"{'cards':<12}{' '.join(reversed(cards))}", f"{'tiles':<12}{' '.join(tiles)}"]
    return "\n".join(line.rstrip() for line in lines)


def rings(state: State, place: Place) -> str:
    people = "".join(LETTERS[seat] * count for seat, count in enumerate(state.at(place)))
    capacity = CAPACITY[place - 1]
    if capacity is None:
        return " ".join("".join(group) for _, group in groupby(people))
    return people.ljust(capacity, ".")


def named(state: State, place: Place, what: Card | Tile | None) -> str:
    people = "".join(LETTERS[seat] for seat, count in enumerate(state.at(place)) if count)
    return f"{'-' if what is None else what.name}{':' if people else ''}{people}"


def told(state: State, seat: Seat, action: Action, *luck: Sequence[object]) -> list[Event]:
    return list(STONE_AGE.decide(state, seat, action, ScriptedChance(*luck)))


def after(state: State, seat: Seat, action: Action, *luck: Sequence[object]) -> State:
    return replay(STONE_AGE, told(state, seat, action, *luck), state)


def refused(state: State, seat: Seat, action: Action) -> tuple[str, str]:
    """Returns reason and rule of a refusal. The state is immutable, so nothing can have changed."""
    assert action not in list(STONE_AGE.legal_actions(state, seat))
    with pytest.raises(IllegalAction) as caught:
        STONE_AGE.decide(state, seat, action, ScriptedChance())
    assert caught.value.detail
    return caught.value.reason, caught.value.rule


def legal(state: State, seat: Seat) -> list[Action]:
    return list(STONE_AGE.legal_actions(state, seat))


def asked(state: State) -> Task | None:
    return state.agenda[-1] if state.agenda else None


def payments(state: State) -> set[Resources]:
    """Returns the resources with which A may pay."""
    return {action.resources for action in legal(state, A) if isinstance(action, Pay)}


def handfuls(count: int) -> set[Resources]:
    """Returns every combination of so many resources."""
    kinds = combinations_with_replacement(range(4), count)
    return {Resources(*(mix.count(kind) for kind in range(4))) for mix in kinds}
