"""One seat of a title as a Gymnasium environment; hosted bot levels play the other seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from gamehost.bots.bot import Bot
from gamehost.bots.levels import LEVEL_BY_NAME, bot, remembers
from gamehost.rules.catalog import CATALOG
from gamehost.rules.kit import Decision, IllegalAction, Seat

from .aec_env import ANSI, array_space, check_arguments
from .encoding import Array, NoSuchAction
from .encodings import ENCODINGS
from .game import Game, InvalidSetUp, options_of, require_game, rules_of
from .rendering import render_text
from .rewards import REWARDS

ILLEGAL = -1.0
"""The reward of an illegal action, which ends the episode."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """A bot on another seat. With `remembers` it is given the events that its seat has witnessed."""

    bot: Bot
    remembers: bool

    def answer(self, game: Game, decision: Decision) -> Any:
        view = game.rules.view(game.state, decision.seat)
        actions = list(game.rules.legal_actions(game.state, decision.seat))
        seen = game.seen(decision.seat) if self.remembers else ()
        return self.bot.decide(view, decision, actions, game.chance(b"bots:"), seen)


def make_opponents(
    title: str, opponents: str | Sequence[str] | None, seat: int, seats: int
) -> dict[int, Opponent]:
    """Return a bot for every other seat, from one level for all or a list of levels in seat order.

    None stands for `greedy`, or for `random` in a title without a heuristic.
    """
    opponents = (
        ("greedy" if title in LEVEL_BY_NAME["greedy"].titles else "random")
        if opponents is None
        else opponents
    )
    if seat not in range(seats):
        raise InvalidSetUp(f"there is no seat {seat}: the seats are 0 to {seats - 1}")
    others = [number for number in range(seats) if number != seat]
    levels = [opponents] * len(others) if isinstance(opponents, str) else list(opponents)
    if len(levels) != len(others):
        raise InvalidSetUp(f"{seats} seats need {seats - 1} opponents, not {len(levels)}")
    bots = [Opponent(bot(title, level), remembers(level)) for level in levels]
    return dict(zip(others, bots, strict=True))


class SeatEnv(gymnasium.Env[Array, Any]):
    """An environment for one seat. `info["action_mask"]` has a 1 for every legal action."""

    metadata = {"render_modes": [ANSI], "render_fps": 1}  # noqa: RUF012  Gymnasium declares it so

    def __init__(
        self,
        title: str,
        opponents: str | Sequence[str] | None = None,
        seat: int = 0,
        seats: int = 2,
        options: Any = None,
        reward: str = "ranks",
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_arguments(reward, max_cycles, render_mode)
        self.options = options_of(rules_of(title, seats), options)
        self.title, self.seat, self.seats, self.reward = title, Seat(seat), seats, reward
        self.max_cycles, self.render_mode = max_cycles, render_mode
        self._opponents = make_opponents(title, opponents, seat, seats)
        self.observation_space = array_space(ENCODINGS[title])
        self.action_space = spaces.Discrete(len(ENCODINGS[title].actions))
        self._current: Game | None = None
        self._over, self._cycles = True, 0

    @property
    def _game(self) -> Game:
        return require_game(self._current)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        super().reset(seed=seed)
        self._current = Game.begin(self.title, self.options, self.seats, self.np_random.bytes(32))
        self._over, self._cycles = False, 0
        self._answer_for_others()
        return self._game.observation(self.seat), self._info()

    def step(self, action: int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        if self._over:
            raise ResetNeeded("the game is over: reset the environment first")
        try:
            self._game.answer(self.seat, ENCODINGS[self.title].action(action))
        except (IllegalAction, NoSuchAction) as refusal:
            # Gymnasium has no way to refuse an action, and an exception would end a training run. Instead,
            # the episode ends with a bad reward.
            self._over = True
            info = {**self._info(), "illegal": str(refusal)}
            return self._game.observation(self.seat), ILLEGAL, True, False, info
        self._answer_for_others()
        self._cycles += 1
        outcome = self._game.outcome
        truncated = outcome is None and self._cycles == self.max_cycles
        self._over = outcome is not None or truncated
        worth = 0.0 if outcome is None else REWARDS[self.reward](outcome)[self.seat]
        return self._game.observation(self.seat), worth, outcome is not None, truncated, self._info()

    def _answer_for_others(self) -> None:
        """Let the bots decide until the agent's seat has a decision or the game is over."""
        game = self._game
        while game.decision_of(self.seat) is None and (decision := game.next_decision()) is not None:
            game.answer(decision.seat, self._opponents[decision.seat].answer(game, decision))

    def _info(self) -> dict[str, Any]:
        outcome = self._game.outcome
        info: dict[str, Any] = {"action_mask": self._game.mask(self.seat)}
        if outcome is not None:
            info |= {"rank": outcome.ranks[self.seat], "score": outcome.scores[self.seat]}
        return info

    def observation_string(self) -> str:
        """Return the seat's view as text."""
        return self._game.observation_string(self.seat)

    def information_state_string(self) -> str:
        """Return all events that the seat has witnessed since the start, one per line."""
        return self._game.information_state_string(self.seat)

    def render(self) -> str | None:
        return None if self.render_mode is None else render_text(self._game, self.seat)


def id_of(title: str) -> str:
    """Return the Gymnasium id of a title: `Shedu/StoneAge-v0` for `stone_age`."""
    return f"Shedu/{''.join(word.capitalize() for word in title.split('_'))}-v0"


def register_environments() -> None:
    """Register every title with Gymnasium."""
    for title in CATALOG:
        gymnasium.register(id_of(title), f"{__name__}:SeatEnv", kwargs={"title": title})
