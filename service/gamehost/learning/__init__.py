"""Learning environments on the same rules as the service: PettingZoo for all seats, Gymnasium for one.

Needs the extra `rl`. README.md beside this file describes observations and actions.
"""

from __future__ import annotations

from typing import Any

from gamehost.extras import install_command

try:
    from .aec_env import NoSuchAgent, TitleEnv
    from .dataset_rows import Example, example
    from .encoding import Encoding, NoSuchAction
    from .encodings import ENCODINGS
    from .game import InvalidSetUp, NotBegun
    from .seat_env import SeatEnv, register_environments
except ModuleNotFoundError as error:
    # Only the packages of the extra can be missing for a good reason. Any other error must stay visible.
    if error.name is None or error.name.partition(".")[0] not in ("gymnasium", "numpy", "pettingzoo"):
        raise
    raise ImportError(
        f"gamehost.learning needs {error.name}, which is not installed: {install_command('rl')}"
    ) from error

__all__ = [
    "ENCODINGS",
    "Encoding",
    "Example",
    "InvalidSetUp",
    "NoSuchAction",
    "NoSuchAgent",
    "NotBegun",
    "SeatEnv",
    "TitleEnv",
    "aec_env",
    "example",
    "gym_env",
]


def aec_env(title: str, **settings: Any) -> TitleEnv:
    """Return an environment with an agent for every seat of a title.

    Takes `seats`, `options`, `reward`, `max_cycles` and `render_mode`.
    """
    return TitleEnv(title, **settings)


def gym_env(title: str, **settings: Any) -> SeatEnv:
    """Return an environment with one seat as the agent and bots on the others.

    Takes the settings of `aec_env`, and `opponents` and `seat`.
    """
    return SeatEnv(title, **settings)


register_environments()
