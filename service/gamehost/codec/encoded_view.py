"""Views as bytes and as JSON, put together from parts of which most are the same as before the last move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gamehost.play.caching import LruCache
from gamehost.play.table.events import GameCreated
from gamehost.play.table.table import Status, Table
from gamehost.rules.kit import Decision, Outcome, Seat
from shedu.v1 import game_pb2

from . import wire
from .encoded import EncodedMessage
from .json_write import value_of
from .mirror import memoized_by_identity
from .read_mask import EVERYTHING, ReadMask
from .table_events import PROPOSAL, SEAT_CLOCK
from .title import TitleCodec

if TYPE_CHECKING:
    from .messages import MessageRenderer

MOST_VIEWS = 32  # encoded views in the cache
MOST_GAMES = 4096  # Game messages in the cache

_VERSION, _SEAT, _UNDO = (
    wire.number(game_pb2.View, field) for field in ("version", "seat", "undo_to_version")
)
_DECISION, _GAME, _CLOCK, _PROPOSAL = (
    wire.part(game_pb2.View, field) for field in ("decisions", "game", "clocks", "proposal")
)
_GAME_VERSION = wire.number(game_pb2.Game, "version")


@dataclass(slots=True)
class TitleView:
    """The view of a seat, in the forms that were asked for so far."""

    state: Any  # held so that no other state gets its id, which is the key of the cache
    view: Any
    binary: bytes | None = None
    json: Any = None


@dataclass(frozen=True, slots=True)
class GameHead:
    """A Game message without its version, and what it was made of."""

    created: GameCreated
    status: Status
    outcome: Outcome | None
    chairs: tuple[Any, ...]
    binary: bytes
    json: dict[str, Any]


@dataclass(frozen=True, slots=True)
class EncodedDecision:
    binary: bytes
    json: Any


class ViewEncoder:
    """Encodes views. One object serves a whole process, so that calls and watchers share its caches."""

    def __init__(self, titles: Mapping[str, TitleCodec], renderer: MessageRenderer) -> None:
        self._titles, self._renderer = titles, renderer
        self._parts = {title: wire.part(game_pb2.View, title) for title in titles}
        self._names = {title: game_pb2.View.DESCRIPTOR.fields_by_name[title].json_name for title in titles}
        self._views: dict[tuple[int, Seat | None], TitleView] = {}
        self._heads = LruCache[str, GameHead](MOST_GAMES)
        self._decisions = {title: memoized_by_identity(self._decision_encoder(title)) for title in titles}

    def view(self, table: Table, seat: Seat | None) -> EncodedMessage:
        """The whole view of a seat, or of a spectator if `seat` is None."""
        return EncodedMessage(
            game_pb2.View, lambda: self.binary(table, seat), lambda: self.json_value(table, seat)
        )

    def masked_view(self, table: Table, seat: Seat | None, mask: ReadMask) -> EncodedMessage:
        """The wanted fields of a view."""
        if mask.everything:
            return self.view(table, seat)
        message = game_pb2.View.FromString(self.binary(table, seat, mask))
        mask.trim(message)
        return EncodedMessage(game_pb2.View, message.SerializeToString, lambda: value_of(message))

    def binary(self, table: Table, seat: Seat | None, mask: ReadMask = EVERYTHING) -> bytes:
        """The bytes of the fields of a view that the mask wants at its first level."""
        wants, title = mask.wants, table.rules.title
        parts = [_VERSION(table.version)]
        # Only what is expensive is left out here. `masked_view` trims the rest.
        if wants("game"):
            parts.append(_GAME(self._head(table).binary + _GAME_VERSION(table.version)))
        if wants("decisions"):
            parts += map(_DECISION, self.decisions(table))
        if wants("clocks"):
            parts += [_CLOCK(SEAT_CLOCK.encode(clock).SerializeToString()) for clock in table.clocks]
        if seat is not None:
            parts.append(_SEAT(seat))
        if table.proposal:
            parts.append(_PROPOSAL(PROPOSAL.encode(table.proposal).SerializeToString()))
        if (undo := table.free_undo(seat)) is not None:
            parts.append(_UNDO(undo))
        if table.position and wants(title):
            parts.append(self._parts[title](self._title_bytes(table, seat)))
        return b"".join(parts)

    def json_value(self, table: Table, seat: Seat | None) -> dict[str, Any]:
        undo, title, version = table.free_undo(seat), table.rules.title, str(table.version)
        written: dict[str, Any] = {
            "version": version,
            "decisions": [self._decision_json(table, decision) for decision in table.decisions],
            "game": {**self._head(table).json, "version": version},
            "clocks": [value_of(SEAT_CLOCK.encode(clock)) for clock in table.clocks],
        }
        if seat is not None:
            written["seat"] = seat
        if table.proposal:
            written["proposal"] = value_of(PROPOSAL.encode(table.proposal))
        if undo is not None:
            written["undoToVersion"] = str(undo)
        if table.position:
            written[self._names[title]] = self._title_json(table, seat)
        return written

    def _title_bytes(self, table: Table, seat: Seat | None) -> bytes:
        found = self._title_view(table, seat)
        if found.binary is None:
            found.binary = self._titles[table.rules.title].view_bytes(found.view)
        return found.binary

    def _title_json(self, table: Table, seat: Seat | None) -> Any:
        found = self._title_view(table, seat)
        if found.json is None:
            found.json = self._titles[table.rules.title].view_json(found.view)
        return found.json

    def _title_view(self, table: Table, seat: Seat | None) -> TitleView:
        """The part of a view that belongs to the title.

        It is most of the work when a long log is streamed, and many successive events, such as proposals and
        their answers, do not change the state. So it is cached by the identity of the state, and by the seat.
        """
        found = self._views.get((id(table.state), seat))
        if found is None:
            if len(self._views) >= MOST_VIEWS:
                # All at once: only views of the last few events are asked for again.
                self._views.clear()
            found = self._views[id(table.state), seat] = TitleView(table.state, table.view(seat))
        return found

    def _head(self, table: Table) -> GameHead:
        """The Game message of a table without the version, the only part that every move changes."""
        chairs = tuple(
            (chair.taken, chair.display_name, chair.bot_level, chair.taken_over, chair.resigned)
            for chair in table.chairs
        )
        # Compared by identity where a change makes a new object: comparing all values would cost as much as
        # encoding them.
        head = self._heads.get(table.game_id)
        if (
            head is None
            or head.created is not table.created
            or head.status is not table.status
            or head.outcome is not table.outcome
            or head.chairs != chairs
        ):
            message = self._renderer.game(table)
            message.ClearField("version")
            binary, json = message.SerializeToString(), value_of(message)
            head = GameHead(table.created, table.status, table.outcome, chairs, binary, json)
            self._heads.put(table.game_id, head)
        return head

    def _decision_encoder(self, title: str) -> Any:
        def encode(decision: Decision) -> EncodedDecision:
            message = self._renderer.decision_message(title, decision)
            return EncodedDecision(message.SerializeToString(), value_of(message))

        return encode

    def decisions(self, table: Table) -> list[bytes]:
        """The bytes of the open decisions."""
        if table.clocks:  # the deadline differs from move to move
            return [
                self._renderer.decision(table, decision).SerializeToString() for decision in table.decisions
            ]
        encode = self._decisions[table.rules.title]
        return [encode(decision).binary for decision in table.decisions]

    def _decision_json(self, table: Table, decision: Decision) -> Any:
        if table.clocks:
            return value_of(self._renderer.decision(table, decision))
        encoded: EncodedDecision = self._decisions[table.rules.title](decision)
        return encoded.json
