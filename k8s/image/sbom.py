"""Writes the software bill of materials of an image, in CycloneDX 1.6: the Python packages that are installed
for the interpreter that runs this, and the npm packages in the bundle of the web client.

    python sbom.py --wheels /wheels --output sbom.cdx.json

It needs what the extra `sbom` installs, on PYTHONPATH: an image must not hold the tools that describe it.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageMetadata, distributions
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import License
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

SERVICE = "shedu-gamehost"
BUNDLE = "gamehost/web/packages.json"
LONGEST_NAME = 100  # some packages put the whole text of their licence where its name belongs


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--wheels", type=Path, required=True, help="the folder that was installed from")
    parser.add_argument("--output", type=Path, required=True)
    wanted = parser.parse_args()
    text = describe(Path(sysconfig.get_path("purelib")), wanted.wheels)
    if problem := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        sys.exit(f"The bill of materials is not valid CycloneDX: {problem}")
    wanted.output.write_text(text)


def describe(site_packages: Path, wheels: Path) -> str:
    installed = {canonical(each.name): each for each in distributions(path=[str(site_packages)])}
    hashes = {wheel_key(path): sha256(path) for path in wheels.glob("*.whl")}
    components = {
        name: python_component(each, hashes.get((name, each.version))) for name, each in installed.items()
    }
    packages = list(npm_components(site_packages / BUNDLE))
    bom = Bom(components=[*(each for name, each in components.items() if name != SERVICE), *packages])
    bom.metadata.component = components[SERVICE]
    for name, each in installed.items():
        needed = [components[need] for need in required(each) if need in components]
        bom.register_dependency(components[name], [*needed, *(packages if name == SERVICE else [])])
    return JsonV1Dot6(bom).output_as_string(indent=2)


def python_component(found: Distribution, sha256: str | None) -> Component:
    """One that came with the base image has no hash: its wheel is not known."""
    name = canonical(found.name)
    return Component(
        name=found.name,
        version=found.version,
        type=ComponentType.APPLICATION if name == SERVICE else ComponentType.LIBRARY,
        bom_ref=f"pypi:{name}",
        purl=PackageURL("pypi", None, name, found.version),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=sha256)] if sha256 else None,
        licenses=list(python_licences(found.metadata)),
    )


def python_licences(metadata: PackageMetadata) -> Iterator[License]:
    (stated,) = (metadata.get_all("License-Expression") or metadata.get_all("License") or [""])[:1]
    if stated and "\n" not in stated and len(stated) <= LONGEST_NAME:
        yield LicenseFactory().make_from_string(stated)
        return
    for classifier in metadata.get_all("Classifier") or []:
        if classifier.startswith("License ::"):
            yield LicenseFactory().make_with_name(classifier.rpartition(" :: ")[2])


def npm_components(listed: Path) -> Iterator[Component]:
    for package in json.loads(listed.read_text()):
        scope, _, name = package["name"].rpartition("/")
        digest = base64.b64decode(package["integrity"].removeprefix("sha512-")).hex()
        yield Component(
            name=package["name"],
            version=package["version"],
            type=ComponentType.LIBRARY,
            bom_ref=f"npm:{package['name']}",
            purl=PackageURL("npm", scope or None, name, package["version"]),
            hashes=[HashType(alg=HashAlgorithm.SHA_512, content=digest)],
            licenses=[LicenseFactory().make_from_string(package["license"])],
        )


def required(found: Distribution) -> Iterator[str]:
    """The names that it requires whatever extras are chosen."""
    for requirement in found.requires or []:
        if "extra ==" not in requirement:
            yield canonical(re.split(r"[^\w.-]", requirement)[0])


def wheel_key(wheel: Path) -> tuple[str, str]:
    name, version = wheel.name.split("-")[:2]
    return canonical(name), version


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def canonical(name: str) -> str:
    """Spelled as packages are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main()
