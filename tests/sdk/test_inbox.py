"""Tests of bots that play in games to which they are invited, on a server with API keys."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

import shedu
from sdk.players import play
from shedu.v1.game_pb2 import GameStatus, SeatPlan
from support.process import Serve, started
from support.waiting import PATIENCE, wait_until

BOT = "def decide(view, decision, actions):\n    return actions[0]\n"
NUMBERS = count(1)


@pytest.fixture(scope="module")
def mortal(tmp_path_factory):
    """A server that tests may kill and must start again."""
    with Serve(tmp_path_factory.mktemp("mortal"), "--identity", "keys") as process:
        yield process


@pytest.fixture
def names():
    """Returns the names of two new callers."""
    number = next(NUMBERS)
    return f"ann-{number}", f"robot-{number}"


@pytest.fixture
def bot(tmp_path):
    file = tmp_path / "my_bot.py"
    file.write_text(BOT)
    return file


def robot(serve: Serve, name: str, *arguments: object) -> subprocess.Popen[str]:
    who = {"SHEDU_SERVER": serve.address, "SHEDU_TOKEN": serve.key(name)}
    return started("gamehost", "bot", "run", *arguments, "--title", "tides", "--json", **who)


def invite(server: shedu.Server, name: str) -> shedu.Game:
    """Creates a game with a seat reserved for that caller."""
    return server.create("tides", seats=[SeatPlan(), *shedu.reserved(f"key:{name}")])


def test_a_bot_plays_where_it_is_invited_through_crashes_of_its_own_and_of_the_server(mortal, names, bot):
    ann, machine = names
    struck = threading.Event()
    with shedu.connect(mortal.address, token=mortal.key(ann), patience=PATIENCE) as server:
        seats = [invite(server, machine).join("Ann") for _ in range(3)]
        with ThreadPoolExecutor(len(seats)) as pool:
            playing = [pool.submit(play, seat, random.Random(seat.id), struck) for seat in seats]
            first = robot(mortal, machine, bot)
            wait_for(seats[0], version=14)
            first.send_signal(signal.SIGKILL)
            first.communicate()
            second = robot(mortal, machine, bot, "--games", "3")
            wait_for(seats[0], version=22)
            mortal.signal(signal.SIGKILL)
            struck.set()
            mortal.wait()
            mortal.start()

            said, complaints = second.communicate(timeout=PATIENCE)
            answered = [each.result(PATIENCE) for each in playing]

        connecting, *told = complaints.splitlines()
        assert connecting.startswith("shedu: connecting to ")
        assert all(" waiting for " in each or each.endswith(" is back") for each in told)
        facts = json.loads(said)
        assert (3, 0, 0) == (facts["games"], facts["failures"], facts["lost"])
        assert [14] * 3 == [len(own) for own in answered]
        for seat in seats:
            versions = [event.version for event in seat.events()]
            assert list(range(1, len(versions) + 1)) == versions
        assert {seat.id for seat in seats} == {game.game_id for game in server.games(mine=True)}


def wait_for(player: shedu.Player, version: int) -> None:
    wait_until(lambda: player.look().version >= version)


def test_a_bot_joins_every_game_it_is_invited_to_however_many_wait_for_others(keyed_serve, names, bot):
    ann, machine = names
    with shedu.connect(keyed_serve.address, token=keyed_serve.key(ann), patience=PATIENCE) as server:
        games = [invite(server, machine) for _ in range(18)]
        running = robot(keyed_serve, machine, bot)
        try:
            for game in games:
                wait_until(lambda game=game: game.look().seats[1].taken)
        finally:
            running.kill()
            running.communicate()

        assert {"GAME_STATUS_GATHERING"} == {GameStatus.Name(game.look().status) for game in games}


def test_an_inbox_tells_what_is_pending_again_after_a_restart(mortal, names):
    with shedu.connect(mortal.address, token=mortal.key(names[0]), patience=PATIENCE) as server:
        game = server.create("tides")
        ann, _ = game.join("Ann", seat=0), game.join("Bob", seat=1)
        items = (item for item in ann.inbox() if item.HasField("decision"))
        first = next(items)
        mortal.kill()
        mortal.start()

        again = next(items)

        assert first.decision.decision_id == again.decision.decision_id
        assert ann.play(ann.legal_actions().actions[0], again.decision).view.version > again.version


def test_the_inbox_of_a_seat_tells_of_that_seat_until_its_game_is_over(keyed_serve, names):
    key = keyed_serve.key(names[0])
    with shedu.connect(keyed_serve.address, token=key, patience=PATIENCE) as server:
        game = server.create("tides")
        ann, bob = game.join("Ann", seat=0), game.join("Bob", seat=1)
        with ThreadPoolExecutor(1) as pool:
            playing = pool.submit(play, bob, random.Random(1))
            kinds = []
            for item in ann.inbox():
                kinds.append(item.WhichOneof("kind"))
                if item.HasField("decision"):
                    ann.play(ann.legal_actions().actions[0], item.decision)
            playing.result(PATIENCE)

        assert 14 == kinds.count("decision")
        assert ({"decision", "finished"}, "finished") == (set(kinds), kinds[-1])


def test_a_later_inbox_goes_on_where_on_cursor_was_with_a_game_that_ended_meanwhile(keyed_serve, names):
    """The inbox of a seat, and that of a caller."""
    key = keyed_serve.key(names[0])
    with shedu.connect(keyed_serve.address, token=key, patience=PATIENCE) as server:
        game, other = server.create("tides"), server.create("tides")
        ann, _bob = game.join("Ann", seat=0), game.join("Bob", seat=1)
        of_seat, of_caller = [], []
        following = ann.inbox(on_cursor=of_seat.append), server.inbox(on_cursor=of_caller.append)
        assert ["decision"] * 2 == [next(items).WhichOneof("kind") for items in following]
        ann.resign()
        for items in following:
            next(items)  # says that the item before was handled
            items.close()
        cid, _dan = other.join("Cid", seat=0), other.join("Dan", seat=1)

        assert ["finished"] == [item.WhichOneof("kind") for item in ann.inbox(of_seat[0])]
        later = server.inbox(of_caller[0])
        next(later)
        cid.resign()  # ends the wait below also if the inbox leaves out the game that ended before
        assert game.id == next(item for item in later if item.HasField("finished")).game_id
        later.close()
