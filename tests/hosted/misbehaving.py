"""Bots that misbehave, for tests of the pool."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from gamehost.hosted.pool import decide
from gamehost.play.ports.bots import BotQuestion


def misbehave(question: BotQuestion) -> Any:
    """Misbehaves as the level says; a second word of the level is a folder."""
    match question.level.split():
        case ["hang"]:
            time.sleep(3600)
        case ["told", folder]:
            (Path(folder) / "asked").touch()
            while not (Path(folder) / "told").exists():
                time.sleep(0.01)
            return "told"
        case ["crash"]:
            os._exit(3)
        case ["raise"]:
            raise RuntimeError("the deck is in order")
        case ["lambda"]:
            return lambda: None
        case ["where"]:
            return os.getpid()
    return decide(question)
