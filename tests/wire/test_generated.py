"""Tests that the committed generated files are what the contract generates now."""

from __future__ import annotations

import importlib.util
import shutil
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
    program = "import shedu.v1.game_service_pb2_grpc, shedu.tides.v1.tides_pb2"

    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT / "clients" / "python", check=False)

    assert 0 == done.returncode


def test_the_python_messages_keep_their_rules_without_the_package_that_defines_them() -> None:
    """A program that has the package reads the rules; the client does not bring it, so none can collide."""
    program = (
        "import sys; from shedu.v1 import game_service_pb2 as pb; assert 'buf' not in sys.modules;"
        "from gamehost.api.openapi.buf.validate import validate_pb2 as rules;"
        "options = pb.CreateGameRequest.DESCRIPTOR.fields_by_name['title'].GetOptions();"
        "print(options.Extensions[rules.field].string.pattern)"
    )

    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=False)

    assert (0, b"^[a-z][a-z0-9_]{0,39}$\n") == (done.returncode, done.stdout), done.stderr


def write_package(folder: Path) -> None:
    """Writes a package with the same dependencies as ours."""
    for name in ("package.json", "package-lock.json"):
        shutil.copy(TYPESCRIPT.parent / name, folder)


def test_who_installs_the_same_packages_at_once_waits_for_the_first(tmp_path: Path) -> None:
    """Otherwise one would find packages that the other has not finished installing."""
    write_package(tmp_path)
    program = f"import generate, pathlib; generate.install_typescript(pathlib.Path({str(tmp_path)!r}))"
    command = [sys.executable, "-c", program]

    crowd = [subprocess.Popen(command, cwd=ROOT / "proto", stdout=subprocess.PIPE) for _ in range(3)]
    said = [process.communicate()[0].decode() for process in crowd]

    assert [0] * 3 == [process.returncode for process in crowd]
    assert 1 == sum("added" in each for each in said)
    assert (tmp_path / "node_modules" / ".bin" / "tsc").exists()


def test_packages_whose_installation_broke_off_are_installed_again(
    generator: ModuleType, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """npm writes the packages first, their programs later, and its lock file last."""
    write_package(tmp_path)
    generator.install_typescript(tmp_path)
    note, program = (tmp_path / "node_modules" / name for name in (".package-lock.json", ".bin/tsc"))
    note.unlink()
    program.unlink()

    generator.install_typescript(tmp_path)
    assert program.exists()
    capfd.readouterr()

    generator.install_typescript(tmp_path)
    assert "" == capfd.readouterr().out


def test_the_typescript_sources_type_check(generator: ModuleType) -> None:
    generator.install_typescript()

    generator.npm("run", "--silent", "check")


def test_the_typescript_index_exports_every_public_module() -> None:
    modules = {
        f"./{path.relative_to(TYPESCRIPT).with_suffix('.js')}"
        for path in (TYPESCRIPT / "gen" / "shedu").rglob("*.ts")
    }

    index = (TYPESCRIPT / "index.ts").read_text() + (TYPESCRIPT / "titles.ts").read_text()

    assert set() == {module for module in modules if f'"{module}"' not in index}
