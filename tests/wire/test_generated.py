"""What is generated from the contract is committed, so it must be what the contract generates now."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
TYPESCRIPT = ROOT / "clients" / "typescript" / "src"


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "proto" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_nothing_generated_is_stale(generator: ModuleType, tmp_path: Path) -> None:
    generator.generate(tmp_path)

    names = generator.stale(tmp_path)

    assert [] == names, f"run `python3 proto` and commit what it writes: {', '.join(names)}"


def test_the_python_messages_need_only_what_the_client_installs() -> None:
    program = "import shedu.v1.game_service_pb2_grpc, shedu.tides.v1.tides_pb2, buf.validate.validate_pb2"

    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT / "clients" / "python", check=False)

    assert 0 == done.returncode


def test_the_typescript_sources_type_check(generator: ModuleType) -> None:
    generator.install_typescript()

    generator.npm("run", "--silent", "check")


def test_the_typescript_index_exports_every_public_module() -> None:
    modules = {
        f"./{path.relative_to(TYPESCRIPT).with_suffix('.js')}"
        for path in (TYPESCRIPT / "gen" / "shedu").rglob("*.ts")
    }

    index = (TYPESCRIPT / "index.ts").read_text()

    assert set() == {module for module in modules if f'"{module}"' not in index}
