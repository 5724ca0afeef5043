"""The seat of the last unfinished game of a title, so that it can be played on."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class SavedSeat:
    """Where the game is, and the right to play it. No server: one's own."""

    title: str
    game_id: str
    seat: int
    token: str = field(repr=False)
    server: str = ""


class SavedSeats:
    """Keeps them in files that nobody else may read."""

    def __init__(self, data: Path) -> None:
        self._folder = data / "seats"

    def put(self, kept: SavedSeat) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = self._folder / f"{kept.title}.new"
        with suppress(FileNotFoundError):
            fresh.unlink()
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump(asdict(kept), file)
        fresh.replace(self._folder / f"{kept.title}.json")

    def get(self, title: str) -> SavedSeat | None:
        try:
            return SavedSeat(**json.loads((self._folder / f"{title}.json").read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def forget(self, title: str, game_id: str) -> None:
        kept = self.get(title)
        if kept is not None and kept.game_id == game_id:
            (self._folder / f"{title}.json").unlink(missing_ok=True)
