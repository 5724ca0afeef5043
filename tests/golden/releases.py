"""The stored logs of each release, with the views that the release showed of them.

    PYTHONPATH=service:clients/python:tests python -m golden.releases

records the logs of the current release, once. Recordings are never changed: every later release must read
them. A release has two files in `releases/`:

- `<release>.zip` has two members for each log: `<title>/<name>.json.gz`, as the archive keeps a game, and
  `<title>/<name>.seen.gz`, the views of all viewers at some versions, and the whole state.
- `<release>.json`, its manifest, has the titles and the table events of that release, and the check sum of
  each member and of each golden game (`<title>/<name>.jsonl`) that it had.

Later releases may have more titles and table events, so a manifest lists what its own release had.
The golden games of every title are recorded, and each scenario that does not depend on the title is recorded
once, with one title after the other. `releases/previous.json` names the commit of the release that must
serve beside this one.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict

from gamehost import __version__
from gamehost.codec.mirror import snake
from gamehost.codec.store_codec import StoreCodec
from gamehost.play.ports.event_log import WholeGame
from gamehost.play.table.events import TABLE_EVENTS
from gamehost.play.table.table import Table
from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import Seat
from gamehost.stores.archive.file_format import decode, encode
from gamehost.stores.memory import MemoryEventStore
from shedu.v1 import game_pb2
from support.service import Service

from .games import golden_name, golden_path, golden_paths
from .scenarios import SCENARIOS, served

RELEASES = Path(__file__).parent / "releases"
LOG, SEEN = ".json.gz", ".seen.gz"
LOOKS = 6
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # a fixed date, so that the same members give the same zip file


@dataclass(frozen=True)
class Log:
    """A recorded log; `name` is `<title>/<name>`."""

    release: str
    name: str
    packed: bytes
    seen_then: bytes

    @property
    def title(self) -> str:
        return self.name.partition("/")[0]

    @cached_property
    def kept(self) -> WholeGame:
        head = json.loads(gzip.decompress(self.packed).split(b"\n", 1)[0])
        return decode(head["gameId"], self.packed)

    @cached_property
    def seen(self) -> dict[str, Any]:
        seen: dict[str, Any] = json.loads(gzip.decompress(self.seen_then))
        return seen

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of its events: table events, and the title for all events of its rules."""
        found = (game_pb2.Event.FromString(event).WhichOneof("kind") for event in self.kept.events)
        return frozenset(str(kind) for kind in found)


@dataclass(frozen=True)
class Recording:
    """The recording of a release: the members of its zip file, and its manifest."""

    release: str
    members: Mapping[str, bytes]
    manifest: Mapping[str, Any]

    @cached_property
    def logs(self) -> tuple[Log, ...]:
        names = [name.removesuffix(LOG) for name in sorted(self.members) if name.endswith(LOG)]
        seen = {name: self.members.get(f"{name}{SEEN}", b"") for name in names}
        return tuple(Log(self.release, name, self.members[f"{name}{LOG}"], seen[name]) for name in names)

    def write(self, folder: Path = RELEASES) -> None:
        (folder / f"{self.release}.zip").write_bytes(packed(self.members))
        (folder / f"{self.release}.json").write_text(json.dumps(self.manifest, indent=1) + "\n")


def released() -> list[str]:
    return sorted(path.stem for path in RELEASES.glob("*.zip"))


def load(release: str, folder: Path = RELEASES) -> Recording:
    manifest = json.loads((folder / f"{release}.json").read_text())
    return Recording(release, unpacked((folder / f"{release}.zip").read_bytes()), manifest)


def packed(members: Mapping[str, bytes]) -> bytes:
    """Returns a zip file that stores these members, which are already compressed."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as pack:
        for name in sorted(members):
            pack.writestr(zipfile.ZipInfo(name, LONG_AGO), members[name])
    return file.getvalue()


def unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as pack:
        return {name: pack.read(name) for name in pack.namelist()}


def manifest_of(members: Mapping[str, bytes], golden: Mapping[str, bytes]) -> dict[str, Any]:
    """Returns the manifest of a release: its titles, table events and check sums at that time."""
    return {
        "titles": sorted(CATALOG),
        "table_events": sorted(table_events()),
        "logs": sums(members),
        "golden_games": sums(golden),
    }


def table_events() -> set[str]:
    """Returns the kinds of events that do not belong to a title."""
    return {snake(kind.__name__) for kind in TABLE_EVENTS}


def golden_games() -> dict[str, bytes]:
    return {golden_name(path): path.read_bytes() for path in golden_paths()}


def sums(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())}


def uncovered(recording: Recording) -> Iterator[str]:
    """Yields titles and events of the manifest that occur in no log of the release."""
    played = {log.title for log in recording.logs if log.title in log.kinds}
    told = {kind for log in recording.logs for kind in log.kinds}
    yield from (
        f"no log of the title {title}" for title in recording.manifest["titles"] if title not in played
    )
    events = recording.manifest["table_events"]
    yield from (f"no log with the event {event}" for event in events if event not in told)


def spoilt(
    recording: Recording, golden: Mapping[str, bytes], titles: Iterable[str], events: Iterable[str]
) -> Iterator[str]:
    """Yields each problem of a recording: a lost or changed file, an unknown title or table event."""
    yield from differing("member", recording.manifest["logs"], sums(recording.members))
    had = recording.manifest["golden_games"]
    yield from differing(
        "golden game", had, {name: check for name, check in sums(golden).items() if name in had}
    )
    yield from uncovered(recording)
    for title in sorted({*recording.manifest["titles"]} - {*titles}):
        yield f"the title {title} is unknown now"
    for event in sorted({*recording.manifest["table_events"]} - {*events}):
        yield f"the event {event} is unknown now"


def differing(kind: str, then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    for name in sorted({*then, *now}):
        if name not in now:
            yield f"the {kind} {name} is lost"
        elif name not in then:
            yield f"the {kind} {name} was not recorded"
        elif then[name] != now[name]:
            yield f"the {kind} {name} has changed"


def kept_for_ever(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Returns the files below `tests`, by path, that no later commit may change.

    Zip files are compared by their members. The first release had a folder where later ones have a zip file,
    and recorded games in `golden/<title>`, where later ones have them in `titles/<title>/golden`.
    """
    kept = {}
    files = {path.removeprefix("golden/"): data for path, data in files.items()}
    for path, data in files.items():
        match Path(path).parts:
            case ["titles", title, "golden", name] if name.endswith(".jsonl"):
                kept[f"{title}/{name}"] = data
            case ["releases", pack] if pack.endswith(".zip"):
                release = pack.removesuffix(".zip")
                kept |= {f"releases/{release}/{name}": member for name, member in unpacked(data).items()}
            case ["releases", name] if name.endswith(".json") and f"releases/{Path(name).stem}.zip" in files:
                kept[path] = data
            case ["releases", _, _, name] if name.endswith(".gz"):
                kept[path] = data
            case [_, name] if name.endswith(".jsonl"):
                kept[path] = data
    return kept


async def stored(kept: WholeGame) -> MemoryEventStore:
    store = MemoryEventStore()
    await store.append(kept.game, kept.events, expected=0, seed=kept.seed, summary=kept.summary)
    return store


@dataclass(frozen=True)
class Reading:
    """A log as this release reads it: the service that has it, its table, and the views."""

    log: Log
    service: Service
    table: Table
    seen: dict[str, Any]


READINGS: dict[Log, Reading] = {}


async def reading(log: Log) -> Reading:
    """Folds a log, once for all checks of a process."""
    if log not in READINGS:
        service = Service(await stored(log.kept))
        table = await service.application.tables.current(log.kept.game)
        READINGS[log] = Reading(log, service, table, await sights(service, log.kept))
    return READINGS[log]


async def sights(service: Service, kept: WholeGame) -> dict[str, Any]:
    """Returns what this release shows every viewer of a stored log, and its whole state."""
    versions = sorted({1, *range(1, kept.version, max(1, kept.version // LOOKS)), kept.version})
    tables = [await service.application.tables.at_version(kept.game, version) for version in versions]
    return {str(table.version): sight(service.codec, table) for table in tables}


def sight(codec: StoreCodec, table: Table) -> dict[str, Any]:
    eyes = [None, *map(Seat, range(len(table.chairs)))]
    state = None if table.state is None else codec.titles[table.rules.title].state.encode(table.state)
    return {
        "views": [plain(codec.renderer.view(table, seat)) for seat in eyes],
        "state": None if state is None else plain(state),
        "owners": [chair.caller_id for chair in table.chairs],
    }


def plain(message: Any) -> Any:
    return MessageToDict(message, preserving_proto_field_name=True)


def lost(then: Any, now: Any, where: str = "") -> Iterator[str]:
    """Yields values that were shown then and are missing or different now; additional values are allowed."""
    if isinstance(then, dict) and isinstance(now, dict):
        for name, value in then.items():
            yield from lost(value, now.get(name), f"{where}.{name}")
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for number, (old, new) in enumerate(zip(then, now, strict=True)):
            yield from lost(old, new, f"{where}[{number}]")
    elif then != now:
        yield f"{where}: {then} then, {now} now"


async def recorded(release: str, games: Iterable[str]) -> Recording:
    """Records these golden games and every scenario with this release."""
    members: dict[str, bytes] = {}
    for name in games:
        members |= await kept_as(
            name.removesuffix(".jsonl"), *await served(golden_path(*name.removesuffix(".jsonl").split("/")))
        )
    for (name, scenario), title in zip(SCENARIOS.items(), cycle(CATALOG), strict=False):
        members |= await kept_as(f"{title}/{name}", *await scenario(title))
    return Recording(release, members, manifest_of(members, golden_games()))


async def kept_as(name: str, service: Service, game_id: str) -> dict[str, bytes]:
    """Returns the members of a log; its views come from another service that reads it from the store."""
    kept = await service.store.whole_game(game_id)
    assert kept is not None
    seen = await sights(Service(await stored(kept)), kept)
    seen_then = gzip.compress(json.dumps(seen).encode(), mtime=0)
    return {f"{name}{LOG}": encode(kept), f"{name}{SEEN}": seen_then}


def main(release: str = __version__, folder: Path = RELEASES) -> None:
    if (folder / f"{release}.zip").exists():
        raise SystemExit(f"the logs of {release} are recorded, and are never recorded again")
    recording = asyncio.run(recorded(release, sorted(golden_games())))
    if missing := sorted(uncovered(recording)):
        raise SystemExit(f"not recorded, because something would be missing: {', '.join(missing)}")
    recording.write(folder)


if __name__ == "__main__":
    main()
