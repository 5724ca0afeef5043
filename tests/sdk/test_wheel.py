"""Tests that the client can be installed and used without the service and its dependencies."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from support.interpreters import interpreter_with_pip
from support.process import ROOT
from support.waiting import PATIENCE

SESSION = """
import sys
import shedu
from importlib.metadata import distributions

with shedu.connect(sys.argv[1]) as server:
    game = server.create("tides")
    players = [game.join(), game.join()]
    for player in players:
        legal = player.legal_actions()
        player.play(legal.actions[0], legal.decision)
    print(game.look().version > 9, sorted(each.name for each in distributions()))
"""
README = ROOT / "clients/python/README.md"
LONG = 10 * PATIENCE  # seconds; packages are downloaded
PACKAGES = ["googleapis-common-protos", "grpcio", "protobuf", "shedu", "typing_extensions"]


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONG, check=False)
    assert 0 == done.returncode, done.stderr
    return done.stdout


def test_the_wheel_installs_alone_and_plays(serve, tmp_path):
    source, wheels, home = tmp_path / "source", tmp_path / "wheels", tmp_path / "home"
    shutil.copytree(ROOT / "clients/python", source, ignore=shutil.ignore_patterns("build", "*.egg-info"))
    pip = [interpreter_with_pip(), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    run(*pip, "wheel", "--no-deps", "--wheel-dir", str(wheels), str(source))
    run(sys.executable, "-m", "venv", "--without-pip", str(home))
    python = str(home / "bin" / "python")
    run(*pip, "--python", python, "install", "--only-binary=:all:", *map(str, wheels.iterdir()))

    bot = tmp_path / "my_bot.py"
    (text,) = re.findall(r"^```python\n(# my_bot\.py\n.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)
    bot.write_text(text)
    said = run(python, "-I", "-c", SESSION, f"localhost:{serve.grpc_port}")
    wanted = ("--title", "tides", "--create", "2", "--against", "random", "--json")
    server = ("--server", f"localhost:{serve.grpc_port}")
    report = json.loads(run(str(home / "bin" / "shedu"), "bot", "run", str(bot), *wanted, *server))

    assert f"True {PACKAGES}\n" == said
    assert (2, 28, 0) == (report["games"], report["decisions"], report["failures"])
    assert (installed(home) / "shedu" / "py.typed").exists()
    assert not (installed(home) / "buf").exists()
    (licence,) = installed(home).glob("shedu-*.dist-info/licenses/LICENSE")
    assert (ROOT / "LICENSE").read_text() == licence.read_text()


def installed(home: Path) -> Path:
    (found,) = home.glob("lib/python*/site-packages")
    return found
