"""Writes the proto files of one title: its public messages, and its state, which only the store reads."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from gamehost.rules.catalog import PACKAGE, title_module
from gamehost.rules.kit import AnyRules

from .declarations import TitleProblem, file_text, qualified, reached
from .declaring import Declarer
from .numbering import numbered
from .reading import ProtoFile, declared_in
from .shapes import WireTypes
from .unions import with_title

PROTO = Path(__file__).resolve().parents[1]
BUF = Path(sys.executable).parent / "buf"
GAME = "shedu/v1/game.proto"


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


def title_files(title: str, folder: Path = PROTO) -> dict[str, str]:
    """The text of each file of the contract that changes for a title, by path below the folder.

    Raises TitleProblem if there is no such title, or as `contract_files` does.
    """
    return contract_files(_rules(title), _wire_types(title), folder)


def contract_files(rules: AnyRules, wire_types: WireTypes, folder: Path) -> dict[str, str]:
    """The text of each file of the contract that changes for some rules, by path below the folder.

    Raises TitleProblem if a type cannot be mirrored, or if the result would break the contract.
    """
    title = rules.title
    with tempfile.TemporaryDirectory() as made:
        work = Path(made) / "proto"
        shutil.copytree(folder, work, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
        before = Path(made) / "before.binpb"
        _buf(work, title, "build", "--as-file-descriptor-set", "-o", str(before))
        files = _files(before, work)
        for path, text in _texts(rules, wire_types, files).items():
            (work / path).parent.mkdir(parents=True, exist_ok=True)
            (work / path).write_text(text)
        _buf(work, title, "format", "-w")
        _buf(work, title, "lint")
        _buf(work, title, "breaking", "--against", str(before))
        paths = (str(path.relative_to(work)) for path in work.rglob("*.proto"))
        texts = {path: (work / path).read_text() for path in sorted(paths)}
    return {path: text for path, text in texts.items() if _content(folder / path) != text}


def _texts(rules: AnyRules, wire_types: WireTypes, files: Mapping[str, ProtoFile]) -> dict[str, str]:
    paths = TitlePaths(rules.title)
    existing = declared_in(files, paths.public, paths.stored)
    declarer = Declarer(rules.title, existing, wire_types)
    declarer.options(rules.options)
    declarer.actions(rules.actions)
    declarer.events(rules.events)
    declarer.view(rules.views)
    public = set(declarer.declared)
    declarer.state(type(rules.blank))
    made = numbered(rules.title, declarer.declared, existing)
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
    titles = sorted(path.parent.name for path in _titles_folder().glob("*/rules"))
    if title not in titles:
        raise TitleProblem(f"There is no title {title}: service/gamehost/titles has {', '.join(titles)}.")
    rules: AnyRules = import_module(f"{PACKAGE}.{title}.rules").RULES
    if rules.title != title:
        fix = f"set `title = {title!r}` in its rules"
        raise TitleProblem(f"{title}: the rules call themselves {rules.title}: {fix}.")
    return rules


def _titles_folder() -> Path:
    return Path(import_module(PACKAGE).__path__[0])


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
        raise TitleProblem(f"{title}: `buf {arguments[0]}` refuses its proto:\n{done.stdout}")


def _content(path: Path) -> str | None:
    return path.read_text() if path.exists() else None
