"""The asyncio client: what `shedu` has, with `await`."""

from .games import Game, Player, Turn
from .server import Server, connect

__all__ = ["Game", "Player", "Server", "Turn", "connect"]
