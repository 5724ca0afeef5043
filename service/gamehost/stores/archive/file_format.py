"""The format of an archived game: a gzip file of JSON lines, with a checksum in the last line.

The first line contains the summary that lists show, so that a list reads only the beginning of each file.
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


def encode(game: WholeGame) -> bytes:
    """Encodes a game. The result is deterministic: `mtime=0` keeps the time out of the gzip header."""
    text = "".join(json.dumps(row) + "\n" for row in file_rows(game)).encode()
    check = json.dumps({"sha256": hashlib.sha256(text).hexdigest()}) + "\n"
    return gzip.compress(text + check.encode(), mtime=0)


def file_rows(game: WholeGame) -> Iterator[dict[str, Any]]:
    header = {"gameId": game.game, "version": game.version, "summary": base64_text(game.summary)}
    yield {"format": FORMAT, "formatVersion": FORMAT_VERSION, **header}
    yield {"seed": base64_text(game.seed)}
    for each in game.requests:
        request = {"request": each.request.id, "fingerprint": base64_text(each.request.fingerprint)}
        yield {**request, "first": each.first, "last": each.last}
    yield from ({"event": base64_text(event)} for event in game.events)


def decode(game: str, data: bytes) -> WholeGame:
    """Decodes a game. Raises DamagedArchive for anything but what `encode` made of this game."""
    try:
        *lines, check = gzip.decompress(data).splitlines(keepends=True)
        if json.loads(check)["sha256"] != hashlib.sha256(b"".join(lines)).hexdigest():
            raise ValueError("the checksum does not match")
        header, seed, *rest = map(json.loads, lines)
        decoded = WholeGame(
            check_header(game, header)["gameId"],
            [base64.b64decode(row["event"]) for row in rest if "event" in row],
            optional_bytes(seed["seed"]),
            optional_bytes(header["summary"]),
            [parse_request_row(row) for row in rest if "request" in row],
        )
        if decoded.version != header["version"]:
            raise ValueError("events are missing")
    except (OSError, EOFError, ValueError, LookupError, TypeError, zlib.error) as error:
        raise damaged(game) from error
    return decoded


def decode_summary(game: str, data: bytes) -> bytes | None:
    """Decodes the summary from the beginning of a file that contains at least its first line."""
    try:
        with gzip.open(io.BytesIO(data)) as text:
            return optional_bytes(check_header(game, json.loads(text.readline()))["summary"])
    except (OSError, EOFError, ValueError, LookupError, TypeError, zlib.error) as error:
        raise damaged(game) from error


def check_header(game: str, header: Any) -> Any:
    if (header["format"], header["formatVersion"], header["gameId"]) != (FORMAT, FORMAT_VERSION, game):
        raise ValueError("a file of another format, or of another game")
    return header


def damaged(game: str) -> DamagedArchive:
    return DamagedArchive(f"the archived game {game} is damaged")


def parse_request_row(row: dict[str, Any]) -> AnsweredRequest:
    request = RequestKey(row["request"], base64.b64decode(row["fingerprint"]))
    return AnsweredRequest(request, row["first"], row["last"])


def base64_text(value: bytes | None) -> str | None:
    return None if value is None else base64.b64encode(value).decode()


def optional_bytes(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)
