from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from api.echo_servers import EchoServers, running_echo_servers


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def servers() -> AsyncIterator[EchoServers]:
    """Servers that all tests of this folder share. All run in one event loop: grpc.aio works in only one."""
    async with running_echo_servers() as found:
        yield found
