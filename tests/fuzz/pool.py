"""Ids and tokens from answers of the server; without them requests would fail at validation."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from random import Random
from typing import Any

KEPT = 200  # of each kind; the oldest are dropped first
# Fields of answers, and the fields of requests in which they are used.
KINDS = {
    "gameId": "game_id",
    "seatToken": "token",
    "seatTokens": "token",
    "spectatorToken": "token",
    "inviteCode": "invite_code",
    "nextPageToken": "page_token",
    "cursor": "cursor",
    "decisionId": "decision_id",
    "proposalId": "proposal_id",
}


class Pool:
    """Collects values from answers in JSON."""

    def __init__(self) -> None:
        self._known: defaultdict[str, deque[Any]] = defaultdict(lambda: deque(maxlen=KEPT))

    def keep(self, kind: str, value: Any) -> None:
        if value and value not in self._known[kind]:
            self._known[kind].append(value)

    def one(self, kind: str, coin: Random) -> Any:
        """Returns a random value of that kind; None if none is known."""
        known = self._known[kind]
        return coin.choice(known) if known else None

    def learn(self, answer: object) -> None:
        """Collects values, and pairs that belong together: game and seat token, decision and legal action."""
        for name, value in leaves(answer):
            if name in KINDS:
                self.keep(KINDS[name], value)
        match answer:
            case {"game": {"gameId": game_id}, "seatToken": token}:
                self.keep("sitting", (game_id, token))
            case {"game": {"gameId": game_id}, "seatTokens": [token, *_]}:
                self.keep("sitting", (game_id, token))
            case {"decision": {"decisionId": decision_id}, "actions": [*actions]}:
                for action in actions[:20]:
                    self.keep("move", (decision_id, action["action"]))


def leaves(answer: object, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yields every value with the name of its field."""
    if isinstance(answer, dict):
        for key, value in answer.items():
            yield from leaves(value, key)
    elif isinstance(answer, list):
        for value in answer[:20]:
            yield from leaves(value, name)
    else:
        yield name, answer
