"""The number of repetitions of random tests: few in a quick run, many in a full run."""

from __future__ import annotations

import os

VARIABLE = "SHEDU_TEST_BUDGET"


def budget(small: int, full: int) -> int:
    """`small` repetitions when the variable is "small", `full` ones otherwise."""
    return small if os.environ.get(VARIABLE) == "small" else full
