"""A bot in a file: `def decide(view, decision, actions)`, or a class `Bot` with that method.

It gets the messages that the service sends to its seat, and returns one of the actions. A fourth parameter
gets the events that the seat has witnessed. The same file plays offline in `shedu arena` and online.
"""

from __future__ import annotations

import inspect
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from runpy import run_path
from typing import Any, Protocol

from shedu.v1 import game_pb2, game_service_pb2

Answer = game_service_pb2.LegalAction | game_pb2.Action

LOAD_SECONDS = 60.0  # for a file to be loaded; some import large libraries
POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
EVENTS = "events"


class Decider(Protocol):
    """Chooses the actions of one seat in one game.

    `decide` may have a fourth parameter, for the events that the seat has witnessed: it is named `events`, or
    has no default.
    """

    def decide(
        self,
        view: game_pb2.View,
        decision: game_pb2.Decision,
        actions: Sequence[game_service_pb2.LegalAction],
    ) -> Answer:
        """Returns one of the legal actions, or the action inside it."""
        ...


class BadBot(Exception):
    """A bot cannot be loaded or gives no valid answer; the message names it and the reason.

    `trace` is the traceback through the files of the bot, if its own code raised.
    """

    trace = ""


class _Function:
    """A plain function as a Decider."""

    def __init__(self, decide: Callable[..., Answer]) -> None:
        self.decide = decide


def load_in_time(path: Path, seconds: float = LOAD_SECONDS) -> Callable[[], Decider]:
    """Like `load`, and makes one decider to see that it can be. Raises BadBot, also after so many seconds.

    The file is loaded in a thread of its own, because nothing can stop a file that hangs.
    """
    loaded: list[Callable[[], Decider] | BaseException] = []

    def attempt() -> None:
        try:
            make = load(path)
            make()
            loaded.append(make)
        except BaseException as error:  # handed to the thread that waits
            loaded.append(error)

    thread = threading.Thread(target=attempt, name="loading a bot", daemon=True)
    thread.start()
    thread.join(seconds)
    if not loaded:
        raise _hangs(path, seconds, thread)
    if isinstance(loaded[0], BaseException):
        raise loaded[0]
    return loaded[0]


def _hangs(path: Path, seconds: float, thread: threading.Thread) -> BadBot:
    """The error for a file that is still being loaded; it names the line of the file that runs."""
    frame = sys._current_frames().get(thread.ident or 0)
    lines = [at.lineno for at in traceback.extract_stack(frame) if at.filename == str(path)] if frame else []
    where = f": line {lines[-1]} does not end" if lines else ""
    return BadBot(f"{path} is not loaded after {seconds:g} s{where}")


def load(path: Path) -> Callable[[], Decider]:
    """Returns a function that makes a decider for each game from a file. Raises BadBot."""
    names = _run(path)
    bot, decide = names.get("Bot"), names.get("decide")
    if inspect.iscoroutinefunction(getattr(bot, "decide", decide)):
        raise BadBot(f"{path} has an async decide; a bot is asked by a plain call, in a thread of its own")
    if callable(getattr(bot, "decide", None)) and callable(bot):
        return lambda: _made(path, bot)
    if callable(decide):
        return lambda: _Function(decide)
    raise BadBot(f"{path} has neither a function decide(view, decision, actions) nor a class Bot with it")


def _run(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise BadBot(f"there is no file {path}")
    beside = str(path.resolve().parent)
    if beside not in sys.path:
        sys.path.append(beside)  # a bot may import modules of its folder
    try:
        return run_path(str(path), run_name=path.stem)
    except SyntaxError as error:
        raise BadBot(f"{path} is not Python: line {error.lineno}: {error.msg}") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # every exception, also sys.exit(), is a failure of the bot
        raise BadBot(f"{path} cannot be loaded: {told(error, str(path))}") from error


def _made(path: Path, bot: Callable[[], Decider]) -> Decider:
    try:
        return bot()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise BadBot(f"{path}: Bot() cannot be made: {told(error, str(path))}") from error


def wants_events(decider: Decider) -> bool:
    """Whether `decide` has a fourth parameter for events. One with a default is meant only by its name."""
    try:
        parameters = inspect.signature(decider.decide).parameters.values()
    except (TypeError, ValueError):  # some functions in C have no signature
        return False
    given = [each for each in parameters if each.kind in POSITIONAL]
    return len(given) > 3 and (given[3].default is inspect.Parameter.empty or given[3].name == EVENTS)


def ask(
    name: str,
    decider: Decider,
    view: game_pb2.View,
    decision: game_pb2.Decision,
    actions: Sequence[game_service_pb2.LegalAction],
    events: Sequence[game_pb2.Event] | None = None,
) -> int:
    """Returns the index of the action that the decider chooses; the decider gets copies of the messages.

    `events` are passed on unless they are None; see `wants_events`. Raises BadBot.
    """
    more = () if events is None else (deepcopy(list(events)),)
    decide: Callable[..., Answer] = decider.decide
    try:
        answer = decide(view, deepcopy(decision), deepcopy(list(actions)), *more)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        file = _file_of(decider.decide)
        bad = BadBot(f"{name}: decide fails at {decision.decision_id}: {told(error, file)}")
        bad.trace = own_traceback(error, file)
        raise bad from error
    action = answer.action if isinstance(answer, game_service_pb2.LegalAction) else answer
    for number, legal in enumerate(actions):
        if legal.action == action:
            return number
    what = (
        "an action that is not legal" if isinstance(action, game_pb2.Action) else f"{type(answer).__name__}"
    )
    raise BadBot(f"{name}: decide returns {what} at {decision.decision_id}, not one of the actions")


def _file_of(decide: Callable[..., Answer]) -> str:
    code = getattr(inspect.unwrap(decide), "__code__", None)
    return code.co_filename if code is not None else ""


def told(error: BaseException, file: str) -> str:
    """Describes an error in one line, with the last line of this file in its traceback."""
    lines = [at.lineno for at in traceback.extract_tb(error.__traceback__) if at.filename == file]
    where = f" (line {lines[-1]})" if lines else ""
    return f"{type(error).__name__}: {error}{where}"


def own_traceback(error: BaseException, file: str) -> str:
    """Returns the frames of an error that are in the folder of this file, as Python prints them."""
    folder = Path(file).resolve().parent
    frames = [
        at
        for at in traceback.extract_tb(error.__traceback__)
        if file and Path(at.filename).resolve().is_relative_to(folder)
    ]
    return "".join(traceback.format_list(frames)).rstrip()
