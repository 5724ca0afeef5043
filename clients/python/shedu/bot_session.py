"""One run of a bot on a server: connects, finds seats, plays them. Both `bot run` commands use it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import aio
from .addresses import address_of, token_of
from .errors import Forbidden, Unauthenticated
from .finding import NEW_AT_ONCE, Wanted, seats
from .running import Runner, stop_on_sigterm

Tell = Callable[[str], None]


class BadToken(Exception):
    """The server does not accept the token; the message says where the token came from."""


@dataclass(frozen=True, slots=True)
class Session:
    """Where and how a bot plays. `token_source` names the token for the user."""

    server: str
    token: str | None
    token_source: str
    patience: float
    wanted: Wanted
    games: int | None = None
    at_once: int | None = None

    async def play(self, runner: Runner, tell: Tell) -> None:
        """Plays until all games are over, or it is cancelled. Raises SheduError or BadToken."""
        stop_on_sigterm()
        known = bool(token_of(self.token))
        async with aio.connect(self.server, token=self.token, patience=self.patience, tell=tell) as server:
            tell(f"connecting to {address_of(self.server).target}")
            await self._check(server)
            if (source := self.wanted.source(known)) is not None:
                tell(f"waiting for {source}")
            at_once = self.at_once or self._most_at_once()
            await runner.run(seats(server, self.wanted, known, tell), self.games, at_once)

    def _most_at_once(self) -> int | None:
        """How many games to play at a time if the user does not say: on the ladder one after the other."""
        if self.wanted.ladder:
            return 1
        return NEW_AT_ONCE if self.wanted.new_games else None

    async def _check(self, server: aio.Server) -> None:
        """Fails now, instead of waiting for games for ever, if a title does not exist or the token is bad."""
        try:
            for title in self.wanted.titles:
                await server.title(title)
            async for _game in server.games(mine=bool(token_of(self.token))):
                break
        except (Unauthenticated, Forbidden) as error:
            raise BadToken(f"the server does not accept {self.token_source}: {error.message}") from error


def token_source(token: str | None, file: object) -> str:
    """Returns where a token came from."""
    if file is not None:
        return f"the token in {file}"
    return "the token in SHEDU_TOKEN" if token_of(token) else "a caller without a token (SHEDU_TOKEN)"
