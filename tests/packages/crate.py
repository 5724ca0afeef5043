"""The crate of the Rust client."""

from __future__ import annotations

import re
import tarfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

from packages.steps import CLIENTS, Shop, demand, last_line, run
from support.rust import TARGET, environment

SOURCE = CLIENTS / "rust"
README = (SOURCE / "README.md").read_text()


class Crate:
    name = "rust client"
    programs = ("cargo", "rustc")

    def build(self, shop: Shop) -> Sequence[Path]:
        """Cargo compiles the crate from its own files. Libraries are compiled once for all programs here."""
        run("cargo", "package", "--quiet", "--allow-dirty", cwd=SOURCE, **environment())
        version = tomllib.loads((SOURCE / "Cargo.toml").read_text())["package"]["version"]
        return [TARGET / "package" / f"shedu-{version}.crate"]

    def check(self, shop: Shop, files: Sequence[Path]) -> str:
        with tarfile.open(files[0]) as archive:
            names = {name.partition("/")[2] for name in archive.getnames()}
            archive.extractall(shop.made("unpacked"), filter="data")
        lacking = {"Cargo.toml", "README.md", "LICENSE", "src/lib.rs"} - names
        demand(not lacking, f"it lacks {sorted(lacking)}")
        run("cargo", "fmt", "--check", cwd=SOURCE)
        return "cargo package (compiles the crate), cargo fmt, LICENSE"

    def install(self, shop: Shop, files: Sequence[Path]) -> None:
        (crate,) = (shop.folder / "unpacked").iterdir()
        home = shop.made("home")
        (setup,) = re.findall(r"```sh\n(cargo init.*?)```", README, re.DOTALL)
        run("sh", "-ec", setup.replace("path/to/shedu/clients/rust", str(crate)), cwd=home)
        (home / "src" / "main.rs").write_text(re.findall(r"```rust\n(.*?)```", README, re.DOTALL)[0])

    def play(self, shop: Shop) -> str:
        settings = environment(
            SHEDU_SERVER=shop.serve.address, SHEDU_TOKEN="", CARGO_PROFILE_DEV_DEBUG="false"
        )
        return last_line(run("cargo", "run", "--quiet", cwd=shop.folder / "home", **settings))
