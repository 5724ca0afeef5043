"""What every call passes before its handler: limits, identity and the policy of its rpc."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message

from gamehost.api.auth.identity import PrincipalReader
from gamehost.api.auth.wrong_tokens import WrongTokens
from gamehost.api.transports.forwarding import site
from gamehost.play.access import Caller, Principal, SeatKey
from gamehost.play.errors import NotYourSeat, Unauthenticated
from gamehost.play.read_account import ReadAccount

from .call import Call
from .event_accounts import CallAccount, StreamAccount
from .policies import OPENING, POLICIES, Policy, check_allowed
from .quotas import Quotas

SEAT_FIELD = "seat"
RECHECK_SECONDS = 30.0  # seconds
EXPIRED = "TOKEN_EXPIRED"  # was good once, so it is nobody's guess

Recheck = Callable[[], Awaitable[None]]


class Admission:
    """`now` gives seconds."""

    def __init__(
        self,
        identity: PrincipalReader,
        quotas: Quotas,
        now: Callable[[], float],
        wrong_tokens: WrongTokens | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._identity, self._quotas, self._now, self._sleep = identity, quotas, now, sleep
        self._wrong_tokens = wrong_tokens or WrongTokens(0, now)

    def count(self, peer: str) -> None:
        """A request that is no call: a page, a reflection, a path that nobody knows."""
        self._quotas.connection_calls(peer)
        self._quotas.caller_calls(address_payer(peer))

    @contextmanager
    def unnamed_stream(self, peer: str) -> Iterator[None]:
        """A place for a stream of something that is no call."""
        with self._quotas.stream(address_payer(peer)):
            yield

    async def admit(self, rpc: MethodDescriptor, call: Call) -> Call:
        """The call with its caller, before its request is even read."""
        self._quotas.connection_calls(call.peer)
        return await self.identify(rpc, call)

    def check_stream_room(self, call: Call, waiting: int) -> None:
        """What costs little is asked before a stream waits to be let in, with so many who do already."""
        self._quotas.connection_calls(call.peer)
        self._quotas.check_room(waiting)

    async def identify(self, rpc: MethodDescriptor, call: Call) -> Call:
        who = await self._read(call)
        payer = self._payer(who, call)
        self._quotas.caller_calls(payer)
        check_allowed(POLICIES[rpc.full_name], who, self._identity.expected_credential)
        if rpc.full_name in OPENING:
            await self._quotas.creates(payer)
        return replace(call, principal=who, payer=payer)

    async def _read(self, call: Call) -> Principal:
        """Nothing is verified or looked up for an address that has to wait."""
        if call.authorization is None:
            return await self._identity.read(None)
        address = site(host_of(call.peer))
        self._wrong_tokens.check(address, call.authorization)
        try:
            who = await self._identity.read(call.authorization)
        except Unauthenticated as problem:
            if problem.reason != EXPIRED:
                self._wrong_tokens.failed(address, call.authorization)
            raise
        self._wrong_tokens.passed(call.authorization)
        return who

    def seat(self, rpc: MethodDescriptor, request: Message, call: Call) -> Call:
        """The call with the seat that the request means; where one joins, `seat` means something else."""
        if POLICIES[rpc.full_name] in (Policy.PUBLIC, Policy.CALLER) or not _says_seat(request):
            return call
        wanted: int = getattr(request, SEAT_FIELD)
        if isinstance(call.principal, SeatKey) and call.principal.seat != wanted:
            raise NotYourSeat(f"the token is not for seat {wanted}")
        return (
            replace(call, principal=Caller(call.principal.id, wanted))
            if isinstance(call.principal, Caller)
            else call
        )

    @contextmanager
    def stream_slot(self, call: Call) -> Iterator[Recheck]:
        """A place for a stream, and what to ask while it lasts: keys and tokens may have ended."""
        checked = self._now()

        async def recheck() -> None:
            nonlocal checked
            if self._now() - checked >= RECHECK_SECONDS:
                checked = self._now()
                await self._identity.read(call.authorization)

        with self._quotas.stream(call.payer):
            yield recheck

    def account(self, call: Call) -> ReadAccount:
        """What pays for the events of logs that a call reads."""
        return CallAccount(self._quotas.events, call.payer)

    def stream_account(self, call: Call, draining: Callable[[], bool]) -> ReadAccount:
        return StreamAccount(self._quotas.events, call.payer, draining, self._sleep)

    def _payer(self, who: Principal, call: Call) -> str:
        """Whose limits count. Where anyone may take seats, seat tokens do not tell callers apart."""
        if isinstance(who, Caller):
            return who.id
        if isinstance(who, SeatKey) and self._identity.expected_credential:
            return f"seat:{who.game_id}:{who.seat}"
        return address_payer(call.peer)


def host_of(peer: str) -> str:
    return peer.rpartition(":")[0]


def address_payer(peer: str) -> str:
    return f"address:{site(host_of(peer))}"


def _says_seat(request: Message) -> bool:
    return SEAT_FIELD in request.DESCRIPTOR.fields_by_name and request.HasField(SEAT_FIELD)
