"""The texts of the rules by id, and the texts of actions."""

from __future__ import annotations

from typing import assert_never

from gamehost.rules.kit import Text, text

from .actions import (
    Action,
    BuildMonument,
    BuildWonder,
    ChooseColour,
    ChooseSpace,
    ChooseWar,
    CommitSupport,
    DeclineBuild,
    DiscardTiles,
    EndTurn,
    PlaceLeader,
    PlaceTile,
    PlayCatastrophe,
    RaiseBuilding,
    SwapTiles,
    TakeTreasure,
    WithdrawLeader,
)
from .material import LEADER_NAMES, POINT_NAMES, TILE_NAMES

TEXTS = {
    "TE-1": "Marked spaces start with a temple and a treasure; each seat has four leaders, two "
    "catastrophes and six hidden tiles; a random seat begins.",
    "TE-2": "Spaces connect by edges only. Tiles face up or down, leaders, monuments and the wonder "
    "connect; catastrophes do not. A group without a leader is a region, one with a leader a "
    "kingdom.",
    "TE-9": "A turn is up to two actions; it may be ended before either, forgoing what is left.",
    "TE-10": "A leader goes to an empty land space beside a face-up temple and never joins two kingdoms.",
    "TE-11": "A leader that moves is lifted first; its old space is no target.",
    "TE-12": "A leader with no face-up temple beside it goes home at once.",
    "TE-13": "Placing a leader scores nothing; withdrawing one is an action, and impossible in a conflict.",
    "TE-20": "A tile goes to an empty space, farms on river and others on land, and joins at most two "
    "kingdoms.",
    "TE-21": "A tile gives a point of its colour to that colour's leader in the kingdom, else to the "
    "king; none when it joins two kingdoms.",
    "TE-22": "A tile that touches only a leader belongs to that leader's kingdom.",
    "TE-30": "A catastrophe, two per seat, takes an empty space or destroys a bare face-up tile, for good.",
    "TE-35": "A swap discards one to six tiles unseen and draws as many; a bag too small still allows it.",
    "TE-40": "A leader placed where its colour rules already revolts: temples beside it and red tiles "
    "from the hand count, the defender wins ties, the winner gets a red point.",
    "TE-41": "A tile that joins two kingdoms causes a war for each colour with two leaders; the active "
    "player picks the next one.",
    "TE-42": "The active player attacks if involved, else the first involved clockwise.",
    "TE-43": "War strength is the colour's tiles on the leader's side of the covered tile plus those "
    "committed; the defender wins ties.",
    "TE-44": "The loser's leader and supporters leave; the winner scores one for each.",
    "TE-45": "After each war connections are judged anew, and the covered tile keeps its pieces together.",
    "TE-46": "In a red war, temples with a treasure or beside another leader stay and score nothing.",
    "TE-47": "A tile under a building supports, but is never removed.",
    "TE-48": "English variant: the attacker commits nothing or enough to get ahead, the defender nothing "
    "or exactly enough for a tie.",
    "TE-49": "Otherwise any number may be committed; nobody may withdraw, and hands refill at the turn's "
    "end.",
    "TE-50": "After conflicts the tile just placed may earn a building, then a monument or the wonder.",
    "TE-51": "Four face-up tiles of a colour in a square may be flipped for a monument that shows the "
    "colour.",
    "TE-52": "At the end of a turn the active player scores one for each own leader and monument of its "
    "colour in its kingdom.",
    "TE-53": "A line of three may carry its colour's building, which doubles tile points in its kingdom; "
    "only a longer line moves it.",
    "TE-54": "A cross of five tiles may become the wonder; at the end of a turn it gives the active "
    "player's king in its kingdom a point of any colour.",
    "TE-60": "After every action a trader's owner takes all treasures of the kingdom but one, bordered "
    "spaces first.",
    "TE-61": "Without a trader treasures wait; those on face-down tiles and on the wonder count.",
    "TE-70": "A turn ends with monument income, wonder income, refilling to six, and the end test.",
    "TE-71": "The game ends with one or two treasures left after a turn, or when a draw fails.",
    "TE-72": "It also ends after five rounds without a tile placed, committed or swapped and no catastrophe.",
    "TE-73": "Treasures join the weakest colour one by one; weakest colours are compared first.",
    "TE-80": "Hands, swapped tiles and what the bag holds are hidden; points and treasures won are shown to "
    "their owner alone unless information is open. The board, hand sizes, and how many tiles are drawn, "
    "committed and swapped are public, so anyone may work out how many tiles the bag holds, but not which; "
    "open information shows that number, too.",
}


def describe(action: Action) -> Text:
    match action:
        case PlaceTile(colour):
            return text("tigris.action.place_tile", "Place a {tile}", tile=TILE_NAMES[colour])
        case PlaceLeader(leader):
            return text("tigris.action.place_leader", "Place the {leader}", leader=LEADER_NAMES[leader])
        case WithdrawLeader(leader):
            return text("tigris.action.withdraw_leader", "Withdraw the {leader}", leader=LEADER_NAMES[leader])
        case PlayCatastrophe():
            return text("tigris.action.play_catastrophe", "Play a catastrophe")
        case SwapTiles():
            return text("tigris.action.swap_tiles", "Swap tiles")
        case EndTurn():
            return text("tigris.action.end_turn", "End the turn")
        case ChooseSpace(space):
            return text("tigris.action.choose_space", "At {space}", space=space.name)
        case DiscardTiles():
            return describe_discard(action)
        case CommitSupport(tiles):
            return text("tigris.action.commit_support", "Commit {tiles}", tiles=tiles)
        case _:
            return describe_settling(action)


def describe_discard(tiles: DiscardTiles) -> Text:
    return text(
        "tigris.action.discard_tiles",
        "Swap {red} temples, {blue} farms, {green} markets, {black} settlements",
        red=tiles.red,
        blue=tiles.blue,
        green=tiles.green,
        black=tiles.black,
    )


def describe_settling(
    action: ChooseWar
    | RaiseBuilding
    | BuildMonument
    | BuildWonder
    | DeclineBuild
    | TakeTreasure
    | ChooseColour,
) -> Text:
    match action:
        case ChooseWar(colour):
            return text(
                "tigris.action.choose_war", "Fight the war of the {leader}s", leader=LEADER_NAMES[colour]
            )
        case RaiseBuilding(space):
            return text("tigris.action.raise_building", "Raise the building at {space}", space=space.name)
        case BuildMonument(monument, corner):
            name = monument.name.lower().replace("_", " and ")
            return text(
                "tigris.action.build_monument",
                "Build the {monument} monument at {corner}",
                monument=name,
                corner=corner.name,
            )
        case BuildWonder(center):
            return text("tigris.action.build_wonder", "Build the wonder around {center}", center=center.name)
        case DeclineBuild():
            return text("tigris.action.decline_build", "Build nothing")
        case TakeTreasure(space):
            return text("tigris.action.take_treasure", "Take the treasure at {space}", space=space.name)
        case ChooseColour(colour):
            return text("tigris.action.choose_colour", "Take a point: {point}", point=POINT_NAMES[colour])
        case _:
            assert_never(action)
