"""Seat tokens, signed capabilities for one seat of one game, and spectator tokens for watching one."""

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

PREFIX = "shedu_seat_"
SPECTATOR_PREFIX = "shedu_spectator_"
PREFIXES = PREFIX, SPECTATOR_PREFIX
ALGORITHM = "HS256"
PLAYER, SPECTATOR = "player", "spectator"
ROLES = {PREFIX: PLAYER, SPECTATOR_PREFIX: SPECTATOR}
REMEMBERED = 10_000


class SeatTokens:
    """Signs with the first secret and trusts any of them. `now` gives seconds since 1970."""

    def __init__(self, secrets: Sequence[bytes], now: Callable[[], float], lifetime: float) -> None:
        self._keys = [hmac.digest(secret, b"shedu:seat-token:v1", hashlib.sha256) for secret in secrets]
        self._now, self._lifetime = now, lifetime
        self._trusted: dict[str, tuple[SeatKey | SpectatorKey, float]] = {}

    def issue(self, key: SeatKey, since: float) -> str:
        """The same key and time give the same token, so that a repeated call is answered the same."""
        claims = {
            "game": key.game_id,
            "seat": key.seat,
            "role": PLAYER,
            "gen": key.generation,
            "exp": int(since + self._lifetime),
        }
        return PREFIX + jwt.encode(claims, self._keys[0], ALGORITHM)

    def of_seat(self, table: Table, seat: Seat, since: float) -> str:
        """The token of a seat as it is at this table."""
        return self.issue(SeatKey(table.game_id, seat, table.chairs[seat].generation), since)

    def of_spectators(self, table: Table) -> str:
        """What everybody needs who watches the game without a seat; empty where nobody needs it."""
        if table.created.spectators.policy is not SpectatorPolicy.TOKEN:
            return ""
        expires = int(table.created_at / 1e6 + self._lifetime)
        claims = {"game": table.game_id, "role": SPECTATOR, "exp": expires}
        return SPECTATOR_PREFIX + jwt.encode(claims, self._keys[0], ALGORITHM)

    def read(self, authorization: str | None) -> SeatKey | SpectatorKey | None:
        """The key in an Authorization header; None without one."""
        if authorization is None:
            return None
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer" or not token.startswith(PREFIXES):
            raise Unauthenticated(
                "the header must read: Authorization: Bearer shedu_seat_…", reason="TOKEN_INVALID"
            )
        key, expires = self._trusted.get(token) or self._verify(token)
        if expires <= self._now():
            raise Unauthenticated("the token has expired", reason="TOKEN_EXPIRED")
        return key

    def _verify(self, token: str) -> tuple[SeatKey | SpectatorKey, float]:
        prefix = next(prefix for prefix in PREFIXES if token.startswith(prefix))
        claims = self._claims(token.removeprefix(prefix))
        if claims.get("role") != ROLES[prefix]:
            raise Unauthenticated(f"the token is not one of a {ROLES[prefix]}", reason="TOKEN_INVALID")
        trusted = _key(claims), float(claims["exp"])
        if len(self._trusted) >= REMEMBERED:
            self._trusted.clear()
        self._trusted[token] = trusted
        return trusted

    def _claims(self, token: str) -> dict[str, Any]:
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
