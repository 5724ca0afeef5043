"""Tests of the image without building it: the Dockerfile is linted, and its steps run in folders."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import pytest

from support.process import Serve
from support.servers import free_port, redis_server
from support.waiting import PATIENCE

from .image import DOCKERFILE, Layer, content, seal, stages, tools, unseal
from .manifests import OVERLAYS, ROOT, containers, of_kind, one, settings_of, template

UNPRIVILEGED = 65532
BILL = "/usr/share/shedu/sbom.cdx.json"
BUNDLED = "gamehost/web/packages.json"
MOUNTED = ("wheels", "tools")  # folders of the builder that are mounted into the last stage
SETPRIV, UNSHARE = (str(shutil.which(name)) for name in ("setpriv", "unshare"))
NOBODY = (SETPRIV, f"--reuid={UNPRIVILEGED}", f"--regid={UNPRIVILEGED}", "--clear-groups", "--no-new-privs")
# In a new mount namespace: replaces a folder that other users may not enter ($1) by an open one that contains
# only the interpreter ($2), which is moved away meanwhile. The PATH of the command has no tools for this.
OPENED = f"""
closed=$1 interpreter=$2 path=$PATH; shift 2
PATH={os.defpath}
aside=$(mktemp -d)
mount --bind "$interpreter" "$aside"
mount -t tmpfs -o mode=755 tmpfs "$closed"
mkdir -p "$interpreter"
mount --move "$aside" "$interpreter"
rmdir "$aside"
PATH=$path
exec "$@"
"""
FALLBACK = "nothing can be mounted here, so a powerless root runs the image instead of its user"
may_fall_back = pytest.mark.filterwarnings(f"default:{FALLBACK}")


@pytest.fixture(scope="module")
def image() -> Iterator[Layer]:
    """Performs all stages, and yields the last one, made read-only."""
    builder, runtime = stages()
    # Not in the folder of pytest, which other users may not enter.
    folder = Path(tempfile.mkdtemp(prefix="shedu-image-"))
    folder.chmod(0o755)
    try:
        first = Layer(folder / "builder", os.environ["PATH"])
        first.perform(builder)
        last = Layer(folder / "runtime", str(tools(folder / "tools")))
        for name in MOUNTED:
            (last.folder / name).symlink_to(first.folder / name)
        last.perform(runtime)
        for name in MOUNTED:
            (last.folder / name).unlink()
        seal(last.folder / "venv")
        yield last
        unseal(last.folder / "venv")
    finally:
        shutil.rmtree(folder)


def as_nobody(command: list[str]) -> dict[str, Any]:
    """Returns arguments for Popen that run the command as the user of the image.

    If that user may not enter the folder of the interpreter, another folder is mounted in its place. If that
    is not possible, the command runs as root without capabilities, with a warning. If this process is not
    root, the command is not changed.
    """
    if os.geteuid():
        return {"args": command}
    closed = [path for path in Path(sys.base_prefix).resolve().parents if not path.stat().st_mode & 0o001]
    if not closed:
        return {"args": [*NOBODY, "--", *command]}
    opened = [UNSHARE, "--mount", "/bin/sh", "-ec", OPENED, "sh", str(closed[-1]), sys.base_prefix, *NOBODY]
    if not subprocess.run([*opened, "--", "true"], capture_output=True).returncode:
        return {"args": [*opened, "--", *command]}
    warnings.warn(FALLBACK, stacklevel=2)
    powerless = [SETPRIV, "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]
    return {"args": [*powerless, "--", *command]}


@may_fall_back
def test_what_runs_as_the_image_is_its_user() -> None:
    who = "import os; print(os.getresuid(), os.getresgid(), os.getgroups())"

    with warnings.catch_warnings(record=True, action="always") as warned:
        asked = as_nobody([str(Path(sys.base_prefix) / "bin/python3"), "-c", who])

    if warned:
        pytest.skip(f"NOT CHECKED: {FALLBACK}")
    found = subprocess.run(**asked, capture_output=True, text=True)
    user = UNPRIVILEGED if os.geteuid() == 0 else os.geteuid()
    assert f"{(user,) * 3} " in found.stdout, found.stderr
    assert os.geteuid() or f"{(user,) * 3} {(user,) * 3} []\n" == found.stdout


def test_hadolint_has_nothing_to_say() -> None:
    program = Path(sys.executable).with_name("hadolint")

    found = subprocess.run([program, "--no-color", DOCKERFILE], capture_output=True, text=True)

    assert (0, "") == (found.returncode, found.stdout)


def test_what_is_copied_is_not_ignored() -> None:
    lines = DOCKERFILE.with_name("Dockerfile.dockerignore").read_text().splitlines()
    copied = {source for name, text in stages()[0].steps if name == "COPY" for source in text.split()[:-1]}

    assert "*" == lines[0]
    assert {f"!{source}" for source in copied} == {line for line in lines if line.startswith("!")}


def test_the_manifests_fit_the_image() -> None:
    runtime = stages()[-1]
    ports = {int(port) for port in runtime.last("EXPOSE").split()}

    for overlay in OVERLAYS:
        gamehost = one(overlay, "Deployment", "gamehost")
        (container,) = containers(gamehost)
        context = template(gamehost)["spec"]["securityContext"]
        # With TLS there is an additional port for probes.
        health = settings_of(overlay, gamehost).get("SHEDU_HEALTH_PORT")
        assert {port["containerPort"] for port in container["ports"]} == ports | {int(health or 8080)}
        assert f"{context['runAsUser']}:{context['runAsGroup']}" == runtime.last("USER")
        for workload in of_kind(overlay, "Deployment"):
            assert all("command" not in each for each in containers(workload)), (
                "the entry point of the image must serve"
            )


def test_the_base_image_is_pinned() -> None:
    (base,) = re.findall(r"^ARG PYTHON=(.*)$", DOCKERFILE.read_text(), re.MULTILINE)

    assert re.fullmatch(r"[\w./-]+:\d+\.\d+\.\d+-slim-bookworm(@sha256:[0-9a-f]{64})?", base)


@may_fall_back
def test_the_runtime_stage_serves_without_compiler_root_or_a_place_to_write(image, tmp_path) -> None:
    runtime = stages()[-1]
    before = content(image.folder)
    ports = {"SHEDU_PORT": str(free_port()), "SHEDU_GRPC_PORT": str(free_port())}
    with redis_server(tmp_path) as redis:
        environment = {**runtime.environment(), **ports, "SHEDU_REDIS": redis.url, "PATH": image.path()}
        environment["SHEDU_DATA_DIR"] = image.placed(environment["SHEDU_DATA_DIR"])
        assert shutil.which("cc", path=image.path()) is None

        process = Contained(runtime.command(), environment, int(ports["SHEDU_PORT"]), tmp_path)
        with process:
            game_id, (ann, _) = process.table()
            played = process.move(game_id, ann)
            health = subprocess.run(**as_nobody(runtime.health()), env=environment, cwd="/", timeout=PATIENCE)

    assert played["view"]["tides"]
    assert 0 == health.returncode
    assert 0 == process.code
    assert before == content(image.folder)


def test_the_bill_of_materials_is_what_is_installed(image) -> None:
    # Imported here: it builds grammars for seconds, and every process collects this file.
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    text = Path(image.placed(BILL)).read_text()
    (site_packages,) = image.folder.glob("venv/lib/python3*/site-packages")
    found = distributions(path=[str(site_packages)])
    installed = sorted(f"pkg:pypi/{canonical(each.name)}@{each.version}" for each in found)
    bundled = [each["name"] for each in json.loads((site_packages / BUNDLED).read_text())]

    bill = json.loads(text)

    listed = [bill["metadata"]["component"], *bill["components"]]
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    assert "shedu-gamehost" == bill["metadata"]["component"]["name"]
    assert installed == sorted(each["purl"] for each in listed if not npm(each))
    assert bundled == sorted(each["name"] for each in listed if npm(each))
    assert [] == [each["name"] for each in listed if not each.get("licenses")]
    assert not any(site_packages.glob("cyclonedx*")), "the SBOM tools must not be in the image"


def test_the_bill_of_materials_has_the_hashes_that_were_checked(image) -> None:
    files = (ROOT / "service/requirements" / name for name in ("service.txt", "otel.txt"))
    pinned = {found for file in files for found in re.findall("sha256:([0-9a-f]{64})", file.read_text())}

    listed = json.loads(Path(image.placed(BILL)).read_text())["components"]

    hashes = {each["name"]: each["hashes"][0] for each in listed}
    others = {name: found["alg"] for name, found in hashes.items() if found["content"] not in pinned}
    assert "SHA-256" == others.pop("shedu"), "built here, so it is not pinned"
    assert others == {each["name"]: "SHA-512" for each in listed if npm(each)}


def npm(component: dict[str, Any]) -> bool:
    return str(component["purl"]).startswith("pkg:npm/")


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_health_command_fails_when_nothing_serves(image) -> None:
    environment = {"PATH": image.path(), "SHEDU_PORT": str(free_port())}

    found = subprocess.run(stages()[-1].health(), env=environment, capture_output=True, timeout=PATIENCE)

    assert found.returncode


class Contained(Serve):
    """Runs the command of the image as its user, with only the variables of the image."""

    def __init__(self, command: list[str], environment: dict[str, str], port: int, folder: Path) -> None:
        super().__init__(folder)
        self.port, self._command, self._environment = port, command, environment
        self.code = -1

    def launch(self) -> subprocess.Popen[bytes]:
        program = str(shutil.which(self._command[0], path=self._environment["PATH"]))
        command = as_nobody([program, *self._command[1:]])
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(**command, stdout=log, stderr=log, env=self._environment, cwd="/")
        return self.process

    def __exit__(self, *_error: object) -> None:
        self.signal(signal.SIGTERM)
        self.code = self.wait()
