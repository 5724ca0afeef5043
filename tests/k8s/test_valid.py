"""Tests that every overlay and component is valid for the oldest and the newest Kubernetes."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest
import yaml

from .manifests import K8S, OVERLAYS, OWN, Object, build, built, of_kind
from .schemas import SCHEMAS

OLDEST = "1.30"
COMPONENTS = sorted(path.name for path in (K8S / "components").iterdir())
CUSTOM = {api for api, _ in SCHEMAS}


def id_of(each: Object) -> str:
    return f"{each['kind']}/{each['metadata']['name']}"


def newest() -> str:
    # Imported here and below: jsonschema builds grammars for seconds, and every process collects this file.
    import kubernetes_validate

    return str(kubernetes_validate.latest_version())


def check(objects: Iterable[Object], version: str) -> None:
    import jsonschema
    import kubernetes_validate

    for each in objects:
        if each["apiVersion"] not in CUSTOM:
            kubernetes_validate.validate(each, version, strict=True)
        else:
            jsonschema.validate(each["spec"], SCHEMAS[each["apiVersion"], each["kind"]])
            assert {"apiVersion", "kind", "metadata", "spec"} == each.keys()


@pytest.mark.parametrize("version", [lambda: OLDEST, newest], ids=["oldest", "newest"])
@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_object_is_valid(overlay, version):
    assert len(built(overlay)) > 10

    check(built(overlay), version())


def test_a_misspelled_field_is_found():
    each = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "x"}, "spec": {"prots": []}}

    import kubernetes_validate

    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(each, OLDEST, strict=True)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_no_object_stands_there_twice(overlay):
    names = [id_of(each) for each in built(overlay)]

    assert len(set(names)) == len(names)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_all_live_in_the_one_namespace_of_the_overlay(overlay):
    (namespace,) = of_kind(overlay, "Namespace")

    spaces = {each["metadata"].get("namespace") for each in built(overlay) if each["kind"] != "Namespace"}

    assert {namespace["metadata"]["name"]} == spaces


def test_every_file_is_used():
    """By an overlay or, because a component may be optional, by its component."""
    unused = []
    for folder in {path.parent for path in K8S.rglob("kustomization.yaml")}:
        text = (folder / "kustomization.yaml").read_text()
        unused += [path for path in folder.iterdir() if path.is_file() and path.name not in text]
    assert [] == [path for path in unused if path.name != "kustomization.yaml"]


@pytest.mark.parametrize("component", COMPONENTS)
def test_every_component_can_be_added_to_the_base(component, tmp_path):
    """In a separate folder, as an operator would write an overlay."""
    parts = {"resources": ["base"], "components": [f"components/{component}"]}
    places = {
        kind: [os.path.relpath(K8S / each, tmp_path.resolve()) for each in names]
        for kind, names in parts.items()
    }
    overlay = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", "namespace": "here"}
    base = {**overlay, "resources": places["resources"]}

    alone, made = (build_in(tmp_path, each) for each in (base, overlay | places))

    assert alone != made, "the component changes nothing"
    for version in (OLDEST, newest()):
        check(made, version)


def build_in(folder: Path, kustomization: Object) -> list[Object]:
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(kustomization))
    return build(folder)


@pytest.mark.parametrize("component", COMPONENTS)
def test_every_component_is_in_an_overlay(component):
    """So that the other tests of this file cover it."""
    users = [K8S / "overlays", K8S / "components"]
    texts = [path.read_text() for folder in users for path in folder.rglob("kustomization.yaml")]

    assert any(f"/{component}\n" in text for text in (*texts, *OWN.values()))


def test_the_readme_says_which_versions_are_supported():
    last = ".".join(newest().split(".")[:2])

    assert f"Kubernetes {OLDEST} to {last}" in (K8S / "README.md").read_text()
