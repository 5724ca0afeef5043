"""Tests of `shedu export`, `replay` and `verify` with a real server."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from gamehost.commands.recorded.replay import next_step
from shedu.tides.v1 import tides_pb2
from support.process import ROOT, Serve, environment, shedu, shedu_here
from support.servers import free_port
from support.terminals import everything
from support.waiting import PATIENCE

NEVER, PARTICIPANTS = "REVEAL_POLICY_NEVER", "REVEAL_POLICY_PARTICIPANTS"
WIDE = {"COLUMNS": "200"}


@pytest.fixture(scope="module")
def game(serve):
    return serve.finished()


@pytest.fixture(scope="module")
def file(serve, game, tmp_path_factory):
    path = tmp_path_factory.mktemp("exported") / "game.jsonl"
    assert 0 == run(serve, "export", game[0], "-o", path).returncode
    return path


def run(
    serve: Serve | None, *arguments: object, patience: float = PATIENCE, **settings: str
) -> subprocess.CompletedProcess[str]:
    server = {"SHEDU_SERVER": serve.address} if serve else {}
    with patch("gamehost.commands.server_calls.CONNECT_SECONDS", patience):
        return shedu_here(*arguments, **WIDE, **server, **settings)


def said(done: subprocess.CompletedProcess[str]) -> str:
    return " ".join(done.stderr.split())


def test_an_export_goes_to_a_file_or_to_the_terminal(serve, game, file):
    printed = shedu("export", game[0], SHEDU_SERVER=serve.address)

    assert (0, "") == (printed.returncode, printed.stderr)
    assert file.read_text() == printed.stdout
    assert game[0] == json.loads(file.read_text().splitlines()[0])["gameId"]


@pytest.mark.parametrize("scheme", ["", "grpc://", "http://"])
def test_a_game_is_verified_by_its_id(serve, game, scheme):
    done = run(None, "verify", game[0], "--server", f"{scheme}localhost:{serve.grpc_port}")

    assert (0, "") == (done.returncode, done.stderr)
    assert f"Game {game[0]} (Tides of Time) is fair" in done.stdout


def test_a_file_is_verified_without_a_server(file):
    done = shedu("verify", file, "--json")

    facts = json.loads(done.stdout)
    assert 0 == done.returncode
    assert (True, True, 28, 18) == tuple(facts[n] for n in ("verified", "checked", "decisions", "numbers"))


def test_a_mismatch_is_named_and_ends_with_1(file, tmp_path):
    lines = file.read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if '"cardsDrawn"' in line)
    event = json.loads(lines[at])
    event["tides"]["cardsDrawn"]["cards"].reverse()
    forged = tmp_path / "forged.jsonl"
    forged.write_text("\n".join([*lines[:at], json.dumps(event), *lines[at + 1 :]]) + "\n")

    people, machines = run(None, "verify", forged), run(None, "verify", forged, "--json")

    assert [1, 1] == [people.returncode, machines.returncode]
    assert f"First mismatch at version {at}" in people.stdout
    mismatch = json.loads(machines.stdout)["mismatch"]
    assert (at, event["tides"]) == (mismatch["version"], mismatch["told"])
    assert mismatch["due"]["cardsDrawn"]["cards"] == event["tides"]["cardsDrawn"]["cards"][::-1]


def test_what_only_participants_may_know_takes_a_token(serve, tmp_path):
    game_id, (ann, _) = serve.finished(reveal=PARTICIPANTS)
    token = tmp_path / "token"
    token.write_text(f"{ann}\n")

    without, with_file = (
        run(serve, "verify", game_id),
        run(serve, "verify", game_id, "--token-file", token),
    )
    exported = run(serve, "export", game_id, SHEDU_TOKEN=ann)

    assert [2, 0, 0] == [done.returncode for done in (without, with_file, exported)]
    assert "revealed to its seats only (use a seat token)" in said(without)


def test_what_nobody_may_know_can_be_neither_verified_nor_exported(serve):
    game_id, (ann, _) = serve.finished(reveal=NEVER)

    for command in ("verify", "export"):
        done = run(serve, command, game_id, SHEDU_TOKEN=ann)

        assert (2, "") == (done.returncode, done.stdout)
        assert "never revealed (reveal policy: never)" in said(done)


def test_everything_that_goes_wrong_is_told_in_a_sentence(serve, file, tmp_path):
    running, _ = serve.table()
    garbage = tmp_path / "garbage"
    garbage.write_bytes(b"\xff\xfe\x00")
    wrong = {
        ("export", running): f"shedu: game {running} is not over",
        ("export", "a" * 20): "says: there is no game aaaaaaaaaaaaaaaaaaaa",
        ("export", "short"): "says: game_id",
        ("verify", "a" * 20, "--server", "ftp://x"): "ftp://x is not an address of a server",
        ("verify", "a" * 20, "--token-file", str(tmp_path / "no")): "cannot read the token in",
        ("verify", str(tmp_path / "nowhere.jsonl")): "nowhere.jsonl: No such file or directory",
        ("verify", str(garbage)): "garbage: ",
        ("replay", str(garbage)): "garbage: ",
        ("replay", str(file), "--step", "99"): "there is no step 99: the game has 31",
        ("replay", str(file), "--seat", "2"): "there is no seat 2: the seats are 0 to 1",
    }

    for arguments, sentence in wrong.items():
        done = run(serve, *arguments)
        assert (2, "") == (done.returncode, done.stdout), arguments
        assert sentence in said(done)


def test_a_server_that_is_away_is_told_in_a_sentence():
    done = run(None, "verify", "a" * 20, "--server", f"localhost:{free_port()}", patience=0.5)

    assert (2, "") == (done.returncode, done.stdout)
    assert "no gRPC server answers at localhost:" in said(done)


def test_a_replay_tells_who_was_asked_what_they_did_and_what_happened(file):
    done = shedu("replay", file, "--plain", **WIDE)

    steps = done.stdout.split("── step ")[1:]
    assert (0, "", 31) == (done.returncode, done.stderr, len(steps))
    assert "? seat 0 is asked: Round 1 of 3, card 1 of 5: choose a card to play." in steps[3]
    assert "> seat 0: Play " in steps[3]
    assert "  Card chosen: seat 0, card " in steps[3]
    assert "Game finished: " in steps[-1]
    assert "Seed revealed: " in steps[-1]
    assert "\x1b" not in done.stdout


def test_a_replay_draws_the_board_or_if_wanted_every_field(file):
    board, tree = (
        run(None, "replay", file, "--plain", "--step", "9", *more).stdout for more in ([], ["--tree"])
    )

    assert ("suits P " in board, "suits P " in tree) == (True, False)
    assert ("pile size" in board, "pile size" in tree) == (False, True)


@pytest.mark.parametrize("command", [["replay", "--plain"], ["verify"]])
def test_a_stranger_s_file_cannot_command_the_terminal(file, tmp_path, command):
    hostile = tmp_path / "hostile.jsonl"
    text = (
        file.read_text()
        .replace('"gameId":"', '"gameId":"\\u001b]0;')
        .replace('"seatTaken":{}', '"seatTaken":{"displayName":"[red]\\u001b[31m"}')
    )
    hostile.write_text(text)

    done = run(None, *command, hostile)

    assert "�" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr


def test_a_replay_through_a_seats_eyes_shows_what_it_saw(file):
    own, others = (run(None, "replay", file, "--seat", seat, "--step", "4") for seat in "01")

    assert "> seat 0: Play " in own.stdout
    assert "chosen card" in own.stdout
    assert "Play " not in others.stdout
    assert "Card chosen: seat 0." in others.stdout
    assert "chosen card" not in others.stdout


@pytest.mark.parametrize(
    ("keys", "steps"),
    [(b"b\n\nb\n7\nq\n", ["1", "1", "2", "1", "7"]), (b"99\n\x04", ["1", "31"])],
    ids=["back, next, back, a number, quit", "past the end, end of input"],
)
def test_a_replay_at_a_terminal_waits_for_keys(file, keys, steps):
    main, side = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "gamehost", "replay", str(file)],
        env=environment(**WIDE, TERM="xterm"),
        stdin=side,
        stdout=side,
        stderr=side,
    )
    os.close(side)
    os.write(main, keys)

    shown = everything(main)

    assert 0 == process.wait(PATIENCE)
    assert steps == re.findall(r"step (\d+) of 31", re.sub(r"\x1b\[[\d;]*[a-zA-Z]", "", shown))
    assert "Traceback" not in shown


def test_a_replay_ends_after_its_last_step():
    assert (31, None) == (next_step("", 30, 31), next_step("", 31, 31))


def test_the_stand_alone_verifier_recomputes_the_first_deal_of_an_exported_game(file):
    """The first draw of Tides deals five of its 18 cards, after one event."""
    events = [json.loads(line) for line in file.read_text().splitlines()]
    deal = next(
        event["tides"]["cardsDrawn"]["cards"] for event in events if "cardsDrawn" in event.get("tides", {})
    )
    script = ROOT / "clients" / "python" / "verify_luck.py"
    bounds = ["18", "17", "16", "15", "14"]

    done = subprocess.run(
        [sys.executable, "-I", str(script), str(file), "0", *bounds],
        capture_output=True,
        text=True,
        check=True,
    )

    fits, choices = done.stdout.splitlines()
    left = cards_in_order()
    assert "The seed fits the commitment." == fits
    assert deal == [left.pop(int(choice)) for choice in choices.split()]


def cards_in_order() -> list[str]:
    return [value.name for value in tides_pb2.Card.DESCRIPTOR.values if value.number]


def test_the_stand_alone_verifier_refuses_another_seed(file, tmp_path):
    forged: Path = tmp_path / "forged.jsonl"
    forged.write_text(file.read_text().replace('"gameId":"', '"gameId":"x'))
    script = ROOT / "clients" / "python" / "verify_luck.py"

    done = subprocess.run([sys.executable, "-I", str(script), str(forged)], capture_output=True, text=True)

    assert (1, "The seed does not fit the commitment.\n") == (done.returncode, done.stderr)


@pytest.mark.parametrize("command", ["export", "replay", "verify"])
def test_help_has_an_example(command):
    done = run(None, command, "--help")

    assert 0 == done.returncode
    assert f"shedu {command} " in done.stdout
