"""The npm package of the TypeScript client."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from packages.steps import CLIENTS, Shop, demand, last_line, run
from support.node import generator, install, program

SOURCE = CLIENTS / "typescript"
HERE = Path(__file__).resolve().parent
README = (SOURCE / "README.md").read_text()
CONTENTS = {"package.json", "README.md", "LICENSE", "dist"}


def node(*words: str | Path, cwd: Path, **settings: str) -> str:
    return run("node", *words, cwd=cwd, **{**generator().node(), **settings})


def npm(*words: str | Path, cwd: Path) -> str:
    """Runs npm: that of the Node.js that pip installed, which is no program, or that of this machine."""
    script = Path(program()).parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    start = ("node", script) if script.exists() else ("npm",)
    return run(*start, *words, cwd=cwd, **generator().node())


class NpmPackage:
    name = "typescript client"
    programs = ()

    def build(self, shop: Shop) -> Sequence[Path]:
        install(SOURCE)
        copy = shop.folder / "source"
        shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("node_modules", "dist", "examples"))
        (copy / "node_modules").symlink_to(SOURCE / "node_modules")
        npm("run", "build", cwd=copy)
        npm("pack", "--pack-destination", shop.folder, cwd=copy)
        return list(shop.folder.glob("*.tgz"))

    def check(self, shop: Shop, files: Sequence[Path]) -> str:
        (file,) = files
        told = npm("publish", "--dry-run", "--json", "--access", "public", file, cwd=shop.folder)
        described = json.loads(told)
        described = described.get("@shedu/client", described)
        found = {each["path"].split("/")[0] for each in described["files"]}
        demand(found == CONTENTS, f"it contains {sorted(found)}")
        install(HERE)
        lint = HERE / "node_modules" / "publint" / "src" / "cli.js"
        node(lint, "--strict", file, cwd=shop.folder)
        return "npm publish --dry-run, publint --strict, files"

    def install(self, shop: Shop, files: Sequence[Path]) -> None:
        home = shop.made("home")
        (home / "package.json").write_text('{"name": "mine", "version": "1.0.0", "type": "module"}')
        (line,) = re.findall(r"^npm (install --install-links .*)$", README, re.MULTILINE)
        words = line.replace("path/to/shedu/clients/typescript", str(files[0])).split()
        npm(*words, "--no-audit", "--no-fund", cwd=home)

    def play(self, shop: Shop) -> str:
        """Node.js runs TypeScript without its types."""
        home = shop.folder / "home"
        example = re.findall(r"```ts\n(.*?)```", README, re.DOTALL)[0]
        (home / "first.ts").write_text(example)
        return last_line(node("--no-warnings", "first.ts", cwd=home, SHEDU=shop.serve.url))
