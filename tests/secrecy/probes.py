"""Calls of every rpc, valid and invalid, with which a viewer tries to learn hidden information."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gamehost.rules.kit import AnyRules, Decision
from rules.playouts import Game, Position
from support.service import Service

from .worlds import World

ACTIONS = 25  # actions tried as an answer to every decision
EVERY_ACTION: dict[str, Any] = {"legal_actions_limit": 1000}


@dataclass(frozen=True)
class Probe:
    rpc: str
    fields: dict[str, Any]


@dataclass(frozen=True)
class Prober:
    """Makes the probes of a viewer at a position; they depend only on what the viewer knows."""

    rules: AnyRules
    game: Game
    position: Position
    world: World
    version: int

    def probes(self) -> Iterator[Probe]:
        for rpc, ask in ASKED.items():
            for fields in ask(self):
                yield Probe(rpc, fields)

    @property
    def versions(self) -> list[int]:
        """The first versions, some in between, the last, and one after it."""
        joined = 1 + self.game.seats
        return [
            1,
            joined,
            joined + 1,
            joined + 2,
            self.version // 2,
            self.version - 1,
            self.version,
            self.version + 1,
        ]

    @property
    def decisions(self) -> list[Decision]:
        return list(self.rules.decisions(self.position.state))

    def here(self, **fields: Any) -> dict[str, Any]:
        return {"game_id": self.world.game_id, **fields}

    def seats(self) -> list[int]:
        return [*range(self.game.seats), self.game.seats]


def nowhere(it: Prober) -> Iterator[dict[str, Any]]:
    """Requests with only the id of the game, or of a game that does not exist."""
    yield it.here()
    yield {"game_id": "a" * 20}


def looks(it: Prober) -> Iterator[dict[str, Any]]:
    yield it.here()
    for version in it.versions:
        yield it.here(version=version)
    for seat in it.seats():
        yield it.here(as_seat=seat)
        yield it.here(seat=seat)
    yield it.here(version=it.version // 2, as_seat=0)


def views(it: Prober) -> Iterator[dict[str, Any]]:
    """Requests for views, with legal actions, and for parts of views."""
    for fields in looks(it):
        yield fields
        yield {**fields, **EVERY_ACTION}
    yield it.here(**EVERY_ACTION, read_mask={"paths": ["legal_actions"]})
    for path in ("view.decisions", "view.game", f"view.{it.rules.title}", "view.nothing"):
        yield it.here(read_mask={"paths": [path]})


def streams(it: Prober) -> Iterator[dict[str, Any]]:
    """Streams from several versions. A whole history is asked for once: it is most of the time of a test."""
    yield it.here()
    yield it.here(after_version=0)
    middle = it.version // 2
    for version in (middle, it.version - 1, it.version + 1):
        yield it.here(after_version=version, **EVERY_ACTION)
    yield it.here(**EVERY_ACTION)
    yield it.here(**EVERY_ACTION, read_mask={"paths": ["legal_actions"]})
    yield it.here(after_version=middle, read_mask={"paths": ["happened.events"]})


def histories(it: Prober) -> Iterator[dict[str, Any]]:
    yield it.here(page_size=1000)
    for version in it.versions:
        yield it.here(after_version=version, page_size=3)


def answers(it: Prober) -> Iterator[dict[str, Any]]:
    """Actions from the whole game as answers to every open decision, and to none."""
    codec, title = Service().codec, it.rules.title
    moves = [place.move[1] for place in it.game.positions if place.move]
    tried = random.Random(it.version).sample(moves, min(ACTIONS, len(moves)))
    for decision in it.decisions:
        for action in tried:
            sent = codec.renderer.action(title, action)
            yield it.here(decision_id=decision.id, action=sent, validate_only=True)
            yield it.here(decision_id=decision.id, action=sent, validate_only=True, **EVERY_ACTION)
    sent = codec.renderer.action(title, tried[0])
    yield it.here(decision_id="none", action=sent)
    for version in (1, it.version // 2, it.version + 1):
        yield it.here(decision_id="none", action=sent, expected_version=version)


def plays(it: Prober) -> Iterator[dict[str, Any]]:
    for number, fields in enumerate(answers(it)):
        yield {"items": [{"correlation_id": number, "play": fields}]}
    yield {"items": [{"token": "nobody's", "play": it.here(decision_id="none")}]}
    yield {"items": [{"play": {"game_id": "a" * 20}}]}
    yield {}


def lists(it: Prober) -> Iterator[dict[str, Any]]:
    yield {}
    yield {"title": it.rules.title, "page_size": 1}
    yield {"status": 2}
    yield {"status": 1}
    yield {"mine": True}
    yield {"joinable": True}


def sittings(it: Prober) -> Iterator[dict[str, Any]]:
    yield it.here()
    for seat in it.seats():
        yield it.here(seat=seat)
    yield it.here(invite_code="a" * 10)


def going_back(it: Prober) -> Iterator[dict[str, Any]]:
    yield it.here()
    for version in it.versions:
        yield it.here(to_version=version)


def forks(it: Prober) -> Iterator[dict[str, Any]]:
    yield it.here()
    for version in it.versions[2:]:
        yield it.here(version=version)


def proposals(it: Prober) -> Iterator[dict[str, Any]]:
    yield it.here(proposal_id="none", accept=True)


def bots(it: Prober) -> Iterator[dict[str, Any]]:
    yield it.here(bot_level="random")


def titles(it: Prober) -> Iterator[dict[str, Any]]:
    yield {"title": it.rules.title}


def inboxes(it: Prober) -> Iterator[dict[str, Any]]:
    yield {}
    yield EVERY_ACTION
    yield {**EVERY_ACTION, "read_mask": {"paths": ["item.legal_actions"]}}


def new_webhooks(it: Prober) -> Iterator[dict[str, Any]]:
    yield {"url": "https://hooks.example.com/"}


def webhooks(it: Prober) -> Iterator[dict[str, Any]]:
    yield {"webhook_id": "a" * 20}


def players(it: Prober) -> Iterator[dict[str, Any]]:
    yield {"handle": "me"}
    yield {"handle": "someone"}


def tickets(it: Prober) -> Iterator[dict[str, Any]]:
    yield {"ticket_id": "a" * 20, "ticket_token": "shedu_ticket_x"}
    yield {"ticket_id": it.world.game_id}


def remarks(it: Prober) -> Iterator[dict[str, Any]]:
    yield it.here(phrase_id="talk.hello")
    yield it.here(phrase_id=f"{it.rules.title}.talk.nothing")
    yield it.here(text="a text")
    for seat in it.seats():
        yield it.here(phrase_id="talk.hello", seat=seat)


def mutes(it: Prober) -> Iterator[dict[str, Any]]:
    for seat in it.seats():
        yield it.here(muted_seat=seat, muted=True)


def anything(it: Prober) -> Iterator[dict[str, Any]]:
    yield {}


ASKED = {
    "ListTitles": anything,
    "GetTitle": titles,
    "CreateGame": titles,
    "GetGame": nowhere,
    "ListGames": lists,
    "JoinGame": sittings,
    "LeaveGame": nowhere,
    "StartGame": nowhere,
    "RefreshSeatToken": nowhere,
    "RevokeSeatTokens": nowhere,
    "GetView": views,
    "ListLegalActions": looks,
    "PlayAction": answers,
    "PlayStream": plays,
    "ListEvents": histories,
    "WatchGame": streams,
    "GetFairness": nowhere,
    "AddBot": bots,
    "Resign": nowhere,
    "ReclaimSeat": nowhere,
    "ProposeUndo": going_back,
    "ProposeAbandon": nowhere,
    "AnswerProposal": proposals,
    "ForkGame": forks,
    "Rematch": nowhere,
    "WatchInbox": inboxes,
    "CreateWebhook": new_webhooks,
    "ListWebhooks": anything,
    "GetWebhook": webhooks,
    "UpdateWebhook": webhooks,
    "DeleteWebhook": webhooks,
    "RotateWebhookSecret": webhooks,
    "ListFailedDeliveries": webhooks,
    "ReplayDeliveries": webhooks,
    "TestWebhook": webhooks,
    "GetProfile": anything,
    "UpdateProfile": anything,
    "ErasePlayerData": players,
    "GetPlayer": players,
    "ListPlayerGames": players,
    "GetPlayerStatistics": players,
    "ListLeaderboard": titles,
    "ListGamePlayers": nowhere,
    "BlockPlayer": players,
    "UnblockPlayer": players,
    "ListBlockedPlayers": anything,
    "CreateTicket": titles,
    "GetTicket": tickets,
    "CancelTicket": tickets,
    "WatchTicket": tickets,
    "ListPhrases": titles,
    "Say": remarks,
    "ListTalk": nowhere,
    "WatchTalk": nowhere,
    "MuteSeat": mutes,
}
# Calls that change nothing can share one service.
READING = frozenset(
    {"ListTitles", "GetTitle", "GetGame", "ListGames", "GetView", "ListLegalActions", "ListEvents"}
    | {"WatchGame", "GetFairness", "WatchInbox", "RefreshSeatToken"}
    | {"GetPlayer", "ListPlayerGames", "GetPlayerStatistics", "ListLeaderboard", "ListGamePlayers"}
    | {"ListBlockedPlayers", "GetTicket", "WatchTicket"}
    | {"ListWebhooks", "ListPhrases", "ListTalk", "WatchTalk"}
)
