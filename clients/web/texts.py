"""Collects every text that the web client may show, by id, with its English."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import json
import re
from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from pathlib import Path
from types import ModuleType

from gamehost.bots.levels import LEVEL_BY_NAME
from gamehost.rules import kit
from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import AnyRules

FOLDER = Path(__file__).resolve().parent
SOURCES = FOLDER / "src"
TITLES = SOURCES / "titles"
LANGUAGES = ("en", "pt", "es")
# `say("id", "English", …)`, over as many lines as it takes.
SAID = re.compile(r'\bsay\(\s*"([^"]+)",\s*"((?:[^"\\]|\\.)*)"')
REASON = re.compile(r"[A-Z]+(_[A-Z]+)+")
# Ends of a game that do not depend on the title.
ENDS = ("ROUNDS_PLAYED", "RESIGNED", "TIMED_OUT", "EXPIRED", "AGREED", "DESERTED")
# Refusals that any title may give.
REFUSALS = ("GAME_OVER", "NOT_YOUR_DECISION", "WRONG_KIND_OF_ACTION")
# Names of the enum of a title's own ends in its proto.
END_ENUMS = ("EndReason", "Ending")

Catalogue = dict[str, dict[str, str]]


def catalogue(language: str) -> Catalogue:
    """The texts and words that all titles share."""
    return _read(SOURCES / "text" / f"{language}.json")


def title_catalogue(title: str, language: str) -> Catalogue | None:
    """The texts and words of one title; None where it has none in that language."""
    path = TITLES / title / "text" / f"{language}.json"
    return _read(path) if path.exists() else None


def _read(path: Path) -> Catalogue:
    found: Catalogue = json.loads(path.read_text("utf-8"))
    return found


def required() -> dict[str, str]:
    """The texts that all titles share; English is empty if only the source of the rules has it."""
    reasons = [f"outcome.{reason}" for reason in ENDS] + [f"refusal.{reason}" for reason in REFUSALS]
    kit_folder = Path(inspect.getfile(kit)).parent
    rules = rule_texts(kit_folder.glob("*.py"), "")
    return {**dict.fromkeys(reasons, ""), **rules, **bot_texts(), **page_texts()}


def required_of(title: str) -> dict[str, str]:
    """The texts of one title."""
    rules = CATALOG[title]
    folder = Path(inspect.getfile(type(rules))).parent
    made = dict.fromkeys([*composed_ids(title), *(f"outcome.{reason}" for reason in ends(title))], "")
    summary = {f"title.{title}.summary": rules.summary}
    own = {**made, **rule_texts(folder.rglob("*.py"), title), **summary, **dict(options(rules))}
    return {**own, **dict(groups(rules)), **board_texts(title)}


def page_texts() -> dict[str, str]:
    """The texts of the page itself, with those that boards use."""
    shared = _said(path for path in SOURCES.rglob("*.ts*") if TITLES not in path.parents)
    boards = _said(TITLES.rglob("*.ts*"))
    return shared | {id: english for id, english in boards.items() if id.startswith("web.")}


def board_texts(title: str) -> dict[str, str]:
    """The texts of a title's board; not those of another title whose modules the board uses."""
    said = _said((TITLES / title).rglob("*.ts*"))
    others = tuple(f"board.{other}." for other in CATALOG if other != title)
    return {id: english for id, english in said.items() if not id.startswith(("web.", *others))}


def _said(paths: Iterator[Path]) -> dict[str, str]:
    return {
        id: json.loads(f'"{english}"')
        for path in sorted(paths)
        for id, english in SAID.findall(path.read_text("utf-8"))
    }


def bot_texts() -> dict[str, str]:
    meanings = {f"bot.{level.name}": level.meaning for level in LEVEL_BY_NAME.values()}
    names = {f"bot.name.{name}": f"{name.capitalize()} bot" for name in LEVEL_BY_NAME}
    return meanings | names | {f"bot.level.{name}": name for name in LEVEL_BY_NAME}


def options(rules: AnyRules) -> Iterator[tuple[str, str]]:
    for field in fields(rules.options):
        id = f"option.{rules.title}.{field.name}"
        yield id, field.metadata["meaning"]
        if isinstance(field.default, Enum):
            yield from ((f"{id}.{choice.name}", choice.name) for choice in type(field.default))


def groups(rules: AnyRules) -> Iterator[tuple[str, str]]:
    """Yields the names of the kinds of action, with the ids that the page uses."""
    first, *rest = rules.title.split("_")
    title = first + "".join(part.title() for part in rest)
    for kind in rules.actions:
        name = kind.__name__
        words = re.sub(r"(?<!^)[A-Z]", lambda found: f" {found[0].lower()}", name)
        yield f"group.{title}.{name[0].lower()}{name[1:]}", words


def rule_texts(paths: Iterator[Path], title: str) -> dict[str, str]:
    """Ids of texts and reasons of refusals as they stand in modules of the rules."""
    texts: dict[str, str] = {}
    for path in sorted(paths):
        for word in words(ast.parse(path.read_text("utf-8"))):
            if title and re.fullmatch(rf"{title}(\.[a-z_]+)+", word):
                texts[word] = ""
            elif REASON.fullmatch(word) and word.lower() not in CATALOG and word not in (*ENDS, *REFUSALS):
                texts[f"refusal.{word}"] = ""
    return texts


def composed_ids(title: str) -> list[str]:
    """Ids that the rules of a title put together at run time, from `composed_ids.py` of its web folder."""
    path = TITLES / title / "composed_ids.py"
    return list(_module(path).composed_ids()) if path.exists() else []


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ends(title: str) -> Iterator[str]:
    """The reasons of ends that only this title knows, from the enum of its proto."""
    messages = importlib.import_module(f"shedu.{title}.v1.{title}_pb2")
    for enum in (getattr(messages, name) for name in END_ENUMS if hasattr(messages, name)):
        prefix = re.sub(r"(?<!^)(?=[A-Z])", "_", enum.DESCRIPTOR.name).upper()
        names = [name.removeprefix(f"{prefix}_") for name, _ in enum.items()]
        yield from (name for name in names if name != "UNSPECIFIED" and name not in ENDS)


def words(tree: ast.AST) -> Iterator[str]:
    return (
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
