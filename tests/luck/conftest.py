from __future__ import annotations

import pytest

from support import logs


@pytest.fixture(scope="session", autouse=True)
def _few_log_lines() -> None:
    logs.warnings_only()
