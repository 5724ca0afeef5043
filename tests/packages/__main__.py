"""`python3 tests packages`: builds every package, checks it as its ecosystem does, installs it into an empty
environment, and runs the first example of its README there, against a real service."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from conformance.__main__ import show_table
from packages.crate import Crate
from packages.go_module import GoModule
from packages.jar import Jar
from packages.npm_package import NpmPackage
from packages.python_wheels import ClientWheel, ServiceWheel
from packages.steps import Package, Shop, StepFailed, Tried, missing
from support.process import Serve

T = TypeVar("T")
PACKAGES: tuple[Package, ...] = (ClientWheel(), ServiceWheel(), NpmPackage(), GoModule(), Jar(), Crate())
app = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)


@app.command()
def main(
    words: Annotated[
        list[str] | None, typer.Argument(help="Words of names; all packages by default.")
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Fail if a toolchain is missing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
) -> None:
    """Builds, checks, installs and tries wheels, npm package, Go module, jar and crate."""
    wanted = [each for each in PACKAGES if not words or any(word in each.name for word in words)]
    if not wanted:
        raise typer.BadParameter(f"there are {', '.join(each.name for each in PACKAGES)}")
    absent = {each.name: missing(each) for each in wanted if missing(each)}
    with redirect_stdout(sys.stderr if as_json else sys.stdout):
        results = tried([each for each in wanted if each.name not in absent])
        show(results)
        for name, programs in absent.items():
            print(f"NOT CHECKED: {name} needs {', '.join(programs)} on the PATH")
        for name, result in results.items():
            if result.trouble:
                print(f"failed: {name}: {result.trouble}")
    failed = any(each.trouble for each in results.values()) or (all_ and bool(absent)) or not results
    if as_json:
        told = {name: asdict(result) for name, result in results.items()}
        print(json.dumps({"packages": told, "not_checked": absent, "ok": not failed}, indent=2))
    sys.exit(failed)


def tried(wanted: Sequence[Package]) -> dict[str, Tried]:
    results: dict[str, Tried] = {}
    with tempfile.TemporaryDirectory(prefix="shedu-packages-") as name:
        folder = Path(name)
        (folder / "serve").mkdir()
        with Serve(folder / "serve") as serve:
            for package in wanted:
                print(f"== {package.name}", flush=True)
                place = folder / package.name.replace(" ", "-")
                place.mkdir()
                results[package.name] = attempt(package, Shop(place, serve))
    return results


def attempt(package: Package, shop: Shop) -> Tried:
    result = Tried()
    try:
        files = timed(result, "build", lambda: package.build(shop))
        result.files = {file.name: file.stat().st_size for file in files}
        result.checks = timed(result, "check", lambda: package.check(shop, files))
        timed(result, "install", lambda: package.install(shop, files))
        result.printed = timed(result, "play", lambda: package.play(shop))
    except StepFailed as failed:
        result.trouble = str(failed)
    return result


def timed(result: Tried, step: str, work: Callable[[], T]) -> T:
    began = time.monotonic()
    try:
        return work()
    finally:
        result.seconds[step] = round(time.monotonic() - began, 1)
        print(f"{step:8}{result.seconds[step]:7.1f} s", flush=True)


def show(results: dict[str, Tried]) -> None:
    steps = ["build", "check", "install", "play"]
    rows = [
        [
            name,
            ", ".join(f"{file} ({size // 1024} KiB)" for file, size in each.files.items()),
            *(f"{each.seconds[step]:.1f} s" if step in each.seconds else "-" for step in steps),
            each.checks,
            each.printed,
        ]
        for name, each in results.items()
    ]
    print()
    show_table(["package", "files", *steps, "checks", "first example"], rows)


if __name__ == "__main__":
    app()
