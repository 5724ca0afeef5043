"""Admission: the checks that every call passes before its handler runs (quotas, identity, policy, seat).

Checks are ordered by cost, and all but the last come before the request is read:

1. The quota of the connection: a counter in memory, keyed by what the transport knows.
2. The wait of an address that sent wrong credentials: a look-up in memory.
3. Identity: a signature to verify, or a look-up in the store.
4. The quota of the payer, who is known only now, and the policy of the rpc.
5. The quota of new games, for rpcs that create some: a round trip to the store.
6. The request is parsed and validated, which costs the most CPU. Then the seat that it names is checked.

So a caller that is refused anyway cannot make the service parse its messages, and one without a valid
credential learns nothing about the validity of its request.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import cache

from google.protobuf.descriptor import Descriptor, MethodDescriptor
from google.protobuf.message import Message

from gamehost.api.auth.identity import PrincipalReader
from gamehost.api.auth.wrong_tokens import WrongTokens
from gamehost.api.transports.forwarding import limit_key
from gamehost.play.access import Caller, Principal, SeatKey
from gamehost.play.errors import NotYourSeat, Unauthenticated
from gamehost.play.read_account import ReadAccount
from gamehost.rules.copying import replace

from .call import Call
from .event_accounts import CallAccount, StreamAccount
from .policies import CREATES_GAMES, POLICIES, Policy, check_allowed
from .quotas import Quotas

SEAT_FIELD = "seat"
RECHECK_SECONDS = 30.0  # a stream has its credential checked again at most this often
TOKEN_EXPIRED = "TOKEN_EXPIRED"

Recheck = Callable[[], Awaitable[None]]


class Admission:
    """Identifies callers and enforces quotas and policies. `now` returns seconds."""

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
        """Counts a request that is no rpc: a page, server reflection, an unknown path. Raises TooMuch."""
        self._quotas.count_connection_call(peer)
        self._quotas.count_caller_call(address_payer(peer))

    @contextmanager
    def unnamed_stream(self, peer: str) -> Iterator[None]:
        """Holds a stream slot of the address for a stream that is no rpc, such as server reflection."""
        with self._quotas.stream(address_payer(peer)):
            yield

    async def admit(self, rpc: MethodDescriptor, call: Call) -> Call:
        """Admits a unary call and returns it with its principal and payer. The request is not read yet."""
        self._quotas.count_connection_call(call.peer)
        return await self.identify(rpc, call)

    def check_stream_room(self, call: Call, waiting: int) -> None:
        """Makes the cheap checks of a stream before it queues; `waiting` streams are in the queue already.

        The queue is bounded by this: a stream that could not get a slot is refused now instead of after a
        wait.
        """
        self._quotas.count_connection_call(call.peer)
        self._quotas.check_room(waiting)

    async def identify(self, rpc: MethodDescriptor, call: Call) -> Call:
        """Returns the call with its principal and payer; raises if the rpc is not allowed to them."""
        principal = await self._principal(call)
        payer = self._payer(principal, call)
        self._quotas.count_caller_call(payer)
        check_allowed(POLICIES[rpc.full_name], principal, self._identity.expected_credential)
        # Last, because it costs a round trip to the store and because calls refused above create no game.
        if rpc.full_name in CREATES_GAMES:
            await self._quotas.count_new_game(payer)
        return replace(call, principal=principal, payer=payer)

    async def _principal(self, call: Call) -> Principal:
        """Reads the credential of a call and counts the wrong ones against its address."""
        if call.authorization is None:
            return await self._identity.read(None)
        address, signed = limit_key(host_of(call.peer)), self._identity.is_signed_here(call.authorization)
        # Before anything is looked up: an address that has to wait must not cost that. Tokens signed by this
        # service are verified in memory and cannot be guessed, so others at the address can join and play.
        if not signed:
            self._wrong_tokens.check(address, call.authorization)
        try:
            principal = await self._identity.read(call.authorization)
        except Unauthenticated as problem:
            if signed:
                self._wrong_tokens.check(address, call.authorization)
            # An expired token was valid once, so it is not a guess. Clients that were away for long send
            # them.
            if problem.reason != TOKEN_EXPIRED:
                self._wrong_tokens.failed(address, call.authorization)
            raise
        self._wrong_tokens.passed(call.authorization)
        return principal

    def seat(self, rpc: MethodDescriptor, request: Message, call: Call) -> Call:
        """Returns the call for the seat that the request names, which a caller with several seats must do.

        Raises NotYourSeat if a seat token is presented for another seat. In JoinGame `seat` is the seat to
        take, which is why rpcs with the policy CALLER are left alone.
        """
        if POLICIES[rpc.full_name] in (Policy.PUBLIC, Policy.CALLER) or not _names_seat(request):
            return call
        seat: int = getattr(request, SEAT_FIELD)
        if isinstance(call.principal, SeatKey) and call.principal.seat != seat:
            raise NotYourSeat(f"the token is not for seat {seat}")
        return (
            replace(call, principal=Caller(call.principal.id, seat))
            if isinstance(call.principal, Caller)
            else call
        )

    @contextmanager
    def stream_slot(self, call: Call) -> Iterator[Recheck]:
        """Holds a stream slot of the payer, and yields a function to call with every message.

        A stream can last for days, and its credential may be revoked or expire meanwhile. The function reads
        it again now and then and raises Unauthenticated once it is no longer valid.
        """
        checked = self._now()

        async def recheck() -> None:
            nonlocal checked
            if self._now() - checked >= RECHECK_SECONDS:
                checked = self._now()
                await self._identity.read(call.authorization)

        with self._quotas.stream(call.payer):
            yield recheck

    def account(self, call: Call) -> ReadAccount:
        """The account that pays for the log events that a unary call reads."""
        return CallAccount(self._quotas.events, call.payer)

    def stream_account(self, call: Call, draining: Callable[[], bool]) -> ReadAccount:
        """The account that pays for the log events that a stream reads."""
        return StreamAccount(self._quotas.events, call.payer, draining, self._sleep)

    def _payer(self, principal: Principal, call: Call) -> str:
        """The name that quotas are counted under: an identity, a seat or an address."""
        if isinstance(principal, Caller):
            return principal.id
        # Without identities anyone can create games and take all their seats, and would get the quotas of
        # each seat. Only where taking a seat needs an identity does a seat token stand for one caller.
        if isinstance(principal, SeatKey) and self._identity.expected_credential:
            return f"seat:{principal.game_id}:{principal.seat}"
        return address_payer(call.peer)


def host_of(peer: str) -> str:
    return peer.rpartition(":")[0]


def address_payer(peer: str) -> str:
    return f"address:{limit_key(host_of(peer))}"


def _names_seat(request: Message) -> bool:
    return _has_seat_field(request.DESCRIPTOR) and request.HasField(SEAT_FIELD)


@cache
def _has_seat_field(request: Descriptor) -> bool:
    return SEAT_FIELD in request.fields_by_name
