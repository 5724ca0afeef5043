"""Tests that images are pinned by tag, and that the commands of the README pin each by digest."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import yaml

from .image import DOCKERFILE
from .manifests import K8S, README, WORKLOADS, build, containers

DIGEST = "sha256:" + 64 * "0"
(PINNING,) = re.findall(r"^### Images by digest\n(.*?)^### ", README, re.MULTILINE | re.DOTALL)


def test_the_commands_of_the_readme_pin_every_image_by_digest(tmp_path: Path) -> None:
    commands = re.findall(r"^kustomize edit set image (\S+)=(\S+)@sha256:…$", PINNING, re.MULTILINE)
    mine = shutil.copytree(K8S, tmp_path / "k8s") / "overlays" / "mine"
    mine.mkdir()
    images = [{"name": name, "newName": new, "digest": DIGEST} for name, new in commands]
    overlay = {
        "kind": "Kustomization",
        "namespace": "shedu",
        "resources": ["../production"],
        "images": images,
    }
    (mine / "kustomization.yaml").write_text(yaml.safe_dump(overlay))

    built = build(mine)

    workloads = [each for each in built if each["kind"] in WORKLOADS]
    found = {each["image"] for workload in workloads for each in containers(workload)}
    assert {f"{new}@{DIGEST}" for _, new in commands} == found


def test_the_readme_inspects_the_tags_that_are_used() -> None:
    inspected = set(re.findall(r"imagetools inspect (\S+)$", PINNING, re.MULTILINE))

    store = re.findall(
        r"image: (\S+:\S+)$", (K8S / "components/redis/stateful-set.yaml").read_text(), re.MULTILINE
    )
    base = re.findall(r"^ARG PYTHON=(\S+)$", DOCKERFILE.read_text(), re.MULTILINE)

    assert {*store, *base} == inspected
    assert f"--build-arg PYTHON={base[0]}@sha256:" in PINNING
    assert f"--build-arg PYTHON={base[0]}@sha256:" in DOCKERFILE.read_text()
