"""Encrypts the secrets of webhooks with keys that are derived from the secrets of the service."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Sequence

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

LABEL = b"shedu:webhook-secrets:v1"


class SealedSecrets:
    """Implements the port `SecretSealer`.

    The first secret seals, and all of them unseal, so that the secrets of the service can be rotated.
    """

    def __init__(self, secrets: Sequence[bytes]) -> None:
        self._keys = MultiFernet([Fernet(_key(secret)) for secret in secrets])

    def seal(self, secret: bytes) -> str:
        return self._keys.encrypt(secret).decode()

    def unseal(self, sealed: str) -> bytes:
        try:
            return self._keys.decrypt(sealed)
        except InvalidToken:
            raise ValueError("a secret was sealed with a key that this service does not have") from None


def _key(secret: bytes) -> bytes:
    return base64.urlsafe_b64encode(hmac.new(secret, LABEL, hashlib.sha256).digest())
