"""What each rpc asks of its caller. A server with an rpc that is not listed here does not start."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from google.protobuf.descriptor import ServiceDescriptor

from gamehost.play.access import Caller, Principal
from gamehost.play.errors import Unauthenticated


class Policy(Enum):
    """Where no identity is asked for the door is open, and a seat's token is asked for at the table."""

    PUBLIC = "anyone"
    LOOK = "an identity, or the token of a seat of the game"
    CALLER = "an identity"
    SEAT = "the token of the seat, or the identity that owns it"


CATALOG, GAME = "shedu.v1.CatalogService", "shedu.v1.GameService"
POLICIES: dict[str, Policy] = {
    f"{CATALOG}.ListTitles": Policy.PUBLIC,
    f"{CATALOG}.GetTitle": Policy.PUBLIC,
    f"{GAME}.CreateGame": Policy.CALLER,
    f"{GAME}.GetGame": Policy.LOOK,
    f"{GAME}.ListGames": Policy.LOOK,
    f"{GAME}.JoinGame": Policy.CALLER,
    f"{GAME}.LeaveGame": Policy.SEAT,
    f"{GAME}.StartGame": Policy.SEAT,
    f"{GAME}.RefreshSeatToken": Policy.SEAT,
    f"{GAME}.RevokeSeatTokens": Policy.SEAT,
    f"{GAME}.GetView": Policy.LOOK,
    f"{GAME}.ListLegalActions": Policy.SEAT,
    f"{GAME}.PlayAction": Policy.SEAT,
    f"{GAME}.ListEvents": Policy.LOOK,
    f"{GAME}.WatchGame": Policy.LOOK,
    f"{GAME}.GetFairness": Policy.LOOK,
    f"{GAME}.AddBot": Policy.SEAT,
    f"{GAME}.Resign": Policy.SEAT,
    f"{GAME}.ReclaimSeat": Policy.SEAT,
    f"{GAME}.ProposeUndo": Policy.SEAT,
    f"{GAME}.ProposeAbandon": Policy.SEAT,
    f"{GAME}.AnswerProposal": Policy.SEAT,
    f"{GAME}.ForkGame": Policy.LOOK,
    f"{GAME}.Rematch": Policy.SEAT,
    f"{GAME}.WatchInbox": Policy.SEAT,
}
# The rpcs that make games, and so count against the quota of new games.
OPENING = frozenset({f"{GAME}.CreateGame", f"{GAME}.ForkGame", f"{GAME}.Rematch"})


def check_declared(services: Iterable[ServiceDescriptor]) -> None:
    rpcs = [rpc.full_name for service in services for rpc in service.methods]
    undeclared = sorted(set(rpcs) - POLICIES.keys())
    if undeclared:
        raise TypeError(f"rpcs without a declared policy: {', '.join(undeclared)}")


def check_allowed(policy: Policy, who: Principal, wanted: str | None) -> None:
    """`wanted` is what an identity looks like; None where the service asks for none."""
    if wanted is None or policy is Policy.PUBLIC:
        return
    if who is None:
        seat = "" if policy is Policy.CALLER else "the token of a seat, or "
        raise Unauthenticated(f"this call needs {seat}{wanted}")
    if policy is Policy.CALLER and not isinstance(who, Caller):
        raise Unauthenticated(f"this call needs {wanted}: a seat token is good for its own game alone")
