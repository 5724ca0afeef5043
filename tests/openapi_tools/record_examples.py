"""Records the examples of the OpenAPI document: requests and responses of a played game, one for each rpc.

The service runs in this process with fixed luck and a fixed clock, so that the same code records the same
examples. Tokens and other secrets are cut off, and lists are cut to two elements.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message

from gamehost.api.openapi.examples import FILE
from gamehost.api.pipeline.status import error_body
from gamehost.play.errors import Unavailable
from gamehost.stores.memory import MemoryEventStore
from support.keyed_service import KeyedService
from support.service import Service

MOST = 2  # elements of a list, and bytes of a secret
SECRET = re.compile(r"\b(shedu_[a-z]+_|whsec_)[\w.+/=-]+")
SECRET_FIELDS = {"inviteCode", "spectatorToken", "secret"}


class UnavailableStore(MemoryEventStore):
    """A store that cannot be reached."""

    async def read(self, *_what: Any, **_how: Any) -> Any:
        raise Unavailable("the store is away")

    snapshot = read


class RecordingService(KeyedService):
    """Records the first request and the first response of every rpc."""

    def __init__(self) -> None:
        super().__init__(heartbeat=1.0)
        self.recorded: dict[str, dict[str, Any]] = {}

    async def call(self, name: str, token: str | None = None, /, **fields: Any) -> Any:
        answer = await super().call(name, token, **fields)
        self._record(name, fields, answer)
        return answer

    async def stream(self, name: str, token: str | None = None, /, **fields: Any) -> AsyncGenerator[Any]:
        async for message in super().stream(name, token, **fields):
            self._record(name, fields, message)
            yield message

    def _record(self, name: str, fields: dict[str, Any], answer: Message) -> None:
        request = self.methods[name].request(**fields)
        told = {"request": shown(request, whole=False), "response": shown(answer, whole=True)}
        self.recorded.setdefault(name, told)


def shown(message: Message, *, whole: bool) -> Any:
    """Returns a message as REST shows it; a response has fields without presence also if they are empty."""
    found = json_format.MessageToDict(message, always_print_fields_with_no_presence=whole)
    return without_secrets(shortened(found))


def shortened(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: shortened(each) for name, each in value.items()}
    return [shortened(each) for each in value[:MOST]] if isinstance(value, list) else value


def without_secrets(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: without_secrets(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [without_secrets(each, name) for each in value]
    if not isinstance(value, str):
        return value
    if name in SECRET_FIELDS and value:
        return f"{value[:MOST]}..."
    return SECRET.sub(r"\1...", value)


async def play_a_game(service: RecordingService, ann: str, bob: str) -> tuple[str, list[str]]:
    """Plays a game from its creation to its end, and looks at it in every way."""
    call = service.call
    wish = {"title": "tides", "seat_count": 2, "manual_start": True}
    created = await call("CreateGame", ann, **wish, request_id="create-7f3a-0f4c8b2e9a6d")
    game = {"game_id": created.game.game_id}
    await call("ListGames", bob, title="tides", joinable=True, page_size=10)
    await call("JoinGame", ann, **game, display_name="Ann", request_id="join-7f3a-ann-0f4c8b2e9a6d")
    await call("JoinGame", bob, **game, display_name="Bob")
    await call("LeaveGame", bob, **game, request_id="leave-7f3a-bob-0f4c8b2e9a6d")
    joined = await call("JoinGame", bob, **game, display_name="Bob")
    await call("StartGame", ann, **game, request_id="start-7f3a-0f4c8b2e9a6d")
    await call("GetGame", ann, **game)
    await call("GetView", ann, **game, legal_actions_limit=2)
    legal = await call("ListLegalActions", ann, **game, page_size=2)
    move = {"decision_id": legal.decision.decision_id, "action": legal.actions[0].action}
    await call("PlayAction", ann, **game, **move, request_id="move-7f3a-1-0f4c8b2e9a6d")
    await look_around(service, ann, bob, game, joined.seat_token)
    refreshed = await call("RefreshSeatToken", ann, **game, seat=0)
    wish = {**game, "request_id": "revoke-7f3a-0f4c8b2e9a6d"}
    token = (await call("RevokeSeatTokens", refreshed.seat_token, **wish)).seat_token
    await service.finish(game["game_id"], [token, joined.seat_token])
    await service.record_finished_games()
    return game["game_id"], [token, joined.seat_token]


async def look_around(
    service: RecordingService, ann: str, bob: str, game: dict[str, Any], seat_token: str
) -> None:
    """Watches, undoes, proposes an end, and makes a sandbox, in the middle of a game."""
    call = service.call
    await call("ListEvents", ann, **game, after_version=5, page_size=10)
    await call("GetFairness", ann, **game)
    await service.read_stream("WatchGame", ann, **game, after_version=5)
    await service.settled()
    await service.read_stream("WatchInbox", bob)
    undo = await call("ProposeUndo", ann, **game, request_id="undo-7f3a-0f4c8b2e9a6d")
    if undo.view.HasField("proposal"):
        proposal = {"proposal_id": undo.view.proposal.proposal_id, "accept": False}
        await call("AnswerProposal", seat_token, **game, **proposal, request_id="answer-7f3a-0f4c8b2e9a6d")
    await call("ProposeAbandon", ann, **game, request_id="stop-7f3a-0f4c8b2e9a6d")
    await call("ForkGame", ann, **game, request_id="fork-7f3a-0f4c8b2e9a6d")


async def talk(service: RecordingService, ann: str, bob: str) -> None:
    """Says something in a game of two, which the other reads."""
    call = service.call
    game_id, _tokens = await service.shared_table(ann, bob)
    game = {"game_id": game_id}
    await call("ListPhrases", ann, title="tides", page_size=10)
    await call("Say", ann, **game, phrase_id="talk.good_luck", request_id="say-4e92-0f4c8b2e9a6d")
    await call("ListTalk", bob, **game, page_size=10)
    async for _message in service.stream("WatchTalk", bob, **game):
        break
    await call("MuteSeat", bob, **game, muted_seat=0, muted=True)


async def end_others(service: RecordingService, ann: str, bob: str, finished: str, tokens: list[str]) -> None:
    """Plays what one game cannot have: a rematch, a hosted bot, a time-out, a resignation."""
    call = service.call
    await call("Rematch", tokens[0], game_id=finished, request_id="rematch-7f3a-0f4c8b2e9a6d")
    clock = {"per_decision": {"seconds": 60}}
    game = {"game_id": (await call("CreateGame", bob, title="tides", seat_count=2, clock=clock)).game.game_id}
    await call("JoinGame", bob, **game, display_name="Bob")
    await call("AddBot", bob, **game, bot_level="random", request_id="bot-9c21-0f4c8b2e9a6d")
    await service.pass_time(61)
    await call("ReclaimSeat", bob, **game, request_id="reclaim-9c21-0f4c8b2e9a6d")
    await call("Resign", bob, **game, request_id="resign-9c21-0f4c8b2e9a6d")


async def use_webhooks(service: RecordingService, ann: str) -> None:
    call = service.call
    created = await call(
        "CreateWebhook", ann, url="https://hooks.example.com/shedu", request_id="hook-5d10-0f4c8b2e9a6d"
    )
    hook = {"webhook_id": created.webhook.webhook_id}
    await call("ListWebhooks", ann, page_size=10)
    await call("GetWebhook", ann, **hook)
    await call("UpdateWebhook", ann, **hook, description="Games of my club")
    await call("RotateWebhookSecret", ann, **hook, request_id="rotate-5d10-0f4c8b2e9a6d")
    await call("TestWebhook", ann, **hook)
    await call("ListFailedDeliveries", ann, **hook, page_size=10)
    await call("ReplayDeliveries", ann, **hook)
    await call("DeleteWebhook", ann, **hook)


async def use_profiles(service: RecordingService, ann: str, bob: str, finished: str) -> None:
    call = service.call
    await call("UpdateProfile", bob, handle="Bob-1")
    await call("GetProfile", bob)
    await call("GetPlayer", ann, handle="Bob-1")
    await call("ListPlayerGames", bob, handle="me", title="tides", page_size=10)
    await call("GetPlayerStatistics", bob, handle="me")
    await call("ListLeaderboard", ann, title="tides", page_size=10)
    await call("ListGamePlayers", ann, game_id=finished)
    await call("BlockPlayer", ann, handle="Bob-1")
    await call("ListBlockedPlayers", ann)
    await call("UnblockPlayer", ann, handle="Bob-1")
    await call("ErasePlayerData", bob, handle="Bob-1")


async def look_for_players(service: RecordingService, ann: str) -> None:
    call = service.call
    wish = {"title": "tides", "min_seats": 2, "max_seats": 2, "display_name": "Ann"}
    created = await call("CreateTicket", ann, **wish, request_id="ticket-2b44-0f4c8b2e9a6d")
    ticket = {"ticket_id": created.ticket.ticket_id}
    await call("GetTicket", ann, **ticket)
    async for _message in service.stream("WatchTicket", ann, **ticket):
        break
    await call("CancelTicket", ann, **ticket)


async def record() -> dict[str, Any]:
    """Returns the examples by rpc, and those of errors."""
    service = RecordingService()
    ann, bob = await service.key("ann"), await service.key("bob")
    await service.call("ListTitles", ann, page_size=10)
    await service.call("GetTitle", ann, title="tides")
    finished, tokens = await play_a_game(service, ann, bob)
    await end_others(service, ann, bob, finished, tokens)
    await use_webhooks(service, ann)
    await use_profiles(service, ann, bob, finished)
    await look_for_players(service, ann)
    await talk(service, ann, bob)
    late = await service.error("Resign", tokens[0], game_id=finished)
    away = Service(UnavailableStore(), players=None, matching=None, webhooks=False)  # type: ignore[arg-type]
    failed = await away.error("GetGame", game_id=finished)
    errors = {"Refused": without_secrets(error_body(late)), "Failed": error_body(failed)}
    return {"operations": service.recorded, "errors": errors}


def text() -> str:
    # Sorted, because the order of maps differs from run to run.
    return json.dumps(asyncio.run(record()), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    Path(str(FILE)).write_text(text())
