"""Examples for the OpenAPI document: a request and a response of each rpc, recorded from a played game.

`python3 tests examples` records them anew; a test compares them with what the service answers now.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

FILE = resources.files(__package__) / "examples.json"


@cache
def examples() -> dict[str, dict[str, Any]]:
    """The recorded examples: `operations` by the name of the rpc, and `errors`."""
    found: dict[str, dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    return found


def example_of(rpc: str, part: str) -> Any:
    """The `request` or `response` of an rpc, None if it was not recorded."""
    return examples()["operations"].get(rpc, {}).get(part)
