"""Shows a recorded game step by step."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cached_property

from google.protobuf.message import Message
from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from gamehost.codec.exported_game import RecordedGame
from gamehost.codec.process_codec import RENDERER
from gamehost.commands.console import fail, out
from gamehost.commands.terminal.boards import board
from gamehost.message_text import SAME_IN_EVERY_VIEW, message_line, message_tree, printable
from gamehost.play.proof import Mismatch, ProofStep, cause_of, steps
from gamehost.play.table.events import TABLE_EVENTS
from gamehost.play.table.table import EventRecord
from gamehost.rules.kit import Seat

REPLAY_PROMPT = "Enter next · b back · a number goes there · q ends: "


class ReplayFrames:
    """A recorded game, cut into steps with one cause each; `tree` shows every field instead of a board."""

    def __init__(self, game: RecordedGame, *, tree: bool = False) -> None:
        self.game, self.tree = game, tree

    @cached_property
    def steps(self) -> Sequence[ProofStep]:
        try:
            # Folded once and kept: stepping back would fold the whole game again.
            found = list(steps(self.game.game_id, self.game.rules, self.game.records))
        except Mismatch as mismatch:
            fail(f"the events of the game cannot be replayed: {mismatch}")
        if found[-1].after.outcome != self.game.outcome:
            fail("the events do not lead to the outcome in the file")
        return found

    @cached_property
    def names(self) -> Sequence[str]:
        """The display name and number of each seat."""
        chairs = self.steps[-1].after.chairs
        return [
            f"{printable(chair.display_name)} (seat {n})" if chair.display_name else f"seat {n}"
            for n, chair in enumerate(chairs)
        ]

    def frame(self, number: int, seat: Seat | None) -> RenderableType:
        """One step, counted from 1, from the view of a seat or a spectator."""
        step = self.steps[number - 1]
        heading = f"step {number} of {len(self.steps)} · version {step.after.version}"
        parts: list[RenderableType] = [Rule(heading, style="dim"), *map(Text, self._events_text(step, seat))]
        view = RENDERER.view(step.after, seat)
        kind = view.WhichOneof("title")
        if kind is not None:
            whose = "a spectator's view" if seat is None else f"the view of {self.names[seat]}"
            drawing = None if self.tree else board(view, self.names)
            tree = message_tree(getattr(view, kind), whose, self.names, SAME_IN_EVERY_VIEW)
            parts += [tree] if drawing is None else [Text(whose, "bold"), drawing]
        return Group(*parts)

    def _events_text(self, step: ProofStep, seat: Seat | None) -> list[str]:
        played = not all(isinstance(record.event, TABLE_EVENTS) for record in step.records)
        asked = step.before.decisions if step.before and played else ()
        caller = step.records[0].seat
        lines = [
            f"? {self.names[question.seat]} is asked: {question.prompt.english}"
            for question in asked
            if caller in (None, question.seat)
        ]
        if seat in (None, caller) and (did := self._action_text(step)) is not None:
            lines.append(f"> {did}")
        return lines + [f"  {self._event_text(step, record, seat)}" for record in step.records]

    def _action_text(self, step: ProofStep) -> str | None:
        """Return the action behind a step. The log holds only events; the seed lets it be found by
        deciding every legal one again."""
        if self.game.seed is None or not self.game.same_rules:
            return None
        try:
            cause = cause_of(step, self.game.seed)
        except Mismatch:
            return None
        if cause is None or cause.seat is None:
            return None
        return f"{self.names[cause.seat]}: {self.game.rules.describe(cause.action).english}"

    def _event_text(self, step: ProofStep, record: EventRecord, seat: Seat | None) -> str:
        """Return the event as text: complete for a spectator, else what the seat has witnessed."""
        message = RENDERER.event(step.after, record, seat, everything=seat is None)
        kind = message.WhichOneof("kind")
        assert kind is not None
        body: Message = getattr(message, kind)
        if kind == self.game.rules.title:
            kind = body.WhichOneof(body.DESCRIPTOR.oneofs[0].name) or kind
            body = getattr(body, kind)
        sentence = kind.replace("_", " ").capitalize()
        return f"{sentence}: {message_line(body, self.names)}." if body.DESCRIPTOR.fields else f"{sentence}."


def show_replay(frames: ReplayFrames, seat: int | None, first: int | None, *, plain: bool) -> None:
    """Step with keys at a terminal; otherwise, or with `plain`, print all steps, or only `first`."""
    viewer = None if seat is None else Seat(seat)
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        page = Console(color_system=None, highlight=False) if plain else out
        for number in [first] if first else range(1, len(frames.steps) + 1):
            page.print(frames.frame(number, viewer), highlight=False)
        return
    here: int | None = first or 1
    while here is not None:
        out.clear()
        out.print(frames.frame(here, viewer), highlight=False)
        try:
            key = out.input(REPLAY_PROMPT).strip().lower()
        except EOFError:
            return
        here = next_step(key, here, len(frames.steps))


def next_step(key: str, number: int, last: int) -> int | None:
    """Return the step that a key leads to, or None to quit."""
    if key in ("q", "quit"):
        return None
    if key.isdecimal():
        return min(max(int(key), 1), last)
    if key in ("b", "p", "back"):
        return max(number - 1, 1)
    return number + 1 if number < last else None
