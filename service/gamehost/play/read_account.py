"""Who pays for reading the past of a game: the cost of it grows with the length of the log.

The API sets an account for the call under way; what this process does of its own accord has none. Whatever
reads a log settles the account first and then charges it by the event, so a call may end in debt, and the
next one that reads waits or is refused until the debt is gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class ReadAccount(Protocol):
    async def settle(self) -> None:
        """Return once there is no debt, or raise TooMuch."""
        ...

    def charge(self, events: int) -> None:
        """Take so many events, and into debt if need be."""
        ...


class FreeAccount:
    async def settle(self) -> None:
        return

    def charge(self, events: int) -> None:
        return


FREE: ReadAccount = FreeAccount()
_account: ContextVar[ReadAccount] = ContextVar("account", default=FREE)


def current_account() -> ReadAccount:
    """That of the call under way."""
    return _account.get()


@contextmanager
def charged_to(payer: ReadAccount) -> Iterator[None]:
    token = _account.set(payer)
    try:
        yield
    finally:
        _account.reset(token)
