"""Seat tokens, signed capabilities to play one seat of one game, and spectator tokens to watch one game."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from typing import Any

import jwt

from gamehost.play.access import SeatKey, SpectatorKey
from gamehost.play.errors import Unauthenticated
from gamehost.play.table.events import SpectatorPolicy
from gamehost.play.table.table import Table
from gamehost.rules.kit import Seat

SEAT_TOKEN_PREFIX = "shedu_seat_"
SPECTATOR_PREFIX = "shedu_spectator_"
PREFIXES = SEAT_TOKEN_PREFIX, SPECTATOR_PREFIX
ALGORITHM = "HS256"
PLAYER, SPECTATOR = "player", "spectator"
ROLES = {SEAT_TOKEN_PREFIX: PLAYER, SPECTATOR_PREFIX: SPECTATOR}
MOST_CACHED_SEAT_TOKENS = 10_000


class SeatTokens:
    """Issues seat and spectator tokens, and checks them. `now` returns Unix time.

    Tokens are signed with the first secret and verified with all of them, so that secrets can be rotated.
    """

    def __init__(self, secrets: Sequence[bytes], now: Callable[[], float], lifetime: float) -> None:
        # The service secret has other uses. With a key of their own, tokens are valid for nothing else.
        self._keys = [hmac.digest(secret, b"shedu:seat-token:v1", hashlib.sha256) for secret in secrets]
        self._now, self._lifetime = now, lifetime
        self._verified: dict[str, tuple[SeatKey | SpectatorKey, float]] = {}

    def issue(self, key: SeatKey, since: float) -> str:
        """Issues a token. Equal arguments give equal tokens, so a repeated call gets the same answer."""
        claims = {
            "game": key.game_id,
            "seat": key.seat,
            "role": PLAYER,
            "gen": key.generation,
            "exp": int(since + self._lifetime),
        }
        return SEAT_TOKEN_PREFIX + jwt.encode(claims, self._keys[0], ALGORITHM)

    def of_seat(self, table: Table, seat: Seat, since: float) -> str:
        """The token of a seat with its current generation; earlier generations were revoked."""
        return self.issue(SeatKey(table.game_id, seat, table.chairs[seat].generation), since)

    def of_spectators(self, table: Table) -> str:
        """The token for watching the game without a seat; empty if the game needs none."""
        if table.created.spectators.policy is not SpectatorPolicy.TOKEN:
            return ""
        expires = int(table.created_at / 1e6 + self._lifetime)
        claims = {"game": table.game_id, "role": SPECTATOR, "exp": expires}
        return SPECTATOR_PREFIX + jwt.encode(claims, self._keys[0], ALGORITHM)

    def read(self, authorization: str | None) -> SeatKey | SpectatorKey | None:
        """Returns the key in an Authorization header, None without one. Raises Unauthenticated.

        Whether the key is still valid at its table is checked by the use cases.
        """
        if authorization is None:
            return None
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer" or not token.startswith(PREFIXES):
            raise Unauthenticated(
                "the Authorization header must be: Bearer shedu_seat_…", reason="TOKEN_INVALID"
            )
        # Signature and claims never change, so they are cached. Expiry depends on the time and is not.
        key, expires = self._verified.get(token) or self._verify(token)
        if expires <= self._now():
            raise Unauthenticated("the token has expired", reason="TOKEN_EXPIRED")
        return key

    def _verify(self, token: str) -> tuple[SeatKey | SpectatorKey, float]:
        """Verifies a token and caches its key and expiry."""
        prefix = next(prefix for prefix in PREFIXES if token.startswith(prefix))
        claims = self._claims(token.removeprefix(prefix))
        # The prefix is not signed: without this check a spectator token could be presented as a seat token.
        if claims.get("role") != ROLES[prefix]:
            raise Unauthenticated(f"the token is not a {ROLES[prefix]} token", reason="TOKEN_INVALID")
        verified = _key(claims), float(claims["exp"])
        if len(self._verified) >= MOST_CACHED_SEAT_TOKENS:
            self._verified.clear()
        self._verified[token] = verified
        return verified

    def _claims(self, token: str) -> dict[str, Any]:
        """The claims of a token that any of the secrets signed. Expiry is checked in `read`."""
        for key in self._keys:
            try:
                return jwt.decode(token, key, [ALGORITHM], options={"verify_exp": False, "require": ["exp"]})
            except (jwt.InvalidTokenError, ValueError):
                continue
        raise Unauthenticated("the token was not issued by this service", reason="TOKEN_INVALID")


def _key(claims: dict[str, Any]) -> SeatKey | SpectatorKey:
    if claims["role"] == SPECTATOR:
        return SpectatorKey(claims["game"])
    return SeatKey(claims["game"], Seat(claims["seat"]), claims["gen"])
