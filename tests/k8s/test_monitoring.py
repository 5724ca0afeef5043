"""Alerts and dashboard speak of metrics that a running server really exposes; promtool tries the alerts."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from prometheus_client import Metric
from prometheus_client.metrics import MetricWrapperBase
from prometheus_client.parser import text_string_to_metric_families

from gamehost.api import metrics
from gamehost.settings import LIMITS
from support.process import Serve

from .manifests import K8S, containers, of_kind, one

COMPONENT = K8S / "components" / "monitoring"
ADDED = {"pod", "job", "le"}  # labels that Prometheus and histograms bring
ENDINGS = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}
WORD = r"[a-z_][a-z0-9_]*"

# For each alert the series of a bad day; five minutes and its own patience later it must fire.
BAD_DAYS = {
    "SheduIsAway": {'up{job="gamehost", pod="a"}': "0x60"},
    "SheduStoreIsAway": {
        'shedu_calls_total{code="UNAVAILABLE", method="GetGame", transport="grpc"}': "0+5x60",
        'shedu_calls_total{code="OK", method="GetGame", transport="grpc"}': "0+100x60",
    },
    "SheduFails": {'shedu_calls_total{code="INTERNAL", method="GetGame", transport="grpc"}': "0+1x60"},
    "SheduIsSlow": {
        'shedu_call_seconds_bucket{le="0.25", method="PlayAction", transport="grpc"}': "0+90x60",
        'shedu_call_seconds_bucket{le="1.0", method="PlayAction", transport="grpc"}': "0+100x60",
        'shedu_call_seconds_bucket{le="+Inf", method="PlayAction", transport="grpc"}': "0+100x60",
    },
    "SheduIsLate": {
        'shedu_agenda_lag_seconds_bucket{le="5.0", agenda="bots"}': "0+90x60",
        'shedu_agenda_lag_seconds_bucket{le="10.0", agenda="bots"}': "0+100x60",
        'shedu_agenda_lag_seconds_bucket{le="+Inf", agenda="bots"}': "0+100x60",
    },
    "SheduBotsFail": {'shedu_bot_failures_total{title="tides", level="hard", why="too slow"}': "0+1x60"},
    "SheduTurnsCallersAway": {
        'shedu_calls_total{code="RESOURCE_EXHAUSTED", method="GetGame", transport="grpc"}': "0+10x60",
        'shedu_calls_total{code="OK", method="GetGame", transport="grpc"}': "0+100x60",
    },
    "SheduStreamsNearLimit": {'shedu_open_streams{pod="a", method="WatchGame", transport="rest"}': "4200x60"},
    "SheduMemoryNearLimit": {'process_resident_memory_bytes{job="gamehost", pod="a"}': "980000000x60"},
}
GOOD_DAY = {
    'up{job="gamehost", pod="a"}': "1x60",
    'shedu_calls_total{code="OK", method="GetGame", transport="grpc"}': "0+100x60",
    'shedu_calls_total{code="UNAVAILABLE", method="GetGame", transport="grpc"}': "0+1x60",
    'shedu_calls_total{code="NOT_FOUND", method="GetGame", transport="grpc"}': "0+50x60",
    'shedu_call_seconds_bucket{le="0.25", method="PlayAction", transport="grpc"}': "0+100x60",
    'shedu_call_seconds_bucket{le="+Inf", method="PlayAction", transport="grpc"}': "0+100x60",
    'shedu_open_streams{pod="a", method="WatchGame", transport="rest"}': "2500x60",
    'process_resident_memory_bytes{job="gamehost", pod="a"}': "300000000x60",
}


@pytest.fixture(scope="module")
def families(tmp_path_factory: pytest.TempPathFactory) -> list[Metric]:
    """What a server exposes after a little of everything was asked of it."""
    with Serve(tmp_path_factory.mktemp("serve")) as serve:
        game_id, (ann, _) = serve.table()
        serve.move(game_id, ann)
        with httpx.stream("GET", f"{serve.url}/v1/games/{game_id}:watch") as stream:
            next(stream.iter_lines())
            text = httpx.get(f"{serve.url}/metrics").text
    return list(text_string_to_metric_families(text))


@pytest.fixture(scope="module")
def exposed(families: list[Metric]) -> dict[str, set[str]]:
    """Names of samples, with their labels."""
    found: dict[str, set[str]] = {}
    for family in families:
        for ending in ENDINGS.get(family.type, ("",)):
            found[family.name + ending] = declared(family.name)
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


def declared(name: str) -> set[str]:
    """The labels that the code gives a metric of ours; those of rare events have no sample yet."""
    ours = [each for each in vars(metrics).values() if isinstance(each, MetricWrapperBase)]
    return {label for each in ours if each._name == name for label in each._labelnames}


def alerts() -> list[dict[str, Any]]:
    (rules,) = of_kind("production", "PrometheusRule")
    return [rule for group in rules["spec"]["groups"] for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((COMPONENT / "dashboard.json").read_text())["panels"]
    return found


def expressions() -> list[str]:
    shown = [target["expr"] for panel in panels() for target in panel["targets"]]
    return [*shown, *(rule["expr"] for rule in alerts())]


def metrics_in(expression: str) -> set[str]:
    """Words that are neither functions nor labels nor inside quotes."""
    bare = re.sub(r'"[^"]*"', "", expression)
    bare = re.sub(r"\b(by|without|on)\s*\([^)]*\)|\{[^}]*\}|\[[^\]]*\]", " ", bare)
    words = re.findall(rf"\b{WORD}\b(?!\s*\()", bare)
    return {word for word in words if word not in ("by", "and", "or", "unless", "bool")}


def labels_in(expression: str) -> set[str]:
    grouped = [word for group in re.findall(r"\bby\s*\(([^)]*)\)", expression) for word in group.split(",")]
    matched = re.findall(rf"[{{,]\s*({WORD})\s*(?:=~|!~|!=|=)", expression)
    return {word.strip() for word in (*grouped, *matched)}


@pytest.mark.parametrize("expression", sorted(set(expressions())))
def test_every_metric_and_label_is_exposed(expression, exposed):
    names = metrics_in(expression) - {"up"}

    assert metrics_in(expression)
    assert names <= exposed.keys()
    known = ADDED.union(*(exposed[name] for name in names))
    assert labels_in(expression) <= known


def test_the_readme_lists_exactly_our_metrics(families):
    ours = {family.name for family in families if re.match(r"shedu_(?!.*_created$)", family.name)}
    listed = set(re.findall(r"^\| `(shedu_\w+)` \|", (K8S / "README.md").read_text(), re.MULTILINE))

    assert ours == {name.removesuffix("_total") for name in listed}


def test_every_alert_says_what_to_do():
    for rule in alerts():
        assert {"summary", "action"} == rule["annotations"].keys(), rule["alert"]
        assert rule["labels"]["severity"] in ("critical", "warning")


def test_thresholds_fit_the_limits():
    rules = {rule["alert"]: rule["expr"] for rule in alerts()}
    (container,) = containers(one("production", "Deployment", "gamehost"))
    limit = int(container["resources"]["limits"]["memory"].removesuffix("Mi"))

    assert rules["SheduStreamsNearLimit"].endswith(f"> {int(LIMITS['streams'] * 0.8)}")
    assert 0.8 < int(re.findall(r"> (\d+) \*", rules["SheduMemoryNearLimit"])[0]) / limit < 1


def test_the_dashboard_is_one():
    numbers = [panel["id"] for panel in panels()]

    assert sorted(set(numbers)) == sorted(numbers)
    assert all(panel["title"] and panel["targets"] for panel in panels())
    assert "shedu.json" in one("production", "ConfigMap", "shedu-dashboard")["data"]


@pytest.fixture
def rules(tmp_path: Path) -> Iterator[Path]:
    """The rules as a plain Prometheus reads them."""
    (found,) = of_kind("production", "PrometheusRule")
    path = tmp_path / "rules.yaml"
    path.write_text(yaml.safe_dump(found["spec"]))
    return path


def promtool(*arguments: object) -> subprocess.CompletedProcess[str]:
    program = shutil.which("promtool")
    if program is None:
        pytest.skip("NOT CHECKED: no promtool; `python3 tests` takes it out of Debian's package prometheus")
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)


def test_promtool_accepts_the_rules(rules):
    checked = promtool("check", "rules", rules)

    assert 0 == checked.returncode, checked.stdout + checked.stderr
    assert f"{len(alerts())} rules found" in checked.stdout


def day(rules: Path, series: dict[str, str], firing: dict[str, bool]) -> dict[str, Any]:
    """A unit test for promtool: which alerts fire after half an hour."""
    told = {rule["alert"]: rule for rule in alerts()}
    tests = []
    for name, fires in firing.items():
        expected: list[dict[str, Any]] = []
        if fires:
            labels = {"severity": told[name]["labels"]["severity"], **kept_labels(told[name]["expr"], series)}
            texts = {key: rendered(text, labels) for key, text in told[name]["annotations"].items()}
            expected = [{"exp_labels": labels, "exp_annotations": texts}]
        tests.append({"eval_time": "30m", "alertname": name, "exp_alerts": expected})
    inputs = [{"series": name, "values": values} for name, values in series.items()]
    return {"interval": "1m", "input_series": inputs, "alert_rule_test": tests}


def kept_labels(expression: str, series: dict[str, str]) -> dict[str, str]:
    """`sum by (pod)` keeps the label pod."""
    grouped = re.match(r"\w+ by \((\w+)\)", expression)
    name = grouped[1] if grouped and "histogram" not in expression else ""
    found = re.search(rf'\b{name}="(\w+)"', next(iter(series)))
    return {name: found[1]} if name and found else {}


def rendered(text: str, labels: dict[str, str]) -> str:
    return re.sub(r"\{\{ \$labels\.(\w+) \}\}", lambda match: labels[match[1]], text)


def test_alerts_fire_on_bad_days_and_rest_on_good_ones(rules, tmp_path):
    assert BAD_DAYS.keys() == {rule["alert"] for rule in alerts()}
    days = [day(rules, series, {name: True}) for name, series in BAD_DAYS.items()]
    days.append(day(rules, GOOD_DAY, dict.fromkeys(BAD_DAYS, False)))
    path = tmp_path / "days.yaml"
    path.write_text(yaml.safe_dump({"rule_files": [str(rules)], "tests": days}))

    tried = promtool("test", "rules", path)

    assert 0 == tried.returncode, tried.stdout + tried.stderr
