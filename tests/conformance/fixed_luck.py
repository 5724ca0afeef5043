"""`shedu` with the same luck in every game, so that bots that decide alike play the same game.

Draws depend on the seed of a game and on its position, not on its id: see Fairness in game.proto.
"""

from __future__ import annotations

import os
from functools import partial
from unittest.mock import patch

from gamehost import composition
from gamehost.cli import main
from gamehost.play.use_cases.create_and_join import SEED_BYTES


def entropy(count: int) -> bytes:
    return bytes(range(count)) if count == SEED_BYTES else os.urandom(count)


def dependencies(make: type[composition.Dependencies], *parts: object, **more: object) -> object:
    return make(*parts, **{**more, "entropy": entropy})  # type: ignore[arg-type]


if __name__ == "__main__":
    with patch.object(composition, "Dependencies", partial(dependencies, composition.Dependencies)):
        main()
