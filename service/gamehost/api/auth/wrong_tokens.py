"""Addresses that send wrong keys and tokens have to wait, longer each time."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import structlog

from gamehost.play.errors import TooMuch

log = structlog.get_logger("gamehost.api")

REMEMBERED = 20_000  # addresses, and credentials that were good
LONGEST = 600.0  # seconds that an address waits at most
FORGOTTEN = 900.0  # seconds after the end of its wait in which an address sends no wrong one


K = TypeVar("K")
V = TypeVar("V")


@dataclass(slots=True)
class Record:
    wrong: int = 0
    until: float = 0.0  # refused up to then
    forgotten: float = 0.0


class WrongTokens:
    """After `most` wrong ones an address is refused for 1, 2, 4, … seconds before the next is looked at.

    A refused address costs no verification and no look into the store. What was good lately in this process
    passes all the same: others may share the address. 0 stands for no limit; `now` gives seconds.
    """

    def __init__(self, most: int, now: Callable[[], float]) -> None:
        self._most, self._now = most, now
        self._records: OrderedDict[str, Record] = OrderedDict()
        self._good: OrderedDict[bytes, None] = OrderedDict()

    def check(self, address: str, credential: str) -> None:
        """Raises TooMuch where the address has to wait."""
        record = self._records.get(address)
        wait = record.until - self._now() if record else 0.0
        if wait > 0 and digest_of(credential) not in self._good:
            raise TooMuch("too many wrong keys or tokens from this address", wait, "address")

    def failed(self, address: str, credential: str) -> None:
        """Counts a wrong one."""
        if not self._most:
            return
        self._good.pop(digest_of(credential), None)
        now, record = self._now(), self._records.pop(address, Record())
        if record.forgotten <= now:
            record = Record()
        record.wrong += 1
        if record.wrong >= self._most:
            # The exponent is bounded: the number of wrong ones is not.
            wait = min(LONGEST, 2.0 ** min(record.wrong - self._most, 16))
            record.until = now + wait
            log.warning("wrong keys or tokens", address=address, wrong=record.wrong, refused_seconds=wait)
        record.forgotten = max(now, record.until) + FORGOTTEN
        _keep(self._records, address, record)

    def passed(self, credential: str) -> None:
        """A good one does not shorten the wait of its address: whoever has one could guess on."""
        if self._most:
            digest = digest_of(credential)
            self._good.pop(digest, None)
            _keep(self._good, digest, None)


def _keep(kept: OrderedDict[K, V], key: K, value: V) -> None:
    kept[key] = value
    while len(kept) > REMEMBERED:
        kept.popitem(last=False)


def digest_of(credential: str) -> bytes:
    return hashlib.blake2b(credential.encode(errors="surrogatepass"), digest_size=16).digest()
