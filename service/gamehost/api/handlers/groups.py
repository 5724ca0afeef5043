"""Builds the handlers of all rpcs, in groups."""

from __future__ import annotations

from collections.abc import Callable

from gamehost.api.auth.seat_tokens import SeatTokens
from gamehost.codec.messages import MessageRenderer
from gamehost.play.application import Application

from .catalog import CatalogHandlers
from .fairness import FairnessHandlers
from .games import GameHandlers
from .inbox import InboxHandlers
from .matching import MatchHandlers
from .players import PlayerHandlers
from .proposals import ProposalHandlers
from .seat_control import SeatControlHandlers
from .seat_tokens import SeatTokenHandlers
from .talk import TalkHandlers
from .webhooks import WebhookHandlers


def handler_groups(
    codec: MessageRenderer, application: Application, tokens: SeatTokens, now: Callable[[], float]
) -> list[object]:
    """Objects whose public methods are the handlers of the rpcs. `now` returns Unix time."""
    return [
        CatalogHandlers(codec, application.bot_catalog),
        GameHandlers(codec, application, tokens),
        SeatTokenHandlers(codec, application, tokens, now),
        SeatControlHandlers(codec, application),
        ProposalHandlers(codec, application, tokens),
        InboxHandlers(codec, application, tokens),
        FairnessHandlers(application),
        WebhookHandlers(application),
        PlayerHandlers(application),
        MatchHandlers(codec, application, tokens),
        TalkHandlers(codec, application),
    ]
