"""Checks the name of a new title, and derives the names in its files from it."""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from string import ascii_uppercase

from gamehost.rules.catalog import CATALOG
from shedu.v1 import game_pb2

LONGEST = 30
SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*")
# Words that cannot be a package, a field or a module in one of: proto, TypeScript, Go, Java, Rust.
WORDS = """
    abstract any as assert async await bool boolean box break byte bytes case catch chan char class const
    continue crate debugger declare default defer delete do double dyn else enum export extends extension
    extensions extern fallthrough false final finally float fn for from func function global go goto if impl
    implements import in instanceof int interface internal let long loop map match max message mod module move
    mut native new nil none null oneof option optional override package private protected public pub range ref
    repeated required reserved return returns rpc rules select self service short static str stream strictfp
    string struct super switch synchronized syntax this throw throws to trait transient true try type typeof
    unsafe unsized use var virtual void volatile weak where while with yield
"""
RESERVED = frozenset(WORDS.split())
# Packages and folders that exist beside those of titles.
FOLDERS = frozenset({"aio", "blocking", "golden", "storage", "titles", "v1"})
UNIONS = (game_pb2.Options, game_pb2.Action, game_pb2.Event, game_pb2.View)


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a title in its files."""

    title: str  # high_card
    rule: str  # HC, the letters before the numbers of its rules

    @property
    def replacements(self) -> dict[str, str]:
        """The names in the template, each with its replacement."""
        words = self.title.split("_")
        return {
            "example_title": self.title,
            "EXAMPLE_TITLE": self.title.upper(),
            "ExampleTitle": "".join(word.capitalize() for word in words),
            "Example Title": " ".join(word.capitalize() for word in words),
            "XT-": f"{self.rule}-",
            "xt_": f"{self.rule.lower()}_",
        }


def problem_with(name: str, taken: Collection[str] = tuple(CATALOG)) -> str | None:
    """Return why a title cannot have this name, or None."""
    if not SNAKE_CASE.fullmatch(name):
        form = "small letters and digits, each word beginning with a letter, as in high_card"
        return f"{name!r} is not in snake_case: write {form}"
    if len(name) > LONGEST:
        return f"{name} has {len(name)} letters; at most {LONGEST} are allowed"
    if name in taken:
        return f"there is already a title {name}"
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        return f"{name} is a keyword of Python; choose another name"
    if name in RESERVED or name in FOLDERS:
        return f"{name} is a reserved word of the contract or of a client; choose another name"
    used = {field.name for union in UNIONS for field in union.DESCRIPTOR.fields}
    if name in used - {*taken}:
        return f"{name} is a field of the messages in game.proto; choose another name"
    for other in taken:
        # Go and Java write packages without underscores.
        if name.replace("_", "") == other.replace("_", ""):
            return f"{name} and the title {other} have the same package in Go; choose another name"
    return None


def title_names(title: str) -> Names:
    """Return the names of a new title; the letters of its rules are those of no other title."""
    used = {rule.partition("-")[0] for rules in CATALOG.values() for rule in rules.texts}
    return Names(title, next(letters for letters in _letters(title) if letters not in used))


def _letters(title: str) -> Iterator[str]:
    """Yield pairs of letters, the most natural ones first."""
    words = [word for part in title.upper().split("_") if (word := re.sub("[0-9]", "", part))]
    if len(words) > 1:
        yield words[0][0] + words[1][0]
    yield from (words[0][0] + letter for letter in "".join(words)[1:])
    yield from (first + second for first in words[0][0] + ascii_uppercase for second in ascii_uppercase)
