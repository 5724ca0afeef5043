"""Calls to a server, and the error messages when they fail."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import shedu
from gamehost.codec.exported_game import ExportedGame

from .console import fail

CONNECT_SECONDS = 3.0  # seconds until a server must have answered


def exported(server: str, token_file: Path | None, game_id: str) -> ExportedGame:
    """Fetch a finished game with everything that the caller may see."""
    with (
        call_errors_explained(server),
        shedu.connect(server, token=token(token_file), patience=CONNECT_SECONDS) as there,
    ):
        game = there.game(game_id)
        found = game.look()
        if not found.HasField("outcome"):
            fail(f"game {game_id} is not over")
        return ExportedGame(found, list(game.events()))


@contextmanager
def call_errors_explained(server: str, where: str = "--server or SHEDU_SERVER") -> Iterator[None]:
    """Turn errors of calls into messages. `where` names the option that sets the address."""
    try:
        yield
    except (shedu.Unavailable, shedu.TimedOut):
        fail(f"no gRPC server answers at {server}; set its address with {where}")
    except shedu.NotGrpc as error:
        fail(f"{server}: {error.message}; set the address with {where}")
    except shedu.SheduError as error:
        fail(f"{server} says: {error.message}")
    # Of the client library, for an address or a token that cannot be used.
    except ValueError as error:
        fail(str(error))


def token(file: Path | None) -> str | None:
    """Return the token in the file. None makes the client use SHEDU_TOKEN."""
    if file is None:
        return None
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        fail(f"cannot read the token in {file}: {error}")
