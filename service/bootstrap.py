"""Sets up `.venv` with what Shedu needs, once, from the standard library alone.

`python3 service`, `python3 tests` and `python3 proto` call it by themselves. What not everyone needs, such as
the learning environments, is an extra of pyproject.toml: `python3 service/bootstrap.py --extra rl`.
Packages are installed from `requirements/*.txt`, by version and hash. To raise the pinned versions to the
newest that fit pyproject.toml: `python3 service/bootstrap.py --freeze`; with `--keep` those that fit stay.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import hashlib
import importlib.util
import os
import subprocess
import sys
import venv
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / "bin"
PROJECTS = ("pyproject.toml", "clients/python/pyproject.toml")
REQUIREMENTS = "service/requirements"
OLDEST_PYTHON = (3, 11)
OLDEST_PIP = (22, 3)


def ensure_environment(extra: str = "") -> Path:
    """Returns the interpreter of an environment with the service and an extra; sets it up if necessary."""
    _check_python()
    with install_lock(ROOT):
        if not _is_installed(extra):
            _set_up(extra)
    return BIN / "python"


def _check_python() -> None:
    if sys.version_info < OLDEST_PYTHON:
        sys.exit(f"Shedu needs Python 3.11 or newer; this is {sys.version.split()[0]}.")


def exec_program(program: Path, *arguments: str) -> None:
    """Replaces this process by another program, so that signals and exit codes pass unchanged."""
    sys.stdout.flush()
    os.execv(program, [str(program), *arguments])


@contextlib.contextmanager
def install_lock(folder: Path) -> Iterator[None]:
    """Locks the folder, so that two processes never install into it at the same time."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def _is_installed(extra: str) -> bool:
    complete = _stamp("test")
    return (BIN / "python").exists() and any(
        stamp.exists() and stamp.read_text() == _fingerprint() for stamp in (_stamp(extra), complete)
    )


def _stamp(extra: str) -> Path:
    return VENV / f"installed-{extra or 'service'}"


def _fingerprint() -> str:
    """Returns a digest of everything that the environment depends on, its own path included."""
    pins = sorted((ROOT / REQUIREMENTS).glob("*.txt"))
    digest = hashlib.sha256(_interpreter().encode())
    for file in (*(ROOT / name for name in (*PROJECTS, "service/bootstrap.py")), *pins):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _interpreter() -> str:
    return f"{sys.version} {sys.base_prefix} {ROOT}"


def _set_up(extra: str) -> None:
    print("Setting up (once, about a minute) ...", file=sys.stderr, flush=True)
    owner = VENV / "interpreter"
    if not owner.exists() or owner.read_text() != _interpreter():
        create_environment(VENV)
        owner.write_text(_interpreter())
    _install(BIN / "python", extra)
    for complete in (extra, ""):  # every extra comes with the service
        _stamp(complete).write_text(_fingerprint())


def create_environment(folder: Path) -> None:
    """Creates an empty environment."""
    venv.EnvBuilder(clear=True, symlinks=True, with_pip=not _has_pip()).create(folder)


def _has_pip() -> bool:
    """Whether the running pip can install into another environment; if not, ensurepip has to provide one."""
    with contextlib.suppress(PackageNotFoundError):
        major, minor = version("pip").split(".")[:2]
        if (int(major), int(minor)) >= OLDEST_PIP:
            return True
    if importlib.util.find_spec("ensurepip") is None:
        sys.exit("Shedu needs pip 22.3 or newer to set itself up. On Debian: apt-get install python3-pip")
    return False


def pip(python: Path) -> list[str]:
    """Returns the pip command for that interpreter's environment, without its arguments."""
    return (
        [sys.executable, "-m", "pip", "--python", str(python)] if _has_pip() else [str(python), "-m", "pip"]
    )


def _install(python: Path, extra: str) -> None:
    """Installs the pinned packages, each checked by its hash, and then the two packages of this repository.

    A package without a wheel for this platform is built with the pinned tools of `build.txt` only: an
    isolated build would download build tools that no hash pins.
    """
    _pip_install(python, "--require-hashes", "-r", str(requirements("build")))
    pins = [f"--requirement={requirements(name)}" for name in ("service", extra) if name]
    _pip_install(python, "--require-hashes", "--no-build-isolation", *pins)
    # The client comes last: installing the service removes its older version, which had the command `shedu`.
    for project in (".", "clients/python"):
        _pip_install(python, "--no-build-isolation", "--no-deps", "-e", project)


def requirements(name: str) -> Path:
    """Returns the file of pins for `build`, `service` or an extra."""
    return ROOT / REQUIREMENTS / f"{name}.txt"


def _pip_install(python: Path, *arguments: str) -> None:
    # Empty settings count as not set: the machine's own constraints are not for these packages. Without
    # PEP 517 older versions of pip need the package wheel to build anything.
    settings = {
        "PIP_CONSTRAINT": "",
        "PIP_USER": "0",
        "PIP_USE_PEP517": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    done = subprocess.run(
        [*pip(python), "install", "-q", *arguments],
        cwd=ROOT,
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        sys.exit(
            f"{done.stdout}\nSetting up failed, see above. It needs the network this once; then run it again."
        )


def extras() -> list[str]:
    """Returns the names of the extras in pyproject.toml."""
    import tomllib  # from Python 3.11 on

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return sorted(project["optional-dependencies"])


def main() -> None:
    _check_python()
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--extra", action="append", default=[], choices=extras(), help="install it; may be repeated"
    )
    parser.add_argument("--freeze", action="store_true", help="raise the pinned versions")
    parser.add_argument("--keep", action="store_true", help="with --freeze: only add and drop packages")
    wanted = parser.parse_args()
    if not wanted.extra and not wanted.freeze:
        parser.error("say what to do")
    for extra in wanted.extra:
        ensure_environment(extra)
        print(f"{extra} is installed for {(BIN / 'python').relative_to(ROOT)}")
    if wanted.freeze:
        import freeze

        freeze.freeze(wanted.keep)


if __name__ == "__main__":
    main()
