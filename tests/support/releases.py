"""The previous release, from the history of the repository."""

from __future__ import annotations

import json
import subprocess
import tarfile
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from support.process import ROOT

PREVIOUS = ROOT / "tests/golden/releases/previous.json"


def previous_commit() -> str:
    commit: str = json.loads(PREVIOUS.read_text())["commit"]
    return commit


def previous_titles() -> list[str]:
    """The titles that it hosted."""
    release = json.loads(PREVIOUS.read_text())["release"]
    titles: list[str] = json.loads(PREVIOUS.with_name(f"{release}.json").read_text())["titles"]
    return titles


def previous_release(folder: Path) -> Path:
    """Extracts the sources of the previous release into a folder."""
    with previous_archive("service", "clients/python") as sources:
        sources.extractall(folder, filter="data")
    return folder


def previous_files(folder: str) -> dict[str, bytes]:
    """Returns the files of the previous release below a folder, by their path in that folder."""
    with previous_archive(folder) as packed:
        members = {member.name: packed.extractfile(member) for member in packed if member.isfile()}
        return {name.removeprefix(f"{folder}/"): file.read() for name, file in members.items() if file}


def as_known_before(message: Message) -> Message:
    """Returns a message with only the fields that the previous release has; this one may have added some."""
    kind = _previous_messages().FindMessageTypeByName(message.DESCRIPTOR.full_name)
    known = GetMessageClass(kind).FromString(message.SerializeToString())
    known.DiscardUnknownFields()  # type: ignore[attr-defined]
    return known


@cache
def _previous_messages() -> DescriptorPool:
    pool = DescriptorPool()
    described = previous_files("clients/python")["shedu/descriptors.binpb"]
    for file in FileDescriptorSet.FromString(described).file:
        pool.Add(file)
    return pool


def previous_archive(*paths: str) -> tarfile.TarFile:
    """Returns these paths of the previous release; fails the test if the history does not have it."""
    commit = previous_commit()
    packed = git("archive", "--format=tar", commit, *paths)
    if packed.returncode:
        shallow = git("rev-parse", "--is-shallow-repository").stdout.strip() == b"true"
        why = "this clone is shallow: `git fetch --unshallow`" if shallow else packed.stderr.decode().strip()
        pytest.fail(f"the previous release, commit {commit} of {PREVIOUS.name}, is not in the history: {why}")
    return tarfile.open(fileobj=BytesIO(packed.stdout))


def git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True)
