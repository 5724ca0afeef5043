"""Runs the scenarios with the generated Python stubs."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import grpc
from google.protobuf import json_format
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from shedu.v1 import error_reason_pb2, game_service_pb2
from shedu.v1 import game_service_pb2 as pb
from shedu.v1.catalog_service_pb2 import ListTitlesRequest
from shedu.v1.catalog_service_pb2_grpc import CatalogServiceStub
from shedu.v1.game_service_pb2_grpc import GameServiceStub

Answer = dict[str, Any]
REQUESTS: dict[str, tuple[str, type[Message]]] = {
    "create": ("CreateGame", pb.CreateGameRequest),
    "join": ("JoinGame", pb.JoinGameRequest),
    "legalActions": ("ListLegalActions", pb.ListLegalActionsRequest),
    "play": ("PlayAction", pb.PlayActionRequest),
    "events": ("ListEvents", pb.ListEventsRequest),
    "fairness": ("GetFairness", pb.GetFairnessRequest),
    "start": ("StartGame", pb.StartGameRequest),
    "leave": ("LeaveGame", pb.LeaveGameRequest),
}


class Stubs:
    """Makes the calls of a scenario, and describes failures as data."""

    def __init__(self, channel: grpc.Channel) -> None:
        self.catalog, self.games = CatalogServiceStub(channel), GameServiceStub(channel)
        self.own: dict[str, Callable[[Answer], Answer]] = {
            "titles": self.titles,
            "view": self.view,
            "watch": self.watch,
            "playOut": self.play_out,
        }

    def call(self, step: Answer) -> Answer:
        if step["call"] in self.own:
            return self.own[step["call"]](step)
        method, request = REQUESTS[step["call"]]
        return self.ask(method, request(), step)

    def ask(self, method: str, request: Any, step: Answer) -> Answer:
        json_format.ParseDict(step.get("with", {}), request)
        if "game" in step:
            request.game_id = step["game"]
        if "request_id" in request.DESCRIPTOR.fields_by_name and not request.request_id:
            request.request_id = uuid.uuid4().hex
        return dictionary(getattr(self.games, method)(request, metadata=metadata(step)))

    def titles(self, _step: Answer) -> Answer:
        return dictionary(self.catalog.ListTitles(ListTitlesRequest()))

    def view(self, step: Answer) -> Answer:
        view: Answer = self.ask("GetView", pb.GetViewRequest(), step)["view"]
        return view

    def watch(self, step: Answer) -> Answer:
        request = pb.WatchGameRequest(game_id=step["game"])
        json_format.ParseDict(step.get("with", {}), request)
        told: Answer = {"kinds": [], "versions": []}
        stream = self.games.WatchGame(request, metadata=metadata(step))
        for message in stream:
            told["kinds"].append({"caught_up": "caughtUp"}.get(kind := str(message.WhichOneof("kind")), kind))
            told["versions"] += [str(event.version) for event in message.happened.events]
            if kind == "caught_up":
                stream.cancel()  # type: ignore[attr-defined]
                break
        return told

    def play_out(self, step: Answer) -> Answer:
        seats, answers, idle = step["seats"], 0, 0
        while idle < len(seats):
            turn = {"game": step["game"], "as": seats[(answers + idle) % len(seats)]}
            legal = self.ask("ListLegalActions", pb.ListLegalActionsRequest(), turn)
            if "decision" not in legal:
                idle += 1
                continue
            move = {"decisionId": legal["decision"]["decisionId"], "action": legal["actions"][0]["action"]}
            self.ask("PlayAction", pb.PlayActionRequest(), {**turn, "with": move})
            answers, idle = answers + 1, 0
        game = self.games.GetGame(game_service_pb2.GetGameRequest(game_id=step["game"])).game
        return {"answers": answers, "game": dictionary(game)}

    @staticmethod
    def failure(error: Exception) -> Answer:
        assert isinstance(error, grpc.RpcError)
        status = rpc_status.from_call(error)
        assert status is not None
        info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        missed: list[str] | None = None
        for detail in status.details:
            detail.Unpack(info)
            detail.Unpack(bad)
            events = error_reason_pb2.MissedEvents()
            if detail.Unpack(events):
                missed = [str(event.version) for event in events.events]
        return {
            "code": error.code().name,
            "reason": info.reason,
            "rule": info.metadata.get("rule"),
            "fields": [violation.field for violation in bad.field_violations],
            "missed": missed,
        }


def dictionary(message: Message) -> Answer:
    return json_format.MessageToDict(message)


def metadata(step: Answer) -> list[tuple[str, str]]:
    return [("authorization", f"Bearer {step['as']}")] if "as" in step else []
