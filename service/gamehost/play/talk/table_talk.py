"""Lets the seats of a game talk to each other.

Talk never touches the log of a game, so it has no versions and disturbs no stream of the game. Every read
decides what its caller gets: by the seat, the policy of the game, the mutes of the seat, and, for those who
watch with a delay, by the version at which a remark was made.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from gamehost.play import access
from gamehost.play.access import Principal
from gamehost.play.errors import InvalidRequest, NoSpectators, NotNow, ReusedRequestId, TooMuch
from gamehost.play.players.profiles import Profiles
from gamehost.play.ports.event_log import RequestKey
from gamehost.play.ports.metrics import PlayMetrics
from gamehost.play.ports.registry import Registry
from gamehost.play.ports.talk_log import TalkLog
from gamehost.play.read_account import current_account
from gamehost.play.table.clocks import SECOND
from gamehost.play.table.events import TalkPolicy
from gamehost.play.table.table import Table
from gamehost.play.tables.current import TableCache
from gamehost.play.viewing import Viewing, Viewpoint
from gamehost.play.watching.items import EndReason

from .phrases import phrase_of
from .remarks import NumberedRemark, Remark, decoded_remark

MINUTE_SECONDS = 60
MOST_REMARKS_A_MINUTE = 20  # of a seat


class TalkStore(TalkLog, Registry, Protocol):
    """The ports of the store that talk needs."""


@dataclass(frozen=True, slots=True)
class TalkCaughtUp:
    """Sent once, after the remarks that were made before the stream began."""

    cursor: int


@dataclass(frozen=True, slots=True)
class TalkHeartbeat:
    """Sent when nothing was said for a while."""

    cursor: int


@dataclass(frozen=True, slots=True)
class TalkEnded:
    """The last message of a stream."""

    cursor: int
    reason: EndReason


TalkMessage = NumberedRemark | TalkCaughtUp | TalkHeartbeat | TalkEnded


class TableTalk:
    """Talk at the tables of all games.

    `allowed` is the most that the operator allows. `profiles` say who has blocked whom. `clock` returns
    microseconds since 1970, `heartbeat` is in seconds.
    """

    def __init__(
        self,
        store: TalkStore,
        tables: TableCache,
        viewing: Viewing,
        allowed: TalkPolicy,
        clock: Callable[[], int],
        heartbeat: float,
        metrics: PlayMetrics,
        profiles: Profiles | None,
    ) -> None:
        self._profiles = profiles
        self._store, self._tables, self._viewing, self.allowed = store, tables, viewing, allowed
        self._clock, self._heartbeat, self._metrics = clock, heartbeat, metrics
        self._draining = asyncio.Event()

    def drain(self) -> None:
        """End all streams, current and future, as DRAINING: clients then resume at another process."""
        self._draining.set()

    def check_policy(self, policy: TalkPolicy) -> None:
        """Raise InvalidRequest if the operator does not allow what a new game is to allow."""
        if policy is TalkPolicy.FREE_TEXT and self.allowed is not TalkPolicy.FREE_TEXT:
            raise InvalidRequest("talk.policy", "the operator of this service does not allow free text")

    async def say(
        self,
        game_id: str,
        principal: Principal,
        request: RequestKey | None,
        *,
        phrase_id: str = "",
        text: str = "",
    ) -> Remark:
        """Add a phrase or a text to the talk of a game, for the caller's seat."""
        table = await self._tables.current(game_id)
        seat = access.acting_seat(table, principal)
        self._check_allowed(table, free=bool(text))
        said = _spoken(table, phrase_id, text)
        await self._count(game_id, seat)
        name = table.chairs[seat].display_name
        remark = Remark(seat, name, self._clock(), table.version, phrase_id, said)
        stored = await self._store.add_remark(
            game_id, remark.encoded(), request=request.id if request else ""
        )
        kept = decoded_remark(stored).remark
        if (kept.seat, kept.phrase_id, kept.text) != (seat, phrase_id, said):
            raise ReusedRequestId("request_id", "was already used for a different request")
        self._metrics.count_remark("text" if text else "phrase")
        return kept

    def _check_allowed(self, table: Table, *, free: bool = False) -> None:
        policies = self.allowed, table.created.talk.policy
        if TalkPolicy.NONE in policies:
            raise NotNow("nothing can be said in this game", reason="TALK_OFF")
        if free and any(policy is not TalkPolicy.FREE_TEXT for policy in policies):
            raise NotNow("only phrases can be said in this game", reason="FREE_TEXT_OFF")

    async def _count(self, game_id: str, seat: int) -> None:
        """Raise TooMuch if a seat talks too fast."""
        minute, elapsed = divmod(self._clock(), MINUTE_SECONDS * SECOND)
        counter = f"remarks:{game_id}:{seat}:{minute}"
        if await self._store.count_up(counter, 2 * MINUTE_SECONDS) > MOST_REMARKS_A_MINUTE:
            raise TooMuch(
                f"at most {MOST_REMARKS_A_MINUTE} remarks per minute", MINUTE_SECONDS - elapsed / SECOND
            )

    async def page(
        self, game_id: str, principal: Principal, after: int, limit: int
    ) -> tuple[Sequence[NumberedRemark], bool]:
        """Return at most `limit` remarks after a number, and whether there may be more."""
        found = await self._readable(game_id, principal, after)
        return found[:limit], len(found) > limit

    async def _readable(self, game_id: str, principal: Principal, after: int) -> Sequence[NumberedRemark]:
        """Return the remarks after a number that the caller may read now; raises if it may read none."""
        viewpoint = await self._viewpoint(game_id, principal)
        stored = await self._store.remarks(game_id, after=after)
        current_account().charge(len(stored))
        muted = await self._muted(viewpoint, principal) if stored else ()
        readable = list[NumberedRemark]()
        for each in map(decoded_remark, stored):
            # For a spectator with a delay, what was said at later versions has not been said yet.
            if viewpoint.delay and each.remark.version > viewpoint.table.version:
                break
            if each.remark.seat not in muted:
                readable.append(each)
        return readable

    async def _viewpoint(self, game_id: str, principal: Principal) -> Viewpoint:
        viewpoint = await self._viewing.viewpoint(game_id, principal)
        self._check_allowed(viewpoint.table)
        if viewpoint.access is None and not viewpoint.table.created.talk.spectators:
            raise NoSpectators("only the seats of this game read what is said")
        return viewpoint

    async def mute(
        self, game_id: str, principal: Principal, muted_seat: int, *, muted: bool
    ) -> Sequence[int]:
        """Hide the remarks of a seat from the caller's seat, or show them; return all that are hidden."""
        table = await self._tables.current(game_id)
        seat = access.acting_seat(table, principal)
        self._check_allowed(table)
        if muted_seat >= len(table.chairs) or muted_seat == seat:
            raise InvalidRequest("muted_seat", "must be another seat of the game")
        await self._store.set_mute(game_id, _mute_name(table, seat, muted_seat), muted=muted)
        return sorted(await self._muted_by(table, seat))

    async def _muted(self, viewpoint: Viewpoint, principal: Principal) -> set[int]:
        """Return the seats whose remarks are hidden: muted ones, and those of blocked players."""
        table, seat = viewpoint.table, viewpoint.access.seat if viewpoint.access else None
        muted = set() if seat is None else await self._muted_by(table, seat)
        if seat is not None:
            reader = table.chairs[seat].caller_id
        else:
            reader = principal.id if isinstance(principal, access.Caller) else ""
        return muted | await self._blocked_by(table, reader) if reader else muted

    async def _blocked_by(self, table: Table, reader: str) -> set[int]:
        if self._profiles is None:
            return set()
        owners = {chair.caller_id for chair in table.chairs} - {"", reader}
        blocked = await self._profiles.blocked_among(reader, owners)
        return {seat for seat, chair in enumerate(table.chairs) if chair.caller_id in blocked}

    async def _muted_by(self, table: Table, seat: int) -> set[int]:
        mutes = await self._store.mutes(table.game_id)
        return {other for other in range(len(table.chairs)) if _mute_name(table, seat, other) in mutes}

    async def watch(self, game_id: str, principal: Principal, after: int) -> AsyncGenerator[TalkMessage]:
        """Yield the remarks after a number, then new ones as they are made.

        What the caller may read is decided again with every message and heartbeat, so the stream ends with an
        error once the caller may not read any more.
        """
        # Followed before the first read, so that nothing that is said in between is missed.
        signals = self._store.follow_remarks(game_id, after=after)
        signal = asyncio.ensure_future(anext(signals))
        drained = asyncio.ensure_future(self._draining.wait())
        pause: type[TalkCaughtUp | TalkHeartbeat] | None = TalkCaughtUp
        try:
            while not drained.done():
                found = await self._readable(game_id, principal, after)
                for each in found:
                    yield each
                    after = each.number
                if pause is TalkCaughtUp or (pause and not found):
                    yield pause(after)
                ended, _ = await asyncio.wait(
                    {signal, drained}, timeout=self._heartbeat, return_when=asyncio.FIRST_COMPLETED
                )
                # Only after a silence: else it would reveal that something was said that is hidden.
                pause = None if ended else TalkHeartbeat
                if signal.done():
                    signal.result()
                    signal = asyncio.ensure_future(anext(signals))
            yield TalkEnded(after, EndReason.DRAINING)
        finally:
            signal.cancel()
            drained.cancel()
            await asyncio.gather(signal, drained, return_exceptions=True)
            await signals.aclose()  # type: ignore[attr-defined]


def _spoken(table: Table, phrase_id: str, text: str) -> str:
    """The text to store: the English one of a phrase, or that of the player. Raises InvalidRequest."""
    if phrase_id:
        phrase = phrase_of(table.rules.title, phrase_id)
        if phrase is None:
            raise InvalidRequest("phrase_id", f"is not a phrase of {table.rules.title}")
        return phrase.english
    if not text.strip():
        field, why = ("text", "must not be blank") if text else ("phrase_id", "or text must be set")
        raise InvalidRequest(field, why)
    return text.strip()


def _mute_name(table: Table, seat: int, muted_seat: int) -> str:
    """The name of a mute. It is that of the seat's present owner: the next one has muted nobody."""
    return f"{seat}.{table.chairs[seat].since}:{muted_seat}.{table.chairs[muted_seat].since}"
