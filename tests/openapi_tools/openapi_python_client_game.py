"""Plays a game of Tides with the client that openapi-python-client makes, in the package `generated`."""

from __future__ import annotations

import json
import os
from typing import TypeVar

from generated import AuthenticatedClient, Client
from generated.api.game_service import create_game, get_view, join_game, list_legal_actions, play_action
from generated.models.create_game_body import CreateGameBody
from generated.models.error import Error
from generated.models.join_game_body import JoinGameBody
from generated.models.play_action_body import PlayActionBody
from generated.models.shedu_tides_v1_event_round_scored import SheduTidesV1EventRoundScored
from generated.models.shedu_v1_event_tides import SheduV1EventTides

T = TypeVar("T")
SERVER = os.environ["SHEDU"]


def successful(answer: T | Error | None) -> T:
    assert answer is not None
    assert not isinstance(answer, Error), answer
    return answer


def play(title: str) -> None:
    everyone = Client(base_url=SERVER)
    created = successful(create_game.sync(client=everyone, body=CreateGameBody(title=title)))
    game = created.game.game_id
    players = []
    for name in ("Ann", "Bob"):
        joined = successful(join_game.sync(game, client=everyone, body=JoinGameBody(display_name=name)))
        players.append(AuthenticatedClient(base_url=SERVER, token=joined.seat_token))
    rounds = 0
    while (view := successful(get_view.sync(game, client=everyone)).view) and view.decisions:
        player = players[view.decisions[0].seat]
        legal = successful(list_legal_actions.sync(game, client=player))
        assert legal.decision
        move = PlayActionBody(decision_id=legal.decision.decision_id, action=legal.actions[0].action)
        played = successful(play_action.sync(game, client=player, body=move))
        rounds += sum(
            isinstance(event, SheduV1EventTides) and isinstance(event.tides, SheduTidesV1EventRoundScored)
            for event in played.events
        )
    assert view
    assert view.game
    assert view.game.outcome
    print(json.dumps([rounds, len(view.game.outcome.scores)]))


play("tides")
