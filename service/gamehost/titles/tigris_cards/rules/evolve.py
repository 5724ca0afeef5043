"""Applies events to the state. It contains no rules: those were applied before the event was made."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from gamehost.rules.copying import replace
from gamehost.rules.kit import Hidden, Seat, Story, put

from .events import (
    CalamityPlayed,
    CardLaid,
    CardsCommitted,
    CardsDrawn,
    CardsSetAside,
    ConflictBegun,
    ConflictWon,
    Event,
    ExchangeOffered,
    GameBegun,
    GameEnded,
    IncomeOffered,
    IncomeTaken,
    LeaderPlaced,
    LeaderWithdrawn,
    LinkLaid,
    LinkTurnedUp,
    OfferDeclined,
    PointOffered,
    PointTaken,
    ShipBuilt,
    ShipOffered,
    TreasureExchanged,
    TurnBegun,
    TurnPassed,
)
from .material import ACTIONS, FACE_OF, RUN, Colour, Face
from .model import (
    Card,
    Conflict,
    Exchange,
    FaceDownLink,
    Income,
    Linking,
    Phase,
    Pile,
    PointOffer,
    ShipOffer,
    State,
    Turn,
)
from .regions import PLACES, with_bottom, with_card, with_leader, with_ship, without


def evolve(state: State, event: Event) -> State:
    """Returns the state after the event. Every event increases `moment`, which numbers the questions."""
    return WRITERS[type(event)](state, event)


def _game_begun(state: State, event: GameBegun) -> State:
    seats = event.seats
    return replace(
        state,
        moment=state.moment + 1,
        options=event.options,
        hands=((0, 0, 0, 0),) * seats,
        piles=(Pile(),) * seats,
        calamities=(True,) * seats,
    )


def _cards_set_aside(state: State, event: CardsSetAside) -> State:
    return replace(state, moment=state.moment + 1, set_aside=event.count)


def _cards_drawn(state: State, event: CardsDrawn) -> State:
    if isinstance(event.cards, Hidden):
        raise ValueError(f"a witnessed event cannot be applied to a state: {event}")
    hand = _add(state.hands[event.seat], event.cards, 1)
    return replace(
        state,
        moment=state.moment + 1,
        deck=_add(state.deck, event.cards, -1),
        hands=put(state.hands, event.seat, hand),
    )


def _turn_begun(state: State, event: TurnBegun) -> State:
    return replace(
        state, moment=state.moment + 1, turn=state.turn + 1, active=event.seat, agenda=(Turn(ACTIONS),)
    )


def _turn_passed(state: State, event: TurnPassed) -> State:
    return replace(state, moment=state.moment + 1, agenda=(Turn(0),))


def _card_laid(state: State, event: CardLaid) -> State:
    return replace(
        state,
        moment=state.moment + 1,
        agenda=_acted(state),
        table=with_bottom(state.table, event.column, FACE_OF[event.colour]),
        hands=_hands_without(state, event.seat, event.colour),
        card_turn=state.turn,
    )


def _point_offered(state: State, event: PointOffered) -> State:
    return _asked(state, PointOffer(event.seat, event.colour, event.column))


def _point_taken(state: State, event: PointTaken) -> State:
    return _to_pile(state, event.seat, event.colour, state.agenda[:-1])


def _offer_declined(state: State, event: OfferDeclined) -> State:
    return replace(state, moment=state.moment + 1, agenda=state.agenda[:-1])


def _ship_offered(state: State, event: ShipOffered) -> State:
    return _asked(state, ShipOffer(event.column, event.ships))


def _ship_built(state: State, event: ShipBuilt) -> State:
    return replace(
        state,
        moment=state.moment + 1,
        agenda=state.agenda[:-1],
        table=with_ship(state.table, event.column, event.row, RUN, event.ship),
        ships=tuple(ship for ship in state.ships if ship is not event.ship),
        discards=_add(state.discards, (event.colour,), RUN),
    )


def _link_laid(state: State, event: LinkLaid) -> State:
    if isinstance(event.colour, Hidden):
        raise ValueError(f"a witnessed event cannot be applied to a state: {event}")
    return replace(
        state,
        moment=state.moment + 1,
        agenda=(*_acted(state), Linking(event.gap)),
        face_down=FaceDownLink(event.gap, event.colour),
        hands=_hands_without(state, event.seat, event.colour),
        card_turn=state.turn,
    )


def _link_turned_up(state: State, event: LinkTurnedUp) -> State:
    links = put(state.table.links, event.gap, Card(FACE_OF[event.colour]))
    return replace(
        state,
        moment=state.moment + 1,
        agenda=state.agenda[:-1],
        table=replace(state.table, links=links),
        face_down=None,
    )


def _leader_placed(state: State, event: LeaderPlaced) -> State:
    table = state.table
    if event.origin is not None:
        table = with_leader(table, event.origin, None)
    return replace(
        state,
        moment=state.moment + 1,
        agenda=_acted(state),
        table=with_leader(table, event.place, event.leader),
    )


def _leader_withdrawn(state: State, event: LeaderWithdrawn) -> State:
    table = with_leader(state.table, event.place, None)
    return replace(state, moment=state.moment + 1, agenda=_acted(state), table=table)


def _calamity_played(state: State, event: CalamityPlayed) -> State:
    return replace(
        state,
        moment=state.moment + 1,
        agenda=_acted(state),
        table=without(state.table, (event.place,)),
        discards=_add(state.discards, (event.colour,), 1),
        calamities=put(state.calamities, event.seat, False),
    )


def _conflict_begun(state: State, event: ConflictBegun) -> State:
    conflict = Conflict(
        event.external,
        event.colour,
        event.attacker,
        event.defender,
        event.attacker_strength,
        event.defender_strength,
        attacker_cards=None,
        defender_cards=None,
    )
    return _asked(state, conflict)


def _cards_committed(state: State, event: CardsCommitted) -> State:
    conflict = state.agenda[-1]
    assert isinstance(conflict, Conflict)
    if conflict.attacker_cards is None:
        conflict = replace(conflict, attacker_cards=event.count)
    else:
        conflict = replace(conflict, defender_cards=event.count)
    return replace(
        state,
        moment=state.moment + 1,
        agenda=(*state.agenda[:-1], conflict),
        hands=_hands_without(state, event.seat, event.colour, event.count),
        card_turn=state.turn if event.count else state.card_turn,
    )


def _conflict_won(state: State, event: ConflictWon) -> State:
    table = with_leader(state.table, event.place, None)
    return replace(
        state,
        moment=state.moment + 1,
        agenda=state.agenda[:-1],
        table=without(table, event.captured),
        discards=_add(state.discards, (event.colour,), event.discarded),
        piles=_grown(state, event.winner, FACE_OF[event.colour], event.kept + len(event.captured)),
    )


def _exchange_offered(state: State, event: ExchangeOffered) -> State:
    return _asked(state, Exchange(event.seat, event.columns))


def _treasure_exchanged(state: State, event: TreasureExchanged) -> State:
    place = PLACES[event.column][0]
    head = state.table.columns[event.column][0]
    return replace(
        state,
        moment=state.moment + 1,
        agenda=state.agenda[:-1],
        table=with_card(state.table, place, Card(Face.RED, head.leader)),
        hands=_hands_without(state, event.seat, Colour.RED),
        card_turn=state.turn,
        piles=_grown(state, event.seat, Face.TREASURE, 1),
    )


def _income_offered(state: State, event: IncomeOffered) -> State:
    return replace(state, moment=state.moment + 1, agenda=(Income(event.due),))


def _income_taken(state: State, event: IncomeTaken) -> State:
    income = state.agenda[-1]
    assert isinstance(income, Income)
    due = put(income.due, event.colour, income.due[event.colour] - 1)
    agenda = (*state.agenda[:-1], Income(due)) if any(due) else state.agenda[:-1]
    return _to_pile(state, event.seat, event.colour, agenda)


def _game_ended(state: State, event: GameEnded) -> State:
    return replace(state, moment=state.moment + 1, agenda=(), ending=event.ending)


def _asked(state: State, phase: Phase) -> State:
    return replace(state, moment=state.moment + 1, agenda=(*state.agenda, phase))


def _acted(state: State) -> tuple[Phase, ...]:
    """Returns the agenda after an action of the turn: one action fewer."""
    turn = state.agenda[-1]
    assert isinstance(turn, Turn)
    return (Turn(turn.actions - 1),)


def _to_pile(state: State, seat: Seat, colour: Colour, agenda: tuple[Phase, ...]) -> State:
    return replace(
        state,
        moment=state.moment + 1,
        agenda=agenda,
        hands=_hands_without(state, seat, colour),
        card_turn=state.turn,
        piles=_grown(state, seat, FACE_OF[colour], 1),
    )


def _hands_without(state: State, seat: Seat, colour: Colour, count: int = 1) -> tuple[tuple[int, ...], ...]:
    """Returns the hands without the cards that a seat plays. EC-63: callers must set `card_turn` as well."""
    return put(state.hands, seat, _add(state.hands[seat], (colour,), -count))


def _grown(state: State, seat: Seat, face: Face, count: int) -> tuple[Pile, ...]:
    """Returns the piles with cards added to one of them."""
    if not count:
        return state.piles
    return put(state.piles, seat, Pile(_add(state.piles[seat].counts, (face,), count), face))


def _add(counts: tuple[int, ...], cards: Iterable[int], each: int) -> tuple[int, ...]:
    sums = list(counts)
    for card in cards:
        sums[card] += each
    return tuple(sums)


WRITERS: Final[dict[type, Callable[[State, Any], State]]] = {
    GameBegun: _game_begun,
    CardsSetAside: _cards_set_aside,
    CardsDrawn: _cards_drawn,
    TurnBegun: _turn_begun,
    TurnPassed: _turn_passed,
    CardLaid: _card_laid,
    PointOffered: _point_offered,
    PointTaken: _point_taken,
    OfferDeclined: _offer_declined,
    ShipOffered: _ship_offered,
    ShipBuilt: _ship_built,
    LinkLaid: _link_laid,
    LinkTurnedUp: _link_turned_up,
    LeaderPlaced: _leader_placed,
    LeaderWithdrawn: _leader_withdrawn,
    CalamityPlayed: _calamity_played,
    ConflictBegun: _conflict_begun,
    CardsCommitted: _cards_committed,
    ConflictWon: _conflict_won,
    ExchangeOffered: _exchange_offered,
    TreasureExchanged: _treasure_exchanged,
    IncomeOffered: _income_offered,
    IncomeTaken: _income_taken,
    GameEnded: _game_ended,
}


GameStory = Story[State, Event]
