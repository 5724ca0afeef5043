"""The credential that each rpc needs. A server with an rpc that is not listed here does not start."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from google.protobuf.descriptor import ServiceDescriptor

from gamehost.play.access import Caller, Principal
from gamehost.play.errors import Unauthenticated


class Policy(Enum):
    """The credential that an rpc needs.

    Without an identity provider admission lets every call through, and the use cases check seat tokens where
    they act for a seat.
    """

    PUBLIC = "anyone"
    VIEWER = "an identity, or the token of a seat of the game"
    CALLER = "an identity"
    SEAT = "the token of the seat, or the identity that owns it"


CATALOG, GAME = "shedu.v1.CatalogService", "shedu.v1.GameService"
WEBHOOK, TALK_SERVICE = "shedu.v1.WebhookService", "shedu.v1.TalkService"
PLAYER_SERVICE, MATCH_SERVICE = "shedu.v1.PlayerService", "shedu.v1.MatchService"
POLICIES: dict[str, Policy] = {
    f"{CATALOG}.ListTitles": Policy.PUBLIC,
    f"{CATALOG}.GetTitle": Policy.PUBLIC,
    f"{GAME}.CreateGame": Policy.CALLER,
    f"{GAME}.GetGame": Policy.VIEWER,
    f"{GAME}.ListGames": Policy.VIEWER,
    f"{GAME}.JoinGame": Policy.CALLER,
    f"{GAME}.LeaveGame": Policy.SEAT,
    f"{GAME}.StartGame": Policy.SEAT,
    f"{GAME}.RefreshSeatToken": Policy.SEAT,
    f"{GAME}.RevokeSeatTokens": Policy.SEAT,
    f"{GAME}.GetView": Policy.VIEWER,
    f"{GAME}.ListLegalActions": Policy.SEAT,
    f"{GAME}.PlayAction": Policy.SEAT,
    f"{GAME}.PlayStream": Policy.SEAT,
    f"{GAME}.ListEvents": Policy.VIEWER,
    f"{GAME}.WatchGame": Policy.VIEWER,
    f"{GAME}.GetFairness": Policy.VIEWER,
    f"{GAME}.AddBot": Policy.SEAT,
    f"{GAME}.Resign": Policy.SEAT,
    f"{GAME}.ReclaimSeat": Policy.SEAT,
    f"{GAME}.ProposeUndo": Policy.SEAT,
    f"{GAME}.ProposeAbandon": Policy.SEAT,
    f"{GAME}.AnswerProposal": Policy.SEAT,
    f"{GAME}.ForkGame": Policy.VIEWER,
    f"{GAME}.Rematch": Policy.SEAT,
    f"{GAME}.WatchInbox": Policy.SEAT,
    f"{WEBHOOK}.CreateWebhook": Policy.CALLER,
    f"{WEBHOOK}.ListWebhooks": Policy.CALLER,
    f"{WEBHOOK}.GetWebhook": Policy.CALLER,
    f"{WEBHOOK}.UpdateWebhook": Policy.CALLER,
    f"{WEBHOOK}.DeleteWebhook": Policy.CALLER,
    f"{WEBHOOK}.RotateWebhookSecret": Policy.CALLER,
    f"{WEBHOOK}.ListFailedDeliveries": Policy.CALLER,
    f"{WEBHOOK}.ReplayDeliveries": Policy.CALLER,
    f"{WEBHOOK}.TestWebhook": Policy.CALLER,
    f"{PLAYER_SERVICE}.GetProfile": Policy.CALLER,
    f"{PLAYER_SERVICE}.UpdateProfile": Policy.CALLER,
    f"{PLAYER_SERVICE}.ErasePlayerData": Policy.CALLER,
    f"{PLAYER_SERVICE}.GetPlayer": Policy.VIEWER,
    f"{PLAYER_SERVICE}.ListPlayerGames": Policy.VIEWER,
    f"{PLAYER_SERVICE}.GetPlayerStatistics": Policy.VIEWER,
    f"{PLAYER_SERVICE}.ListLeaderboard": Policy.VIEWER,
    f"{PLAYER_SERVICE}.ListGamePlayers": Policy.VIEWER,
    f"{PLAYER_SERVICE}.BlockPlayer": Policy.CALLER,
    f"{PLAYER_SERVICE}.UnblockPlayer": Policy.CALLER,
    f"{PLAYER_SERVICE}.ListBlockedPlayers": Policy.CALLER,
    f"{MATCH_SERVICE}.CreateTicket": Policy.CALLER,
    f"{MATCH_SERVICE}.GetTicket": Policy.CALLER,
    f"{MATCH_SERVICE}.CancelTicket": Policy.CALLER,
    f"{MATCH_SERVICE}.WatchTicket": Policy.CALLER,
    f"{TALK_SERVICE}.ListPhrases": Policy.PUBLIC,
    f"{TALK_SERVICE}.Say": Policy.SEAT,
    f"{TALK_SERVICE}.ListTalk": Policy.VIEWER,
    f"{TALK_SERVICE}.WatchTalk": Policy.VIEWER,
    f"{TALK_SERVICE}.MuteSeat": Policy.SEAT,
}
# The rpcs that create games, and count against the quota of new games.
CREATES_GAMES = frozenset(
    {f"{GAME}.CreateGame", f"{GAME}.ForkGame", f"{GAME}.Rematch", f"{MATCH_SERVICE}.CreateTicket"}
)


def check_declared(services: Iterable[ServiceDescriptor]) -> None:
    """Raises TypeError for rpcs without a policy, so that a new one cannot be left open by mistake."""
    rpcs = [rpc.full_name for service in services for rpc in service.methods]
    undeclared = sorted(set(rpcs) - POLICIES.keys())
    if undeclared:
        raise TypeError(f"rpcs without a declared policy: {', '.join(undeclared)}")


def check_allowed(policy: Policy, principal: Principal, expected_credential: str | None) -> None:
    """Raises Unauthenticated unless the policy allows the rpc to the principal.

    `expected_credential` describes an identity to the caller; it is None where the service asks for none.
    """
    if expected_credential is None or policy is Policy.PUBLIC:
        return
    if principal is None:
        seat = "" if policy is Policy.CALLER else "the token of a seat, or "
        raise Unauthenticated(f"this call needs {seat}{expected_credential}")
    if policy is Policy.CALLER and not isinstance(principal, Caller):
        raise Unauthenticated(
            f"this call needs {expected_credential}: a seat token is valid for its own game only"
        )
