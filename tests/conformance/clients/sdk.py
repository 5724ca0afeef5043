"""Runs the scenarios with the Python SDK."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message

import shedu
from shedu.v1 import error_reason_pb2, game_pb2
from shedu.v1 import game_service_pb2 as pb

Answer = dict[str, Any]
# The wire codes of the errors of the SDK.
CODES: dict[type[Exception], str] = {
    shedu.InvalidRequest: "INVALID_ARGUMENT",
    shedu.NotFound: "NOT_FOUND",
    shedu.Unauthenticated: "UNAUTHENTICATED",
    shedu.NotNow: "FAILED_PRECONDITION",
    shedu.Refused: "FAILED_PRECONDITION",
    shedu.Stale: "ABORTED",
    shedu.VersionInFuture: "OUT_OF_RANGE",
}


class Sdk:
    """Makes the calls of a scenario, and describes failures as data."""

    def __init__(self, server: shedu.Server) -> None:
        self.server = server
        self.seats: dict[str, int] = {}
        self.calls: dict[str, Callable[[Answer], Answer]] = {
            "titles": lambda step: {"titles": [dictionary(title) for title in server.titles()]},
            "create": self.create,
            "join": self.join,
            "view": self.view,
            "legalActions": self.legal_actions,
            "play": self.play,
            "events": self.events,
            "fairness": lambda step: {"fairness": dictionary(self.game(step).fairness())},
            "start": lambda step: {"game": dictionary(self.seat(step).start())},
            "leave": lambda step: {"game": dictionary(self.seat(step).leave())},
            "watch": self.watch,
            "playOut": self.play_out,
        }

    def call(self, step: Answer) -> Answer:
        return self.calls[step["call"]](step)

    def game(self, step: Answer) -> shedu.Game:
        return self.server.game(step["game"], token=step.get("as", ""))

    def seat(self, step: Answer) -> shedu.Player:
        return self.server.player(step["game"], self.seats[step["as"]], step["as"])

    def create(self, step: Answer) -> Answer:
        wishes = json_format.ParseDict(step["with"], pb.CreateGameRequest())
        made = self.server.create(
            wishes.title,
            seats=wishes.seat_count,
            options=wishes.options if wishes.HasField("options") else None,
            visibility=VISIBILITY[wishes.visibility],
        )
        private = wishes.visibility == game_pb2.VISIBILITY_PRIVATE
        game = game_pb2.Game(game_id=made.id) if private else made.look()
        return {"game": dictionary(game), "inviteCode": made.invite_code}

    def join(self, step: Answer) -> Answer:
        wishes = json_format.ParseDict(step.get("with", {}), pb.JoinGameRequest())
        player = self.server.game(step["game"]).join(
            wishes.display_name,
            seat=wishes.seat if wishes.HasField("seat") else None,
            invite_code=wishes.invite_code,
        )
        self.seats[player.token] = player.seat
        answer = pb.JoinGameResponse(game=player.look(), seat=player.seat, seat_token=player.token)
        return dictionary(answer)

    def view(self, step: Answer) -> Answer:
        wishes = step.get("with", {})
        version = int(wishes["version"]) if "version" in wishes else None
        return dictionary(self.game(step).view(version, wishes.get("asSeat")))

    def legal_actions(self, step: Answer) -> Answer:
        legal = self.seat(step).legal_actions()
        answer = pb.ListLegalActionsResponse(
            actions=legal.actions, decision=legal.decision, version=legal.version
        )
        return dictionary(answer)

    def play(self, step: Answer) -> Answer:
        wishes = json_format.ParseDict(step["with"], pb.PlayActionRequest())
        answer = self.seat(step).play(
            wishes.action,
            wishes.decision_id,
            expected_version=wishes.expected_version if wishes.HasField("expected_version") else None,
            validate_only=wishes.validate_only,
            request_id=wishes.request_id,
        )
        return dictionary(answer)

    def events(self, step: Answer) -> Answer:
        after = int(step.get("with", {}).get("afterVersion", 0))
        return {"events": [dictionary(event) for event in self.game(step).events(after)]}

    def watch(self, step: Answer) -> Answer:
        """Reads a stream until it is live; returns its messages in the form of the scenarios."""
        wishes = step.get("with", {})
        after = int(wishes["afterVersion"]) if "afterVersion" in wishes else None
        last = self.game(step).look().version
        told: Answer = {"kinds": [], "versions": []}
        for moment in self.game(step).watch(after):
            told["kinds"].append("happened" if moment.events else "snapshot")
            told["versions"] += [str(event.version) for event in moment.events]
            if moment.version >= last:
                break
        told["kinds"].append("caughtUp")
        return told

    def play_out(self, step: Answer) -> Answer:
        seats = [self.seat({"game": step["game"], "as": token}) for token in step["seats"]]
        answers = idle = 0
        while idle < len(seats):
            seat = seats[(answers + idle) % len(seats)]
            legal = seat.legal_actions()
            if legal.decision is None:
                idle += 1
                continue
            seat.play(legal.actions[0], legal.decision)
            answers, idle = answers + 1, 0
        return {"answers": answers, "game": dictionary(seats[0].look())}

    @staticmethod
    def failure(error: Exception) -> Answer:
        assert isinstance(error, shedu.SheduError), error
        missed = error.detail(error_reason_pb2.MissedEvents)
        violations = error.violations if isinstance(error, shedu.InvalidRequest) else []
        return {
            "code": CODES[type(error)],
            "reason": error.reason,
            "rule": error.metadata.get("rule"),
            "fields": [violation.field for violation in violations],
            "missed": None if missed is None else [str(event.version) for event in missed.events],
        }


VISIBILITY: dict[int, Any] = {0: "public", 1: "public", 2: "unlisted", 3: "private"}


def dictionary(message: Message) -> Answer:
    return json_format.MessageToDict(message)
