"""Accounts that calls are charged to for reading logs, since the cost grows with the length of a log.

The API sets the account of the call in progress; background work has none. Code that reads a log first waits
until the account has no debt and then charges it per event. A call may therefore end in debt, and the next
call that reads waits or is refused until the debt is paid off.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Protocol


class ReadAccount(Protocol):
    """The number of events that one caller may read."""

    async def settle(self) -> None:
        """Return once there is no debt, or raise TooMuch if that would take too long."""
        ...

    def charge(self, events: int) -> None:
        """Charge that many events; the account may go into debt."""
        ...


class FreeAccount:
    """The account of background work, without limits."""

    async def settle(self) -> None:
        return

    def charge(self, events: int) -> None:
        return


FREE: ReadAccount = FreeAccount()
_account: ContextVar[ReadAccount] = ContextVar("account", default=FREE)


def current_account() -> ReadAccount:
    """Return the account of the call in progress."""
    return _account.get()


class charged_to:
    """Charge all reads inside the context to this account.

    A class, because `contextmanager` costs every call and every message of a stream 2.3 µs, and this 0.7.
    """

    __slots__ = ("_account", "_token")

    def __init__(self, account: ReadAccount) -> None:
        self._account = account

    def __enter__(self) -> None:
        self._token = _account.set(self._account)

    def __exit__(self, *_error: object) -> None:
        _account.reset(self._token)
