"""`shedu export`, `shedu replay` and `shedu verify`: finished games, as files and on a server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from gamehost.commands.console import fail, out, printable
from gamehost.commands.options import AsJson, ServerAddress

MISMATCH = 1  # exit code; 2 means that the game could not be checked

GameId = Annotated[str, typer.Argument(help="The id of a finished game.")]
GameFile = Annotated[Path, typer.Argument(help="A file of `shedu export`.")]
GameOrFile = Annotated[str, typer.Argument(help="The id of a finished game, or a file of `shedu export`.")]
TokenFile = Annotated[
    Path | None,
    typer.Option(help="A file with a seat token, if the game is not public; or set SHEDU_TOKEN."),
]
Output = Annotated[Path | None, typer.Option("-o", "--output", help="The file to write. [default: stdout]")]
Plain = Annotated[bool, typer.Option("--plain", help="Print all steps without waiting, and no colours.")]
Through = Annotated[
    int | None, typer.Option("--seat", help="Show the view of this seat. [default: a spectator]")
]
FirstStep = Annotated[
    int | None, typer.Option("--step", min=1, help="Start at this step; with --plain show only this one.")
]
Tree = Annotated[bool, typer.Option("--tree", help="Show every field of the view instead of a board.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    app.command(epilog="Example:\n\n    shedu export t7q2mxk4wz5r3ncvb6ha -o game.jsonl")(export)
    app.command(
        epilog="Examples:\n\n    shedu replay game.jsonl\n\n"
        "    shedu replay game.jsonl --plain --seat 0 --step 4"
    )(replay)
    app.command(
        epilog="Examples:\n\n    shedu verify game.jsonl\n\n"
        "    shedu verify t7q2mxk4wz5r3ncvb6ha --server grpcs://play.example.org --json"
    )(verify)


def export(
    game_id: GameId,
    server: ServerAddress = "localhost:50051",
    token_file: TokenFile = None,
    output: Output = None,
) -> None:
    """Write a finished game as one file of JSON lines, from which it can be replayed and verified."""
    from gamehost.codec import exported_game as form
    from gamehost.commands.server_calls import exported as fetched

    from .verify import missing_seed_reason

    exported = fetched(server, token_file, game_id)
    if exported.seed is None:
        fail(f"game {game_id} cannot be exported: {missing_seed_reason(exported.game)}")
    text = "".join(f"{line}\n" for line in form.export_lines(exported))
    if output is None:
        print(text, end="")
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        fail(f"cannot write {output}: {error.strerror}")


def replay(
    file: GameFile, plain: Plain = False, seat: Through = None, step: FirstStep = None, tree: Tree = False
) -> None:
    """Step through an exported game in the terminal: decisions, events and positions."""
    from .files import read_recorded
    from .replay import ReplayFrames, show_replay

    frames = ReplayFrames(read_recorded(file), tree=tree)
    if seat is not None and not 0 <= seat < len(frames.names):
        fail(f"there is no seat {seat}: the seats are 0 to {len(frames.names) - 1}")
    if step is not None and step > len(frames.steps):
        fail(f"there is no step {step}: the game has {len(frames.steps)}")
    show_replay(frames, seat, step, plain=plain)


def verify(
    game: GameOrFile,
    server: ServerAddress = "localhost:50051",
    token_file: TokenFile = None,
    as_json: AsJson = False,
) -> None:
    """Recompute a game's commitment and every draw from its revealed seed, and name the first mismatch.

    The exit code is 0 if the game is verified, 1 for a mismatch, 2 when it cannot be checked.
    """
    from gamehost.commands.server_calls import exported as fetched

    from .files import looks_like_an_id, read_exported
    from .verify import verify_game

    exported = fetched(server, token_file, game) if looks_like_an_id(game) else read_exported(Path(game))
    verdict = verify_game(exported)
    if as_json:
        print(json.dumps(verdict.facts()))
    elif verdict.unchecked:
        fail(verdict.text)
    else:
        out.print(printable(verdict.text), highlight=False, markup=False, soft_wrap=True)
    if not verdict.verified:
        raise typer.Exit(2 if verdict.unchecked else MISMATCH)
