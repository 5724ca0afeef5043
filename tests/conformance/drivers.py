"""Runs the driver of a language, and measures how long each scenario takes."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conformance.clients import scenarios
from support.waiting import PATIENCE


@dataclass(slots=True)
class Answers:
    """The results of the steps by scenario, and the seconds until the driver printed them.

    `trouble` is why answers are missing. The seconds of the first scenario contain the start of the driver.
    """

    steps: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    trouble: str = ""


def run(command: Sequence[str], environment: dict[str, str], errors: Path) -> Answers:
    """Runs a driver and parses what it prints; its stderr goes to the file `errors`."""
    answers = Answers()
    with errors.open("wb") as err:
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=err, text=True)
    watchdog = threading.Timer(PATIENCE, process.kill)
    watchdog.start()
    began = time.monotonic()
    assert process.stdout is not None
    with process.stdout as lines:
        for line in lines:
            try:
                found = scenarios.printed(line)
            except ValueError:
                answers.trouble = f"printed something else than JSON: {line[:200]!r}"
                break
            now = time.monotonic()
            answers.steps |= found
            answers.seconds |= dict.fromkeys(found, now - began)
            began = now
    code = process.wait()
    watchdog.cancel()
    missing = [each["name"] for each in scenarios.SCENARIOS if each["name"] not in answers.steps]
    if code or missing:
        answers.trouble = answers.trouble or (
            f"exit code {code}, no answers to {', '.join(missing) or 'nothing'}: "
            f"{errors.read_text().strip()[-2000:]}"
        )
    return answers
