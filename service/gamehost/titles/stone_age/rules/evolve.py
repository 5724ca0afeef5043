"""Applies events to the state. It contains no rules: those were applied before the event was made."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final

from gamehost.rules.copying import replace
from gamehost.rules.kit import Hidden, Seat, Story, put

from .events import (
    AnyTwoGained,
    AnyTwoTaken,
    CardBought,
    CardDeclined,
    CardDrawn,
    CardOffered,
    CardRevealed,
    CardSlid,
    DiceForAllRolled,
    DiceRolled,
    DieTaken,
    Event,
    FoodGained,
    FoodProduced,
    FoodTrackRaised,
    GameBegun,
    GameEnded,
    OneUseToolGained,
    PeopleFed,
    PeoplePlaced,
    PeopleReturned,
    PersonBorn,
    PointsGained,
    ResourcesGained,
    RollCounted,
    RoundBegun,
    SeatScored,
    TileBuilt,
    TileDeclined,
    TileOffered,
    TileRevealed,
    ToolMade,
    TurnBegun,
    WentHungry,
)
from .goods import Good, some
from .material import STACK_HEIGHT, Phase, Place
from .model import (
    AddingTools,
    BuildingTile,
    BuyingCard,
    Feeding,
    Market,
    Placing,
    Player,
    Resolving,
    State,
    TakingDice,
    Task,
    Tool,
)

TURN: Final[dict[Phase, Callable[[Seat], Task]]] = {
    Phase.PLACING: Placing,
    Phase.ACTIONS: Resolving,
    Phase.FEEDING: Feeding,
}


def evolve(state: State, event: Event) -> State:
    """Returns the state after the event. Every event increases `told`, which numbers the questions."""
    return WRITTEN[type(event)](state, event)


def with_player(state: State, seat: Seat, player: Player) -> State:
    return replace(state, told=state.told + 1, players=put(state.players, seat, player))


def game_begun(state: State, event: GameBegun) -> State:
    return replace(
        state,
        told=state.told + 1,
        options=event.options,
        start_player=event.start_player,
        players=(Player(),) * event.seats,
        people=((0,) * event.seats,) * len(Place),
        market=Market(open_tiles=(None,) * event.seats, stacks=(STACK_HEIGHT,) * event.seats),
    )


def round_begun(state: State, event: RoundBegun) -> State:
    players = tuple(
        replace(player, tools=tuple(Tool(tool.value) for tool in player.tools)) for player in state.players
    )
    return replace(
        state, told=state.told + 1, round=event.round, start_player=event.start_player, players=players
    )


def card_slid(state: State, event: CardSlid) -> State:
    left = put(state.market.display, event.from_slot - 1, None)
    return replace(
        state,
        told=state.told + 1,
        market=replace(state.market, display=put(left, event.to_slot - 1, event.card)),
    )


def card_revealed(state: State, event: CardRevealed) -> State:
    market = state.market
    display = put(market.display, event.slot - 1, event.card)
    return replace(
        state, told=state.told + 1, market=replace(market, display=display, deck=market.deck - {event.card})
    )


def tile_revealed(state: State, event: TileRevealed) -> State:
    market, at = state.market, event.stack - 1
    turned_up = replace(
        market,
        open_tiles=put(market.open_tiles, at, event.tile),
        stacks=put(market.stacks, at, market.stacks[at] - 1),
        unseen_tiles=market.unseen_tiles - {event.tile},
    )
    return replace(state, told=state.told + 1, market=turned_up)


def turn_begun(state: State, event: TurnBegun) -> State:
    return replace(state, told=state.told + 1, agenda=(TURN[event.phase](event.seat),))


def people_placed(state: State, event: PeoplePlaced) -> State:
    return replace(
        state, told=state.told + 1, agenda=(), people=people_at(state, event.place, event.seat, event.people)
    )


def people_returned(state: State, event: PeopleReturned) -> State:
    return replace(state, told=state.told + 1, people=people_at(state, event.place, event.seat, 0))


def people_at(state: State, place: Place, seat: Seat, people: int) -> tuple[tuple[int, ...], ...]:
    return put(state.people, place - 1, put(state.people[place - 1], seat, people))


def tool_made(state: State, event: ToolMade) -> State:
    tools = state.players[event.seat].tools
    made = Tool(event.value, tools[event.space].used)
    return with_player(
        state, event.seat, replace(state.players[event.seat], tools=put(tools, event.space, made))
    )


def person_born(state: State, event: PersonBorn) -> State:
    return with_player(state, event.seat, replace(state.players[event.seat], people=event.people))


def food_track_raised(state: State, event: FoodTrackRaised) -> State:
    return with_player(state, event.seat, replace(state.players[event.seat], food_track=event.food_track))


def dice_rolled(state: State, event: DiceRolled) -> State:
    asked = AddingTools(event.seat, event.good, event.faces, event.sum)
    return replace(state, told=state.told + 1, agenda=(*state.agenda, asked))


def roll_counted(state: State, event: RollCounted) -> State:
    player = state.players[event.seat]
    is_food = event.good is Good.FOOD
    changed = replace(
        player,
        food=player.food + event.gained if is_food else player.food,
        resources=player.resources if is_food else player.resources + some(event.good, event.gained),
        tools=used(player.tools, event.tools) if event.tools else player.tools,
        one_use_tools=player.one_use_tools.difference(event.one_use_tools),
    )
    players = put(state.players, event.seat, changed)
    return replace(state, told=state.told + 1, agenda=state.agenda[:-1], players=players)


def used(tools: tuple[Tool, ...], spaces: Collection[int]) -> tuple[Tool, ...]:
    return tuple(Tool(tool.value, tool.used or space in spaces) for space, tool in enumerate(tools))


def card_offered(state: State, event: CardOffered) -> State:
    return replace(state, told=state.told + 1, agenda=(*state.agenda, BuyingCard(event.seat, event.slot)))


def card_bought(state: State, event: CardBought) -> State:
    player = state.players[event.seat]
    players = put(
        state.players,
        event.seat,
        replace(player, resources=player.resources - event.paid, cards=(*player.cards, event.card)),
    )
    market = replace(state.market, display=put(state.market.display, event.slot - 1, None))
    return replace(state, told=state.told + 1, agenda=state.agenda[:-1], players=players, market=market)


def declined(state: State, event: CardDeclined | TileDeclined) -> State:
    return replace(state, told=state.told + 1, agenda=state.agenda[:-1])


def tile_offered(state: State, event: TileOffered) -> State:
    return replace(state, told=state.told + 1, agenda=(*state.agenda, BuildingTile(event.seat, event.stack)))


def tile_built(state: State, event: TileBuilt) -> State:
    player = state.players[event.seat]
    players = put(
        state.players,
        event.seat,
        replace(
            player,
            resources=player.resources - event.paid,
            tiles=(*player.tiles, event.tile),
            tile_points=player.tile_points + event.points,
        ),
    )
    market = replace(state.market, open_tiles=put(state.market.open_tiles, event.stack - 1, None))
    return replace(state, told=state.told + 1, agenda=state.agenda[:-1], players=players, market=market)


def food_gained(state: State, event: FoodGained | FoodProduced) -> State:
    food = state.players[event.seat].food + event.food
    return with_player(state, event.seat, replace(state.players[event.seat], food=food))


def resources_gained(state: State, event: ResourcesGained) -> State:
    resources = state.players[event.seat].resources + event.resources
    return with_player(state, event.seat, replace(state.players[event.seat], resources=resources))


def points_gained(state: State, event: PointsGained) -> State:
    points = state.players[event.seat].card_points + event.points
    return with_player(state, event.seat, replace(state.players[event.seat], card_points=points))


def one_use_tool_gained(state: State, event: OneUseToolGained) -> State:
    tools = state.players[event.seat].one_use_tools | {event.value}
    return with_player(state, event.seat, replace(state.players[event.seat], one_use_tools=tools))


def any_two_gained(state: State, event: AnyTwoGained) -> State:
    return with_player(state, event.seat, replace(state.players[event.seat], any_two=True))


def any_two_taken(state: State, event: AnyTwoTaken) -> State:
    resources = state.players[event.seat].resources + event.resources
    return with_player(
        state, event.seat, replace(state.players[event.seat], any_two=False, resources=resources)
    )


def card_drawn(state: State, event: CardDrawn) -> State:
    if isinstance(event.card, Hidden):
        raise ValueError(f"a witnessed event cannot be applied to a state: {event}")
    player = state.players[event.seat]
    drawn = (*player.drawn, event.card)
    players = put(state.players, event.seat, replace(player, drawn=drawn))
    market = replace(state.market, deck=state.market.deck - {event.card})
    return replace(state, told=state.told + 1, market=market, players=players)


def dice_for_all_rolled(state: State, event: DiceForAllRolled) -> State:
    return replace(state, told=state.told + 1, agenda=(*state.agenda, TakingDice(event.seats, event.faces)))


def die_taken(state: State, event: DieTaken) -> State:
    """Replaces the task by that of the next seat, or removes it after the last one."""
    *waiting, task = state.agenda
    assert isinstance(task, TakingDice)
    faces = list(task.faces)
    faces.remove(event.face)
    if faces:
        waiting.append(TakingDice(task.seats[1:], tuple(faces)))
    return replace(state, told=state.told + 1, agenda=tuple(waiting))


def people_fed(state: State, event: PeopleFed) -> State:
    player = state.players[event.seat]
    players = put(
        state.players,
        event.seat,
        replace(player, food=player.food - event.food, resources=player.resources - event.resources),
    )
    return replace(state, told=state.told + 1, agenda=(), players=players)


def went_hungry(state: State, event: WentHungry) -> State:
    player = state.players[event.seat]
    players = put(
        state.players,
        event.seat,
        replace(player, food=player.food - event.food, hunger=player.hunger + event.points_lost),
    )
    return replace(state, told=state.told + 1, agenda=(), players=players)


def seat_scored(state: State, event: SeatScored) -> State:
    return with_player(state, event.seat, replace(state.players[event.seat], final_score=event.score))


def game_ended(state: State, event: GameEnded) -> State:
    return replace(state, told=state.told + 1, agenda=(), ended=event.reason)


WRITTEN: Final[dict[type, Callable[[State, Any], State]]] = {
    GameBegun: game_begun,
    RoundBegun: round_begun,
    CardSlid: card_slid,
    CardRevealed: card_revealed,
    TileRevealed: tile_revealed,
    TurnBegun: turn_begun,
    PeoplePlaced: people_placed,
    PeopleReturned: people_returned,
    ToolMade: tool_made,
    PersonBorn: person_born,
    FoodTrackRaised: food_track_raised,
    DiceRolled: dice_rolled,
    RollCounted: roll_counted,
    CardOffered: card_offered,
    CardBought: card_bought,
    CardDeclined: declined,
    TileOffered: tile_offered,
    TileBuilt: tile_built,
    TileDeclined: declined,
    FoodGained: food_gained,
    ResourcesGained: resources_gained,
    PointsGained: points_gained,
    OneUseToolGained: one_use_tool_gained,
    AnyTwoGained: any_two_gained,
    AnyTwoTaken: any_two_taken,
    CardDrawn: card_drawn,
    DiceForAllRolled: dice_for_all_rolled,
    DieTaken: die_taken,
    FoodProduced: food_gained,
    PeopleFed: people_fed,
    WentHungry: went_hungry,
    SeatScored: seat_scored,
    GameEnded: game_ended,
}


GameStory = Story[State, Event]
