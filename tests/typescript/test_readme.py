"""Tests that the example of the README compiles and plays a game."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from support.node import node
from support.process import Serve
from support.typescript import TYPESCRIPT, compiled_client

EXAMPLE = re.findall(r"```ts\n(.*?)```", (TYPESCRIPT / "README.md").read_text(), re.DOTALL)
STRICT = {"strict": True, "target": "es2022", "module": "nodenext", "lib": ["es2023", "dom"], "types": []}
NODE = "declare const process: { env: Record<string, string | undefined> };\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    compiled_client(tmp_path)
    (tmp_path / "node.d.ts").write_text(NODE)
    project = {"compilerOptions": STRICT, "files": ["example.ts", "node.d.ts"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(project))
    return tmp_path


def test_the_example_of_the_readme_plays_a_game(serve: Serve, folder: Path) -> None:
    [example] = EXAMPLE
    (folder / "example.ts").write_text(example)
    tsc = TYPESCRIPT / "node_modules" / "typescript" / "bin" / "tsc"

    compiled = node(str(tsc), "-p", str(folder))
    done = node(str(folder / "example.js"), SHEDU=serve.url)

    assert (0, "") == (compiled.returncode, compiled.stdout)
    assert "" == done.stderr
    *versions, scores = done.stdout.splitlines()
    told = [int(version) for line in versions for version in line.split()]
    assert list(range(1, len(told) + 1)) == told
    assert len(told) > 60
    assert re.fullmatch(r"\[ \d+, \d+ \]", scores)


def test_it_depends_on_nothing_but_connect_and_protobuf() -> None:
    package = json.loads((TYPESCRIPT / "package.json").read_text())

    assert {"@bufbuild/protobuf", "@connectrpc/connect"} == package["dependencies"].keys()
    assert {"@connectrpc/connect-web"} == package["peerDependencies"].keys()
