"""Every sentence the web client may have to say, by id, with its English: of the page itself and of the server."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import AnyRules

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
SOURCES = FOLDER / "src"
RULES = ROOT / "service" / "gamehost" / "rules"
# `say("id", "English", …)`, over as many lines as it takes.
SAID = re.compile(r'\bsay\(\s*"([^"]+)",\s*"((?:[^"\\]|\\.)*)"')


def catalogue(language: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads((SOURCES / "text" / f"{language}.json").read_text("utf-8"))
    return found


def required() -> dict[str, str]:
    return {**of_the_page(), **of_the_catalog(), **of_the_rules()}


def of_the_page() -> dict[str, str]:
    return {id: english for source in sources() for id, english in said(source)}


def said(source: str) -> Iterator[tuple[str, str]]:
    for id, english in SAID.findall(source):
        yield id, json.loads(f'"{english}"')


def sources() -> Iterator[str]:
    return (path.read_text("utf-8") for path in sorted(SOURCES.rglob("*.ts*")))


def of_the_catalog() -> dict[str, str]:
    """Titles and their options."""
    texts: dict[str, str] = {}
    for rules in CATALOG.values():
        texts[f"title.{rules.title}.summary"] = rules.summary
        for field in fields(rules.options):
            texts[f"option.{rules.title}.{field.name}"] = field.metadata["meaning"]
        texts |= {f"group.{group}": words for group, words in groups(rules)}
    return texts


def groups(rules: AnyRules) -> Iterator[tuple[str, str]]:
    """What the kinds of action are called, as the messages of the page name them."""
    for kind in rules.actions:
        name = kind.__name__
        words = re.sub(r"(?<!^)[A-Z]", lambda found: f" {found[0].lower()}", name)
        yield f"{camel(rules.title)}.{name[0].lower()}{name[1:]}", words


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.title() for part in rest)


def of_the_rules() -> dict[str, str]:
    """What `text`, `IllegalAction` and `Outcome` are called with, found in the source of the rules."""
    texts: dict[str, str] = {}
    for path in sorted(RULES.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                texts |= dict(of_call(node))
    return texts


def of_call(call: ast.Call) -> Iterator[tuple[str, str]]:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    words = [part.value for part in call.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    if name == "text" and len(words) == 2:
        yield words[0], words[1]


def options_with_choices(rules: AnyRules) -> Mapping[str, Any]:
    return {field.name: field.default for field in fields(rules.options)}
