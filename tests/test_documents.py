"""Tests that the help has every setting, and that READMEs, manifests and code have the same numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gamehost.api.pipeline.dispatch import MAX_REQUEST_BYTES
from gamehost.api.transports.grpc import GrpcSettings
from gamehost.api.transports.header_limit import MAX_HEADER_BYTES
from gamehost.settings import LIMITS, Settings
from support.process import shedu_here

ROOT = Path(__file__).resolve().parents[1]
SERVICE, CLUSTER = ROOT / "service" / "OPERATIONS.md", ROOT / "k8s" / "README.md"
PAGES = [
    *ROOT.glob("*.md"),
    *ROOT.glob(".github/*.md"),
    *ROOT.glob("clients/*.md"),
    *(path for path in ROOT.glob("service/*.md") if path.name != "CHANGELOG.md"),
    *ROOT.glob("service/gamehost/**/*.md"),
]
FIGURE = r"(\d[\d,]*(?:\.\d+)?)"
# `SHEDU_STREAMS` (5,000); 5,000 streams (`SHEDU_STREAMS`); SHEDU_STREAMS (5000)
TOLD = re.compile(rf"`?SHEDU_([A-Z_]+)`? \({FIGURE}[ )]|{FIGURE}(?: [\w ]{{1,30}})? \(`SHEDU_([A-Z_]+)`")
# SHEDU_STREAMS=5000; {name: SHEDU_STREAMS, value: "5000"}
SET = re.compile(r"\bSHEDU_([A-Z_]+)(?:=|, value: )\"?([^\s\"}]+)")
HELP = "shedu serve --help"


def label(document: Path | str) -> str:
    return str(document.relative_to(ROOT)) if isinstance(document, Path) else "help"


def help_text() -> str:
    return shedu_here("serve", "--help", COLUMNS="200").stdout


def figures(text: str) -> Iterator[tuple[str, float]]:
    """Yields settings with their numbers from sentences, and from tables with a column `default`."""
    for name, after, before, other in TOLD.findall(text):
        yield (name or other).lower(), number(after or before)
    for table in re.findall(r"^\|[^\n]*\| default \|.*?(?=\n\n|\Z)", text, re.MULTILINE | re.DOTALL):
        for line in table.splitlines()[2:]:
            names, defaults = line.split("|")[1:3]
            named = re.findall(r"`(?:SHEDU_)?([A-Z_]+)`", names)
            for name, figure in zip(named, re.findall(FIGURE, defaults), strict=False):
                yield name.lower(), number(figure)


def number(text: str) -> float:
    return float(text.replace(",", ""))


def default(name: str) -> Any:
    """Returns the default of a setting; of a limit, the default of a public service."""
    return LIMITS.get(name, Settings.model_fields[name].default)


def set_by_manifests() -> dict[str, set[str]]:
    """Returns the values of settings in the manifests, by name."""
    found = defaultdict(set)
    for path in (ROOT / "k8s").rglob("*"):
        if path.suffix in {".env", ".yaml"}:
            for name, value in SET.findall(path.read_text()):
                found[name.lower()].add(value)
    return found


def test_every_setting_is_in_the_help() -> None:
    text = help_text()

    # An option that may be repeated has its name in the singular.
    options = {name: re.sub("ie?s$|s$", "", f"--{name.replace('_', '-')}") for name in Settings.model_fields}
    missing = [name for name in options if options[name] not in text and f"SHEDU_{name.upper()}" not in text]

    assert [] == missing


def test_every_setting_without_an_option_has_a_sentence_in_the_help() -> None:
    bare = re.findall(r"^\W*(SHEDU_[A-Z_]+)(?: \([\d.]+\))?\W*$", help_text(), re.MULTILINE)

    assert [] == bare


@pytest.mark.parametrize("document", [SERVICE, HELP], ids=label)
def test_every_limit_is_told_with_its_default(document: Path | str) -> None:
    text = document.read_text() if isinstance(document, Path) else help_text()

    told = dict(figures(text))

    assert LIMITS == {name: told.get(name) for name in LIMITS}


@pytest.mark.parametrize("path", [*PAGES, HELP], ids=label)
def test_what_is_told_of_a_setting_is_its_default(path: Path | str) -> None:
    text = path.read_text() if isinstance(path, Path) else help_text()

    wrong = [(name, told, default(name)) for name, told in figures(text) if told != default(name)]

    assert [] == wrong, "setting, documented value, default"


def test_what_is_told_of_a_cluster_is_what_its_manifests_set_or_the_default() -> None:
    manifests = set_by_manifests()

    told = list(figures(CLUSTER.read_text()))

    applies = {name: {float(value) for value in manifests[name]} or {default(name)} for name, _ in told}
    assert [] == [(name, figure, applies[name]) for name, figure in told if {figure} != applies[name]]
    assert {"streams", "streams_per_caller"} <= applies.keys()


def test_manifests_leave_limits_as_the_manual_tells_them() -> None:
    manifests = set_by_manifests()

    changed = {name: manifests[name] for name in LIMITS if {*map(float, manifests[name])} - {default(name)}}

    told = {"connections_per_address": {"0"}}  # all connections of a gateway have one address
    assert told == changed, "document them in k8s/README.md, and compare them here"


def test_limits_that_nobody_sets_are_the_same_in_both() -> None:
    sizes = [MAX_REQUEST_BYTES, MAX_HEADER_BYTES, GrpcSettings().max_metadata_bytes]
    request, head, metadata = (f"{size // 1024} KiB" for size in sizes)

    assert f"Requests have at most {request}, headers {head} (gRPC {metadata})" in SERVICE.read_text()
    assert f"| a request | {request}," in CLUSTER.read_text()
    assert f"| request line and headers, metadata | {head}, {metadata} |" in CLUSTER.read_text()
