"""A bot's settings in a TOML file, so that `bot run my_bot.toml` needs no options.

bot = "my_bot.py"                   # beside this file
server = "grpcs://play.example.org"
token_file = "my_bot.key"
titles = ["tides", "stone_age"]
challenge = ["random", "greedy"]    # play new games against these levels; left out: wait for invitations
create = 10                         # so many for each title and level
at_once = 8
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .deciding import BadBot

SUFFIX = ".toml"
FILES = ("bot", "token_file")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and value != [] and all(_is_text(each) for each in value)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _is_seconds(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


Check = tuple[Callable[[object], bool], str]
TEXT: Check = (_is_text, "a text")
TEXTS: Check = (_are_texts, "a list of texts")
FLAG: Check = (_is_flag, "true or false")
COUNT: Check = (_is_count, "a whole number above 0")
SECONDS: Check = (_is_seconds, "a number above 0")

SETTINGS: Mapping[str, Check] = {
    "bot": TEXT,
    "server": TEXT,
    "token_file": TEXT,
    "name": TEXT,
    "titles": TEXTS,
    "challenge": TEXTS,
    "against": TEXTS,
    "join": TEXTS,
    "ladder": FLAG,
    "create": COUNT,
    "seats": COUNT,
    "games": COUNT,
    "at_once": COUNT,
    "threads": COUNT,
    "decision_seconds": SECONDS,
    "patience": SECONDS,
    "on_failure": (lambda value: value in ("first", "resign"), '"first" or "resign"'),
}


def is_config(file: Path) -> bool:
    return file.suffix == SUFFIX


def read_config(file: Path) -> dict[str, Any]:
    """Returns the settings of a file; paths in it are relative to its folder. Raises BadBot."""
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadBot(f"cannot read {file}: {error.strerror}") from error
    except ValueError as error:  # it is not TOML, or not UTF-8
        raise BadBot(f"{file} is not TOML: {error}") from error
    for name, value in found.items():
        _check(file, name, value)
    if "bot" not in found:
        raise BadBot(f'{file} names no bot: bot = "my_bot.py"')
    return found | {name: file.parent / found[name] for name in FILES if name in found}


def _check(file: Path, name: str, value: object) -> None:
    if name not in SETTINGS:
        raise BadBot(f"{file}: there is no setting {name}; there are {', '.join(SETTINGS)}")
    is_valid, wanted = SETTINGS[name]
    if not is_valid(value):
        raise BadBot(f"{file}: {name} must be {wanted}")
