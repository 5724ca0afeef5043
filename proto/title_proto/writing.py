"""Writes the proto files of one title: its public messages, and its state, which only the store reads."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from gamehost.rules.catalog import CATALOG, title_module
from gamehost.rules.kit import AnyRules

from .declarations import TitleProblem, file_text, qualified, reached
from .declaring import Declarer
from .numbering import check_stored, numbered, removed_names
from .reading import ProtoFile, declared_in
from .shapes import WireTypes
from .unions import with_title

PROTO = Path(__file__).resolve().parents[1]
BUF = Path(sys.executable).parent / "buf"
GAME = "shedu/v1/game.proto"
RELEASES = PROTO.parent / "tests" / "golden" / "releases"


@dataclass(frozen=True, slots=True)
class TitlePaths:
    """The files and packages of a title."""

    title: str

    @property
    def public(self) -> str:
        return f"shedu/{self.title}/v1/{self.title}.proto"

    @property
    def package(self) -> str:
        return f"shedu.{self.title}.v1"

    @property
    def stored(self) -> str:
        return f"shedu/storage/{self.title}/v1/state.proto"

    @property
    def stored_package(self) -> str:
        return f"shedu.storage.{self.title}.v1"


def title_files(title: str, folder: Path = PROTO, *, is_new: bool = False) -> dict[str, str]:
    """The text of each file of the contract that changes for a title, by path below the folder.

    Raises TitleProblem if there is no such title, or as `contract_files` does.
    """
    if is_new and (release := _first_release(title)):
        fix = "games of it are stored, so its numbers must stay; leave out --new"
        raise TitleProblem(f"title {title}, --new: release {release} has this title; {fix}.")
    return contract_files(_rules(title), _wire_types(title), folder, is_new=is_new)


def contract_files(
    rules: AnyRules, wire_types: WireTypes, folder: Path, *, is_new: bool = False
) -> dict[str, str]:
    """The text of each file of the contract that changes for some rules, by path below the folder.

    `is_new` numbers all messages of the title from 1, as if it had none: no stored game may have them. Raises
    TitleProblem if a type cannot be mirrored, or if the result would break the contract or stored games.
    """
    title = rules.title
    with tempfile.TemporaryDirectory() as made:
        work = Path(made) / "proto"
        shutil.copytree(folder, work, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
        before = Path(made) / "before.binpb"
        _buf(work, title, "build", "--as-file-descriptor-set", "-o", str(before))
        files = _files(before, work)
        for path, text in _texts(rules, wire_types, files, is_new=is_new).items():
            (work / path).parent.mkdir(parents=True, exist_ok=True)
            (work / path).write_text(text)
        _buf(work, title, "format", "-w")
        _buf(work, title, "lint")
        if not is_new:
            _buf(work, title, "breaking", "--against", str(before))
        paths = (str(path.relative_to(work)) for path in work.rglob("*.proto"))
        texts = {path: (work / path).read_text() for path in sorted(paths)}
    return {path: text for path, text in texts.items() if _content(folder / path) != text}


def _texts(
    rules: AnyRules, wire_types: WireTypes, files: Mapping[str, ProtoFile], *, is_new: bool
) -> dict[str, str]:
    paths = TitlePaths(rules.title)
    existing = {} if is_new else declared_in(files, paths.public, paths.stored)
    declarer = Declarer(rules.title, existing, wire_types)
    declarer.options(rules.options)
    declarer.actions(rules.actions)
    declarer.events(rules.events)
    declarer.view(rules.views)
    public = set(declarer.declared)
    declarer.state(type(rules.blank))
    made = numbered(rules.title, declarer.declared, existing)
    check_stored(rules.title, made, existing)
    for removed in removed_names(made, existing):
        print(
            f"title {rules.title}, {removed} is gone; its number and its name stay reserved.", file=sys.stderr
        )
    public = reached(public, made)
    shown = [each for name, each in made.items() if name in public]
    stored = [qualified(each, public, paths.package) for name, each in made.items() if name not in public]
    name = f"{rules.name}. {rules.summary}"
    state = f"The stored state of {rules.name}. It is not part of the public contract."
    return {
        paths.public: file_text(paths.package, name, shown, []),
        paths.stored: file_text(paths.stored_package, state, stored, [paths.public]),
        GAME: with_title(files[GAME], rules.title, paths.public),
    }


def _rules(title: str) -> AnyRules:
    if title not in CATALOG:
        raise TitleProblem(f"There is no title {title}: service/gamehost/titles has {', '.join(CATALOG)}.")
    return CATALOG[title]


def _first_release(title: str) -> str:
    """The first release whose recorded games include the title, or an empty text."""
    for path in sorted(RELEASES.glob("[0-9]*.json")):
        if title in json.loads(path.read_text())["titles"]:
            return path.stem
    return ""


def _wire_types(title: str) -> WireTypes:
    return getattr(title_module(title, "wire_types"), "WIRE_TYPES", {})


def _files(image: Path, folder: Path) -> dict[str, ProtoFile]:
    descriptors = FileDescriptorSet.FromString(image.read_bytes())
    own = [file for file in descriptors.file if file.name.startswith("shedu/")]
    return {file.name: ProtoFile(file, (folder / file.name).read_text()) for file in own}


def _buf(folder: Path, title: str, *arguments: str) -> None:
    done = subprocess.run(
        [BUF, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise TitleProblem(f"title {title}, `buf {arguments[0]}` refuses its proto:\n{done.stdout}")


def _content(path: Path) -> str | None:
    return path.read_text() if path.exists() else None
