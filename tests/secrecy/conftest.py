from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from gamehost.play import throttle
from support import logs


@pytest.fixture(scope="session", autouse=True)
def _few_log_lines() -> None:
    logs.warnings_only()


@pytest.fixture(scope="package", autouse=True)
def _slices_without_a_clock() -> Iterator[None]:
    """Lets long work run in one slice, so that the order of tasks does not depend on the machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(throttle, "SLICE", math.inf)
        yield
