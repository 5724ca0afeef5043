"""The one handler object: a method for every rpc of the contract, and nothing else in public."""

from __future__ import annotations

from collections.abc import Callable

from gamehost.api.auth.seat_tokens import SeatTokens
from gamehost.codec.game_codec import GameCodec
from gamehost.play.application import Application

from .catalog import CatalogHandlers
from .fairness import FairnessHandlers
from .games import GameHandlers
from .inbox import InboxHandlers
from .proposals import ProposalHandlers
from .seat_control import SeatControlHandlers
from .seat_tokens import SeatTokenHandlers


class Handlers(
    CatalogHandlers,
    GameHandlers,
    SeatTokenHandlers,
    SeatControlHandlers,
    ProposalHandlers,
    InboxHandlers,
    FairnessHandlers,
):
    """`now` gives seconds since 1970."""

    def __init__(
        self, codec: GameCodec, house: Application, tokens: SeatTokens, now: Callable[[], float]
    ) -> None:
        CatalogHandlers.__init__(self, codec, house.bot_catalog)
        GameHandlers.__init__(self, codec, house, tokens)
        SeatTokenHandlers.__init__(self, codec, house, tokens, now)
        SeatControlHandlers.__init__(self, codec, house)
        ProposalHandlers.__init__(self, codec, house, tokens)
        InboxHandlers.__init__(self, codec, house, tokens)
        FairnessHandlers.__init__(self, house)
