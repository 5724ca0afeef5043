"""Tests of bots in files that play on a real server."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import shedu
from sdk.players import aplay
from shedu import finding
from shedu.deciding import BadBot, load
from shedu.running import Bot, Runner, match
from support.process import Serve, shedu_here, started
from support.waiting import PATIENCE, wait_until

FIRST = """
    def decide(view, decision, actions):
        return actions[0]
"""
LAST = """
    class Bot:
        def __init__(self):
            self.asked = 0

        def decide(self, view, decision, actions):
            assert decision in view.decisions and decision.seat == view.seat
            self.asked += 1
            return actions[-1].action
"""
RAISES = """
    def decide(view, decision, actions):
        return {}[decision.decision_id]
"""
NONSENSE = """
    def decide(view, decision, actions):
        return 7
"""
EXITS = """
    import sys

    def decide(view, decision, actions):
        sys.exit()
"""
UNMADE = """
    class Bot:
        def __init__(self, strength): ...
        def decide(self, view, decision, actions): ...
"""
HELD = """
    import time
    from pathlib import Path

    asked = 0

    def decide(view, decision, actions):
        global asked
        asked += 1
        while asked > 12 and not Path(__file__).with_suffix(".struck").exists():
            time.sleep(0.01)
        return actions[0]
"""


@pytest.fixture(scope="module")
def quiet(tmp_path_factory):
    """A server without games of others, which tests may kill and must start again."""
    with Serve(tmp_path_factory.mktemp("running")) as process:
        yield process


@pytest.fixture
async def server(serve):
    async with shedu.aio.connect(serve.address, patience=PATIENCE) as server:
        yield server


@pytest.fixture
def bot(tmp_path) -> Callable[..., Path]:
    def write(text: str, name: str = "my_bot.py") -> Path:
        (tmp_path / name).write_text(textwrap.dedent(text))
        return tmp_path / name

    return write


def made(path: Path, **how: str) -> Bot:
    return Bot(path.name, load(path), **how)


async def test_a_match_goes_round_the_seats(server, bot):
    first, last = made(bot(FIRST, "first.py")), made(bot(LAST, "last.py"))

    played = await match(server, "tides", [first, last], games=4)

    assert [("first.py", "last.py"), ("last.py", "first.py")] * 2 == [each.names for each in played]
    assert {"ROUNDS_PLAYED"} == {each.outcome.reason for each in played}
    assert 4 == len({each.game_id for each in played})


@pytest.mark.parametrize(
    ("text", "complaint"), [(RAISES, "KeyError"), (NONSENSE, "int"), (EXITS, "SystemExit")]
)
async def test_a_game_goes_on_without_a_bot_that_fails(server, bot, text, complaint):
    told: list[str] = []
    bad, good = made(bot(text, "bad.py")), made(bot(FIRST, "good.py"))

    (played,) = await match(server, "tides", [bad, good], tell=told.append)

    assert "ROUNDS_PLAYED" == played.outcome.reason
    assert 14 == len(told)
    assert all(message.startswith("bad.py: ") and complaint in message for message in told)


EMPTIES = """
    def decide(view, decision, actions):
        actions.clear()
        return actions
"""
RENAMES = """
    def decide(view, decision, actions):
        decision.decision_id = "another"
        return actions[0]
"""
INTERRUPTS = """
    def decide(view, decision, actions):
        raise KeyboardInterrupt
"""
BITES = """
    class Answer:
        def __eq__(self, other):
            raise RuntimeError("it bites")

    def decide(view, decision, actions):
        return Answer()
"""


@pytest.mark.parametrize(("text", "failures"), [(EMPTIES, 28), (RENAMES, 0), (INTERRUPTS, 28), (BITES, 28)])
async def test_whatever_a_bot_does_it_stops_no_game(server, bot, text, failures):
    with Runner(made(bot(text))) as runner:
        async with asyncio.timeout(PATIENCE):
            await runner.run(finding.created(server, "tides", count=2, bots=["random"]))

        report = runner.report
        assert (2, 28, failures, 0) == (report.games, report.decisions, report.failures, report.lost)


async def test_a_bot_that_cannot_be_made_is_told_and_stops_no_game(server):
    told: list[str] = []

    def make():
        raise LookupError("no model")

    with Runner(Bot("unmade", make), told.append) as runner:
        await runner.run(finding.created(server, "tides", count=1, bots=["random"]))

        assert (1, 14, 1) == (runner.report.games, runner.report.decisions, runner.report.failures)
        assert ["unmade: Bot() cannot be made: LookupError: no model"] == told


async def test_a_game_that_goes_wrong_is_told_and_does_not_stop_the_others(server, bot):
    told: list[str] = []
    good = await (await server.create("tides", bots=["random"])).join()
    bad = server.player(good.id, 7, good.token)  # there is no such seat

    async def both():
        yield bad
        yield good

    with Runner(made(bot(FIRST)), told.append) as runner:
        await runner.run(both())

        assert (1, 1) == (runner.report.games, runner.report.lost)
        assert told[0].startswith(f"game {good.id} is left alone: IndexError: ")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = 1", "has neither a function decide"),
        ("def decide(:", "is not Python: line 1"),
        ("import nowhere_to_be_found", "cannot be loaded: ModuleNotFoundError"),
    ],
)
def test_a_file_without_a_bot_is_refused_by_name(bot, text, sentence):
    path = bot(text)

    with pytest.raises(BadBot) as raised:
        load(path)

    assert str(path) in str(raised.value)
    assert sentence in str(raised.value)


async def test_a_runner_plays_listed_games_as_they_come_and_stops(quiet, bot):
    async with shedu.aio.connect(quiet.address, patience=PATIENCE) as server:
        with Runner(made(bot(FIRST))) as runner:
            found = finding.listed(server, ["tides"], "bot")
            playing = asyncio.create_task(runner.run(found, games=3, at_once=2))
            opponents = []
            for number in range(3):
                opponent = await (await server.create("tides")).join("Ann")
                opponents.append(asyncio.create_task(aplay(opponent, random.Random(number))))

            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(playing, *opponents)

            assert (3, 42, 0) == (runner.report.games, runner.report.decisions, runner.report.lost)
            facts = runner.report.facts()
            assert 0 < facts["answering_ms"]["p50"] <= facts["answering_ms"]["p99"]


def shedu_bot(serve: Serve, *arguments: object) -> subprocess.Popen[str]:
    return started("gamehost", "bot", "run", *arguments, SHEDU_SERVER=serve.address, COLUMNS="200")


def test_two_commands_play_each_other(quiet, bot):
    creator = shedu_bot(quiet, bot(FIRST), "--title", "tides", "--create", "3", "--json")
    joiner = shedu_bot(quiet, bot(LAST, "last.py"), "--title", "tides", "--games", "3")

    said, complaints = creator.communicate(timeout=PATIENCE)
    shown, _ = joiner.communicate(timeout=PATIENCE)

    facts, told = (
        json.loads(said),
        f"shedu: connecting to {quiet.address}\nshedu: waiting for the other players\n",
    )
    assert (told, 0, 0) == (
        complaints,
        creator.returncode,
        joiner.returncode,
    )
    assert (3, 42, 0) == (facts["games"], facts["decisions"], facts["failures"])
    assert "your bot thought" in shown


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--join", "a" * 20), "says: there is no game"),
        (("--title", "chess"), "says: there is no title chess"),
    ],
)
def test_a_command_that_a_server_refuses_says_why(serve, bot, arguments, sentence):
    process = shedu_bot(serve, bot(FIRST), *arguments)
    said, complaints = process.communicate(timeout=PATIENCE)

    assert (2, "") == (process.returncode, said)
    assert sentence in " ".join(complaints.split())


def test_a_command_that_cannot_work_says_why(bot):
    good = bot(FIRST)
    wrong = {
        (good,): "which title?",
        ("nowhere.py", "--title", "tides"): "there is no file nowhere.py",
        (bot(UNMADE, "unmade.py"), "--title", "tides", "--create", "1"): "Bot() cannot be made",
        (good, "--title", "tides", "--server", "ftp://x"): "ftp://x is not an address",
    }

    for arguments, sentence in wrong.items():
        done = shedu_here("bot", "run", *arguments, COLUMNS="200")
        assert (2, "") == (done.returncode, done.stdout), arguments
        assert sentence in " ".join(done.stderr.split())


def test_bots_survive_a_killed_server(quiet, bot):
    file = bot(HELD)
    bots = [
        shedu_bot(quiet, file, "--title", "tides", wish, "2", "--json") for wish in ("--create", "--games")
    ]
    with shedu.connect(quiet.address, patience=PATIENCE) as server:
        watched = wait_until(lambda: in_the_middle(server))
        quiet.signal(signal.SIGKILL)
        file.with_suffix(".struck").touch()
        quiet.wait()
        quiet.start()

        said = [json.loads(each.communicate(timeout=PATIENCE)[0]) for each in bots]

        events = [event.version for event in server.game(watched).events()]
    assert list(range(1, len(events) + 1)) == events
    assert [(2, 0, 0)] * 2 == [(each["games"], each["failures"], each["lost"]) for each in said]


def in_the_middle(server: shedu.Server) -> str | None:
    """Returns the id of a game that is in its middle; None if there is none."""
    return next((game.game_id for game in server.games(status="playing") if game.version > 15), None)


def test_a_command_that_is_interrupted_says_how_far_it_got(quiet, bot):
    waiting = shedu_bot(quiet, bot(FIRST), "--title", "tigris", "--json")
    with shedu.connect(quiet.address, patience=PATIENCE) as server:
        game = server.create("tigris")
        wait_until(lambda: waiting.poll() is not None or game.look().seats[0].taken)

    waiting.send_signal(signal.SIGINT)
    said, complaints = waiting.communicate(timeout=PATIENCE)

    assert (0, 0) == (waiting.returncode, json.loads(said)["games"])
    waits = "shedu: waiting for public games of tigris with a free seat"
    assert [f"shedu: connecting to {quiet.address}", waits] == complaints.splitlines()


async def test_a_bot_that_fails_may_resign_instead(server, bot):
    bad, good = made(bot(RAISES, "bad.py"), on_failure="resign"), made(bot(FIRST, "good.py"))

    (played,) = await match(server, "tides", [bad, good])

    assert ("RESIGNED", [2, 1]) == (played.outcome.reason, list(played.outcome.ranks))


class Waiting:
    """A bot that waits for `told` at its first decision, and answers later ones at once."""

    def __init__(self, told: threading.Event, free: int = 0) -> None:
        self.told, self.free = told, free

    def decide(self, view, decision, actions):
        self.free -= 1
        if self.free < 0:
            assert self.told.wait(PATIENCE)
        return actions[0]


async def test_a_game_that_ends_without_its_bot_is_over_and_not_lost(server):
    """The hosted bot that took over the seat plays to the end."""
    ended = threading.Event()
    game = await server.create("tides", bots=["random"], clock=shedu.per_decision(1, bot="random"))
    sleeper = await game.join()

    async def one():
        yield sleeper

    with Runner(Bot("sleeper", lambda: Waiting(ended)), decision_seconds=PATIENCE) as runner:
        playing = asyncio.create_task(runner.run(one()))
        async with asyncio.timeout(PATIENCE):
            async for _moment in game.watch():
                pass
        ended.set()
        await playing
        report = runner.report
        assert (1, 1, 0, 0) == (report.games, report.late, report.decisions, report.lost)

        assert await game.outcome() == await runner.play(sleeper)
        assert (2, 1) == (report.games, report.late)


async def test_a_bot_whose_time_was_up_takes_its_seat_back(server):
    """The other player waits, so that the hosted bot cannot play to the end."""
    late, back = threading.Event(), threading.Event()
    game = await server.create("tides", clock=shedu.per_decision(2))
    first, second = await game.join(), await game.join()

    async def watch() -> list[str]:
        kinds = []
        async for moment in game.watch(after=0):
            kinds += [event.WhichOneof("kind") for event in moment.events]
            if "seat_taken_over" in kinds:
                late.set()
            if "seat_reclaimed" in kinds:
                back.set()
        return kinds

    watching = asyncio.create_task(watch())
    with (
        Runner(Bot("hesitant", lambda: Waiting(late)), decision_seconds=PATIENCE) as hesitant,
        Runner(Bot("other", lambda: Waiting(back, free=2)), decision_seconds=PATIENCE) as other,
    ):
        await asyncio.gather(hesitant.play(first), other.play(second))

    kinds = await watching
    assert kinds.index("seat_taken_over") < kinds.index("seat_reclaimed")
    assert hesitant.report.late >= 1
    assert hesitant.report.decisions >= 1
    assert (1, 1) == (hesitant.report.games, other.report.games)
