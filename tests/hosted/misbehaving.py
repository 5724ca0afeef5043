"""Bots that behave badly, and one that does not."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from gamehost.hosted.pool import decide
from gamehost.play.ports.bots import BotQuestion


def misbehave(question: BotQuestion) -> Any:
    """The level says how; one of two words has a folder as its second."""
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
