"""Runs the scenarios with a client, and compares the results with the expected ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol

FILE = Path(__file__).resolve().parents[1] / "scenarios.json"
SCENARIOS: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))

Answer = dict[str, Any]


class Client(Protocol):
    """A client under test: `call` makes a call, `failure` describes the error that it raised."""

    def call(self, step: Answer) -> Answer: ...

    def failure(self, error: Exception) -> Answer: ...


def run(client: Client) -> dict[str, list[Answer]]:
    """Runs all scenarios; returns the result or the failure of each step."""
    return {scenario["name"]: run_one(client, scenario["steps"]) for scenario in SCENARIOS}


def run_one(client: Client, steps: list[Answer]) -> list[Answer]:
    kept: dict[str, Any] = {}
    return [take(client, step, kept) for step in steps]


def take(client: Client, step: Answer, kept: dict[str, Any]) -> Answer:
    try:
        answer = client.call(filled(step, kept))
    except Exception as error:
        return client.failure(error)
    kept |= {name: look(answer, path.split(".")) for name, path in step.get("keep", {}).items()}
    return {path: look(answer, path.split(".")) for path in step.get("shows", {})}


def printed(lines: str) -> dict[str, list[Answer]]:
    """Parses the output of a driver: a line of JSON for each scenario."""
    return {name: steps for line in lines.splitlines() for name, steps in json.loads(line).items()}


def filled(value: Any, kept: dict[str, Any]) -> Any:
    """Replaces each `$name` by the value that an earlier step kept under that name."""
    if isinstance(value, str) and value.startswith("$"):
        return kept[value[1:]]
    if isinstance(value, list):
        return [filled(item, kept) for item in value]
    return {name: filled(part, kept) for name, part in value.items()} if isinstance(value, dict) else value


def look(value: Any, path: list[str]) -> Any:
    """Returns the value at a path; None if the path does not exist."""
    if not path:
        return value
    name, *rest = path
    if name == "*":
        return [look(item, rest) for item in value or []]
    if isinstance(value, list):
        return look(value[int(name)], rest) if int(name) < len(value) else None
    return look(value.get(name), rest) if isinstance(value, dict) else None


def differences(results: dict[str, list[Answer]]) -> list[str]:
    """Describes the steps whose results differ from the expected ones."""
    return [
        f"{scenario['name']}, step {number} ({step['call']}): {expected} expected, {result} found"
        for scenario in SCENARIOS
        for number, (step, result) in enumerate(
            zip(scenario["steps"], results[scenario["name"]], strict=True), 1
        )
        if not matches(expected := step.get("fails", step.get("shows", {})), result)
    ]


def matches(expected: Answer, result: Answer) -> bool:
    return all(name in result and alike(value, result[name]) for name, value in expected.items())


def alike(expected: Any, found: Any) -> bool:
    """Whether values are equal; `{"kind": "string"}` matches any string, for values that depend on luck."""
    return isinstance(found, str) if expected == {"kind": "string"} else bool(expected == found)
