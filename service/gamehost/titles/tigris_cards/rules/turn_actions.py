"""The actions of a turn (EC-9 to EC-24)."""

from __future__ import annotations

from gamehost.rules.kit import Seat

from .actions import BuildShip, LayCard, PlaceLeader, PlayCalamity, WithdrawLeader
from .conflicts import enter_kingdom
from .events import (
    CalamityPlayed,
    CardLaid,
    ExchangeOffered,
    LeaderPlaced,
    LeaderWithdrawn,
    LinkTurnedUp,
    OfferDeclined,
    PointOffered,
    PointTaken,
    ShipBuilt,
    ShipOffered,
    TreasureExchanged,
)
from .evolve import GameStory
from .material import COLOUR_OF, RUN, SHOWN, Colour
from .model import Leader, PointOffer, ShipOffer, Table
from .regions import Region, card_at, find, owner_in, region_of, treasures_in


def place_leader(story: GameStory, seat: Seat, action: PlaceLeader) -> None:
    """EC-10: puts a leader onto a card, from the supply or from another card."""
    leader = Leader(seat, action.colour)
    story.tell(LeaderPlaced(leader, action.place, find(story.state.table, leader)))
    enter_kingdom(story, leader, action.place)


def withdraw_leader(story: GameStory, seat: Seat, action: WithdrawLeader) -> None:
    """EC-11: takes a leader back into the supply."""
    leader = Leader(seat, action.colour)
    place = find(story.state.table, leader)
    assert place is not None
    story.tell(LeaderWithdrawn(leader, place))


def lay_card(story: GameStory, seat: Seat, action: LayCard) -> None:
    """EC-20: lays a card, and offers a point to the entitled seat or, if there is none, a ship."""
    story.tell(CardLaid(seat, action.colour, action.column))
    owner = entitled(story.state.table, action.column, action.colour)
    if owner is None:
        offer_ship(story, action.column)
    else:
        story.tell(PointOffered(owner, action.colour, action.column))


def entitled(table: Table, column: int, colour: Colour) -> Seat | None:
    """EC-20: returns the owner of the leader of the colour in the region, else of the king, or None."""
    region = region_of(table, column)
    owner = owner_in(table, region, colour)
    return owner_in(table, region, Colour.BLACK) if owner is None else owner


def answer_point(story: GameStory, offer: PointOffer, answer: PointTaken | OfferDeclined) -> None:
    """EC-23: takes or declines the point, and then offers a ship."""
    story.tell(answer)
    if offer.column is not None:
        offer_ship(story, offer.column)


def offer_ship(story: GameStory, column: int) -> None:
    """EC-23: offers a ship if the last four cards of the column have one colour; heads do not count."""
    state = story.state
    run = [COLOUR_OF[card.face] for card in state.table.columns[column][1:][-RUN:]]
    colour = run[-1]
    if colour is None or run != [colour] * RUN:
        return
    if ships := tuple(ship for ship in state.ships if colour in SHOWN[ship]):  # every ship shows blue
        story.tell(ShipOffered(state.active, column, ships))


def build_ship(story: GameStory, seat: Seat, offer: ShipOffer, action: BuildShip) -> None:
    """EC-23: replaces the lowest four cards by the ship; leaders on them return to the supply."""
    cards = story.state.table.columns[offer.column]
    row = len(cards) - RUN
    colour = COLOUR_OF[cards[row].face]
    assert colour is not None
    returned = tuple(card.leader for card in cards[row:] if card.leader is not None)
    story.tell(ShipBuilt(seat, action.ship, colour, offer.column, row, returned))


def go_on_linking(story: GameStory, gap: int) -> None:
    """EC-21: after the last conflict of a link, offers an exchange (EC-22) or turns the link up."""
    table = story.state.table
    united = Region(region_of(table, gap).first, region_of(table, gap + 1).last)
    trader = owner_in(table, united, Colour.GREEN)
    treasures = treasures_in(table, united)
    if trader is not None and len(treasures) >= 2:
        story.tell(ExchangeOffered(trader, treasures))
    else:
        turn_up(story)


def answer_exchange(story: GameStory, answer: TreasureExchanged | OfferDeclined) -> None:
    """EC-22: exchanges one treasure or none, and turns the link up."""
    story.tell(answer)
    turn_up(story)


def turn_up(story: GameStory) -> None:
    link = story.state.face_down
    assert link is not None
    assert isinstance(link.colour, Colour)
    story.tell(LinkTurnedUp(link.gap, link.colour))


def play_calamity(story: GameStory, seat: Seat, action: PlayCalamity) -> None:
    """EC-24: removes a card from the game; the cards below it move up."""
    card = card_at(story.state.table, action.place)
    assert card is not None
    colour = COLOUR_OF[card.face]
    assert colour is not None
    story.tell(CalamityPlayed(seat, action.place, colour))
