"""Saves the seat of the last unfinished game of each title, for `--continue`."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class SavedSeat:
    """A seat and its token. An empty `server` means the local one."""

    title: str
    game_id: str
    seat: int
    token: str = field(repr=False)
    server: str = ""


class SavedSeats:
    """Stores seats in files that only the user can read, because they contain tokens."""

    def __init__(self, data: Path) -> None:
        self._folder = data / "seats"

    def put(self, saved: SavedSeat) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # A new file with its mode set at creation, then an atomic rename: the token is never readable by
        # others, and a crash leaves the old file intact.
        fresh = self._folder / f"{saved.title}.new"
        with suppress(FileNotFoundError):
            fresh.unlink()
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump(asdict(saved), file)
        fresh.replace(self._folder / f"{saved.title}.json")

    def get(self, title: str) -> SavedSeat | None:
        try:
            return SavedSeat(**json.loads((self._folder / f"{title}.json").read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def forget(self, title: str, game_id: str) -> None:
        saved = self.get(title)
        if saved is not None and saved.game_id == game_id:
            (self._folder / f"{title}.json").unlink(missing_ok=True)
