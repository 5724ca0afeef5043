"""Going back, and stopping early: at once where nobody need be asked, else as a proposal to all."""

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
from gamehost.play.table.table import EventRecord, Status, Table, add_to_line, grouped_by_cause
from gamehost.play.tables.current import TableCache
from gamehost.play.writer import Change, GameWriter, Plan
from gamehost.rules.kit import Seat

from .seat_limits import check_proposals, check_undos

AT_ONCE = 2  # logs that are searched for a way back


class Proposals:
    def __init__(self, tables: TableCache, ledger: GameWriter) -> None:
        self._tables, self._writer = tables, ledger
        # Many whole logs in memory at once make the garbage collector pause for long.
        self._searching = asyncio.Semaphore(AT_ONCE)

    async def propose_undo(
        self, game_id: str, who: access.Principal, to_version: int | None, request: RequestKey | None
    ) -> Change:
        async def propose(table: Table) -> Plan:
            seat = _proposer(table, who)
            check_undos(table, seat)
            free = table.free_undo(seat)
            if free is not None and (to_version is None or to_version in table.undo_window.free):
                return Plan([MoveUndone(seat, free if to_version is None else to_version)], seat)
            async with self._searching:
                back, undone = await self._search(table, seat, to_version)
            return await self._propose(table, Proposal(_name(table), seat, undo_to_version=back), undone)

        return await self._writer.change(game_id, propose, request, who)

    async def _search(
        self, table: Table, seat: Seat, to_version: int | None
    ) -> tuple[int, Mapping[Seat, int]]:
        """The version to go back to, and the answers that would be taken back."""
        told = await self._line(await self._tables.records(table.game_id, after=0, upto=table.version))
        try:
            back = _way_back(table, told, seat, to_version)
            return back, _answers(told, back)
        except PlayError as refusal:
            # The frames of a traceback hold the whole log until the garbage collector finds them.
            raise refusal.with_traceback(None) from None
        finally:
            del told

    async def _line(self, records: Sequence[EventRecord]) -> Sequence[Sequence[EventRecord]]:
        """What each call led to, without what was undone later; others go on in between."""
        slices, told = self._tables.pace.slices(), list[list[EventRecord]]()
        for batch in grouped_by_cause(records):
            await slices.turn()
            add_to_line(told, batch)
        return told

    async def propose_abandon(
        self, game_id: str, who: access.Principal, request: RequestKey | None
    ) -> Change:
        async def propose(table: Table) -> Plan:
            return await self._propose(table, Proposal(_name(table), _proposer(table, who), abandon=True))

        return await self._writer.change(game_id, propose, request, who)

    async def answer(
        self,
        game_id: str,
        who: access.Principal,
        proposal_id: str,
        *,
        accept: bool,
        request: RequestKey | None,
    ) -> Change:
        async def reply(table: Table) -> Plan:
            seat = _person(table, who)
            proposal = _open_proposal(table, seat, proposal_id)
            answered = ProposalAnswered(proposal_id, seat, accept)
            last = accept and proposal.waiting_for == (seat,)
            return Plan([answered, *(await self._carried_out(table, proposal) if last else ())], seat)

        return await self._writer.change(game_id, reply, request, who)

    async def _propose(
        self, table: Table, proposal: Proposal, undone: Mapping[Seat, int] | None = None
    ) -> Plan:
        """To everyone it concerns, or done at once when that is nobody else.

        `undone` counts the answers that would be taken back.
        """
        others = tuple(seat for seat in seats_to_ask(table) if not _same_person(table, seat, proposal.seat))
        if not others:
            return Plan(await self._carried_out(table, proposal), proposal.seat, undone=undone)
        if table.proposal is not None:
            raise NotNow("another proposal is to be answered first", reason="PROPOSAL_PENDING")
        check_proposals(table, proposal.seat)
        asking = Proposal(
            proposal.proposal_id, proposal.seat, proposal.undo_to_version, proposal.abandon, others
        )
        return Plan([ProposalMade(asking)], proposal.seat)

    async def _carried_out(self, table: Table, proposal: Proposal) -> Sequence[Any]:
        if proposal.undo_to_version is not None:
            return [MoveUndone(proposal.seat, proposal.undo_to_version)]
        seed = await self._tables.seed(table.game_id)
        return [GameAbandoned("AGREED"), *seed_revealed(table, seed)]


def seats_to_ask(table: Table) -> Sequence[Seat]:
    """The seats whose owners are asked. A seat that a bot took over still has its owner."""
    return [Seat(seat) for seat, chair in enumerate(table.chairs) if chair.person]


def _same_person(table: Table, one: Seat, other: Seat) -> bool:
    """All seats of a sandbox are one person's."""
    mine, theirs = table.chairs[one].caller_id, table.chairs[other].caller_id
    return one == other or table.created.fork_of is not None or bool(mine and mine == theirs)


def _name(table: Table) -> str:
    """Of a new proposal; no other can be made at this version."""
    return f"proposal.{table.version + 1}"


def _proposer(table: Table, who: access.Principal) -> Seat:
    """The caller's seat; refused while a bot plays it, until the owner reclaims it."""
    seat = _person(table, who)
    if table.chairs[seat].taken_over:
        raise NotNow(f"a bot plays seat {seat}: take it back first", reason="SEAT_NOT_PLAYING")
    return seat


def _person(table: Table, who: access.Principal) -> Seat:
    """The caller's seat, if it is asked about proposals."""
    seat = access.acting_seat(table, who)
    if table.status is Status.GATHERING:
        raise NotNow("the game has not started", reason="GAME_NOT_STARTED")
    if table.status is Status.FINISHED:
        raise NotNow("the game is over", reason="GAME_FINISHED")
    if seat not in seats_to_ask(table):
        raise NotNow(f"seat {seat} has given up", reason="SEAT_NOT_PLAYING")
    return seat


def _open_proposal(table: Table, seat: Seat, proposal_id: str) -> Proposal:
    proposal = table.proposal
    if proposal is None or proposal.proposal_id != proposal_id:
        raise NotNow(f"there is no proposal {proposal_id} to answer, or no longer", reason="PROPOSAL_CLOSED")
    if seat not in proposal.waiting_for:
        raise NotNow(f"seat {seat} is not asked, or not any more", reason="NOT_ASKED")
    return proposal


def _way_back(table: Table, told: Sequence[Sequence[EventRecord]], seat: Seat, to_version: int | None) -> int:
    """The version to go back to, if there is a way there and something on it."""
    if to_version is not None and to_version > table.version:
        raise VersionInFuture(f"version {to_version} is not reached: the game is at {table.version}")
    start = next(at for at, batch in enumerate(told) if _starts(batch))
    if to_version is None:
        since = reversed(told[start + 1 :])
        mine = next((batch for batch in since if batch[0].seat == seat and _plays(batch)), None)
        if mine is None:
            raise NotNow(f"seat {seat} has done nothing yet", reason="NOTHING_TO_UNDO")
        return mine[0].version - 1
    if to_version not in {batch[-1].version for batch in told[start:]}:
        raise NotNow(f"the game cannot go back to version {to_version}", reason="NO_WAY_BACK")
    if not any(batch[0].version > to_version and _plays(batch) for batch in told):
        raise NotNow(f"nothing was done since version {to_version}", reason="NOTHING_TO_UNDO")
    return to_version


def _answers(told: Sequence[Sequence[EventRecord]], to_version: int) -> Mapping[Seat, int]:
    """How often each seat, or a bot for it, answered since that version."""
    answers = [batch[0] for batch in told if batch[0].version > to_version and _plays(batch)]
    return Counter(record.seat for record in answers if record.seat is not None)


def _starts(batch: Sequence[EventRecord]) -> bool:
    return any(isinstance(record.event, GameStarted) for record in batch)


def _plays(batch: Sequence[EventRecord]) -> bool:
    return any(not isinstance(record.event, TABLE_EVENTS) for record in batch)
