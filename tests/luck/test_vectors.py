"""Tests four implementations of luck with shared vectors: the service, two verifiers, and OpenSSL."""

from __future__ import annotations

import copy
import importlib.util
import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from gamehost.rules import chance

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "clients" / "luck_vectors.json"
EXPECTED = json.loads(VECTORS.read_text())


def module(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


STAND_ALONE = module("verify_luck", ROOT / "clients" / "python" / "verify_luck.py")


def openssl(*arguments: str, message: bytes) -> bytes:
    command = ["openssl", "dgst", "-sha256", *arguments, "-binary"]
    return subprocess.run(command, input=message, capture_output=True, check=True).stdout


def openssl_hmac(key: bytes, message: bytes) -> bytes:
    return openssl("-mac", "HMAC", "-macopt", f"hexkey:{key.hex()}", message=message)


def openssl_key(seed: bytes, client_seeds: list[bytes]) -> bytes:
    given = b"".join(len(part).to_bytes(1, "big") + part for part in client_seeds)
    return openssl_hmac(seed, b"shedu:luck:v1:" + given) if any(client_seeds) else seed


@dataclass
class OpenSslDraws:
    """An implementation from the comment in game.proto, with the HMAC of OpenSSL."""

    key: bytes
    position: int
    blocks: dict[str, bytes] = field(default_factory=dict)

    @property
    def taken(self) -> int:
        return len(self.blocks)

    def below(self, bound: int) -> int:
        number = 2**64
        while number >= 2**64 - 2**64 % bound:
            label = f"shedu:draw:v1:{self.position}:{self.taken}"
            self.blocks[label] = openssl_hmac(self.key, label.encode())
            number = int(self.blocks[label].hex()[:16], 16)
        return number % bound

    def roll(self, dice: int, sides: int) -> list[int]:
        return [self.below(sides) + 1 for _ in range(dice)]

    def draw(self, bag: list[Any], count: int) -> list[Any]:
        left = list(bag)
        return [left.pop(self.below(len(left))) for _ in range(count)]


@dataclass(frozen=True)
class Hand:
    commitment: Callable[[str, bytes], bytes]
    key: Callable[[bytes, list[bytes]], bytes]
    draws: Callable[[bytes, int], Any]

    def answers(self) -> dict[str, Any]:
        """Returns the vectors with every answer computed again."""
        asked = copy.deepcopy(EXPECTED)
        for row in asked["commitments"]:
            row["commitment"] = self.commitment(row["gameId"], bytes.fromhex(row["seed"])).hex()
        for row in asked["keys"]:
            client_seeds = [bytes.fromhex(part) for part in row["clientSeeds"]]
            row["key"] = self.key(bytes.fromhex(row["seed"]), client_seeds).hex()
        for row in asked["choices"]:
            draws = self.draws(bytes.fromhex(row["key"]), row["position"])
            row["choices"] = [str(draws.below(int(bound))) for bound in row["bounds"]]
            row["taken"] = draws.taken
        for row in asked["rolls"]:
            draws = self.draws(bytes.fromhex(row["key"]), row["position"])
            row["faces"] = list(draws.roll(row["dice"], row["sides"]))
        for row in asked["draws"]:
            draws = self.draws(bytes.fromhex(row["key"]), row["position"])
            row["drawn"] = list(draws.draw(row["bag"], row["count"]))
        return asked


class ServiceDraws(chance.SeededChance):
    def below(self, bound: int) -> int:
        return self._below(bound)


def test_the_vectors_are_what_openssl_makes_of_them() -> None:
    if shutil.which("openssl") is None:
        pytest.skip("NOT CHECKED: there is no openssl")
    hand = Hand(
        lambda game_id, seed: openssl(message=f"shedu:commitment:v1:{game_id}:".encode() + seed),
        openssl_key,
        OpenSslDraws,
    )

    assert EXPECTED == hand.answers()


def test_the_service_draws_by_the_vectors() -> None:
    assert EXPECTED == Hand(chance.commitment, chance.luck_key, ServiceDraws).answers()


def test_the_stand_alone_verifier_in_python_draws_by_the_vectors() -> None:
    hand = Hand(STAND_ALONE.commitment, STAND_ALONE.luck_key, STAND_ALONE.Draws)

    assert EXPECTED == hand.answers()


def test_the_stand_alone_verifier_in_typescript_draws_by_the_vectors(tmp_path: Path) -> None:
    generator = module("generate", ROOT / "proto" / "generate.py")
    generator.install_typescript()
    generator.npm("exec", "--", "tsc", "--outDir", str(tmp_path))
    (tmp_path / "package.json").write_text('{"type": "module"}')
    script = ROOT / "tests" / "luck" / "vectors.mjs"
    node = shutil.which("node", path=generator.node()["PATH"])
    assert node is not None

    command = [node, str(script), str(tmp_path / "verify.js"), str(VECTORS)]
    done = subprocess.run(command, env=generator.node(), capture_output=True, text=True, check=False)

    assert "" == done.stderr
    assert EXPECTED == json.loads(done.stdout)


def test_the_vectors_show_a_number_that_is_rejected() -> None:
    assert [row for row in EXPECTED["choices"] if row["taken"] > len(row["bounds"])]


def test_the_stand_alone_verifiers_stand_alone() -> None:
    python = (ROOT / "clients" / "python" / "verify_luck.py").read_text()
    typescript = (ROOT / "clients" / "typescript" / "src" / "verify.ts").read_text()

    assert "import shedu" not in python
    assert "from shedu" not in python
    assert "import " not in typescript
    assert max(len(text.splitlines()) for text in (python, typescript)) < 75
