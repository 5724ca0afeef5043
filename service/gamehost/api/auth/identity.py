"""Checks the token in the Authorization header of a call, and reads the principal from it.

Seat and spectator tokens are accepted in every identity mode. An identity provider, if there is one, adds
callers with an API key or a JWT.
"""

from __future__ import annotations

from typing import Protocol

from gamehost.play.access import Caller, Principal
from gamehost.play.errors import Unauthenticated

from .seat_tokens import PREFIXES, SeatTokens

LONGEST_TOKEN = 8192


class IdentityProvider(Protocol):
    """Identifies callers by a credential. `expected_credential` describes it in error messages."""

    @property
    def expected_credential(self) -> str: ...

    async def identify(self, token: str) -> str:
        """Returns the caller id; raises Unauthenticated."""
        ...


class PrincipalReader:
    """Checks the token of a call and returns its principal; without `identities`, seat tokens only."""

    def __init__(self, tokens: SeatTokens, identities: IdentityProvider | None = None) -> None:
        self._tokens, self._provider = tokens, identities

    @property
    def expected_credential(self) -> str | None:
        return self._provider.expected_credential if self._provider else None

    def is_signed_here(self, authorization: str) -> bool:
        """Whether the credential is read as a seat or spectator token, without asking the provider."""
        return self._provider is None or authorization.partition(" ")[2].startswith(PREFIXES)

    async def read(self, authorization: str | None) -> Principal:
        """Returns the principal, None without a header; raises Unauthenticated for an invalid one."""
        if authorization is None:
            return None
        scheme, _, token = authorization.partition(" ")
        if self._provider is None or token.startswith(PREFIXES):
            return self._tokens.read(authorization)
        # Checked before the provider sees the token: it is hashed, parsed and used as a key of caches there.
        if scheme.lower() != "bearer" or len(token) > LONGEST_TOKEN or not token.isascii():
            raise Unauthenticated(
                f"the Authorization header must contain {self._provider.expected_credential}",
                reason="TOKEN_INVALID",
            )
        return Caller(await self._provider.identify(token))
