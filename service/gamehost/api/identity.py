"""Who calls: read from the header Authorization, in one of three modes."""

from __future__ import annotations

from typing import Protocol

from gamehost.play.access import Caller, Principal
from gamehost.play.errors import Unauthenticated

from .tokens import PREFIXES, SeatTokens

LONGEST = 8192


class Identities(Protocol):
    """Knows callers by what they present. `wanted` tells a caller what that is."""

    @property
    def wanted(self) -> str: ...

    async def identify(self, token: str) -> str:
        """The caller id, or Unauthenticated."""
        ...


class Identity:
    """A seat token is understood in every mode; without `identities` nothing else is."""

    def __init__(self, tokens: SeatTokens, identities: Identities | None = None) -> None:
        self._tokens, self._identities = tokens, identities

    @property
    def wanted(self) -> str | None:
        return self._identities.wanted if self._identities else None

    async def read(self, authorization: str | None) -> Principal:
        if authorization is None:
            return None
        scheme, _, token = authorization.partition(" ")
        if self._identities is None or token.startswith(PREFIXES):
            return self._tokens.read(authorization)
        if scheme.lower() != "bearer" or len(token) > LONGEST or not token.isascii():
            raise Unauthenticated(f"the header must hold {self._identities.wanted}", reason="TOKEN_INVALID")
        return Caller(await self._identities.identify(token))
