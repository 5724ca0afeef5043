"""The command `shedu`: that of the service where it is installed, otherwise the one for bots.

Both packages would otherwise bring a file `bin/shedu`, and the one that is installed last would win.
"""

from __future__ import annotations

from importlib.metadata import entry_points

GROUP = "shedu.command"


def main() -> None:
    """Runs the command that another package offers as an entry point, or that of this package."""
    for offered in entry_points(group=GROUP):
        offered.load()()
        return
    from .__main__ import main as bots  # loads what the service does not need

    bots("shedu")
