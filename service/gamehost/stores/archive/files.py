"""Games that are over, one compressed file each, in a folder that all processes share."""

from __future__ import annotations

import asyncio
import os
import time
import uuid
from pathlib import Path

from gamehost.play.ports.archive import DamagedArchive
from gamehost.play.ports.event_log import StoreUnavailable, WholeGame

from .file_format import decode, decode_summary, encode

HEAD = 16384  # bytes in which the first line of a file surely ends
STALE = 3600  # seconds after which a file that was not finished never will be
PARTS = "parts"


class FileArchive:
    """Implements the port `Archive`. A file appears whole, under its name, or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def put(self, kept: WholeGame) -> None:
        await asyncio.to_thread(self._put, kept)

    async def get(self, game: str) -> WholeGame | None:
        data = await asyncio.to_thread(self._read, game, -1)
        return None if data is None else decode(game, data)

    async def summary(self, game: str) -> bytes | None:
        data = await asyncio.to_thread(self._read, game, HEAD)
        return None if data is None else decode_summary(game, data)

    def prepare(self) -> None:
        """Make the folder, which nobody else may look into, and sweep out what a crash left there."""
        parts = self.folder / PARTS
        parts.mkdir(mode=0o700, parents=True, exist_ok=True)
        for part in parts.iterdir():
            if part.stat().st_mtime < time.time() - STALE:
                part.unlink(missing_ok=True)

    def path(self, game: str) -> Path:
        return self.folder / game[:2] / f"{game}.json.gz"

    def count(self) -> int:
        return sum(1 for _ in self.folder.glob("??/*.json.gz"))

    def _put(self, kept: WholeGame) -> None:
        data, path = encode(kept), self.path(kept.game)
        part = self.folder / PARTS / f"{kept.game}.{uuid.uuid4().hex}"
        try:
            path.parent.mkdir(mode=0o700, exist_ok=True)
            write_synced(part, data)
            if decode(kept.game, part.read_bytes()) != kept:
                raise DamagedArchive(f"game {kept.game} was not written as it is")
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
    """Also the name of a file must survive a power cut."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def unavailable(error: OSError) -> StoreUnavailable:
    return StoreUnavailable(f"the archive cannot be used: {error.strerror}")
