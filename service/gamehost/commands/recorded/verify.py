"""Verifies that the random numbers of a game follow from its revealed seed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from google.protobuf import json_format

from gamehost.codec.exported_game import ExportedGame, InvalidExport, RecordedGame, recorded_game
from gamehost.codec.process_codec import CODEC, RENDERER
from gamehost.play.proof import Mismatch, prove
from gamehost.play.table.events import TABLE_EVENTS
from gamehost.play.table.table import EventRecord
from shedu.v1 import game_pb2


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result. `unchecked` if the game cannot be verified; `mismatch` if an event differs."""

    game: game_pb2.Game
    text: str
    unchecked: bool = False
    decisions: int = 0
    numbers: int = 0
    mismatch: dict[str, Any] | None = None

    @property
    def verified(self) -> bool:
        return not self.unchecked and self.mismatch is None

    def facts(self) -> dict[str, Any]:
        return {
            "gameId": self.game.game_id,
            "title": self.game.title,
            "verified": self.verified,
            "checked": not self.unchecked,
            "text": self.text,
            "decisions": self.decisions,
            "numbers": self.numbers,
            "mismatch": self.mismatch,
        }


def verify_game(exported: ExportedGame) -> Verdict:
    game = exported.game
    if exported.seed is None:
        return Verdict(
            game, f"game {game.game_id} cannot be checked: {missing_seed_reason(game)}", unchecked=True
        )
    try:
        record = recorded_game(CODEC, exported)
    except InvalidExport as error:
        return Verdict(game, f"game {game.game_id} cannot be checked: {error}", unchecked=True)
    if not record.same_rules:
        theirs, ours = record.created.rules_version, record.rules.version
        return Verdict(
            game,
            f"game {game.game_id} cannot be checked: it was played by version {theirs} of the rules, "
            f"this release has version {ours}",
            unchecked=True,
        )
    return _check_by_replay(exported, record)


def missing_seed_reason(game: game_pb2.Game) -> str:
    """Explain why a finished game has no seed."""
    if game.reveal == game_pb2.REVEAL_POLICY_NEVER:
        return "its seed and hidden information are never revealed (reveal policy: never)"
    if game.reveal == game_pb2.REVEAL_POLICY_PARTICIPANTS:
        return "its seed and hidden information are revealed to its seats only (use a seat token)"
    return "it contains no seed"


def _check_by_replay(exported: ExportedGame, game: RecordedGame) -> Verdict:
    assert game.seed is not None
    try:
        # The file has the outcome in a line of its own, beside the events that are proven here.
        proof = prove(game.game_id, game.rules, game.records, game.seed)
        if proof.table.outcome != game.outcome:
            raise Mismatch(proof.table.version, "the game ended with another outcome than the file says")
    except Mismatch as mismatch:
        return _mismatch(exported.game, game, mismatch)
    text = (
        f"Game {game.game_id} ({game.rules.name}) is fair: the seed fits the commitment, and deciding all "
        f"{proof.decisions} actions again gives each of its {len(game.records)} events, "
        f"including {proof.numbers} random numbers."
    )
    text += _beginning(game)
    return Verdict(exported.game, text, decisions=proof.decisions, numbers=proof.numbers)


def _beginning(game: RecordedGame) -> str:
    """Name the position that a fork began with, which cannot be verified."""
    origin = game.created.fork_of
    if origin is None:
        return ""
    how = "imagined from" if origin.imagined else "that of"
    return f" The position it began with is {how} game {origin.game_id} at version {origin.version}."


def _mismatch(game: game_pb2.Game, record: RecordedGame, mismatch: Mismatch) -> Verdict:
    told, due = _plain(record, mismatch.logged), _plain(record, mismatch.expected)
    facts = {"version": mismatch.version, "why": mismatch.why, "told": told, "due": due}
    text = f"Game {record.game_id} does NOT match its seed. First mismatch at version {mismatch.version}: "
    text += mismatch.why
    text += f"\n  logged    {_compact(told)}" if told else ""
    text += f"\n  expected  {_compact(due)}" if due else ""
    return Verdict(game, text, mismatch=facts)


def _plain(record: RecordedGame, event: Any) -> dict[str, Any] | None:
    """Return an event as JSON of the API, without its time and version."""
    if event is None:
        return None
    message = RENDERER.message(record.rules.title, EventRecord(0, 0, None, False, event))
    kind = message.WhichOneof("kind")
    assert kind is not None
    body = json_format.MessageToDict(getattr(message, kind))
    return {kind: body} if isinstance(event, TABLE_EVENTS) else body


def _compact(event: dict[str, Any]) -> str:
    return json.dumps(event, ensure_ascii=False)
