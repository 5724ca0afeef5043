"""Names the command that installs an extra, such as `rl`, for a clone and for an installed wheel."""

from __future__ import annotations

from pathlib import Path

BOOTSTRAP = Path("service/bootstrap.py")


def install_command(extra: str, root: Path = Path(__file__).parents[2]) -> str:
    """Returns the command. In a clone the packages are pinned by hash; a wheel is installed with pip."""
    if (root / BOOTSTRAP).exists():
        return f"python3 {BOOTSTRAP} --extra {extra}"
    return f'pip install "shedu-gamehost[{extra}]"'
