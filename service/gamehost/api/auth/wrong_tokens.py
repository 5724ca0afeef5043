"""Slows down guessing: addresses that send wrong API keys or tokens are refused for a growing time."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import structlog

from gamehost.play.errors import TooMuch

log = structlog.get_logger("gamehost.api")

MOST_ENTRIES = 20_000  # addresses, and as many credentials that were valid
LONGEST_REFUSAL = 600.0  # seconds that an address is refused at most
FORGET_SECONDS = 900.0  # time without a wrong credential after which an address starts anew


K = TypeVar("K")
V = TypeVar("V")


@dataclass(slots=True)
class AddressRecord:
    """The record of an address that sent wrong credentials."""

    wrong: int = 0  # wrong credentials so far
    refused_until: float = 0.0
    forget_at: float = 0.0


class WrongTokens:
    """Refuses an address for 1, 2, 4, … seconds after each wrong credential from the `most`-th on.

    A refused address causes no verification and no store look-up. Credentials that were valid in this process
    recently still pass, because many players can share an address (an office, a mobile carrier): one of them
    must not be able to lock the others out. 0 means no limit; `now` returns seconds.
    """

    def __init__(self, most: int, now: Callable[[], float]) -> None:
        self._most, self._now = most, now
        self._records: OrderedDict[str, AddressRecord] = OrderedDict()
        self._recently_valid: OrderedDict[bytes, None] = OrderedDict()

    def check(self, address: str, credential: str) -> None:
        """Raises TooMuch while the address is refused and the credential was not valid recently."""
        record = self._records.get(address)
        wait = record.refused_until - self._now() if record else 0.0
        if wait > 0 and credential_digest(credential) not in self._recently_valid:
            raise TooMuch("too many wrong keys or tokens from this address", wait, "address")

    def failed(self, address: str, credential: str) -> None:
        """Counts a wrong credential against its address."""
        if not self._most:
            return
        # It may have been valid and revoked since. It must not pass for a refused address any more.
        self._recently_valid.pop(credential_digest(credential), None)
        now, record = self._now(), self._records.pop(address, AddressRecord())
        if record.forget_at <= now:
            record = AddressRecord()
        record.wrong += 1
        if record.wrong >= self._most:
            # The exponent is bounded because the count is not: a float overflows at 2 ** 1024.
            wait = min(LONGEST_REFUSAL, 2.0 ** min(record.wrong - self._most, 16))
            record.refused_until = now + wait
            log.warning("wrong keys or tokens", address=address, wrong=record.wrong, refused_seconds=wait)
        record.forget_at = max(now, record.refused_until) + FORGET_SECONDS
        _put(self._records, address, record)

    def passed(self, credential: str) -> None:
        """Remembers a valid credential.

        It does not shorten the refusal of its address: with one valid credential of their own, attackers
        could go on guessing others without ever waiting.
        """
        if self._most:
            # Digests bound the memory that is held: a JWT may have 8 KiB.
            digest = credential_digest(credential)
            self._recently_valid.pop(digest, None)
            _put(self._recently_valid, digest, None)


def _put(entries: OrderedDict[K, V], key: K, value: V) -> None:
    """Adds an entry as the newest one, and drops the oldest if there are too many."""
    entries[key] = value
    while len(entries) > MOST_ENTRIES:
        entries.popitem(last=False)


def credential_digest(credential: str) -> bytes:
    return hashlib.blake2b(credential.encode(errors="surrogatepass"), digest_size=16).digest()
