"""Internal and external conflicts (EC-12, EC-30, EC-40, EC-41)."""

from __future__ import annotations

from collections.abc import Iterator

from gamehost.rules.kit import Seat

from .actions import CommitCards
from .events import CardsCommitted, ConflictBegun, ConflictWon, PointOffered
from .evolve import GameStory
from .material import COLOUR_OF, COLOURS, Colour
from .model import Card, Conflict, Leader, Place, Table
from .regions import cards_in, find, leaders_in, owner_in, placed_in, region_of, strength


def clashes(table: Table, gap: int) -> tuple[Colour, ...]:
    """EC-40, EC-41: returns the colours with a leader on each side of the face-down link."""
    left = {leader.colour for leader in leaders_in(table, region_of(table, gap))}
    right = {leader.colour for leader in leaders_in(table, region_of(table, gap + 1))}
    return tuple(colour for colour in COLOURS if colour in left and colour in right)


def enter_kingdom(story: GameStory, leader: Leader, place: Place) -> None:
    """EC-12: begins an internal conflict if the kingdom has another player's leader of the same colour."""
    cards = cards_in(story.state.table, region_of(story.state.table, place.column))
    rivals = [card for card in cards if card.leader is not None and card.leader.colour is leader.colour]
    if len(rivals) == 2:
        own, other = sorted(rivals, key=lambda card: card.leader != leader)
        assert other.leader is not None
        defender = other.leader.seat
        story.tell(ConflictBegun(False, leader.colour, leader.seat, defender, _temple(own), _temple(other)))


def begin_external(story: GameStory, gap: int, colour: Colour) -> None:
    """EC-40: begins an external conflict. The active player attacks, or the first involved seat clockwise."""
    state = story.state
    sides = {}
    for column in (gap, gap + 1):
        region = region_of(state.table, column)
        owner = owner_in(state.table, region, colour)
        assert owner is not None
        sides[owner] = strength(state.table, region, colour)
    attacker, defender = sorted(sides, key=lambda seat: (seat - state.active) % len(state.hands))
    story.tell(ConflictBegun(True, colour, attacker, defender, sides[attacker], sides[defender]))


def commit(story: GameStory, seat: Seat, action: CommitCards) -> None:
    story.tell(CardsCommitted(seat, action.colour, action.count))
    conflict = story.state.agenda[-1]
    assert isinstance(conflict, Conflict)
    if conflict.defender_cards is not None:
        _settle(story, conflict)


def _settle(story: GameStory, conflict: Conflict) -> None:
    """EC-30, EC-40: decides the conflict. The higher strength wins; the defender wins a tie."""
    attack, defence = conflict.attacker_cards or 0, conflict.defender_cards or 0
    won = conflict.attacker_strength + attack > conflict.defender_strength + defence
    winner, loser = conflict.attacker, conflict.defender
    if not won:
        winner, loser = loser, winner
    _take_spoils(story, conflict, winner, Leader(loser, conflict.colour), attack + defence)


def _take_spoils(story: GameStory, conflict: Conflict, winner: Seat, loser: Leader, played: int) -> None:
    """Gives the winner one of the played cards; if none was played, offers one of its hand as a point."""
    table = story.state.table
    place = find(table, loser)
    assert place is not None
    captured = tuple(_captured(table, loser, place)) if conflict.external else ()
    kept = min(played, 1)
    story.tell(ConflictWon(winner, loser, place, conflict.suit, kept, played - kept, captured))
    if not played:
        story.tell(PointOffered(winner, conflict.suit, None))


def _captured(table: Table, loser: Leader, place: Place) -> Iterator[Place]:
    """EC-40: yields the cards of the colour in the loser's kingdom, without heads and cards under leaders."""
    for at, card in placed_in(table, region_of(table, place.column)):
        guarded = card.leader is not None and card.leader != loser
        if COLOUR_OF[card.face] is loser.colour and at.row != 0 and not guarded:
            yield at


def _temple(card: Card) -> int:
    """EC-30: returns 1 if the leader stands on a red card, treasures and replaced heads included, else 0."""
    return int(COLOUR_OF[card.face] is Colour.RED)
