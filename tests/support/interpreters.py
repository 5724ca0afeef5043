"""Finds a Python interpreter with pip."""

from __future__ import annotations

import subprocess
import sys
from functools import cache


@cache
def interpreter_with_pip() -> str:
    """Returns an interpreter that has pip, which a virtual environment may lack."""
    for python in (sys.executable, str(vars(sys)["_base_executable"])):
        if subprocess.run([python, "-m", "pip", "--version"], capture_output=True).returncode == 0:
            return python
    raise FileNotFoundError("no pip")
