"""The encoding of Stone Age."""

from __future__ import annotations

from itertools import chain, combinations, product
from typing import Final

from gamehost.learning.encoding import (
    SEATS,
    Array,
    Block,
    Encoding,
    Slice,
    Viewer,
    by_seat,
    flags,
    one_hot,
    one_hot_seat,
    squashed,
)
from gamehost.rules.kit import Hidden

from .rules.actions import (
    AddTools,
    Decline,
    Feed,
    GoHungry,
    Pay,
    PlacePeople,
    ResolvePlace,
    TakeDie,
    TakeResources,
)
from .rules.goods import Good, Resources, mixes
from .rules.material import (
    BEST_TOOL,
    CAPACITY,
    DECK,
    MOST_PEOPLE,
    SLOTS,
    STACK_HEIGHT,
    TILES,
    TOOL_SPACES,
    TRACK_END,
    Place,
    TieBreak,
)
from .rules.model import (
    AddingTools,
    BuildingTile,
    BuyingCard,
    Feeding,
    Placing,
    PlayerView,
    Resolving,
    TakingDice,
    View,
)

ENCODING_VERSION: Final = 1
TASKS: Final = (Placing, Resolving, AddingTools, BuyingCard, BuildingTile, TakingDice, Feeding)
ONE_USE: Final = (2, 3, 4)
MOST_PAID: Final = 7
HUT_PEOPLE: Final = 2
FACES: Final = 6


def seats(part: Array, viewer: Viewer) -> None:
    part[: len(viewer.order)] = 1


def task(view: View) -> int | None:
    return TASKS.index(type(view.agenda[-1])) if view.agenda else None


def asked(view: View) -> int | None:
    return view.agenda[-1].seat if view.agenda else None


def roll(part: Array, viewer: Viewer) -> None:
    """Fill the good (one-hot), the count of each face, and the sum of a roll."""
    current = viewer.view.agenda[-1] if viewer.view.agenda else None
    if isinstance(current, AddingTools):
        part[current.good - 1] = 1
        part[len(Good) + FACES] = squashed(current.sum, 20)
    if isinstance(current, AddingTools | TakingDice):
        for face in current.faces:
            part[len(Good) + face - 1] += 1 / MOST_PEOPLE


def offer(part: Array, viewer: Viewer) -> None:
    current = viewer.view.agenda[-1] if viewer.view.agenda else None
    if isinstance(current, BuyingCard):
        part[current.slot - 1] = 1
    elif isinstance(current, BuildingTile):
        part[SLOTS + current.stack - 1] = 1


def course(view: View) -> list[float]:
    limit = view.options.max_rounds
    return [
        squashed(view.round, 10),
        squashed(limit, 50),
        min(1.0, view.round / limit),
        view.deck_size / len(DECK),
        view.options.tie_break is TieBreak.SUM,
    ]


def holdings(row: Array, view: View, seat: int) -> None:
    player = view.players[seat]
    held = player.resources
    amounts = (held.wood, held.brick, held.stone, held.gold)
    row[:] = [
        player.people / MOST_PEOPLE,
        player.people_at_home / MOST_PEOPLE,
        squashed(player.food, 10),
        player.food_track / TRACK_END,
        squashed(player.food_balance, 5),
        *(squashed(amount, 5) for amount in amounts),
        player.any_two,
        *(value in player.one_use_tools for value in ONE_USE),
        squashed(player.score, 100),
        squashed(player.tile_points, 50),
        squashed(player.card_points, 50),
        squashed(player.hunger, 50),
    ]


def tools(row: Array, view: View, seat: int) -> None:
    for space, tool in enumerate(view.players[seat].tools):
        row[space, 0] = tool.value / BEST_TOOL
        row[space, 1] = tool.used


def drawn_count(player: PlayerView) -> int:
    return player.drawn.count if isinstance(player.drawn, Hidden) else len(player.drawn)


def cards(row: Array, view: View, seat: int) -> None:
    """Fill the bought cards, and the drawn ones if the viewer may see them."""
    player = view.players[seat]
    for card in player.cards:
        row[card - 1] = 1
    if not isinstance(player.drawn, Hidden):
        for card in player.drawn:
            row[card - 1] = 1
    row[len(DECK)] = squashed(drawn_count(player), 2)


def tiles(row: Array, view: View, seat: int) -> None:
    for tile in view.players[seat].tiles:
        row[tile - 1] = 1


def people(part: Array, viewer: Viewer) -> None:
    for place in viewer.view.places:
        for at, seat in enumerate(viewer.order):
            part[at, 0, place.place - 1] = place.people[seat] / MOST_PEOPLE
            part[at, 1, place.place - 1] = seat in place.open_to


def card_slots(part: Array, viewer: Viewer) -> None:
    for slot in viewer.view.cards:
        if slot.card is not None:
            part[slot.slot - 1, slot.card - 1] = 1


def tile_stacks(part: Array, viewer: Viewer) -> None:
    for stack in viewer.view.tiles:
        part[stack.stack - 1, len(TILES)] = stack.face_down / STACK_HEIGHT
        if stack.tile is not None:
            part[stack.stack - 1, stack.tile - 1] = 1


def payable(part: Array, viewer: Viewer) -> None:
    for at, seat in enumerate(viewer.order):
        for card in viewer.view.cards:
            part[at, card.slot - 1] = seat in card.payable_by
        for tile in viewer.view.tiles:
            part[at, SLOTS + tile.stack - 1] = seat in tile.payable_by


SLICES: Final = (
    Slice("present", (SEATS,), "1 for each seat of the game, in the viewer's order", seats),
    Slice(
        "course",
        (5,),
        "round squashed by 10; most rounds squashed by 50; their ratio; deck / 36; ties by sum",
        flags(course),
    ),
    Slice("ended", (3,), "one-hot: why the game is over", one_hot(3, lambda view: view.ended, 1)),
    Slice("task", (len(TASKS),), "one-hot: place, resolve, tools, card, tile, dice, feed", one_hot(7, task)),
    Slice("asked", (SEATS,), "one-hot: who is asked", one_hot_seat(asked)),
    Slice(
        "start_player",
        (SEATS,),
        "one-hot: who holds the start figure",
        one_hot_seat(lambda v: v.start_player),
    ),
    Slice(
        "roll",
        (len(Good) + FACES + 1,),
        "good rolled for, one-hot; dice of each face / 10; their sum squashed by 20",
        roll,
    ),
    Slice("offer", (SLOTS + SEATS,), "one-hot: card slot or tile stack asked about", offer),
    Slice(
        "holdings",
        (SEATS, 17),
        "by seat: people and people at home / 10; food squashed by 10; food track / 10; food balance "
        "squashed by 5; wood, brick, stone, gold squashed by 5; any-two card; one-use tools 2, 3, 4; "
        "score squashed by 100; points of tiles, of cards and hunger squashed by 50",
        by_seat(holdings),
    ),
    Slice("tools", (SEATS, TOOL_SPACES, 2), "by seat and space: value / 4, used", by_seat(tools)),
    Slice(
        "cards",
        (SEATS, len(DECK) + 1),
        "by seat: cards known to be its own; number drawn unseen squashed by 2",
        by_seat(cards),
    ),
    Slice("tiles", (SEATS, len(TILES)), "by seat: tiles built", by_seat(tiles)),
    Slice("people", (SEATS, 2, len(Place)), "by seat: people there / 10; may still place there", people),
    Slice("card_slots", (SLOTS, len(DECK)), "by slot: the open card", card_slots),
    Slice("tile_stacks", (SEATS, len(TILES) + 1), "by stack: the open tile; face down / 7", tile_stacks),
    Slice("payable", (SEATS, SLOTS + SEATS), "by seat: card slots and tiles it could pay for", payable),
)


def placings() -> tuple[PlacePeople, ...]:
    """Return all placements that can ever be legal; the hut takes exactly two people."""
    most = [MOST_PEOPLE if capacity is None else capacity for capacity in CAPACITY]
    return tuple(
        PlacePeople(place, people)
        for place in Place
        for people in range(HUT_PEOPLE if place is Place.HUT else 1, most[place - 1] + 1)
    )


def subsets(items: tuple[int, ...]) -> list[frozenset[int]]:
    sizes = (combinations(items, size) for size in range(len(items) + 1))
    return [frozenset(chosen) for chosen in chain.from_iterable(sizes)]


def handfuls(most: int) -> tuple[Resources, ...]:
    return tuple(handful for count in range(1, most + 1) for handful in mixes(count))


BLOCKS: Final = (
    Block("PlacePeople", "place, then people: 1 to its room, at the hut only 2", placings()),
    Block("ResolvePlace", "place", tuple(map(ResolvePlace, Place))),
    Block(
        "AddTools",
        "subset of tool spaces 0 to 2, then subset of one-use tools 2, 3, 4; small subsets first",
        tuple(AddTools(*both) for both in product(subsets(tuple(range(TOOL_SPACES))), subsets(ONE_USE))),
    ),
    Block(
        "Pay", "1 to 7 resources, fewest first, then most wood, brick, stone", tuple(map(Pay, handfuls(7)))
    ),
    Block("Decline", "", (Decline(),)),
    Block("TakeDie", "face", tuple(TakeDie(face) for face in range(1, FACES + 1))),
    Block(
        "Feed",
        "1 to 10 resources, fewest first, then most wood, brick, stone",
        tuple(map(Feed, handfuls(MOST_PEOPLE))),
    ),
    Block("GoHungry", "", (GoHungry(),)),
    Block("TakeResources", "2 resources, most wood, brick, stone first", tuple(map(TakeResources, mixes(2)))),
)
ENCODING: Final = Encoding("stone_age", ENCODING_VERSION, lambda view: len(view.players), SLICES, BLOCKS)
encode_view, index, action = ENCODING.encode_view, ENCODING.index, ENCODING.action
