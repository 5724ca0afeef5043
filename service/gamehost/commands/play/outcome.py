"""Prints the outcome of a game and how to verify it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.text import Text

import shedu
from gamehost.commands.console import out
from gamehost.commands.terminal.boards import board
from gamehost.commands.terminal.parts import text_table
from shedu.v1 import game_pb2

from .session import names_of, print_text


def print_outcome(player: shedu.Player) -> None:
    """Print the final board, the winner and all scores."""
    view = player.view()
    names = names_of(view, player.seat)
    if not view.game.HasField("outcome"):
        print_text("You resigned; the other players continue.")
        return
    drawing = board(view, names)
    if drawing is not None:
        out.print(drawing, highlight=False)
    outcome = view.game.outcome
    out.print(Text(outcome_text(outcome, names), "bold"))
    if outcome.ranks:
        rows = sorted(zip(outcome.ranks, names, scores(outcome), strict=True))
        places = [(str(rank), who, points) for rank, who, points in rows]
        out.print(text_table(("place", "who", "points"), places))


def scores(outcome: game_pb2.Outcome) -> list[str]:
    """Return the scores as text; an abandoned game may have none."""
    return [str(score) for score in outcome.scores] or ["–"] * len(outcome.ranks)


def outcome_text(outcome: game_pb2.Outcome, names: Sequence[str]) -> str:
    """Describe the outcome. A game without ranks was resigned by its only human player."""
    winners = [name for name, rank in zip(names, outcome.ranks, strict=False) if rank == 1]
    why = outcome.reason.replace("_", " ").lower()
    said = "Nobody won" if not winners else f"{' and '.join(winners)} won"
    return f"The game is over ({why}). {said[:1].upper()}{said[1:]}."


def print_proof(player: shedu.Player, server: str, folder: Path) -> None:
    """Print the command that verifies the game: on the server or, for a local one, from an exported file."""
    if server:
        print_text(f"Check the luck:  shedu verify {player.id} --server {server}", whole=True)
        return
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = folder / f"{player.id}.jsonl"
    file.write_text(player.export(), encoding="utf-8")
    print_text(f"Check the luck:  shedu verify {file}", whole=True)
    print_text(f"See it again:    shedu replay {file}", whole=True)
