"""One game as one compressed file of JSON lines: what it is, all that was kept of it, and a check sum.

The first line has what lists show, so that a list need not read on.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Iterator
from typing import Any

from gamehost.play.ports.archive import DamagedArchive
from gamehost.play.ports.event_log import AnsweredRequest, RequestKey, WholeGame

FORMAT, FORMAT_VERSION = "shedu-archive", 1


def encode(kept: WholeGame) -> bytes:
    """The same game gives the same bytes."""
    text = "".join(json.dumps(row) + "\n" for row in file_rows(kept)).encode()
    check = json.dumps({"sha256": hashlib.sha256(text).hexdigest()}) + "\n"
    return gzip.compress(text + check.encode(), mtime=0)


def file_rows(kept: WholeGame) -> Iterator[dict[str, Any]]:
    head = {"gameId": kept.game, "version": kept.version, "summary": base64_text(kept.summary)}
    yield {"format": FORMAT, "formatVersion": FORMAT_VERSION, **head}
    yield {"seed": base64_text(kept.seed)}
    for each in kept.requests:
        told = {"request": each.request.id, "fingerprint": base64_text(each.request.fingerprint)}
        yield {**told, "first": each.first, "last": each.last}
    yield from ({"event": base64_text(event)} for event in kept.events)


def decode(game: str, data: bytes) -> WholeGame:
    """Raises Damaged for anything but what `encode` made of this game."""
    try:
        *lines, check = gzip.decompress(data).splitlines(keepends=True)
        if json.loads(check)["sha256"] != hashlib.sha256(b"".join(lines)).hexdigest():
            raise ValueError("the check sum is another")
        head, seed, *rest = map(json.loads, lines)
        kept = WholeGame(
            check_header(game, head)["gameId"],
            [base64.b64decode(row["event"]) for row in rest if "event" in row],
            base64_bytes(seed["seed"]),
            base64_bytes(head["summary"]),
            [answered_request(row) for row in rest if "request" in row],
        )
        if kept.version != head["version"]:
            raise ValueError("events are missing")
    except (OSError, EOFError, ValueError, LookupError, TypeError, zlib.error) as error:
        raise damaged(game) from error
    return kept


def decode_summary(game: str, data: bytes) -> bytes | None:
    """Of the beginning of a file, at least its first line."""
    try:
        with gzip.open(io.BytesIO(data)) as text:
            return base64_bytes(check_header(game, json.loads(text.readline()))["summary"])
    except (OSError, EOFError, ValueError, LookupError, TypeError, zlib.error) as error:
        raise damaged(game) from error


def check_header(game: str, head: Any) -> Any:
    if (head["format"], head["formatVersion"], head["gameId"]) != (FORMAT, FORMAT_VERSION, game):
        raise ValueError("a file of another kind, or of another game")
    return head


def damaged(game: str) -> DamagedArchive:
    return DamagedArchive(f"what was archived of game {game} cannot be read")


def answered_request(row: dict[str, Any]) -> AnsweredRequest:
    request = RequestKey(row["request"], base64.b64decode(row["fingerprint"]))
    return AnsweredRequest(request, row["first"], row["last"])


def base64_text(value: bytes | None) -> str | None:
    return None if value is None else base64.b64encode(value).decode()


def base64_bytes(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)
