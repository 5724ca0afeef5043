"""`shedu new-title`: makes a title that can be played at once, from `service/title_template/`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

import gamehost
from gamehost.commands.console import err, fail, out

from .naming import Names, problem_with, title_names

ROOT = Path(gamehost.__file__).resolve().parents[2]
TITLE_TEMPLATE = ROOT / "service" / "title_template"
GUIDE = "service/gamehost/titles/README.md"
CHECKLIST = """
{made}
It is an example game. Now make it yours, in this order ({guide} explains each step):

 1. service/gamehost/titles/{title}/rules/describe.py: every rule of the rule book, with its id {rule}-1, …
 2. rules/options.py, material.py, actions.py, events.py, model.py: the types
 3. rules/evolve.py: the effects of events; rules/setup.py, act.py and rounds.py: the events of actions
 4. rules/decisions.py, legal.py and refusals.py: questions, legal actions, refusals; scoring.py: the result
 5. rules/view.py and imagine.py: the view of a seat, and random states that are consistent with it
 6. tests/titles/{title}/: test_rules.py (every rule by its id), facts.py, history.py, recorded.py
 7. python3 proto --title {title} --new; python3 tests record {title}; python3 clients/web
 8. python3 tests -k {title}

Optional, later: greedy.py, encoding.py, terminal.py in service/gamehost/titles/{title}/,
and a board, texts and translations in clients/web/src/titles/{title}/.
"""


def register(app: typer.Typer) -> None:
    app.command(
        name="new-title",
        epilog="Examples:\n\n    shedu new-title high_card\n\n    shedu new-title high_card --dry-run",
    )(new_title)


def new_title(
    name: Annotated[
        str, typer.Argument(help="Name in snake_case, such as high_card. It is used in URLs and code.")
    ],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="List the files and write nothing.")] = False,
    files_only: Annotated[
        bool, typer.Option("--files-only", help="Write the files, but generate and record nothing.")
    ] = False,
) -> None:
    """Make a new title: a small game that works, with messages and tests, to be changed into yours.

    It needs a clone of the repository, because it writes into the folders of the service, the contract, the
    clients and the tests. It never overwrites a file.
    """
    if not TITLE_TEMPLATE.is_dir() or not (ROOT / "proto" / "generate.py").is_file():
        fail("new-title needs a clone of the repository; this is an installed package")
    if (problem := problem_with(name)) is not None:
        fail(problem)
    names = title_names(name)
    files = title_files(names)
    if existing := sorted(path for path in files if (ROOT / path).exists()):
        fail(f"{existing[0]} exists already; nothing was written")
    for path in files:
        out.print(str(path), highlight=False)
    if dry_run:
        return
    write(files)
    if not files_only:
        for step in generation_commands(name):
            run(step)
    called = names.replacements["Example Title"]
    made = f"{called} can be played: shedu serve, then http://localhost:8080, or shedu play {name}."
    if files_only:
        made = f"The files of {called} are written. Step 7 below generates what it needs to be played."
    shown = CHECKLIST.format(made=made, title=name, rule=names.rule, guide=GUIDE)
    out.print(shown, highlight=False, markup=False, soft_wrap=True)


def title_files(names: Names) -> dict[Path, str]:
    """Return the text of every file of the title, by its path in the repository."""
    folders = {
        "rules": Path("service/gamehost/titles") / names.title / "rules",
        "tests": Path("tests/titles") / names.title,
    }
    files = {folders["rules"].parent / "__init__.py": ""}
    for part, folder in folders.items():
        for source in sorted((TITLE_TEMPLATE / part).glob("*.py")):
            files[folder / source.name] = filled(source.read_text(), names.replacements)
    return files


def filled(text: str, replacements: Mapping[str, str]) -> str:
    for placeholder, value in replacements.items():
        text = text.replace(placeholder, value)
    return text


def write(files: Mapping[Path, str]) -> None:
    """Write the files, none of which may exist, and format them, since names differ in length."""
    for path, text in files.items():
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        # Mode x fails for a file that has appeared since the check: nothing is ever overwritten.
        with (ROOT / path).open("x") as file:
            file.write(text)
    ruff = Path(sys.executable).with_name("ruff")
    if ruff.is_file():
        # The order of imports and the length of lines depend on the name of the title.
        written = [str(path) for path in files]
        subprocess.run(
            [ruff, "check", "--no-cache", "--select", "I", "--fix", "-q", *written], cwd=ROOT, check=False
        )
        subprocess.run([ruff, "format", "--no-cache", "-q", *written], cwd=ROOT, check=False)


def generation_commands(title: str) -> list[list[str]]:
    """Return the commands after which the title is served, played and tested."""
    # With the tools at hand, the programs need not look for an environment or make one first.
    ready = Path(sys.executable).with_name("buf").is_file()
    return [
        ["proto/generate.py" if ready else "proto", "--title", title],
        ["-m", "golden.record", title],
        ["clients/web/tasks.py" if ready else "clients/web"],
    ]


def run(step: list[str]) -> None:
    """Run a Python program of the repository. Exits with its output if it fails."""
    command = f"python3 {' '.join(step)}"
    err.print(f"{command} …", highlight=False, markup=False)
    # The folder `tests` is not a package that is installed, and it contains `golden.record`.
    folders = [str(ROOT / folder) for folder in ("service", "clients/python", "tests")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(folders)}
    done = subprocess.run([sys.executable, *step], cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode:
        err.print(done.stdout + done.stderr, highlight=False, markup=False, soft_wrap=True)
        fail(f"`{command}` failed; the files of the title are written, repeat this command when it is fixed")
