"""Tests of who plays with whom: in fair order, within the range, with everybody fitting everybody."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamehost.play.matching import pairing
from gamehost.play.matching.pairing import Group, MatchRules, Pairing, may_meet
from gamehost.play.matching.tickets import Ticket
from support.budget import budget

SECOND = 1_000_000
NOW = 1_000 * SECOND
RULES = MatchRules(range=100, widening=10.0, patience=10.0)


def ticket(name: str, rating: int = 1500, waited: float = 0.0, **fields: Any) -> Ticket:
    settings: dict[str, Any] = {
        "min_seats": 2,
        "max_seats": 2,
        "any_options": True,
        "wish": b"wish",
        **fields,
    }
    created = NOW - int(waited * SECOND)
    return Ticket(
        name, "pool", "tides", name, name, name, rating, True, created=created, expires=NOW * 2, **settings
    )


async def groups_of(tickets: Sequence[Ticket]) -> list[Group]:
    return [group async for group in Pairing(tickets, NOW, RULES).groups()]


async def names(tickets: Sequence[Ticket]) -> list[list[str]]:
    return [sorted(each.id for each in group.tickets) for group in await groups_of(tickets)]


async def test_whoever_has_waited_longest_chooses_first_and_the_nearest() -> None:
    tickets = [
        ticket("new", 1500, waited=1),
        ticket("old", 1510, waited=5),
        ticket("near", 1515, waited=2),
        ticket("far", 1450, waited=4),
    ]

    assert [["near", "old"], ["far", "new"]] == await names(tickets)


async def test_nobody_is_paired_beyond_the_range_until_it_has_widened() -> None:
    early = [ticket("ann", 1500, waited=4.9), ticket("bob", 1650)]
    late = [ticket("ann", 1500, waited=5), ticket("bob", 1650)]

    assert [] == await names(early)
    assert [["ann", "bob"]] == await names(late)


async def test_a_blocked_player_is_met_in_no_later_life() -> None:
    ann, bob = ticket("ann", avoided=("bob",)), ticket("bob")
    again = ticket("bob-1")

    assert [] == await names([ann, bob])
    assert [] == await names([ann, again])
    assert [["ann", "cid"]] == await names([ann, again, ticket("cid")])


async def test_three_are_found_although_the_nearest_do_not_fit_each_other() -> None:
    seats = {"min_seats": 3, "max_seats": 3}
    any_options = ticket("ann", waited=9, **seats)
    options = [("near", b"1", 1500), ("two", b"2", 1510), ("three", b"2", 1520), ("four", b"3", 1505)]
    others = [ticket(name, rating, any_options=False, wish=wish, **seats) for name, wish, rating in options]

    assert [["ann", "three", "two"]] == await names([any_options, *others])


async def test_the_search_for_four_ends_also_where_nobody_fits_anybody() -> None:
    seats = {"min_seats": 4, "max_seats": 4}
    everybody = [
        ticket(f"t{number}", any_options=False, wish=b"%d" % number, **seats) for number in range(300)
    ]
    choosy = [ticket(f"any{number}", waited=5, **seats) for number in range(2)]

    found = await names([*everybody, *choosy])

    assert [] == found  # two with any options and one with some are three


def one_ticket(number: int, seats: tuple[int, int]) -> st.SearchStrategy[Ticket]:
    names = [f"t{each}" for each in range(8)]
    return st.builds(
        lambda rating, waited, wish, avoided, recent: ticket(
            f"t{number}",
            rating,
            waited,
            any_options=not wish,
            wish=b"wish %d" % wish,
            avoided=tuple(avoided),
            recent=tuple(recent),
            min_seats=seats[0],
            max_seats=seats[1],
        ),
        st.integers(1300, 1700),
        st.sampled_from([0, 1, 5, 12, 30]),
        st.integers(0, 2),
        st.sets(st.sampled_from(names), max_size=2),
        st.sets(st.sampled_from(names), max_size=2),
    )


def some_tickets(seats: Sequence[tuple[int, int]]) -> st.SearchStrategy[tuple[Ticket, ...]]:
    return st.lists(st.sampled_from(list(seats)), min_size=2, max_size=8).flatmap(
        lambda wanted: st.tuples(*(one_ticket(number, each) for number, each in enumerate(wanted)))
    )


def in_range(chooser: Ticket, other: Ticket) -> bool:
    return abs(chooser.rating - other.rating) <= RULES.allowed(NOW - chooser.created)


def possible(chooser: Ticket, others: Sequence[Ticket]) -> bool:
    """Whether a ticket that chooses now could have a game with some of the others."""
    patient = NOW - chooser.created < RULES.patience * SECOND
    for seats in range(chooser.max_seats if patient else chooser.min_seats, chooser.max_seats + 1):
        fitting = [
            each for each in others if in_range(chooser, each) and each.min_seats <= seats <= each.max_seats
        ]
        for found in combinations(fitting, seats - 1):
            if all(may_meet(a, b, avoid_recent=False) for a, b in combinations((chooser, *found), 2)):
                return True
    return False


@settings(max_examples=budget(150, 600), deadline=None)
@given(some_tickets([(2, 2), (2, 4), (3, 3), (3, 4), (4, 4)]))
def test_every_group_fits_and_nobody_is_left_who_could_play(tickets: tuple[Ticket, ...]) -> None:
    found = asyncio.run(groups_of(tickets))

    left = {each.id: each for each in tickets}
    for group in found:
        # The first of a group has chosen; nobody who has waited longer could have played then.
        chooser, *others = group.tickets
        for older in left.values():
            if (older.created, older.id) < (chooser.created, chooser.id):
                assert not possible(older, [each for each in left.values() if each is not older])
        assert all(in_range(chooser, each) for each in others)
        assert all(each.min_seats <= len(group.tickets) <= each.max_seats for each in group.tickets)
        assert all(may_meet(a, b, avoid_recent=False) for a, b in combinations(group.tickets, 2))
        for each in group.tickets:
            del left[each.id]
    for each in left.values():
        assert not possible(each, [other for other in left.values() if other is not each])


async def test_other_tasks_run_while_a_large_pool_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    luck = random.Random(4)
    tickets = [
        ticket(
            f"t{number}",
            luck.randint(0, 100_000),
            waited=luck.random(),
            any_options=False,
            wish=b"%d" % luck.randint(0, 3000),
        )
        for number in range(6000)
    ]
    turns, slept = 0, asyncio.sleep

    async def counted(seconds: float) -> None:
        nonlocal turns
        turns += 1
        await slept(seconds)

    monkeypatch.setattr("gamehost.play.throttle.asyncio.sleep", counted)

    await groups_of(tickets)

    assert turns


async def test_tickets_that_fit_nobody_are_not_compared_with_everybody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared = 0
    fits = pairing.may_meet

    def counted(one: Ticket, other: Ticket, *, avoid_recent: bool) -> bool:
        nonlocal compared
        compared += 1
        return fits(one, other, avoid_recent=avoid_recent)

    monkeypatch.setattr(pairing, "may_meet", counted)
    tickets = [ticket(f"t{number}", any_options=False, wish=b"%d" % number) for number in range(2000)]

    assert [] == await groups_of(tickets)
    assert compared < len(tickets)
