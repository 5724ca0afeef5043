"""Identifies callers by a JWT of a trusted issuer."""

from __future__ import annotations

import time
from typing import Any

import jwt

from gamehost.api.pipeline.field_checks import UNSAFE
from gamehost.play.errors import Unauthenticated

from .jwks import EDDSA, ES256, RS256, JwksCache, VerificationKey

LEEWAY = 60  # seconds by which the clocks of issuer and service may differ
LONGEST_SUBJECT = 200
MOST_CACHED_JWTS = 10_000


class JwtIdentities:
    """Verifies JWTs with the issuer's keys. Audience and issuer are checked if they are set."""

    expected_credential = "a JWT of the issuer: Authorization: Bearer …"

    def __init__(self, keys: JwksCache, *, issuer: str | None = None, audience: str | None = None) -> None:
        self._keys, self._issuer, self._audience = keys, issuer, audience
        self._verified: dict[str, tuple[str, float]] = {}
        self._verified_with = keys.all

    async def identify(self, token: str) -> str:
        """Returns the caller id; raises Unauthenticated, or Unavailable without the issuer's keys."""
        cached = self._cached(token)
        if cached is not None:
            return cached
        claims = await self._claims(token)
        caller, expires = f"jwt:{subject_of(claims)}", expiry_of(claims)
        self._verified[token] = (caller, expires + LEEWAY)
        return caller

    def _cached(self, token: str) -> str | None:
        """The caller id of a token that was verified before, until it expires or the issuer's keys change.

        Clients send the same token with every call, and verifying a signature is expensive.
        """
        # A key that was withdrawn takes the tokens it signed with it, so a change of keys empties the cache.
        if self._verified_with is not self._keys.all or len(self._verified) >= MOST_CACHED_JWTS:
            self._verified.clear()
            self._verified_with = self._keys.all
        caller, expires = self._verified.get(token, ("", 0.0))
        return caller if expires > time.time() else None

    async def _claims(self, token: str) -> dict[str, Any]:
        """The verified claims of a token. Raises Unauthenticated."""
        kid, algorithm = jwt_header(token)
        for key in await self._keys.fitting(kid, algorithm):
            try:
                return self._decode(token, key)
            except jwt.InvalidSignatureError:  # several keys can fit a token without a key id
                continue
            except jwt.ExpiredSignatureError:
                raise Unauthenticated("the token has expired", reason="TOKEN_EXPIRED") from None
            except (jwt.InvalidTokenError, ValueError, TypeError, OverflowError):
                raise Unauthenticated(
                    "the token is not valid for this service", reason="TOKEN_INVALID"
                ) from None
        raise Unauthenticated("the token was not signed by the issuer", reason="TOKEN_INVALID")

    def _decode(self, token: str, key: VerificationKey) -> dict[str, Any]:
        """Verifies signature and claims. Raises the exceptions of PyJWT."""
        claims: dict[str, Any] = jwt.decode(
            token,
            key.key,
            algorithms=[key.algorithm],  # of the key, never of the token's header
            leeway=LEEWAY,
            issuer=self._issuer,
            audience=self._audience,
            options={"require": ["exp", "sub"], "verify_aud": self._audience is not None},
        )
        return claims


def subject_of(claims: dict[str, Any]) -> str:
    """The subject of a token. Raises Unauthenticated if it is missing or unsafe.

    Subjects become parts of store keys, which are UTF-8, and are shown to people: see `field_checks`.
    """
    subject = claims["sub"]
    valid = isinstance(subject, str) and 0 < len(subject) <= LONGEST_SUBJECT and encodes_as_utf8(subject)
    if not valid or UNSAFE.search(subject):
        raise Unauthenticated("the token has no valid subject", reason="TOKEN_INVALID")
    return str(subject)


def encodes_as_utf8(text: str) -> bool:
    """False for lone surrogates, which JSON can spell and UTF-8 cannot encode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def expiry_of(claims: dict[str, Any]) -> float:
    """The expiry of a token. PyJWT also accepts numbers written as text; RFC 7519 does not."""
    expires = claims["exp"]
    try:
        if isinstance(expires, int | float) and not isinstance(expires, bool):
            return float(expires)
    except OverflowError:  # an integer that no float can hold
        pass
    raise Unauthenticated("the token's exp must be a number of seconds", reason="TOKEN_INVALID")


def jwt_header(token: str) -> tuple[str | None, str]:
    """The key id and the algorithm that a token claims. Nothing is verified yet."""
    try:
        header = jwt.get_unverified_header(token)
    except (jwt.InvalidTokenError, ValueError):
        raise Unauthenticated("the token is not a JWT", reason="TOKEN_INVALID") from None
    kid, algorithm = header.get("kid"), header.get("alg")
    if algorithm not in (EDDSA, ES256, RS256):
        raise Unauthenticated("the token must be signed with EdDSA, ES256 or RS256", reason="TOKEN_INVALID")
    return kid if isinstance(kid, str) else None, algorithm
