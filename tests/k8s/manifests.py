"""Builds the manifests with kustomize, and queries them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
K8S = ROOT / "k8s"
README = (K8S / "README.md").read_text()
OWN = {
    f"readme-{number}": text
    for number, text in enumerate(re.findall(r"^```yaml\n(.*?)^```", README, re.MULTILINE | re.DOTALL), 1)
}
"""Overlays that the README has operators write."""
OVERLAYS = [*sorted(path.name for path in (K8S / "overlays").iterdir()), *OWN]
WORKLOADS = ("Deployment", "StatefulSet")
Object = dict[str, Any]


@cache
def built(overlay: str) -> tuple[Object, ...]:
    """Returns every object of an overlay; one from the README is written to the folder that it names."""
    if overlay not in OWN:
        return tuple(build(K8S / "overlays" / overlay))
    with tempfile.TemporaryDirectory() as folder:
        mine = shutil.copytree(K8S, Path(folder) / "k8s") / "overlays" / "mine"
        mine.mkdir()
        (mine / "kustomization.yaml").write_text(OWN[overlay])
        return tuple(build(mine))


def build(folder: Path) -> list[Object]:
    kubectl = shutil.which("kubectl")
    assert kubectl, "no kubectl: `python3 tests` fetches one"
    done = subprocess.run([kubectl, "kustomize", folder], capture_output=True, text=True, env=environment())
    assert 0 == done.returncode, done.stderr
    assert "" == done.stderr, "kustomize warns"
    return list(yaml.safe_load_all(done.stdout))


def environment() -> dict[str, str]:
    """Returns an environment in which kubectl uses no configured cluster."""
    return {**os.environ, "KUBECONFIG": os.devnull}


def of_kind(overlay: str, *kinds: str) -> list[Object]:
    return [each for each in built(overlay) if each["kind"] in kinds]


def one(overlay: str, kind: str, name: str) -> Object:
    """Returns the object of that kind and name; names of generated objects end with a digest."""
    found = [each for each in of_kind(overlay, kind) if plain(each["metadata"]["name"], kind) == name]
    assert 1 == len(found), f"{kind} {name}: {len(found)} in {overlay}"
    return found[0]


def plain(name: str, kind: str) -> str:
    return re.sub(r"-[a-z0-9]{10}$", "", name) if kind in ("ConfigMap", "Secret") else name


def template(workload: Object) -> Object:
    found: Object = workload["spec"]["template"]
    return found


def containers(workload: Object) -> list[Object]:
    spec = template(workload)["spec"]
    return [*spec.get("initContainers", ()), *spec["containers"]]


def pods(overlay: str) -> Iterator[tuple[str, Object]]:
    """Yields the name and the pod template of each workload."""
    for workload in of_kind(overlay, *WORKLOADS):
        yield workload["metadata"]["name"], template(workload)


def selects(selector: Object | None, labels: dict[str, str]) -> bool:
    """Whether a selector matches, as in Kubernetes: an empty one matches all, None matches nothing."""
    if selector is None:
        return False
    assert selector.keys() <= {"matchLabels"}, f"not understood: {selector}"
    return selector.get("matchLabels", {}).items() <= labels.items()


def settings_of(overlay: str, workload: Object) -> dict[str, str]:
    """Returns the environment of the first container, ConfigMaps included."""
    first = workload["spec"]["template"]["spec"]["containers"][0]
    found: dict[str, str] = {}
    for source in first.get("envFrom", ()):
        name = plain(source["configMapRef"]["name"], "ConfigMap")
        found |= one(overlay, "ConfigMap", name)["data"]
    return found | {each["name"]: each["value"] for each in first.get("env", ())}
