"""Who calls: read from the header Authorization, in one of three modes."""

from __future__ import annotations

from typing import Protocol

from gamehost.play.access import Caller, Principal
from gamehost.play.errors import Unauthenticated

from .seat_tokens import PREFIXES, SeatTokens

MOST_TOKEN_LENGTH = 8192


class IdentityProvider(Protocol):
    """Knows callers by what they present. `wanted` tells a caller what that is."""

    @property
    def expected_credential(self) -> str: ...

    async def identify(self, token: str) -> str:
        """The caller id, or Unauthenticated."""
        ...


class PrincipalReader:
    """A seat token is understood in every mode; without `identities` nothing else is."""

    def __init__(self, tokens: SeatTokens, identities: IdentityProvider | None = None) -> None:
        self._tokens, self._provider = tokens, identities

    @property
    def expected_credential(self) -> str | None:
        return self._provider.expected_credential if self._provider else None

    async def read(self, authorization: str | None) -> Principal:
        if authorization is None:
            return None
        scheme, _, token = authorization.partition(" ")
        if self._provider is None or token.startswith(PREFIXES):
            return self._tokens.read(authorization)
        if scheme.lower() != "bearer" or len(token) > MOST_TOKEN_LENGTH or not token.isascii():
            raise Unauthenticated(
                f"the header must hold {self._provider.expected_credential}", reason="TOKEN_INVALID"
            )
        return Caller(await self._provider.identify(token))
