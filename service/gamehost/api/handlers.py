"""The one handler object: a method for every rpc of the contract, and nothing else in public."""

from __future__ import annotations

from collections.abc import Callable

from gamehost.codec.wire import WireCodec
from gamehost.play.application import Application

from .catalog_calls import CatalogCalls
from .fairness_calls import FairnessCalls
from .game_calls import GameCalls
from .inbox_calls import InboxCalls
from .proposal_calls import ProposalCalls
from .seat_calls import SeatCalls
from .seating_calls import SeatingCalls
from .tokens import SeatTokens


class Handlers(CatalogCalls, GameCalls, SeatCalls, SeatingCalls, ProposalCalls, InboxCalls, FairnessCalls):
    """`now` gives seconds since 1970."""

    def __init__(
        self, codec: WireCodec, house: Application, tokens: SeatTokens, now: Callable[[], float]
    ) -> None:
        CatalogCalls.__init__(self, codec, house.bot_catalog)
        GameCalls.__init__(self, codec, house, tokens)
        SeatCalls.__init__(self, codec, house, tokens, now)
        SeatingCalls.__init__(self, codec, house)
        ProposalCalls.__init__(self, codec, house, tokens)
        InboxCalls.__init__(self, codec, house, tokens)
        FairnessCalls.__init__(self, house)
