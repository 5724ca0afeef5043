"""The hosted bots of each title."""

from __future__ import annotations

from collections.abc import Sequence

from gamehost.bots.levels import LEVELS
from gamehost.play.ports.bots import BotLevel

PREFERRED = "greedy"  # the default where a title has it: it answers at once and plays reasonably


class HostedBotCatalog:
    """Implements the port `BotCatalog` with the levels of `gamehost.bots`."""

    def levels(self, title: str) -> Sequence[BotLevel]:
        known = [level for level in LEVELS if title in level.titles]
        names = [level.name for level in known]
        default = PREFERRED if PREFERRED in names else names[0]
        return [BotLevel(level.name, level.meaning, level.name == default, level.quick) for level in known]
