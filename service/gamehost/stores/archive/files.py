"""An archive of finished games: one compressed file for each, in a folder that all processes share."""

from __future__ import annotations

import asyncio
import os
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

from gamehost.play.ports.archive import DamagedArchive
from gamehost.play.ports.event_log import StoreUnavailable, WholeGame

from .file_format import decode, decode_summary, encode

HEADER_BYTES = 16384  # more than the first line of a file ever has
STALE_SECONDS = 3600  # older temporary files were left by a crash
PARTS = "parts"  # the folder of temporary files


class FileArchive:
    """Implements the port `Archive`. A file appears complete and under its name, or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def put(self, game: WholeGame) -> None:
        await asyncio.to_thread(self._put, game)

    async def get(self, game: str) -> WholeGame | None:
        data = await asyncio.to_thread(self._read, game, -1)
        return None if data is None else decode(game, data)

    async def summary(self, game: str) -> bytes | None:
        data = await asyncio.to_thread(self._read, game, HEADER_BYTES)
        return None if data is None else decode_summary(game, data)

    def prepare(self) -> None:
        """Creates the folder, for its owner only, and removes temporary files that a crash has left."""
        parts = self.folder / PARTS
        parts.mkdir(mode=0o700, parents=True, exist_ok=True)
        for part in parts.iterdir():
            if part.stat().st_mtime < time.time() - STALE_SECONDS:
                part.unlink(missing_ok=True)

    def path(self, game: str) -> Path:
        return self.folder / game[:2] / f"{game}.json.gz"

    def count(self) -> int:
        return sum(1 for _ in self.games())

    def games(self) -> Iterator[str]:
        """Yields the ids of all archived games, in no order."""
        for path in self.folder.glob("??/*.json.gz"):
            yield path.name.removesuffix(".json.gz")

    def _put(self, game: WholeGame) -> None:
        """Writes a temporary file, checks it, and renames it: a rename is atomic, a write is not."""
        data, path = encode(game), self.path(game.game)
        part = self.folder / PARTS / f"{game.game}.{uuid.uuid4().hex}"
        try:
            path.parent.mkdir(mode=0o700, exist_ok=True)
            write_synced(part, data)
            # Read back before it counts: the game is removed from the store as soon as this returns.
            if decode(game.game, part.read_bytes()) != game:
                raise DamagedArchive(f"the file of game {game.game} differs from the game")
            part.replace(path)
            for folder in (path.parent, self.folder):
                sync_directory(folder)
        except OSError as error:
            raise unavailable(error) from error
        finally:
            part.unlink(missing_ok=True)

    def _read(self, game: str, size: int) -> bytes | None:
        try:
            with self.path(game).open("rb") as file:
                return file.read(size)
        except FileNotFoundError as error:
            # Without the folder, for example a volume that is not mounted, every game would seem not to
            # exist.
            if not self.folder.is_dir():
                raise unavailable(error) from error
            return None
        except OSError as error:
            raise unavailable(error) from error


def write_synced(path: Path, data: bytes) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_directory(folder: Path) -> None:
    """Writes the entries of a folder to disk. Otherwise a power cut may lose the name of a new file."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def unavailable(error: OSError) -> StoreUnavailable:
    return StoreUnavailable(f"the archive is not available: {error.strerror}")
