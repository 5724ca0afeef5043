"""URL templates of google.api.http, matched against the undecoded path."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

from gamehost.play.errors import InvalidRequest

VARIABLE = re.compile(r"\{([\w.]+)(?:=([^}]*))?\}")
VERB = re.compile(r":(\w+)$")


@dataclass(frozen=True)
class Template:
    """A parsed template; `verb` is the custom verb after a colon in the last segment."""

    text: str
    pattern: re.Pattern[str]
    variables: tuple[str, ...]
    verb: str

    @property
    def slashes(self) -> int:
        """The number of slashes in paths that match, unless a variable spans several segments."""
        return VARIABLE.sub("", self.text).count("/")

    def match(self, path: str, verb: str) -> dict[str, str] | None:
        """Returns the decoded variables, or None if the path does not match.

        The path is matched before it is decoded, so that an encoded slash or colon is part of a value. A
        colon in a value must be written as %3A.
        """
        found = self.pattern.fullmatch(path) if verb == self.verb else None
        if found is None:
            return None
        return {
            name: decoded(name, value) for name, value in zip(self.variables, found.groups(), strict=True)
        }


def template(text: str) -> Template:
    """Parses a template such as `/v1/games/{game_id}:resign`."""
    verb = VERB.search(VARIABLE.sub("", text))
    plain = text.removesuffix(verb[0]) if verb else text
    pieces, at = [], 0
    for variable in VARIABLE.finditer(plain):
        pieces += [re.escape(plain[at : variable.start()]), f"({wildcards(variable[2] or '*')})"]
        at = variable.end()
    pattern = re.compile("".join([*pieces, wildcards(plain[at:])]))
    names = tuple(variable[1] for variable in VARIABLE.finditer(plain))
    return Template(text, pattern, names, verb[1] if verb else "")


def wildcards(text: str) -> str:
    """Returns the regular expression for segments in which * matches one segment and ** any number."""
    return "/".join(
        {"*": "[^/]+", "**": ".+"}.get(segment, re.escape(segment)) for segment in text.split("/")
    )


def split_verb(path: str) -> tuple[str, str]:
    """Splits `/v1/games/7:resign` into the path and the verb, which is empty if there is none."""
    head, slash, last = path.rpartition("/")
    value, _, verb = last.partition(":")
    return head + slash + value, verb


@lru_cache(maxsize=4096)
def decoded(name: str, value: str) -> str:
    try:
        return unquote(value, errors="strict")
    except UnicodeDecodeError:
        raise InvalidRequest(name, "is not UTF-8") from None
