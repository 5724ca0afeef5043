"""Signatures of deliveries, as Standard Webhooks defines them."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping, Sequence

SECRET_PREFIX = "whsec_"
WEBHOOK_SECRET_BYTES = 32


def secret_text(secret: bytes) -> str:
    """Return a secret in the form that libraries of Standard Webhooks read."""
    return SECRET_PREFIX + base64.b64encode(secret).decode()


def signed_headers(
    secrets: Sequence[bytes], delivery_id: str, seconds: int, body: bytes
) -> Mapping[str, str]:
    """Return the headers of a delivery, with one signature for each secret. `seconds` is Unix time."""
    content = b"%b.%d.%b" % (delivery_id.encode(), seconds, body)
    signatures = [
        base64.b64encode(hmac.new(secret, content, hashlib.sha256).digest()).decode() for secret in secrets
    ]
    return {
        "webhook-id": delivery_id,
        "webhook-timestamp": str(seconds),
        "webhook-signature": " ".join(f"v1,{signature}" for signature in signatures),
    }
