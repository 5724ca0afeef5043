"""Tests that signed JWTs with a bad subject or bad times are refused as invalid, never INTERNAL."""

from __future__ import annotations

from typing import Any

import pytest

from api.test_issuer import issuer_of, pem, refusal, token


@pytest.mark.parametrize(
    "claims",
    [
        {"exp": "9999999999"},
        {"exp": [1]},
        {"exp": 10**400},
        {"exp": {"in": 300}},
        {"exp": float("inf")},
        {"exp": float("nan")},
        {"nbf": "soon"},
        {"iat": float("inf")},
        {"sub": "\ud800"},
        {"sub": "ann\udfff"},
        {"sub": 7},
        {"sub": ["ann"]},
    ],
    ids=str,
)
async def test_a_claim_of_the_wrong_kind_is_an_invalid_token(claims: dict[str, Any]) -> None:
    assert "TOKEN_INVALID" == await refusal(issuer_of(pem("EdDSA")), token(**claims))
