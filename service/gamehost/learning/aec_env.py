"""A title as a PettingZoo AEC environment. The rules determine which agent acts next."""

from __future__ import annotations

from copy import copy, deepcopy
from typing import Any, TypedDict

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from gamehost.rules.kit import Seat

from .encoding import Array, Encoding, Mask, NoSuchAction
from .encodings import ENCODINGS
from .game import Game, InvalidSetUp, options_of, require_game, rules_of
from .rendering import render_text
from .rewards import REWARDS

ANSI = "ansi"


class NoSuchAgent(LookupError):
    """The environment has no agent of that name."""


class Observation(TypedDict):
    """The result of `observe` and `last`, in the form that PettingZoo expects for masked actions."""

    observation: Array
    action_mask: Mask


def array_space(encoding: Encoding) -> spaces.Space[Any]:
    return spaces.Box(-1, 1, (encoding.size,), np.float32)


def observation_space(encoding: Encoding) -> spaces.Dict:
    mask = spaces.Box(0, 1, (len(encoding.actions),), np.int8)
    return spaces.Dict({"observation": array_space(encoding), "action_mask": mask})


def check_arguments(reward: str, max_cycles: int | None, render_mode: str | None) -> None:
    """Raise InvalidSetUp for arguments that both kinds of environment refuse."""
    if reward not in REWARDS:
        raise InvalidSetUp(f"there is no reward {reward}; there are: {', '.join(REWARDS)}")
    if max_cycles is not None and max_cycles < 1:
        raise InvalidSetUp(
            f"max_cycles must be at least 1, or None to play games to their end; not {max_cycles}"
        )
    if render_mode not in (None, ANSI):
        raise InvalidSetUp(f"there is no render mode {render_mode}; there is: {ANSI}")


class TitleEnv(AECEnv[str, Any, Any]):
    """An environment for all seats. Agents are `seat_0`, `seat_1` and so on.

    An illegal action raises IllegalAction and does not change the game.
    """

    def __init__(
        self,
        title: str,
        seats: int = 2,
        options: Any = None,
        reward: str = "ranks",
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_arguments(reward, max_cycles, render_mode)
        rules = rules_of(title, seats)
        self.title, self.options, self.reward = title, options_of(rules, options), reward
        self.max_cycles, self.render_mode = max_cycles, render_mode
        self.metadata = {"name": f"shedu_{title}_v0", "render_modes": [ANSI], "is_parallelizable": False}
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        encoding = ENCODINGS[title]
        agents = self.possible_agents
        self.observation_spaces = {agent: observation_space(encoding) for agent in agents}
        self.action_spaces = {agent: spaces.Discrete(len(encoding.actions)) for agent in agents}
        self._random, _ = seeding.np_random()
        self._current: Game | None = None
        self.agents, self.agent_selection = [], self.possible_agents[0]

    @property
    def _game(self) -> Game:
        return require_game(self._current)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. The same seed gives the same random numbers; without one, each reset starts the next
        game of the last seed."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        seats = len(self.possible_agents)
        self._current = Game.begin(self.title, self.options, seats, self._random.bytes(32))
        self.cycles = 0
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        # PettingZoo's _was_dead_step leaves this attribute behind. If the last game was not stepped to its
        # very end, a stale value would select an agent of the new game.
        vars(self).pop("_skip_agent_selection", None)
        self._ask()

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent; None for an agent whose game is over."""
        game, agent = self._game, self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise NoSuchAction("None is only for agents whose game is over")
        game.answer(self._seat(agent), ENCODINGS[self.title].action(action))
        self.cycles += 1
        # PettingZoo asks for this order: last() has returned what the agent earned since its last step, so
        # its sum starts anew. Then the rewards of this step are set and added to the sums of all agents.
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if not self._finish():
            self._ask()
        self._accumulate_rewards()

    def _ask(self) -> None:
        decision = self._game.next_decision()
        assert decision is not None
        self.agent_selection = self.possible_agents[decision.seat]

    def _finish(self) -> bool:
        """Set rewards and flags if the game is over or truncated, and return whether it is."""
        outcome = self._game.outcome
        if outcome is not None:
            worth = REWARDS[self.reward](outcome)
            self.rewards = dict(zip(self.agents, worth, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            places = zip(self.agents, outcome.ranks, outcome.scores, strict=True)
            self.infos = {agent: {"rank": rank, "score": score} for agent, rank, score in places}
        elif self.max_cycles is not None and self.cycles >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            return False
        # PettingZoo now expects step(None) for each agent, this one first.
        self.agent_selection = self.agents[0]
        return True

    def observe(self, agent: str) -> Observation:
        seat = self._seat(agent)
        return {"observation": self._game.observation(seat), "action_mask": self._game.mask(seat)}

    def observation_string(self, agent: str) -> str:
        """Return the agent's view as text."""
        return self._game.observation_string(self._seat(agent))

    def information_state_string(self, agent: str) -> str:
        """Return all events that the agent has witnessed since the start, one per line."""
        return self._game.information_state_string(self._seat(agent))

    def render(self) -> str | None:
        if self.render_mode is None:
            return None
        return render_text(self._game, self._seat(self.agent_selection))

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def copy(self, seed: int | None = None) -> TitleEnv:
        """Return an independent copy. With a seed, it has other random numbers from here on."""
        return self._copy_with(self._game.copy(None if seed is None else str(seed).encode()))

    def imagine(self, agent: str, seed: int) -> TitleEnv:
        """Return a copy that the agent cannot tell from this one: hidden information is dealt again."""
        return self._copy_with(self._game.imagined(self._seat(agent), str(seed).encode()))

    def _copy_with(self, game: Game) -> TitleEnv:
        # copy() is shallow: whatever step() changes in place must be copied here. Spaces have a random state.
        twin = copy(self)
        twin._current = game
        twin.agents = self.agents.copy()
        twin.infos = {agent: info.copy() for agent, info in self.infos.items()}
        for name in ("rewards", "_cumulative_rewards", "terminations", "truncations"):
            setattr(twin, name, getattr(self, name).copy())
        twin.action_spaces = deepcopy(self.action_spaces)
        twin._random = deepcopy(self._random)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> TitleEnv:
        # The default would also copy all states and events, which never change.
        return self.copy()

    def _seat(self, agent: str) -> Seat:
        if agent not in self.action_spaces:
            raise NoSuchAgent(f"there is no agent {agent}; there are: {', '.join(self.possible_agents)}")
        return Seat(self.possible_agents.index(agent))
