"""Every sentence the web client may have to say, by id, with its English: the page's and the server's."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import get_args

from gamehost.bots.levels import BOTS
from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import AnyRules
from gamehost.rules.stone_age import legal as stone_age
from gamehost.rules.tigris.agenda import ConflictKind
from gamehost.rules.tigris_cards.model import Phase
from shedu.stone_age.v1 import stone_age_pb2
from shedu.tigris.v1 import tigris_pb2
from shedu.tigris_cards.v1 import tigris_cards_pb2

FOLDER = Path(__file__).resolve().parent
SOURCES = FOLDER / "src"
RULES = FOLDER.parents[1] / "service" / "gamehost" / "rules"
LANGUAGES = ("en", "pt", "es")
# `say("id", "English", …)`, over as many lines as it takes.
SAID = re.compile(r'\bsay\(\s*"([^"]+)",\s*"((?:[^"\\]|\\.)*)"')
REASON = re.compile(r"[A-Z]+(_[A-Z]+)+")
# Ends of a game that the table knows, whatever the title.
ENDS = ("ROUNDS_PLAYED", "RESIGNED", "TIMED_OUT", "EXPIRED", "AGREED", "DESERTED")


def catalogue(language: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads((SOURCES / "text" / f"{language}.json").read_text("utf-8"))
    return found


def required() -> dict[str, str]:
    """By id; English is empty where only the source of the rules knows it."""
    return {**of_the_rules(), **of_the_catalog(), **of_the_bots(), **of_the_page()}


def of_the_page() -> dict[str, str]:
    return {
        id: json.loads(f'"{english}"')
        for path in sorted(SOURCES.rglob("*.ts*"))
        for id, english in SAID.findall(path.read_text("utf-8"))
    }


def of_the_catalog() -> dict[str, str]:
    """Titles, their options, and what their kinds of action are called."""
    texts: dict[str, str] = {}
    for rules in CATALOG.values():
        texts[f"title.{rules.title}.summary"] = rules.summary
        texts |= dict(options(rules)) | dict(groups(rules))
    return texts


def of_the_bots() -> dict[str, str]:
    meanings = {f"bot.{level.name}": level.meaning for level in BOTS.values()}
    names = {f"bot.name.{name}": f"{name.capitalize()} bot" for name in BOTS}
    return meanings | names | {f"bot.level.{name}": name for name in BOTS}


def options(rules: AnyRules) -> Iterator[tuple[str, str]]:
    for field in fields(rules.options):
        id = f"option.{rules.title}.{field.name}"
        yield id, field.metadata["meaning"]
        if isinstance(field.default, Enum):
            yield from ((f"{id}.{choice.name}", choice.name) for choice in type(field.default))


def groups(rules: AnyRules) -> Iterator[tuple[str, str]]:
    """As the messages of the page name them."""
    first, *rest = rules.title.split("_")
    title = first + "".join(part.title() for part in rest)
    for kind in rules.actions:
        name = kind.__name__
        words = re.sub(r"(?<!^)[A-Z]", lambda found: f" {found[0].lower()}", name)
        yield f"group.{title}.{name[0].lower()}{name[1:]}", words


def of_the_rules() -> dict[str, str]:
    """Ids of texts, reasons of refusals and of ends, as they stand in the rules or are made there."""
    texts = dict.fromkeys([*made_ids(), *(f"outcome.{reason}" for reason in ends())], "")
    for path in sorted(RULES.rglob("*.py")):
        for word in words(ast.parse(path.read_text("utf-8"))):
            if re.fullmatch(rf"({'|'.join(CATALOG)})(\.[a-z_]+)+", word):
                texts[word] = ""
            elif REASON.fullmatch(word) and word.lower() not in CATALOG and word not in ENDS:
                texts[f"refusal.{word}"] = ""
    return texts


def made_ids() -> Iterator[str]:
    """Those that the rules put together."""
    yield from (f"stone_age.prompt.{name}" for name in stone_age.PROMPTS)
    yield from (f"tigris.prompt.{kind.name.lower()}" for kind in ConflictKind)
    yield from (f"tigris_cards.{snake(kind)}" for kind in CATALOG["tigris_cards"].actions)
    yield from (f"tigris_cards.asks.{snake(phase)}" for phase in get_args(Phase))


def ends() -> Iterator[str]:
    yield from ENDS
    for enum in (tigris_pb2.EndReason, tigris_cards_pb2.Ending, stone_age_pb2.EndReason):
        prefix = re.sub(r"(?<!^)(?=[A-Z])", "_", enum.DESCRIPTOR.name).upper()
        yield from (
            name.removeprefix(f"{prefix}_") for name, _ in enum.items() if not name.endswith("UNSPECIFIED")
        )


def snake(kind: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def words(tree: ast.AST) -> Iterator[str]:
    return (
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
