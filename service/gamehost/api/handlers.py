"""The one handler object: a method for every rpc of the contract, and nothing else in public."""

from __future__ import annotations

from gamehost.codec.wire import WireCodec
from gamehost.play.house import House

from .catalog_calls import CatalogCalls
from .fairness_calls import FairnessCalls
from .game_calls import GameCalls
from .tokens import SeatTokens


class Handlers(CatalogCalls, GameCalls, FairnessCalls):
    def __init__(self, codec: WireCodec, house: House, tokens: SeatTokens) -> None:
        CatalogCalls.__init__(self, codec)
        GameCalls.__init__(self, codec, house, tokens)
        FairnessCalls.__init__(self, house, tokens)
