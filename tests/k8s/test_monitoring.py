"""Tests that alerts and dashboard use metrics that a server exposes, and runs the alerts in promtool."""

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

from gamehost.api.pipeline import metrics
from gamehost.settings import LIMITS
from support.process import PLAIN, Serve

from .manifests import K8S, containers, of_kind, one

COMPONENT = K8S / "components" / "monitoring"
ADDED = {"namespace", "pod", "job", "le"}  # labels that Prometheus and histograms add
ENDINGS = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}
WORD = r"[a-z_][a-z0-9_]*"

# For each alert series that must fire after half an hour in one namespace, and good ones in another.
HERE, ELSEWHERE = "shedu", "shedu-dev"
BAD_DAYS: list[tuple[str, dict[str, str]]] = [
    ("SheduIsAway", {'up{job="gamehost", pod="a"}': "0x60"}),
    ("SheduIsAway", {'up{job="gamehost", pod="a"}': "1x10 stale"}),
    ("SheduIsNotReady", {'shedu_ready{job="gamehost", pod="a"}': "0x60"}),
    (
        "SheduStoreIsAway",
        {
            'shedu_refusals_total{method="GetGame", reason="STORE_UNAVAILABLE"}': "0+3x60",
            'shedu_calls_total{code="OK", method="GetGame", transport="grpc"}': "0+100x60",
        },
    ),
    (
        "SheduWritesFail",
        {'shedu_append_failures_total{pod="a"}': "0+3x60", 'shedu_append_seconds_count{pod="a"}': "0+100x60"},
    ),
    ("SheduFails", {'shedu_calls_total{code="INTERNAL", method="GetGame", transport="grpc"}': "0+1x60"}),
    (
        "SheduIsSlow",
        {
            'shedu_call_seconds_bucket{le="0.25", method="PlayAction", transport="grpc"}': "0+98x60",
            'shedu_call_seconds_bucket{le="1.0", method="PlayAction", transport="grpc"}': "0+100x60",
            'shedu_call_seconds_bucket{le="+Inf", method="PlayAction", transport="grpc"}': "0+100x60",
        },
    ),
    (
        "SheduIsLate",
        {
            'shedu_agenda_lag_seconds_bucket{le="5.0", agenda="bots"}': "0+98x60",
            'shedu_agenda_lag_seconds_bucket{le="10.0", agenda="bots"}': "0+100x60",
            'shedu_agenda_lag_seconds_bucket{le="+Inf", agenda="bots"}': "0+100x60",
        },
    ),
    ("SheduGamesAreStuck", {'shedu_agenda_failures_total{agenda="clocks"}': "0+1x60"}),
    ("SheduBotsFail", {'shedu_bot_failures_total{title="tides", level="hard", why="too slow"}': "0+1x60"}),
    (
        "SheduTurnsCallersAway",
        {
            'shedu_refusals_total{method="GetGame", reason="TOO_MUCH"}': "0+6x60",
            'shedu_calls_total{code="OK", method="GetGame", transport="grpc"}': "0+100x60",
        },
    ),
    (
        "SheduStreamsNearLimit",
        {'shedu_open_streams{pod="a", method="WatchGame", transport="rest"}': "4200x60"},
    ),
    ("SheduMemoryNearLimit", {'process_resident_memory_bytes{job="gamehost", pod="a"}': "980000000x60"}),
    ("SheduArchiveFails", {'shedu_agenda_failures_total{agenda="archive"}': "0+1x60"}),
]
NOBODY = ("SheduIsUnseen", {'up{job="prometheus"}': "1x60"})
GOOD_DAY = {
    'up{job="gamehost", pod="a"}': "1x60",
    'up{job="gamehost", pod="b"}': "1x10 0x10 stale",
    'shedu_ready{job="gamehost", pod="a"}': "1x60",
    'shedu_ready{job="bots", pod="c"}': "0x60",
    'shedu_calls_total{code="OK", method="GetGame", transport="grpc"}': "0+100x60",
    'shedu_calls_total{code="UNAVAILABLE", method="GetGame", transport="grpc"}': "0+5x60",
    'shedu_calls_total{code="NOT_FOUND", method="GetGame", transport="grpc"}': "0+50x60",
    'shedu_refusals_total{method="GetGame", reason="STORE_UNAVAILABLE"}': "0+1x60",
    'shedu_refusals_total{method="GetGame", reason="DRAINING"}': "0+4x60",
    'shedu_refusals_total{method="GetGame", reason="GAME_NOT_FOUND"}': "0+50x60",
    'shedu_refusals_total{method="GetGame", reason="TOO_MUCH"}': "0+1x60",
    'shedu_append_failures_total{pod="a"}': "0+1x60",
    'shedu_append_seconds_count{pod="a"}': "0+100x60",
    'shedu_call_seconds_bucket{le="0.25", method="PlayAction", transport="grpc"}': "0+200x60",
    'shedu_call_seconds_bucket{le="+Inf", method="PlayAction", transport="grpc"}': "0+200x60",
    'shedu_open_streams{pod="a", method="WatchGame", transport="rest"}': "2500x60",
    'process_resident_memory_bytes{job="gamehost", pod="a"}': "300000000x60",
    'shedu_agenda_failures_total{agenda="archive"}': "0x20 1x40",
    'shedu_agenda_failures_total{agenda="clocks"}': "0x20 1x40",
    'shedu_agenda_lag_seconds_bucket{le="5.0", agenda="bots"}': "0+200x60",
    'shedu_agenda_lag_seconds_bucket{le="+Inf", agenda="bots"}': "0+200x60",
    'shedu_agenda_lag_seconds_bucket{le="5.0", agenda="archive"}': "0+1x60",
    'shedu_agenda_lag_seconds_bucket{le="10.0", agenda="archive"}': "0+2x60",
    'shedu_agenda_lag_seconds_bucket{le="+Inf", agenda="archive"}': "0+100x60",
}


@pytest.fixture(scope="module")
def families(tmp_path_factory: pytest.TempPathFactory) -> list[Metric]:
    """Returns the metrics of a server after a move and a stream."""
    with Serve(tmp_path_factory.mktemp("serve")) as serve:
        game_id, (ann, _) = serve.table()
        serve.move(game_id, ann)
        with httpx.stream("GET", f"{serve.url}/v1/games/{game_id}:watch", **PLAIN) as stream:
            next(stream.iter_lines())
            text = serve.metrics()
    return list(text_string_to_metric_families(text))


@pytest.fixture(scope="module")
def exposed(families: list[Metric]) -> dict[str, set[str]]:
    """Returns the names of samples with their labels."""
    found: dict[str, set[str]] = {}
    for family in families:
        for ending in ENDINGS.get(family.type, ("",)):
            found[family.name + ending] = declared(family.name)
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


def declared(name: str) -> set[str]:
    """Returns the labels of a metric in the code; metrics of rare events have no sample yet."""
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
    """Returns the words of an expression that are neither functions nor labels nor quoted."""
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


def ours(families: list[Metric]) -> set[str]:
    return {family.name for family in families if re.match(r"shedu_(?!.*_created$)", family.name)}


def test_the_readme_lists_exactly_our_metrics(families):
    rows = re.findall(r"^\| `(shedu_\w+)` \|([^|]*)\|", (K8S / "README.md").read_text(), re.MULTILINE)
    listed = {name.removesuffix("_total"): set(re.findall(WORD, labels)) for name, labels in rows}

    assert {name: declared(name) for name in ours(families)} == listed


def test_the_dashboard_shows_every_metric_of_ours(families):
    shown = {name for panel in panels() for target in panel["targets"] for name in metrics_in(target["expr"])}
    endings = [ending for each in ENDINGS.values() for ending in each]

    plain = shown | {name.removesuffix(ending) for name in shown for ending in endings}

    assert set() == ours(families) - plain


def test_the_dashboard_can_be_narrowed_to_a_namespace():
    dashboard = json.loads((COMPONENT / "dashboard.json").read_text())

    assert "namespace" in {variable["name"] for variable in dashboard["templating"]["list"]}
    for target in (target for panel in panels() for target in panel["targets"]):
        selectors = re.findall(r"\{[^}]*\}", target["expr"])
        named = re.findall(r"\b(?:shedu|process)_\w+", target["expr"])
        assert len(named) == sum('namespace=~"$namespace"' in each for each in selectors), target["expr"]


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
    """Writes the rules in the form of Prometheus, and returns the file."""
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


def day(series: dict[str, str], firing: dict[str, bool]) -> dict[str, Any]:
    """Returns a unit test for promtool: which alerts fire after half an hour."""
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


def within(namespace: str, series: dict[str, str]) -> dict[str, str]:
    return {name.replace("{", f'{{namespace="{namespace}", ', 1): each for name, each in series.items()}


def kept_labels(expression: str, series: dict[str, str]) -> dict[str, str]:
    """Returns the labels of an alert: `sum by (pod)` keeps pod, `absent` has those of its selector."""
    grouped = re.search(r"\bby \(([^)]*)\)", expression)
    labels = dict(re.findall(r'(\w+)="([^"]*)"', next(iter(series)) if grouped else expression))
    names = grouped[1].split(", ") if grouped else labels
    return {name: labels[name] for name in names if name != "le"}


def rendered(text: str, labels: dict[str, str]) -> str:
    return re.sub(r"\{\{ \$labels\.(\w+) \}\}", lambda match: labels[match[1]], text)


def test_alerts_fire_on_bad_days_and_rest_on_good_ones(rules, tmp_path):
    assert {rule["alert"] for rule in alerts()} == {name for name, _ in (*BAD_DAYS, NOBODY)}
    elsewhere = within(ELSEWHERE, GOOD_DAY)
    days = [day(within(HERE, series) | elsewhere, {name: True}) for name, series in BAD_DAYS]
    days.append(day(NOBODY[1], {NOBODY[0]: True}))
    days.append(day(elsewhere, {rule["alert"]: False for rule in alerts()}))
    path = tmp_path / "days.yaml"
    path.write_text(yaml.safe_dump({"rule_files": [str(rules)], "tests": days}))

    tried = promtool("test", "rules", path)

    assert 0 == tried.returncode, tried.stdout + tried.stderr


def test_no_alert_mixes_namespaces():
    """A sum over all namespaces would hide a problem of a small one."""
    for rule in alerts():
        groups = re.findall(r"\b(?:sum|max|min|avg|count)\b(?: by \(([^)]*)\))?", rule["expr"])
        assert all("namespace" in group.split(", ") for group in groups), rule["alert"]
        assert groups or rule["expr"].startswith("absent(")
