"""The logs of each release, as its store kept them, with what was seen in them then.

    PYTHONPATH=service:clients/python:tests python -m golden.releases

records those of the release that is at hand, once. What is recorded stays for ever: every later release
must read it. `releases/previous.json` names the commit of the release that must serve beside this one.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict

from gamehost import __version__
from gamehost.codec.wire import WireCodec
from gamehost.play.ports import Kept
from gamehost.play.table import Table
from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import Seat
from gamehost.stores.archive_file import decode, encode
from gamehost.stores.memory import MemoryEventStore
from support.world import Service

from .games import FOLDER

RELEASES = FOLDER / "releases"
MANIFEST = RELEASES / "manifest.json"
LOOKS = 6


@dataclass(frozen=True)
class Log:
    """A recorded log. `seen` has what everybody saw at some versions, and the whole truth."""

    path: Path

    @property
    def name(self) -> str:
        return "/".join(self.path.relative_to(RELEASES).parts).removesuffix(".json.gz")

    @property
    def kept(self) -> Kept:
        data = self.path.read_bytes()
        head = json.loads(gzip.decompress(data).split(b"\n", 1)[0])
        return decode(head["gameId"], data)

    @property
    def seen(self) -> dict[str, Any]:
        seen: dict[str, Any] = json.loads(gzip.decompress(self._seen.read_bytes()))
        return seen

    @property
    def _seen(self) -> Path:
        return self.path.with_name(self.path.name.replace(".json.gz", ".seen.gz"))

    def write(self, kept: Kept, seen: dict[str, Any]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(encode(kept))
        self._seen.write_bytes(gzip.compress(json.dumps(seen).encode(), mtime=0))


def logs() -> list[Log]:
    return [Log(path) for path in sorted(RELEASES.glob("*/*/*.json.gz"))]


async def stored(kept: Kept) -> MemoryEventStore:
    store = MemoryEventStore()
    await store.append(kept.game, kept.events, expected=0, seed=kept.seed, summary=kept.summary)
    return store


async def sights(kept: Kept) -> dict[str, Any]:
    """What this release sees in a log."""
    service = Service(await stored(kept))
    versions = sorted({1, *range(1, kept.version, max(1, kept.version // LOOKS)), kept.version})
    tables = [await service.house.tables.at(kept.game, version) for version in versions]
    return {str(table.version): sight(service.codec, table) for table in tables}


def sight(codec: WireCodec, table: Table) -> dict[str, Any]:
    eyes = [None, *map(Seat, range(len(table.chairs)))]
    state = None if table.state is None else codec.titles[table.rules.title].state.encode(table.state)
    return {
        "views": [plain(codec.view(table, seat)) for seat in eyes],
        "state": None if state is None else plain(state),
        "owners": [chair.caller_id for chair in table.chairs],
    }


def plain(message: Any) -> Any:
    return MessageToDict(message, preserving_proto_field_name=True)


def lost(then: Any, now: Any, where: str = "") -> Iterator[str]:
    """What was seen then and is not now; more may be seen now."""
    if isinstance(then, dict) and isinstance(now, dict):
        for name, value in then.items():
            yield from lost(value, now.get(name), f"{where}.{name}")
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for number, (old, new) in enumerate(zip(then, now, strict=True)):
            yield from lost(old, new, f"{where}[{number}]")
    elif then != now:
        yield f"{where}: {then} then, {now} now"


def sums() -> dict[str, str]:
    """The check sum of every file that is kept for ever."""
    kept = [*FOLDER.glob("*/*.jsonl"), *RELEASES.glob("*/*/*.gz")]
    return {
        str(path.relative_to(FOLDER)): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(kept)
    }


async def record(release: str) -> None:
    from .scenarios import SCENARIOS, served

    for title in CATALOG:
        for path in sorted(FOLDER.glob(f"{title}/*.jsonl")):
            await keep(release, title, path.stem, *await served(path))
        for name, scenario in SCENARIOS.items():
            await keep(release, title, name, *await scenario(title))


async def keep(release: str, title: str, name: str, service: Service, game_id: str) -> None:
    kept = await service.store.whole(game_id)
    assert kept is not None
    Log(RELEASES / release / title / f"{name}.json.gz").write(kept, await sights(kept))


def main() -> None:
    if (RELEASES / __version__).exists():
        raise SystemExit(f"the logs of {__version__} are recorded, and are never recorded again")
    asyncio.run(record(__version__))
    known = json.loads(MANIFEST.read_text()) if MANIFEST.exists() else {}
    changed = {name for name, check in known.items() if sums().get(name) != check}
    if changed:
        raise SystemExit(f"recorded before, and changed since: {sorted(changed)}")
    MANIFEST.write_text(json.dumps(sums(), indent=1) + "\n")


if __name__ == "__main__":
    main()
