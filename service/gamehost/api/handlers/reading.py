"""The parts of a response that a caller selects: read masks, and lists of legal actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from google.protobuf.message import Message

from gamehost.codec.encoded import EncodedMessage
from gamehost.codec.messages import MessageRenderer
from gamehost.codec.mirror import Undecodable
from gamehost.codec.read_mask import EVERYTHING, ReadMask, UnknownPath, mask_of_paths
from gamehost.play.errors import InvalidRequest, WrongTitle
from gamehost.play.table.table import Table
from gamehost.rules.kit import AnyRules, Seat
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb

from .paging import page_size, page_token

MOST_LEGAL_ACTIONS = 1000  # in one response
MOST_PATHS = 100  # of a read mask
# The fields of a request that only select parts of the response.
SELECTION = ("legal_actions_limit", "read_mask")
WATCH_ALWAYS = ("snapshot.version", "happened.view.version", "caught_up", "heartbeat", "go_away")
INBOX_ALWAYS = ("cursor", "caught_up", "heartbeat", "go_away")


@dataclass(frozen=True, slots=True)
class Selection:
    """The wanted fields of a response, and how many legal actions."""

    mask: ReadMask
    limit: int

    @property
    def key(self) -> object:
        """Distinguishes selections in caches. None for the default, which nearly all requests have."""
        return None if self == DEFAULT else (self.mask.key, self.limit)


DEFAULT = Selection(EVERYTHING, 0)


def selection(request: Any, response: type[Message], always: Sequence[str] = ()) -> Selection:
    """The selection of a request; `always` are paths that every mask includes. Raises InvalidRequest."""
    limit = min(request.legal_actions_limit, MOST_LEGAL_ACTIONS)
    if not request.HasField("read_mask"):
        return Selection(EVERYTHING, limit) if limit else DEFAULT
    paths = request.read_mask.paths
    if len(paths) > MOST_PATHS:
        raise InvalidRequest("read_mask", f"must not have more than {MOST_PATHS} paths")
    try:
        return Selection(mask_of_paths(response, paths, always), limit)
    except UnknownPath as unknown:
        kind = response.DESCRIPTOR.name
        raise InvalidRequest(
            "read_mask",
            f"{unknown.path[:80]!r} is no field of {kind}; a path can end at a list, but not go into it",
        ) from None


class LegalActionLists:
    """Lists the legal actions of a seat, for ListLegalActions and as a part of other responses."""

    def __init__(self, codec: MessageRenderer) -> None:
        self._codec = codec

    def page(
        self, request: pb.ListLegalActionsRequest, table: Table, seat: Seat | None, start: int
    ) -> EncodedMessage:
        """The page of the list that begins at `start`; it is empty if the seat has no open decision."""
        decision = None if seat is None else table.decision_of(seat)
        stop = start + page_size(request.page_size, 500, MOST_LEGAL_ACTIONS)
        actions, more = self._legal(table, decision.seat, start, stop) if decision else ([], False)
        rest = pb.ListLegalActionsResponse(
            decision=self._codec.decision(table, decision) if decision else None,
            version=table.version,
            next_page_token=page_token(request, table.version, stop) if more else "",
        )
        return self._codec.legal_actions(table.rules, actions, rest)

    def selected(
        self, wanted: Selection, table: Table, seat: Seat | None, rest: pb.ListLegalActionsRequest
    ) -> pb.LegalActions | None:
        """The legal actions of a seat for another response, or None if it has no open decision.

        `rest` is the request with which the caller can list the actions beyond the limit.
        """
        if not wanted.limit or seat is None or not wanted.mask.wants("legal_actions"):
            return None
        decision = table.decision_of(seat)
        if decision is None:
            return None
        actions, more = self._actions(table, seat, 0, wanted.limit)
        found = pb.LegalActions(
            actions=actions,
            decision=self._codec.decision(table, decision),
            version=table.version,
            next_page_token=page_token(rest, table.version, wanted.limit) if more else "",
        )
        wanted.mask.part("legal_actions").trim(found)
        return found

    def _actions(self, table: Table, seat: Seat, start: int, stop: int) -> tuple[list[pb.LegalAction], bool]:
        """Messages of a part of the legal actions, and whether there are more."""
        shown, more = self._legal(table, seat, start, stop)
        return [self._codec.legal_action(table.rules, action) for action in shown], more

    @staticmethod
    def _legal(table: Table, seat: Seat, start: int, stop: int) -> tuple[list[Any], bool]:
        """A part of the legal actions, and whether there are more."""
        legal = list(islice(table.rules.legal_actions(table.state, seat), start, stop + 1))
        shown = legal[: stop - start]
        return shown, len(legal) > len(shown)


def rest_of_list(
    request: pb.GetViewRequest | pb.PlayActionRequest | pb.WatchGameRequest,
) -> pb.ListLegalActionsRequest:
    """The ListLegalActions request with the same game, seat and version as another request."""
    rest = pb.ListLegalActionsRequest(game_id=request.game_id)
    if request.HasField("seat"):
        rest.seat = request.seat
    if isinstance(request, pb.GetViewRequest) and request.HasField("version"):
        rest.version = request.version
    if isinstance(request, pb.GetViewRequest) and request.HasField("as_seat"):
        rest.as_seat = request.as_seat
    return rest


def requested_options(codec: MessageRenderer, rules: AnyRules, options: game_pb2.Options) -> Any:
    """The options of a request, or the defaults of the title. Raises WrongTitle or InvalidRequest."""
    options_title = options.WhichOneof("title")
    if options_title is None:
        return rules.options()
    if options_title != rules.title:
        raise WrongTitle("options", f"are for {options_title}, but the title is {rules.title}")
    try:
        return codec.titles[options_title].options.decode(getattr(options, options_title))
    except Undecodable as error:
        raise InvalidRequest("options", str(error)) from None
