"""Tests a random game of every title on a real server, played over gRPC and read over REST, too."""

from __future__ import annotations

import random

import grpc
import pytest
from google.protobuf import json_format

from gamehost.rules.catalog import CATALOG
from shedu.v1 import game_service_pb2 as pb
from shedu.v1.game_service_pb2_grpc import GameServiceStub
from support.process import Serve, bearer

LONG_ENOUGH = 80
"""Decisions after which a game need not go on to its end."""

NOW_AND_THEN = 10


class Table:
    """A started game and the tokens of its seats; an empty token is that of a spectator."""

    def __init__(self, serve: Serve, channel: grpc.Channel, title: str, seats: int) -> None:
        self.serve, self.stub = serve, GameServiceStub(channel)
        game = self.stub.CreateGame(pb.CreateGameRequest(title=title, seat_count=seats)).game
        self.title, self.id = title, game.game_id
        joined = [self.stub.JoinGame(pb.JoinGameRequest(game_id=self.id)) for _ in range(seats)]
        self.tokens = [seat.seat_token for seat in joined]

    def view(self, token: str = "") -> pb.View:
        return self.stub.GetView(pb.GetViewRequest(game_id=self.id), metadata=bearer(token)).view

    def view_by_rest(self, token: str = "") -> pb.View:
        answer = self.serve.get(f"/v1/games/{self.id}/view", token)
        return json_format.ParseDict(answer, pb.GetViewResponse()).view

    def answer_at_random(self, seat: int, coin: random.Random) -> pb.PlayActionResponse:
        mine = bearer(self.tokens[seat])
        legal = self.stub.ListLegalActions(pb.ListLegalActionsRequest(game_id=self.id), metadata=mine)
        move = pb.PlayActionRequest(
            game_id=self.id,
            decision_id=legal.decision.decision_id,
            action=coin.choice(legal.actions).action,
        )
        return self.stub.PlayAction(move, metadata=mine)

    def events(self, token: str = "") -> list[pb.Event]:
        """Returns all events, read page by page."""
        found: list[pb.Event] = []
        while True:
            request = pb.ListEventsRequest(game_id=self.id, after_version=len(found))
            page = self.stub.ListEvents(request, metadata=bearer(token)).events
            if not page:
                return found
            found.extend(page)


def play(table: Table, coin: random.Random) -> int:
    """Plays to the end or for `LONG_ENOUGH` decisions; returns the number of decisions."""
    taken = 0
    while taken < LONG_ENOUGH and (questions := table.view().decisions):
        played = table.answer_at_random(coin.choice(questions).seat, coin)
        assert table.title == played.view.WhichOneof("title")
        taken += 1
        if taken % NOW_AND_THEN == 0:
            for token in ("", *table.tokens):
                assert table.view(token) == table.view_by_rest(token)
    return taken


@pytest.mark.parametrize("title", CATALOG)
def test_a_random_game_looks_the_same_over_grpc_and_rest(serve, title):
    with serve.channel() as channel:
        table = Table(serve, channel, title, seats=max(CATALOG[title].seats))

        taken = play(table, random.Random(title))

        final = table.view()
        assert taken == LONG_ENOUGH or final.game.HasField("outcome")
        assert final == table.view_by_rest()
        assert final.game.HasField("outcome") != bool(final.decisions)
        for token in ("", *table.tokens):
            assert final.version == table.events(token)[-1].version
