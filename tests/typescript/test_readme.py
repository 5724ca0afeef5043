"""Tests that the examples of the README and of clients/frontend.md compile and play games."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from support.node import node
from support.process import Serve
from support.typescript import TYPESCRIPT, compiled_client

EXAMPLES = re.findall(r"```ts\n(.*?)```", (TYPESCRIPT / "README.md").read_text(), re.DOTALL)
PAGE = (TYPESCRIPT.parent / "frontend.md").read_text()
STRICT = {"strict": True, "target": "es2022", "module": "nodenext", "lib": ["es2023", "dom"], "types": []}
# Put before a bot: tells when another action is played than the last one that was offered.
LAST = """import { type LegalAction, Table } from "@shedu/client";
const { legalActions, play } = Table.prototype;
const offered = new WeakMap<Table, LegalAction[]>();
Table.prototype.legalActions = async function (options) {
  const found = await legalActions.call(this, options);
  offered.set(this, found.actions);
  return found;
};
Table.prototype.play = function (action, options) {
  if (action !== offered.get(this)?.at(-1)?.action) console.error("another action than the last one");
  return play.call(this, action, options);
};
"""
NODE = "declare const process: { env: Record<string, string | undefined> };\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    compiled_client(tmp_path)
    (tmp_path / "node.d.ts").write_text(NODE)
    project = {"compilerOptions": STRICT, "files": ["example.ts", "node.d.ts"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(project))
    return tmp_path


def printed(example: str, serve: Serve, folder: Path) -> str:
    """Compiles an example with all checks, runs it, and returns its output."""
    (folder / "example.ts").write_text(example)
    tsc = TYPESCRIPT / "node_modules" / "typescript" / "bin" / "tsc"
    compiled = node(str(tsc), "-p", str(folder))
    assert (0, "") == (compiled.returncode, compiled.stdout)
    done = node(str(folder / "example.js"), SHEDU=serve.url)
    assert "" == done.stderr
    return done.stdout


def test_the_first_example_plays_a_game(serve: Serve, folder: Path) -> None:
    *versions, scores = printed(EXAMPLES[0], serve, folder).splitlines()

    told = [int(version) for line in versions for version in line.split()]
    assert list(range(1, len(told) + 1)) == told
    assert len(told) > 60
    assert re.fullmatch(r"\[ \d+, \d+ \]", scores)


def test_the_bot_plays_what_it_chooses_and_reports(serve: Serve, folder: Path) -> None:
    report = json.loads(printed(LAST + EXAMPLES[1], serve, folder))

    assert (2, 28, 0, 0) == tuple(report[name] for name in ("games", "decisions", "failures", "lost"))
    assert report["answering_ms"]["p50"] > 0


def test_a_bot_that_is_too_slow_is_replaced_in_its_game_alone(serve: Serve, folder: Path) -> None:
    example = EXAMPLES[1].replace("newBot,", "newBot, decisionMilliseconds: 500,")
    example = example.replace("this.turns++;", "if (this.turns++ === 3) return new Promise<never>(() => {});")

    report = json.loads(printed(example.replace("notify: console.error", ""), serve, folder))

    assert (2, 28, 6) == tuple(report[name] for name in ("games", "decisions", "failures"))


def test_the_frontend_of_the_page_plays_a_game(serve: Serve, folder: Path) -> None:
    [example] = re.findall(r"```ts\n(.*?)```", PAGE, re.DOTALL)

    lines = printed(example, serve, folder).splitlines()

    assert "Round 1 of 3, card 1 of 5: choose a card to play." in lines[1]
    assert 14 == sum(" | " in line for line in lines)
    assert re.fullmatch(r"scores \[ \d+, \d+ \]", lines[-1])


def test_it_depends_on_nothing_but_connect_and_protobuf() -> None:
    package = json.loads((TYPESCRIPT / "package.json").read_text())

    assert {"@bufbuild/protobuf", "@connectrpc/connect"} == package["dependencies"].keys()
    assert {"@connectrpc/connect-web"} == package["peerDependencies"].keys()
