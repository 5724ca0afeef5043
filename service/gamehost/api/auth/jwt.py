"""Identities that an issuer vouches for with a JWT."""

from __future__ import annotations

import time
from typing import Any

import jwt

from gamehost.api.pipeline.field_checks import UNSAFE
from gamehost.play.errors import Unauthenticated

from .jwks import EDDSA, ES256, RS256, JwksCache, VerificationKey

LEEWAY = 60  # seconds by which clocks may differ
LONGEST_SUBJECT = 200
REMEMBERED = 10_000


class JwtIdentities:
    """Trusts the keys it is given. Audience and issuer are checked where they are set."""

    expected_credential = "a JWT of the issuer: Authorization: Bearer …"

    def __init__(self, keys: JwksCache, *, issuer: str | None = None, audience: str | None = None) -> None:
        self._keys, self._issuer, self._audience = keys, issuer, audience
        self._trusted: dict[str, tuple[str, float]] = {}
        self._trusted_keys = keys.all

    async def identify(self, token: str) -> str:
        known = self._known(token)
        if known is not None:
            return known
        claims = await self._claims(token)
        caller, expires = f"jwt:{subject_of(claims)}", expiry_of(claims)
        self._trusted[token] = (caller, expires + LEEWAY)
        return caller

    def _known(self, token: str) -> str | None:
        """What was verified is believed until it expires, or until the issuer's keys change."""
        if self._trusted_keys is not self._keys.all or len(self._trusted) >= REMEMBERED:
            self._trusted.clear()
            self._trusted_keys = self._keys.all
        caller, expires = self._trusted.get(token, ("", 0.0))
        return caller if expires > time.time() else None

    async def _claims(self, token: str) -> dict[str, Any]:
        kid, algorithm = jwt_header(token)
        for key in await self._keys.fitting(kid, algorithm):
            try:
                return self._decode(token, key)
            except jwt.InvalidSignatureError:
                continue
            except jwt.ExpiredSignatureError:
                raise Unauthenticated("the token has expired", reason="TOKEN_EXPIRED") from None
            except (jwt.InvalidTokenError, ValueError, TypeError, OverflowError):
                raise Unauthenticated("the token is not for this service", reason="TOKEN_INVALID") from None
        raise Unauthenticated("the token is not one of the issuer", reason="TOKEN_INVALID")

    def _decode(self, token: str, key: VerificationKey) -> dict[str, Any]:
        claims: dict[str, Any] = jwt.decode(
            token,
            key.key,
            algorithms=[key.algorithm],
            leeway=LEEWAY,
            issuer=self._issuer,
            audience=self._audience,
            options={"require": ["exp", "sub"], "verify_aud": self._audience is not None},
        )
        return claims


def subject_of(claims: dict[str, Any]) -> str:
    """Subjects are part of keys of the store, which are UTF-8, and are shown: see `field_checks`."""
    subject = claims["sub"]
    named = isinstance(subject, str) and 0 < len(subject) <= LONGEST_SUBJECT and is_utf8(subject)
    if not named or UNSAFE.search(subject):
        raise Unauthenticated("the token names no subject", reason="TOKEN_INVALID")
    return str(subject)


def is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def expiry_of(claims: dict[str, Any]) -> float:
    """PyJWT also takes text that reads as a number; RFC 7519 does not."""
    expires = claims["exp"]
    try:
        if isinstance(expires, int | float) and not isinstance(expires, bool):
            return float(expires)
    except OverflowError:  # an integer that no float can hold
        pass
    raise Unauthenticated("the token's exp must be a number of seconds", reason="TOKEN_INVALID")


def jwt_header(token: str) -> tuple[str | None, str]:
    try:
        header = jwt.get_unverified_header(token)
    except (jwt.InvalidTokenError, ValueError):
        raise Unauthenticated("the token is not a JWT", reason="TOKEN_INVALID") from None
    kid, algorithm = header.get("kid"), header.get("alg")
    if algorithm not in (EDDSA, ES256, RS256):
        raise Unauthenticated("the token must be signed with EdDSA, ES256 or RS256", reason="TOKEN_INVALID")
    return kid if isinstance(kid, str) else None, algorithm
