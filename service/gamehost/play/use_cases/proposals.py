"""Undo and abandon: done at once if no other person is affected, else proposed to the other players."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from gamehost.play import access
from gamehost.play.errors import NotNow, PlayError, VersionInFuture
from gamehost.play.fairness import seed_revealed
from gamehost.play.ports.event_log import RequestKey
from gamehost.play.table.events import (
    TABLE_EVENTS,
    GameAbandoned,
    GameStarted,
    MoveUndone,
    Proposal,
    ProposalAnswered,
    ProposalMade,
)
from gamehost.play.table.table import EventRecord, Status, Table, add_and_remove_undone, grouped_by_cause
from gamehost.play.tables.current import TableCache
from gamehost.play.writer import Change, GameWriter, Plan
from gamehost.rules.kit import Seat

from .seat_limits import check_proposals, check_undos

MAX_SEARCHES = 2  # at a time, for a version to go back to


class Proposals:
    """Makes and answers proposals, and carries out the accepted ones."""

    def __init__(self, tables: TableCache, writer: GameWriter) -> None:
        self._tables, self._writer = tables, writer
        # A search holds a whole log in memory. Many of them at once make the garbage collector pause the
        # process for so long that other calls notice.
        self._search_slots = asyncio.Semaphore(MAX_SEARCHES)

    async def propose_undo(
        self, game_id: str, principal: access.Principal, to_version: int | None, request: RequestKey | None
    ) -> Change:
        """Undo the caller's last action, or everything after `to_version`, or propose it to the others.

        Raises NotNow if there is nothing to undo or the game cannot return to that version.
        """

        async def plan(table: Table) -> Plan:
            seat = _proposing_seat(table, principal)
            check_undos(table, seat)
            free = table.free_undo(seat)
            if free is not None and (to_version is None or to_version in table.undo_window.free):
                return Plan([MoveUndone(seat, free if to_version is None else to_version)], seat)
            async with self._search_slots:
                target, undone = await self._search(table, seat, to_version)
            return await self._propose(
                table, Proposal(_new_proposal_id(table), seat, undo_to_version=target), undone
            )

        return await self._writer.change(game_id, plan, request, principal)

    async def _search(
        self, table: Table, seat: Seat, to_version: int | None
    ) -> tuple[int, Mapping[Seat, int]]:
        """Return the version to go back to, and how many actions of each seat that would undo."""
        batches = await self._batches_not_undone(
            await self._tables.records(table.game_id, after=0, upto=table.version)
        )
        try:
            target = _undo_target(table, batches, seat, to_version)
            return target, _answers_since(batches, target)
        except PlayError as refusal:
            # The traceback refers to its frames, and they to the whole log: the error would keep it alive
            # until the garbage collector runs.
            raise refusal.with_traceback(None) from None
        finally:
            del batches

    async def _batches_not_undone(self, records: Sequence[EventRecord]) -> Sequence[Sequence[EventRecord]]:
        """Return the records by call, without those that were undone later. Yields to other tasks."""
        slices, batches = self._tables.throttle.slices(), list[list[EventRecord]]()
        for batch in grouped_by_cause(records):
            await slices.turn()
            add_and_remove_undone(batches, batch)
        return batches

    async def propose_abandon(
        self, game_id: str, principal: access.Principal, request: RequestKey | None
    ) -> Change:
        """End the game without a result, or propose it to the others."""

        async def plan(table: Table) -> Plan:
            return await self._propose(
                table, Proposal(_new_proposal_id(table), _proposing_seat(table, principal), abandon=True)
            )

        return await self._writer.change(game_id, plan, request, principal)

    async def answer(
        self,
        game_id: str,
        principal: access.Principal,
        proposal_id: str,
        *,
        accept: bool,
        request: RequestKey | None,
    ) -> Change:
        """Accept or decline a proposal. The last acceptance carries it out in the same append."""

        async def plan(table: Table) -> Plan:
            seat = _asked_seat(table, principal)
            proposal = _open_proposal(table, seat, proposal_id)
            answered = ProposalAnswered(proposal_id, seat, accept)
            last = accept and proposal.waiting_for == (seat,)
            return Plan([answered, *(await self._accepted_events(table, proposal) if last else ())], seat)

        return await self._writer.change(game_id, plan, request, principal)

    async def _propose(
        self, table: Table, proposal: Proposal, undone: Mapping[Seat, int] | None = None
    ) -> Plan:
        """Plan to ask the other players, or to carry the proposal out if there are none to ask.

        `undone` counts the actions that would be undone, by seat.
        """
        others = tuple(seat for seat in seats_to_ask(table) if not _same_person(table, seat, proposal.seat))
        if not others:
            return Plan(await self._accepted_events(table, proposal), proposal.seat, undone=undone)
        if table.proposal is not None:
            raise NotNow("another proposal is open; it must be answered first", reason="PROPOSAL_PENDING")
        check_proposals(table, proposal.seat)
        asked = Proposal(
            proposal.proposal_id, proposal.seat, proposal.undo_to_version, proposal.abandon, others
        )
        return Plan([ProposalMade(asked)], proposal.seat)

    async def _accepted_events(self, table: Table, proposal: Proposal) -> Sequence[Any]:
        if proposal.undo_to_version is not None:
            return [MoveUndone(proposal.seat, proposal.undo_to_version)]
        seed = await self._tables.seed(table.game_id)
        return [GameAbandoned("AGREED"), *seed_revealed(table, seed)]


def seats_to_ask(table: Table) -> Sequence[Seat]:
    """Return the seats whose owners are asked, including those whose owners a bot stands in for."""
    return [Seat(seat) for seat, chair in enumerate(table.chairs) if chair.person]


def _same_person(table: Table, one: Seat, other: Seat) -> bool:
    """Whether two seats belong to one person, as all seats of a fork do."""
    mine, theirs = table.chairs[one].caller_id, table.chairs[other].caller_id
    return one == other or table.created.fork_of is not None or bool(mine and mine == theirs)


def _new_proposal_id(table: Table) -> str:
    """Return the id of a new proposal. It is unique, since a version has at most one proposal."""
    return f"proposal.{table.version + 1}"


def _proposing_seat(table: Table, principal: access.Principal) -> Seat:
    """Return the caller's seat; raises NotNow while a bot plays it."""
    seat = _asked_seat(table, principal)
    if table.chairs[seat].taken_over:
        raise NotNow(f"a bot plays seat {seat}; reclaim it first", reason="SEAT_NOT_PLAYING")
    return seat


def _asked_seat(table: Table, principal: access.Principal) -> Seat:
    """Return the caller's seat; raises NotNow unless the game is on and the seat has not resigned."""
    seat = access.acting_seat(table, principal)
    if table.status is Status.GATHERING:
        raise NotNow("the game has not started", reason="GAME_NOT_STARTED")
    if table.status is Status.FINISHED:
        raise NotNow("the game is over", reason="GAME_FINISHED")
    if seat not in seats_to_ask(table):
        raise NotNow(f"seat {seat} has resigned", reason="SEAT_NOT_PLAYING")
    return seat


def _open_proposal(table: Table, seat: Seat, proposal_id: str) -> Proposal:
    proposal = table.proposal
    if proposal is None or proposal.proposal_id != proposal_id:
        raise NotNow(f"there is no open proposal {proposal_id}", reason="PROPOSAL_CLOSED")
    if seat not in proposal.waiting_for:
        raise NotNow(f"seat {seat} is not asked, or has answered", reason="NOT_ASKED")
    return proposal


def _undo_target(
    table: Table, batches: Sequence[Sequence[EventRecord]], seat: Seat, to_version: int | None
) -> int:
    """Return the version to go back to: that before the seat's last action, unless one is requested.

    A game can return to a version at which a call ended, since its start, and which was not itself undone.
    Raises NotNow for other versions, and if no action would be undone.
    """
    if to_version is not None and to_version > table.version:
        raise VersionInFuture(f"version {to_version} is not reached: the game is at {table.version}")
    start = next(index for index, batch in enumerate(batches) if _starts_game(batch))
    if to_version is None:
        since = reversed(batches[start + 1 :])
        mine = next((batch for batch in since if batch[0].seat == seat and _answers_decision(batch)), None)
        if mine is None:
            raise NotNow(f"seat {seat} has not acted yet", reason="NOTHING_TO_UNDO")
        return mine[0].version - 1
    if to_version not in {batch[-1].version for batch in batches[start:]}:
        raise NotNow(f"the game cannot go back to version {to_version}", reason="NO_WAY_BACK")
    if not any(batch[0].version > to_version and _answers_decision(batch) for batch in batches):
        raise NotNow(f"no action was played since version {to_version}", reason="NOTHING_TO_UNDO")
    return to_version


def _answers_since(batches: Sequence[Sequence[EventRecord]], to_version: int) -> Mapping[Seat, int]:
    """Count the actions of each seat since a version, including those of a bot that plays for it."""
    answers = [batch[0] for batch in batches if batch[0].version > to_version and _answers_decision(batch)]
    return Counter(record.seat for record in answers if record.seat is not None)


def _starts_game(batch: Sequence[EventRecord]) -> bool:
    return any(isinstance(record.event, GameStarted) for record in batch)


def _answers_decision(batch: Sequence[EventRecord]) -> bool:
    return any(not isinstance(record.event, TABLE_EVENTS) for record in batch)
