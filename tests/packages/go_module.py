"""The Go module, as a module proxy serves it."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from collections.abc import Sequence
from pathlib import Path

from packages.steps import CLIENTS, Shop, demand, last_line, run

SOURCE = CLIENTS / "go"
MODULE, VERSION = "shedu.example/shedu", "v0.2.0"


class GoModule:
    name = "go client"
    programs = ("go", "git")

    def build(self, shop: Shop) -> Sequence[Path]:
        """Writes the files of a proxy: https://go.dev/ref/mod#goproxy-protocol"""
        place = shop.made(f"proxy/{MODULE}/@v")
        (place / "list").write_text(f"{VERSION}\n")
        (place / f"{VERSION}.info").write_text(json.dumps({"Version": VERSION}))
        (place / f"{VERSION}.mod").write_text((SOURCE / "go.mod").read_text())
        file = place / f"{VERSION}.zip"
        kept = run("git", "ls-files", "--cached", "--others", "--exclude-standard", ".", cwd=SOURCE)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in kept.split():
                archive.write(SOURCE / name, f"{MODULE}@{VERSION}/{name}")
        return [file]

    def check(self, shop: Shop, files: Sequence[Path]) -> str:
        run("go", "vet", "./...", cwd=SOURCE)
        run("go", "mod", "verify", cwd=SOURCE)
        run("go", "mod", "tidy", "-diff", cwd=SOURCE)
        unformatted = run("gofmt", "-l", ".", cwd=SOURCE)
        demand(not unformatted, f"gofmt would change {unformatted}")
        names = zipfile.ZipFile(files[0]).namelist()
        demand(f"{MODULE}@{VERSION}/LICENSE" in names, "it has no LICENSE")
        return "go vet, go mod verify, go mod tidy -diff, gofmt, LICENSE"

    def install(self, shop: Shop, files: Sequence[Path]) -> None:
        home = shop.made("home")
        example = re.findall(r"```go\n(.*?)```", (SOURCE / "README.md").read_text(), re.DOTALL)[0]
        (home / "main.go").write_text(example)
        run("go", "mod", "init", "example.org/mine", cwd=home)
        run("go", "get", f"{MODULE}@{VERSION}", cwd=home, **self.settings(shop))
        run("go", "mod", "tidy", cwd=home, **self.settings(shop))

    def play(self, shop: Shop) -> str:
        settings = {**self.settings(shop), "SHEDU_SERVER": shop.serve.address, "SHEDU_TOKEN": ""}
        return last_line(run("go", "run", ".", cwd=shop.folder / "home", **settings))

    def settings(self, shop: Shop) -> dict[str, str]:
        """The proxy in front of those of this machine, and a cache of modules without the sources here."""
        known = subprocess.run(["go", "env", "GOPROXY"], capture_output=True, text=True, check=True).stdout
        return {
            "GOPROXY": f"{(shop.folder / 'proxy').as_uri()},{known.strip()}",
            "GONOSUMDB": MODULE,
            "GOMODCACHE": str(shop.folder / "modules"),
            "GOFLAGS": "-modcacherw",
        }
