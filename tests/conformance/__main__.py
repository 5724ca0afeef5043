"""`python3 tests clients`: the clients of all languages against the same server, with a table of answers."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from conformance import drivers
from conformance.clients import scenarios
from conformance.languages import LANGUAGES, BuildFailed, Language
from conformance.whole_games import Contestant, Result, play
from support.process import ROOT, Serve

EXAMPLE_LINES = 25
# Fields that depend on luck, which differs in the game of each client.
LUCKY = ("fairness.seed", "tides.hand.4")

app = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)


@dataclass(slots=True)
class Run:
    """The languages of a run, the folders of their builds, and the failures."""

    folder: Path
    built: dict[str, Path] = field(default_factory=dict)
    ready: list[Language] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    absent: dict[str, str] = field(default_factory=dict)  # why a language is not checked, by its name
    results: dict[str, dict[str, Any]] = field(default_factory=dict)  # for --json, by language

    def command(self, language: Language, words: Sequence[str], serve: Serve | None = None) -> list[str]:
        places = {"built": str(self.built[language.name]), "scenarios": str(scenarios.FILE)}
        if serve is not None:
            places |= {"address": serve.address, "url": serve.url}
        return [word.format_map(places) for word in words]


@app.command()
def main(
    names: Annotated[list[str] | None, typer.Argument(help="Languages; all by default.")] = None,
    all_: Annotated[bool, typer.Option("--all", help="Fail if a toolchain is missing.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the results as JSON, and everything else on stderr.")
    ] = False,
    tests: Annotated[bool, typer.Option(help="Also run the tests that need a toolchain.")] = True,
) -> None:
    """Runs the scenarios and the example bot of every client, and the tests of the compiled languages."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that child processes are ended
    known = {language.name: language for language in LANGUAGES}
    if unknown := [name for name in names or () if name not in known]:
        raise typer.BadParameter(f"{', '.join(unknown)}: not one of {', '.join(known)}")
    wanted = [known[name] for name in names] if names else list(LANGUAGES)
    with tempfile.TemporaryDirectory(prefix="shedu-clients-") as folder:
        run = Run(Path(folder))
        with redirect_stdout(sys.stderr if as_json else sys.stdout):
            failed = check(run, wanted, tests, all_)
    if as_json:
        told = {
            "languages": run.results,
            "not_checked": list(run.absent.values()),
            "failures": run.failures,
            "ok": not failed,
        }
        print(json.dumps(told, indent=2))
    sys.exit(failed)


def check(run: Run, wanted: Sequence[Language], tests: bool, all_: bool) -> int:
    """Runs all steps, and returns the exit code."""
    for title, step in STEPS.items():
        if (step is run_tests and not tests) or (step is not build and not run.ready):
            continue
        began = time.monotonic()
        print(f"\n== {title}", flush=True)
        step(run, wanted)
        print(f"({time.monotonic() - began:.1f} s)", flush=True)
    return verdict(run, all_)


def build(run: Run, wanted: Sequence[Language]) -> None:
    for language in wanted:
        if missing := language.missing:
            run.absent[language.name] = f"NOT CHECKED: {language.name} needs {', '.join(missing)} on the PATH"
            print(run.absent[language.name], flush=True)
            continue
        began = time.monotonic()
        run.built[language.name] = folder = run.folder / language.name
        folder.mkdir()
        try:
            language.build(folder)
        except BuildFailed as failed:
            run.failures.append(f"{language.name} cannot be built")
            print(failed)
            continue
        run.ready.append(language)
        lines, seconds = len(language.example.read_text().splitlines()), time.monotonic() - began
        run.results[language.name] = {"build_seconds": round(seconds, 1), "example_bot_lines": lines}
        print(f"{language.name:12}{seconds:6.1f} s, example bot of {lines} lines", flush=True)
        if lines > EXAMPLE_LINES:
            run.failures.append(f"{language.example.relative_to(ROOT)} has more than {EXAMPLE_LINES} lines")


def run_scenarios(run: Run, _wanted: Sequence[Language]) -> None:
    (run.folder / "open").mkdir()
    with Serve(run.folder / "open", SHEDU_HEARTBEAT_SECONDS="1") as serve:
        answers = {language.name: answer(run, language, serve) for language in run.ready}
    found = {name: given.steps for name, given in answers.items() if not given.trouble}
    for name, given in answers.items():
        if given.trouble:
            run.failures.append(f"{name}: {given.trouble}")
    rows = []
    for scenario in scenarios.SCENARIOS:
        title = scenario["name"]
        row = [title]
        for name, given in answers.items():
            wrong = scenario_verdict(title, given.steps, found) if name in found else "no answer"
            seconds = given.seconds.get(title, 0.0)
            row.append("FAILED" if wrong else f"ok {seconds:6.2f} s")
            told = {"verdict": wrong or "ok", "seconds": round(seconds, 3)}
            run.results[name].setdefault("scenarios", {})[title] = told
            if wrong and name in found:
                run.failures.append(f"{name}: {wrong}")
        rows.append(row)
    show_table(["scenario", *answers], rows)


def answer(run: Run, language: Language, serve: Serve) -> drivers.Answers:
    settings = {"SHEDU_SERVER": serve.address, "SHEDU_URL": serve.url}
    command = run.command(language, language.scenarios, serve)
    errors = run.folder / f"scenarios-{language.name}.err"
    return drivers.run(command, {**language.environment(), **settings}, errors)


def scenario_verdict(title: str, given: dict[str, Any], found: dict[str, dict[str, Any]]) -> str:
    """Describes the wrong answers of a client; empty if they are as expected and equal to those of others."""
    wrong = [each for each in scenarios.differences(given) if each.startswith(f"{title}, step")]
    first = next(iter(found.values()))
    if not wrong and without_luck(given[title]) != without_luck(first[title]):
        return f"{title}: answers differ from those of {next(iter(found))}"
    return "; ".join(wrong)


def without_luck(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{path: value for path, value in step.items() if path not in LUCKY} for step in steps]


def play_games(run: Run, _wanted: Sequence[Language]) -> None:
    folder = run.folder / "games"
    folder.mkdir()
    contestants = [
        Contestant(language.name, run.command(language, language.bot), language.environment())
        for language in run.ready
    ]
    results = play(contestants, folder)
    first = next(iter(results.values()))
    for name, result in results.items():
        run.results[name] |= {"games": result.games, "report": result.report}
        if wrong := game_verdict(result, first):
            run.failures.append(f"the bot of {name}: {wrong}")
    show_games(results)
    facts = list(first.report)
    rows = [[fact, *(shown(each.report.get(fact)) for each in results.values())] for fact in facts]
    show_table(["report", *results], rows)


def show_games(results: dict[str, Result]) -> None:
    """Prints a row for each result of a title, with the languages that had it."""
    languages: dict[tuple[str, str], list[str]] = {}
    for name, result in results.items():
        for title, told in result.games.items():
            languages.setdefault((title, told), []).append(name)
    show_table(
        ["title", "result", "languages"], [[*row, ", ".join(languages[row])] for row in sorted(languages)]
    )


def game_verdict(result: Result, first: Result) -> str:
    if result.trouble:
        return result.trouble
    if any("not over" in told for told in result.games.values()):
        return "a game is not over"
    if result.report.get("failures") or result.report.get("lost"):
        return "it failed, or lost a game"
    return (
        "" if result.comparable == first.comparable else f"{result.comparable} instead of {first.comparable}"
    )


def shown(fact: Any) -> str:
    return "/".join(f"{each:g}" for each in fact.values()) if isinstance(fact, dict) else str(fact)


def run_tests(run: Run, _wanted: Sequence[Language]) -> None:
    """Runs the tests that need the toolchain of a language."""
    paths = [path for language in run.ready for path in language.tests]
    if not paths:
        print("none")
        return
    command = ["pytest", "-n", "2", "--dist", "loadfile", "-rs", *paths]
    if subprocess.run([sys.executable, "-m", *command], cwd=ROOT, stdout=sys.stdout.fileno()).returncode:
        run.failures.append("tests failed")


STEPS: dict[str, Callable[[Run, Sequence[Language]], None]] = {
    "build": build,
    "scenarios": run_scenarios,
    "a game of every title, over two kills of the server": play_games,
    "tests of the languages": run_tests,
}


def show_table(head: list[str], rows: list[list[str]]) -> None:
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    for row in (head, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def verdict(run: Run, all_: bool) -> int:
    """Prints the summary, whose last line says why the run failed, and returns the exit code."""
    print("\n== summary")
    for line in (*run.absent.values(), *(f"failed: {failure}" for failure in run.failures)):
        print(line)
    checked = ", ".join(language.name for language in run.ready) or "nothing"
    reasons = [f"the toolchain of {name} is missing" for name in run.absent if all_ or not run.ready]
    if run.failures:
        reasons.append(f"failures: {len(run.failures)}")
    print(f"failed: {', '.join(reasons)}; checked: {checked}" if reasons else f"ok: {checked}")
    return int(bool(reasons))


if __name__ == "__main__":
    app()
