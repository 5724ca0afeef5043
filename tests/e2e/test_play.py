"""Tests of `shedu play` on a service of its own and on an existing server."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

import shedu
from gamehost.commands.play.local_service import usable_data_dir
from gamehost.stores.embedded import EmbeddedServer
from support.process import Serve, environment, shedu_here
from support.terminals import everything
from support.waiting import PATIENCE, wait_until

DECISIONS = 14  # of a seat in a whole game of tides: four cards in each round, two relics
QUESTION = re.compile(r"Round \d of 3, card \d of 5: choose .*")
PROMPT = "q leave: "


@pytest.fixture
def there(serve: Serve) -> str:
    return serve.address


def play(data: Path, *arguments: str, lines: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
    """Runs `shedu play` in this process, on an existing server."""
    place = ("--data-dir", data)
    return shedu_here("play", *arguments, *place, lines=lines, **{"COLUMNS": "80", **settings})


def play_alone(data: Path, *arguments: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    """Runs `shedu play` in a process that starts its own service and ignores settings of other services."""
    foreign = {"SHEDU_REDIS": "redis://localhost:1/0", "SHEDU_IDENTITY": "keys", "SHEDU_TOKEN": "none"}
    return subprocess.run(
        [sys.executable, "-m", "gamehost", "play", *arguments, "--data-dir", str(data)],
        env=environment(**foreign, SHEDU_BOT_THINK_SECONDS="0", COLUMNS="80"),
        input=lines,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def game_id(shown: str) -> str:
    found = re.search(r"shedu verify (?:\S*/)?([a-z0-9]{20})", shown)
    assert found is not None, shown
    return found[1]


def test_a_whole_game_on_a_service_of_its_own_left_and_continued(tmp_path: Path) -> None:
    begun = play_alone(tmp_path, "tides", "--bots", "random", lines="1\n1\n")
    kept = tmp_path / "seats" / "tides.json"
    mode, token = kept.stat().st_mode & 0o777, json.loads(kept.read_text())["token"]
    done = play_alone(tmp_path, "tides", "--continue", lines="1\n" * (DECISIONS - 2))
    again = play(tmp_path, "tides", "--continue")

    assert (0, "") == (begun.returncode, begun.stderr)
    assert f"shedu play tides --continue --data-dir {tmp_path}" in begun.stdout
    assert (0o600, False) == (mode, token in begun.stdout)
    assert (0, "", DECISIONS - 2) == (done.returncode, done.stderr, done.stdout.count(PROMPT))
    assert re.search(r"^1 +(you|Random bot) +\d+ +$", done.stdout, re.MULTILINE)
    assert (2, "") == (again.returncode, again.stdout)
    file = tmp_path / "finished" / f"{game_id(done.stdout)}.jsonl"
    assert 0 == shedu_here("verify", file).returncode
    assert "Traceback" not in begun.stdout + done.stdout + (tmp_path / "service.log").read_text()


def test_a_second_game_at_the_same_time_has_a_place_of_its_own(tmp_path: Path) -> None:
    with usable_data_dir(tmp_path) as first, EmbeddedServer(first), usable_data_dir(tmp_path) as second:
        there = second.is_dir()

    assert (tmp_path, True, False) == (first, there, second.exists())
    assert tmp_path != second


def test_a_whole_game_on_a_server_of_others(serve: Serve, there: str, tmp_path: Path) -> None:
    done = play(tmp_path, "tides", "--server", there, "--name", "Ann", "--bots", "random", lines="1\n" * 99)

    played = serve.get(f"/v1/games/{game_id(done.stdout)}")["game"]
    names = [seat["displayName"] for seat in played["seats"]]
    assert (0, "", DECISIONS) == (done.returncode, done.stderr, done.stdout.count(PROMPT))
    assert ("Ann", "GAME_STATUS_FINISHED") == (names[0], played["status"])
    for score in played["outcome"]["scores"]:
        assert re.search(rf"^\d +(you|{names[1]}) +{score} +$", done.stdout, re.MULTILINE)
    assert f"--server {there}" in done.stdout
    assert not (tmp_path / "seats" / "tides.json").exists()


def test_what_is_no_choice_is_answered_and_plays_nothing(there: str, tmp_path: Path) -> None:
    nonsense = ["", "99999", "0", "-1", "³", "xyzzy", "play", "[red]", "\x1b[2J", "all", "b"]

    done = play(tmp_path, "tides", "--server", there, lines="\n".join(nonsense) + "\n")

    with shedu.connect(there, token="") as server:
        kept = json.loads((tmp_path / "seats" / "tides.json").read_text())
        view = server.player(kept["game_id"], kept["seat"], kept["token"]).view()
    assert (0, "") == (done.returncode, done.stderr)
    assert (5, False) == (len(view.tides.hand), view.tides.HasField("chosen_card"))
    assert "You chose" not in done.stdout
    assert "\x1b" not in done.stdout
    assert "Type a number from 1 to 5" in done.stdout
    assert 3 == done.stdout.count("There is no choice ")
    assert "No choice has “xyzzy”" in done.stdout
    assert 4 == done.stdout.count(
        "1 Play "
    )  # at the question, for "play", for all actions, and with the board
    assert "You left game" in done.stdout


def test_help_tells_all_rules_one_rule_or_those_with_a_word(there: str, tmp_path: Path) -> None:
    words = "?\nhelp TT-4\nhelp molehill\nhelp relic\nhelp castling\n"

    done = play(tmp_path, "tides", "--server", there, lines=words, COLUMNS="200")

    everything, one, none, some, other = done.stdout.split(PROMPT)[1:6]
    assert ["TT-1 ", "TT-14 "] == [rule for rule in ("TT-1 ", "TT-14 ") if rule in everything]
    assert ["TT-4"] == re.findall(r"^TT-\d+", one, re.MULTILINE)
    assert [] == re.findall(r"^TT-\d+", none, re.MULTILINE)
    assert ["TT-6", "TT-7", "TT-10"] == re.findall(r"^TT-\d+", some, re.MULTILINE)
    assert "no rule of Tides of Time speaks of castling" in other


def test_taking_back_asks_the_same_question_again(there: str, tmp_path: Path) -> None:
    done = play(tmp_path, "tides", "--server", there, "--bots", "random", lines="u\n1\nu\n")

    questions = QUESTION.findall(done.stdout)
    assert "Nothing was undone" in done.stdout
    assert "You undid the last action." in done.stdout
    assert questions[0] == questions[-1] != questions[1]


def test_giving_up_is_asked_twice(serve: Serve, there: str, tmp_path: Path) -> None:
    done = play(tmp_path, "tides", "--server", there, lines="r\nno\nr\nyes\n1\n")

    played = serve.get(f"/v1/games/{game_id(done.stdout)}")["game"]
    assert (0, "") == (done.returncode, done.stderr)
    assert "You did not resign." in done.stdout
    assert "The game is over (" in done.stdout
    assert ("GAME_STATUS_FINISHED", True) == (played["status"], played["seats"][0]["resigned"])
    assert not (tmp_path / "seats" / "tides.json").exists()


def test_friends_play_at_one_table(there: str, tmp_path: Path) -> None:
    with shedu.connect(there, token="") as server:
        table = server.create("tides", visibility="private")
        table.join("Bob")
        needed = ("--server", there, "--game", table.id)

        uninvited = play(tmp_path, *needed)
        done = play(tmp_path, *needed, "--invite", table.invite_code, "--name", "Ann")

        seats = [seat.display_name for seat in server.game(table.id, token=kept_token(tmp_path)).look().seats]
    assert (2, 0) == (uninvited.returncode, done.returncode)
    assert ["Bob", "Ann"] == seats
    assert "Bob: 5 in hand" in done.stdout


def kept_token(data: Path, title: str = "tides") -> str:
    return str(json.loads((data / "seats" / f"{title}.json").read_text())["token"])


def test_who_took_a_seat_back_too_often_is_told_so_and_looks_on(
    serve: Serve, there: str, tmp_path: Path
) -> None:
    clock = {"bank": {"initial": "1s"}, "botLevel": "random"}
    game = serve.post("/v1/games", {"title": "tigris", "seats": [{}, {}], "clock": clock})["game"]["gameId"]
    bob = serve.post(f"/v1/games/{game}:join", {})["seatToken"]
    play(tmp_path, "--server", there, "--game", game)
    ann = kept_token(tmp_path, "tigris")

    def taken_over() -> bool:
        return bool(serve.get(f"/v1/games/{game}")["game"]["seats"][1].get("takenOver"))

    wait_until(taken_over)
    serve.post(f"/v1/games/{game}:reclaim", {}, ann)
    wait_until(taken_over)

    done = play(tmp_path, "tigris", "--continue", "--server", there, lines="\n")

    assert (0, "") == (done.returncode, done.stderr)
    assert "seat 1 was reclaimed too often to get more time" in " ".join(done.stdout.split())
    serve.post(f"/v1/games/{game}:resign", {}, bob)  # so that the bots stop playing


def test_options_seats_and_bots_are_those_of_the_command(serve: Serve, there: str, tmp_path: Path) -> None:
    options = ["--option", "board=advanced", "--option", "wonder=yes"]

    play(tmp_path, "tigris", "--server", there, "--bots", "greedy,random", "--seats", "4", *options)

    kept = json.loads((tmp_path / "seats" / "tigris.json").read_text())
    game = serve.get(f"/v1/games/{kept['game_id']}")["game"]
    assert ["greedy", "random", "random"] == [seat["botLevel"] for seat in game["seats"][1:]]
    chosen = game["options"]["tigris"]
    assert ("BOARD_SIDE_ADVANCED", True, False) == (
        chosen["board"],
        chosen["wonder"],
        chosen["englishVariant"],
    )


def test_everything_that_goes_wrong_is_told_in_a_sentence(there: str, tmp_path: Path) -> None:
    wrong = {
        ("chess",): "there is no title chess; there are: stone_age, tides",
        (): "which title? There are: stone_age, tides",
        ("tides", "--game", "a" * 20): "--game needs --server",
        ("tides", "--continue"): "there is no unfinished game of tides",
        ("chess", "--server", there): "says: there is no title chess",
        ("--game", "a" * 20, "--server", there): "says: there is no game",
        (
            "tides",
            "--server",
            there,
            "--bots",
            "clever",
        ): "there is no bot clever for tides; there are",
        ("tides", "--server", there, "--seats", "3"): "tides is for 2 players, not 3",
        ("tides", "--server", there, "--seats", "2", "--bots", "random,random"): "leave no seat for you",
        ("stone_age", "--server", there, "--option", "x=1"): "stone_age has no option x; it has: max_rounds",
        ("stone_age", "--server", there, "--option", "max_rounds=few"): "max_rounds is int, not few",
        ("stone_age", "--server", there, "--option", "tie_break="): "not nothing",
        ("stone_age", "--server", there, "--option", "max_rounds=0"): "says: ",
        ("tides", "--server", "ftp://x"): "ftp://x is not an address of a server",
        ("tides", "--server", there, "--token-file", str(tmp_path / "no")): "cannot read the token in",
    }

    for arguments, sentence in wrong.items():
        done = shedu_here("play", *arguments, COLUMNS="300", SHEDU_PLAY_DIR=str(tmp_path))
        assert (2, "") == (done.returncode, done.stdout), arguments
        assert sentence in " ".join(done.stderr.split()), arguments
    assert [] == list(tmp_path.iterdir())


def test_at_a_terminal_keys_are_read_and_colours_shown(there: str, tmp_path: Path) -> None:
    main, side = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "gamehost", "play", "tides", "--server", there, "--data-dir", str(tmp_path)],
        env=environment(TERM="xterm-256color", COLUMNS="80"),
        stdin=side,
        stdout=side,
        stderr=side,
    )
    os.close(side)
    os.write(main, b"99999\nq\n")

    shown = everything(main)

    assert 0 == process.wait(PATIENCE)
    assert "\x1b[1;" in shown
    assert "There is no choice 99999" in shown
    assert "You left game" in shown
    assert "Traceback" not in shown


def test_help_has_examples() -> None:
    shown = shedu_here("play", "--help", COLUMNS="120").stdout

    assert "shedu play tides --continue" in shown
