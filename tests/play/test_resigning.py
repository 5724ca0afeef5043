"""Tests of Resign: which bot continues, who wins, who is last."""

from __future__ import annotations

import random
from typing import Any

import pytest

from gamehost.play.fairness import seed_revealed
from gamehost.play.proof import Mismatch, prove
from gamehost.play.table.events import GameAbandoned, GameFinished, SeatResigned
from gamehost.play.table.resignation import outcome_by_resignation, ranked_with_resigned
from gamehost.play.table.table import Chair
from gamehost.rules.copying import replace
from gamehost.rules.kit import Outcome, Seat
from luck.games import exported
from shedu.v1 import game_pb2
from support.service import Service


async def game(service: Service, game_id: str, token: str | None = None) -> game_pb2.Game:
    found: game_pb2.Game = (await service.call("GetGame", token, game_id=game_id)).game
    return found


async def play_out(service: Service, game_id: str, tokens: list[str]) -> game_pb2.Game:
    """Plays to the end: people at random, bots as they decide."""
    coin = random.Random(1)
    while True:
        await service.let_bots_play()
        decisions = (await service.call("GetView", game_id=game_id)).view.decisions
        if not decisions:
            return await game(service, game_id)
        token = tokens[decisions[0].seat]
        legal = (await service.call("ListLegalActions", token, game_id=game_id)).actions
        await service.move(game_id, token, coin.randrange(len(legal)))


@pytest.mark.parametrize("seat", [0, 1])
async def test_in_a_game_of_two_the_other_has_won(seat: int) -> None:
    service = Service()
    game_id, tokens = await service.full_table("tides")

    answer = await service.call("Resign", tokens[seat], game_id=game_id)

    ranks = [2, 1] if seat == 0 else [1, 2]
    assert game_pb2.Outcome(ranks=ranks, reason="RESIGNED") == answer.game.outcome
    assert game_pb2.GAME_STATUS_FINISHED == answer.game.status
    assert answer.game == await game(service, game_id)
    events = (await service.call("ListEvents", game_id=game_id)).events
    assert ["seat_resigned", "game_finished", "seed_revealed"] == [e.WhichOneof("kind") for e in events[-3:]]
    assert [seat] * 3 == [event.seat for event in events[-3:]]


async def test_giving_up_twice_by_one_request_is_giving_up_once() -> None:
    service = Service()
    game_id, tokens = await service.full_table("tides")
    request = {"game_id": game_id, "request_id": "enough"}

    first = await service.call("Resign", tokens[0], **request)

    assert first == await service.call("Resign", tokens[0], **request)
    assert "GAME_FINISHED" == (await service.error("Resign", tokens[0], game_id=game_id)).reason


async def test_before_the_start_there_is_nothing_to_give_up() -> None:
    service = Service()
    game_id, (ann,) = await service.table("Ann")

    assert ("FAILED_PRECONDITION", "GAME_NOT_STARTED") == await service.refusal(
        "Resign", ann, game_id=game_id
    )


async def test_a_larger_game_goes_on_with_a_bot_and_who_gave_up_comes_last() -> None:
    service = Service()
    game_id, tokens = await service.full_table("tigris", 3)

    answer = await service.call("Resign", tokens[1], game_id=game_id)

    assert game_pb2.GAME_STATUS_PLAYING == answer.game.status
    assert [False, True, False] == [seat.resigned for seat in answer.game.seats]
    assert ["", "", ""] != [seat.bot_level for seat in answer.game.seats]
    ended = await play_out(service, game_id, tokens)
    assert 3 == ended.outcome.ranks[1]
    assert 3 == len(ended.outcome.scores)


async def test_who_gave_up_may_look_on_and_nothing_else() -> None:
    service = Service()
    game_id, tokens = await service.full_table("tigris", 3)
    await service.call("Resign", tokens[0], game_id=game_id)

    view = (await service.call("GetView", tokens[0], game_id=game_id)).view

    assert 0 == view.seat
    assert view.HasField("tigris")
    for name in ("Resign", "ReclaimSeat"):
        assert "SEAT_RESIGNED" == (await service.error(name, tokens[0], game_id=game_id)).reason
    request = await service.request(game_id, tokens[0])
    assert "SEAT_RESIGNED" == (await service.error("PlayAction", tokens[0], **request)).reason


async def test_the_earlier_one_gives_up_the_further_behind() -> None:
    service = Service()
    game_id, tokens = await service.full_table("tigris", 4)
    await service.call("Resign", tokens[2], game_id=game_id)
    await service.call("Resign", tokens[0], game_id=game_id)

    ended = await play_out(service, game_id, tokens)

    assert (4, 3) == (ended.outcome.ranks[2], ended.outcome.ranks[0])
    assert {1, 2} >= {ended.outcome.ranks[1], ended.outcome.ranks[3]}


async def test_when_everyone_gives_up_who_stayed_longest_comes_first() -> None:
    service = Service()
    game_id, tokens = await service.full_table("tigris", 3)
    for seat in (1, 0):
        answer = await service.call("Resign", tokens[seat], game_id=game_id)
        assert game_pb2.GAME_STATUS_PLAYING == answer.game.status

    answer = await service.call("Resign", tokens[2], game_id=game_id)

    assert game_pb2.Outcome(ranks=[2, 3, 1], reason="RESIGNED") == answer.game.outcome
    events = (await service.call("ListEvents", game_id=game_id, page_size=1000)).events
    assert ["seat_resigned", "game_finished", "seed_revealed"] == [e.WhichOneof("kind") for e in events[-3:]]


BOT = {"bot_level": "random"}


@pytest.mark.parametrize("title", ["tigris", "tigris_cards", "stone_age"])
async def test_when_the_last_person_gives_up_among_bots_every_seat_has_a_rank(title: str) -> None:
    service = Service()
    created = await service.call("CreateGame", title=title, seats=[BOT, {}, BOT, {}])
    game_id = created.game.game_id
    ann, bob = [await service.join(game_id) for _ in range(2)]
    await service.call("Resign", bob, game_id=game_id)

    answer = await service.call("Resign", ann, game_id=game_id)

    assert game_pb2.Outcome(ranks=[1, 3, 1, 4], reason="RESIGNED") == answer.game.outcome
    assert answer.game == await game(Service(service.store), game_id)
    proof = await proven(service, game_id)
    assert (1, 3, 1, 4) == proof.table.outcome.ranks


async def test_when_the_last_persons_time_is_up_among_bots_every_seat_has_a_rank() -> None:
    service = Service()
    clock = {"per_decision": {"seconds": 60}, "on_timeout": game_pb2.TIMEOUT_POLICY_FORFEIT}
    created = await service.call("CreateGame", title="tigris", seats=[{}, BOT, BOT], clock=clock)
    await service.join(created.game.game_id)
    await service.let_bots_play()

    await service.pass_time(60)

    shown = await game(service, created.game.game_id)
    assert game_pb2.Outcome(ranks=[3, 1, 1], reason="TIMED_OUT") == shown.outcome


def test_those_who_give_up_at_the_same_moment_share_a_place() -> None:
    resigned = [SeatResigned(Seat(1)), SeatResigned(Seat(2))]

    assert (4, 2, 2, 1) == outcome_by_resignation([chair(9), chair(), chair(), chair()], resigned).ranks
    assert (3, 1, 1) == outcome_by_resignation([chair(9), chair(), chair()], resigned).ranks


async def test_a_game_that_an_earlier_release_abandoned_stays_as_it_was() -> None:
    """Earlier releases wrote no ranks when the last person gave up among bots."""
    service = Service()
    created = await service.call("CreateGame", title="tigris", seats=[{}, BOT, BOT])
    game_id = created.game.game_id
    await service.join(game_id)
    table = await service.application.tables.current(game_id)
    seed = await service.application.tables.seed(game_id)

    ending = [SeatResigned(Seat(0)), GameAbandoned("DESERTED"), *seed_revealed(table, seed)]
    await service.append_events(game_id, *ending, seat=Seat(0))

    assert game_pb2.Outcome(reason="DESERTED") == (await game(Service(service.store), game_id)).outcome
    assert "DESERTED" == (await proven(service, game_id)).table.outcome.reason


def chair(resigned_at: int = 0) -> Chair:
    return Chair(taken=True, resigned=bool(resigned_at), resigned_at=resigned_at)


@pytest.mark.parametrize(
    ("ranks", "resigned", "expected"),
    [
        ((1, 2, 3), (0, 0, 0), (1, 2, 3)),
        ((1, 2, 3), (7, 0, 0), (3, 1, 2)),
        ((1, 1, 3), (0, 0, 9), (1, 1, 3)),
        ((2, 1, 2, 4), (0, 7, 0, 0), (1, 4, 1, 3)),
        ((1, 2, 3, 4), (5, 9, 0, 0), (4, 3, 1, 2)),
        ((1, 1, 1), (8, 9, 0), (3, 2, 1)),
    ],
)
def test_those_who_gave_up_come_last(
    ranks: tuple[int, ...], resigned: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    outcome = Outcome(ranks, (5,) * len(ranks), "BAG_EMPTY")

    assert Outcome(expected, outcome.scores, "BAG_EMPTY") == ranked_with_resigned(
        outcome, list(map(chair, resigned))
    )


async def proven(service: Service, game_id: str) -> Any:
    rules = (await service.application.tables.current(game_id)).rules
    records = await service.application.tables.records(game_id, after=0)
    return prove(game_id, rules, records, await service.application.tables.seed(game_id))


async def test_a_game_with_bots_and_resignations_can_be_verified() -> None:
    service = Service(luck="a proof")
    clock = {"per_decision": {"seconds": 60}}
    game_id, tokens = await service.full_table("tigris", 3, clock=clock)
    await service.call("Resign", tokens[1], game_id=game_id)
    await service.pass_time(60)
    await service.let_bots_play()
    seats = (await game(service, game_id)).seats
    (back,) = [seat.seat for seat in seats if seat.taken_over]
    await service.call("ReclaimSeat", tokens[back], game_id=game_id)
    await play_out(service, game_id, tokens)

    proof = await proven(service, game_id)

    assert proof.table.outcome.ranks[1] == 3
    assert proof.decisions > 10


@pytest.mark.parametrize("seats", [2, 3])
async def test_games_that_were_given_up_can_be_verified(seats: int) -> None:
    service = Service()
    game_id, tokens = await service.full_table("tigris", seats)
    for token in tokens[: 1 if seats == 2 else 3]:
        await service.call("Resign", token, game_id=game_id)

    proof = await proven(service, game_id)

    assert ((2, 1) if seats == 2 else (3, 2, 1)) == proof.table.outcome.ranks


async def test_a_walkover_that_is_none_is_found_out() -> None:
    service = Service()
    game_id, tokens = await service.full_table("tides")
    await service.call("Resign", tokens[0], game_id=game_id)
    records = list(await service.application.tables.records(game_id, after=0))
    seed, rules = (
        await service.application.tables.seed(game_id),
        (await service.application.tables.current(game_id)).rules,
    )
    at = next(i for i, record in enumerate(records) if isinstance(record.event, GameFinished))
    stolen = Outcome((1, 2), (), "RESIGNED")
    forged = [*records[:at], replace(records[at], event=GameFinished(stolen)), *records[at + 1 :]]

    with pytest.raises(Mismatch, match="the rules do not give this outcome"):
        prove(game_id, rules, forged, seed)
    with pytest.raises(Mismatch, match="the game should end here"):
        prove(game_id, rules, records[:at], seed)
    assert isinstance(records[at - 1].event, SeatResigned)
    assert not any(isinstance(record.event, GameAbandoned) for record in records)


async def test_an_abandoned_game_survives_the_codec() -> None:
    service = Service()
    clock = {"per_decision": {"seconds": 60}, "on_timeout": game_pb2.TIMEOUT_POLICY_FORFEIT}
    game_id, _ = await service.full_table("tides", clock=clock)
    await service.pass_time(60)

    told = await exported(service, game_id)

    assert "DESERTED" == told.outcome.reason
    other = Service(service.store)
    assert (await game(service, game_id)) == (await game(other, game_id))
