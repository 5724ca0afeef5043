"""Tests that the sessions in README.md and the pages it links to work as written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

from gamehost.play.webhooks.signing import secret_text, signed_headers
from support.process import ROOT, environment
from support.waiting import PATIENCE

PAGES = ("README.md", "clients/README.md", "service/OPERATIONS.md")
TEXTS = {name: (ROOT / name).read_text() for name in PAGES}
BLOCKS = [
    (language, block)
    for text in TEXTS.values()
    for language, block in re.findall(r"^```(sh|python)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
]
# A text of each block that a test of this folder runs, and of those that only start something.
SESSIONS = (
    "Play the first one",
    "shedu.connect",
    "spectatorToken",
    "botLevel",
    "readMask",
    "proposeUndo",
    "shedu export",
    "keys create my-backend",
    "keys create hooks",
    "standardwebhooks",
    "talk:watch",
    "anns-first-ticket",
    "Ann_of_Uruk",
)
COMMANDS = ("python3 service\n", "python3 tests\n", "shedu serve --host 0.0.0.0 --identity keys")


def block(language: str, containing: str) -> str:
    (found,) = [text for kind, text in BLOCKS if kind == language and containing in text]
    return found


def run(command: list[str], folder: Path, **settings: str) -> str:
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(PATH=tools, **settings),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert 0 == done.returncode, done.stderr
    return done.stdout


def test_the_session_with_curl_plays_a_move(serve, tmp_path):
    session = block("sh", "Play the first one").replace("localhost:8080", f"localhost:{serve.port}")

    said = run(
        ["bash", "-euo", "pipefail", "-c", session.replace("| grep ^event", "| grep ^event || true")],
        tmp_path,
    )

    lines = said.splitlines()
    assert "Round 1 of 3, card 1 of 5: choose a card to play." == lines[0]
    assert 5 == len([line for line in lines if line.startswith("Play ")])
    assert lines[6].startswith('"CARD_')
    assert ["true", "null"] == lines[7:9]
    assert "event: caught_up" == lines[-1]


def test_the_session_with_one_call_per_decision_gets_the_next_actions(serve, tmp_path):
    session = block("sh", "readMask").replace("localhost:8080", f"localhost:{serve.port}")

    said = run(["bash", "-euo", "pipefail", "-c", session], tmp_path)

    some, version, more, events = said.splitlines()
    assert ["true", "true", "[]"] == [some, more, events]
    assert version.strip('"').isdigit()


def test_the_session_that_takes_back_stops_and_tries_out(serve, tmp_path):
    session = block("sh", "proposeUndo").replace("localhost:8080", f"localhost:{serve.port}")

    said = run(["bash", "-euo", "pipefail", "-c", session], tmp_path)

    free, undone, *rest = said.splitlines()
    assert "true" == free
    assert "moveUndone" in undone
    assert ["false", "true", "2"] == rest


def test_the_session_about_watching_shows_who_is_behind(serve, tmp_path):
    session = block("sh", "spectatorToken").replace("localhost:8080", f"localhost:{serve.port}")

    said = run(
        ["bash", "-euo", "pipefail", "-c", session.replace("caught up\"'", "caught up\"' || true")], tmp_path
    )

    question = "Round 1 of 3, card 1 of 5: choose a card to play."
    assert ["9", "8", "SPECTATOR_TOKEN_MISSING", question, "caught up"] == said.splitlines()


def test_the_session_in_python_plays_a_move(serve, tmp_path):
    session = block("python", "shedu.connect").replace("localhost:50051", f"localhost:{serve.grpc_port}")

    said = run([sys.executable, "-c", session], tmp_path)

    prompt, move, game = said.splitlines()
    assert "Round 1 of 3, card 1 of 5: choose a card to play." == prompt
    assert "['card_chosen'] 9" == move
    finished = serve.get(f"/v1/games/{game.removeprefix('game=')}")["game"]
    assert "ROUNDS_PLAYED" == finished["outcome"]["reason"]


def test_the_simulation_prints_a_table(tmp_path):
    text = (ROOT / "service/gamehost/bots/README.md").read_text()
    (line,) = re.findall(r"^shedu simulate .*$", text, re.MULTILINE)
    command = line.split()

    said = run([sys.executable, "-m", "gamehost", *command[1:]], tmp_path)

    assert "decisions per second" in said
    assert "ROUNDS_PLAYED 200" in said


def test_the_session_that_checks_a_game_finds_it_fair(serve, tmp_path):
    game_id, _ = serve.finished()
    session = block("sh", "shedu export").replace("clients/python", str(ROOT / "clients/python"))
    names = f'shedu() {{ {sys.executable} -m gamehost "$@"; }}; game={game_id}'
    server = f"export SHEDU_SERVER=localhost:{serve.grpc_port}"

    said = run(["bash", "-euo", "pipefail", "-c", f"{names}; {server}\n{session}"], tmp_path)

    lines = said.splitlines()
    assert "step 4 of 31" in lines[0]
    assert lines[1].startswith("? ")
    assert 1 == len([line for line in lines if line.startswith(f"Game {game_id} (Tides of Time) is fair")])
    assert '"verified": true' in lines[-2]
    assert "The seed fits the commitment." == lines[-1]


def test_the_receiver_of_webhooks_verifies_deliveries_and_knows_repetitions(tmp_path):
    example = block("python", "standardwebhooks")
    body = b'{"type":"decision.asked","data":{"gameId":"g1","decision":{"prompt":{"english":"Choose."}}}}'
    secret = b"a secret of thirty-two bytes ...."
    headers = signed_headers([secret], "msg_1", int(time.time()), body)
    call = f"seen = set()\nfor _ in range(2):\n    receive({dict(headers)!r}, {body!r}, seen)\nprint(seen)"

    said = run([sys.executable, "-c", f"{example}\n{call}"], tmp_path, WEBHOOK_SECRET=secret_text(secret))

    assert ["to move in g1 Choose.", "{'msg_1'}"] == said.splitlines()


def test_the_session_about_talk_says_hears_and_mutes(serve, tmp_path):
    session = block("sh", "talk:watch").replace("localhost:8080", f"localhost:{serve.port}")

    said = run(
        ["bash", "-euo", "pipefail", "-c", session.replace("english)\"'", "english)\"' || true")], tmp_path
    )

    assert [
        "talk.hello",
        "¡Hola!",
        "Good luck!",
        "FREE_TEXT_OFF",
        "Ann: Good luck!",
        "[0]",
        "0",
    ] == said.splitlines()


def test_the_session_with_strangers_leads_to_one_game(serve, tmp_path):
    session = block("sh", "anns-first-ticket").replace("localhost:8080", f"localhost:{serve.port}")

    said = run(["bash", "-euo", "pipefail", "-c", session], tmp_path)

    assert ['"GAME_STATUS_PLAYING"', '["Ann","Bob"]', "TICKET_MATCHED"] == said.splitlines()


def test_the_session_with_a_bot_gives_up(serve, tmp_path):
    session = block("sh", "botLevel").replace("localhost:8080", f"localhost:{serve.port}")

    said = run(["bash", "-euo", "pipefail", "-c", session], tmp_path)

    level, remaining, deadline, ranks, reason = said.splitlines()
    assert "greedy" == level
    assert 0 < float(remaining.removesuffix("s")) <= 60
    assert deadline.endswith("Z")
    assert ("[2,1]", '"RESIGNED"') == (ranks, reason)


def test_the_two_commands_are_there():
    assert "python3 service\n" == block("sh", "python3 service")
    assert "python3 tests\n" == block("sh", "python3 tests")
    assert "python3 tests" in (ROOT / ".ci" / "run").read_text()


def test_every_block_is_run():
    for _, text in BLOCKS:
        marks = [mark for mark in (*SESSIONS, *COMMANDS) if mark in text]
        assert 1 == len(marks), text
