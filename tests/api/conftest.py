from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from api.echo_servers import EchoServers, running_echo_servers


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Runs all tests that share the servers in one event loop, because grpc.aio works in only one."""
    for item in items:
        if "servers" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def servers() -> AsyncIterator[EchoServers]:
    async with running_echo_servers() as found:
        yield found
