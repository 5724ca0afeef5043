"""Bots that behave badly, and one that does not."""

from __future__ import annotations

import os
import time
from typing import Any

from gamehost.hosted.pool import decide
from gamehost.play.ports import Question


def badly(question: Question) -> Any:
    """The level says how."""
    match question.level:
        case "hang":
            time.sleep(60)
        case "crash":
            os._exit(3)
        case "raise":
            raise RuntimeError("the deck is in order")
        case "lambda":
            return lambda: None
        case "where":
            return os.getpid()
    return decide(question)
