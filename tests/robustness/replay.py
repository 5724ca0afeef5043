"""Folds logs to one digest, in processes that differ in all that must not matter."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from gamehost.codec.store_codec import StoreCodec
from gamehost.codec.titles import TITLES

from .expected_views import Log
from .services import PYTHONPATH

# Python hashes text otherwise in each, and Protobuf is compiled or pure.
PROCESSES = {
    "PYTHONHASHSEED=0": {"PYTHONHASHSEED": "0"},
    "PYTHONHASHSEED=1": {"PYTHONHASHSEED": "1"},
    "PYTHONHASHSEED=random": {"PYTHONHASHSEED": "random"},
    "pure Protobuf": {"PYTHONHASHSEED": "random", "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python"},
}


def write(logs: Sequence[Log], file: Path) -> None:
    plain = {log.game_id: [base64.b64encode(payload).decode() for _, payload in log.events] for log in logs}
    file.write_text(json.dumps(plain))


def fold(file: Path) -> str:
    """Returns a digest of all positions of all games."""
    codec, total = StoreCodec(TITLES), hashlib.sha256()
    for game_id, payloads in json.loads(file.read_text()).items():
        events = [(number, base64.b64decode(text)) for number, text in enumerate(payloads, 1)]
        for batch, table in Log(game_id, events, {}).steps:
            total.update(codec.encode_table(table, with_state=True))
            total.update(b"".join(codec.encode_record(table.rules.title, record) for record in batch))
    return total.hexdigest()


def replay(
    file: Path, module: str = "robustness.replay", *arguments: str, kinds: Iterable[str] = PROCESSES
) -> dict[str, str]:
    """Folds the logs in a process of each kind, and returns the digest that each printed."""
    command = [sys.executable, "-m", module, *arguments, str(file)]
    running = {
        name: subprocess.Popen(
            command,
            env={**os.environ, "PYTHONPATH": PYTHONPATH, **settings},
            stdout=subprocess.PIPE,
            text=True,
        )
        for name, settings in PROCESSES.items()
        if name in kinds
    }
    return {name: process.communicate()[0].strip() or "failed" for name, process in running.items()}


def disagreement(digests: dict[str, str]) -> str:
    """Describes the digests that differ; empty if all are the same."""
    same = len(set(digests.values())) == 1 and "failed" not in digests.values()
    return "" if same else ", ".join(f"{name}: {found[:12]}" for name, found in digests.items())


if __name__ == "__main__":
    print(fold(Path(sys.argv[1])))
