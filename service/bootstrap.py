"""Sets up `.venv` with what Shedu needs, once, from the standard library alone.

`python3 service`, `python3 tests` and `python3 proto` call it by themselves. What not everyone needs, such as
the learning environments, is an extra of pyproject.toml: `python3 service/bootstrap.py --extra rl`.
To raise the pinned versions in `constraints.txt` to the newest that fit pyproject.toml:
`python3 service/bootstrap.py --freeze`.
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
import tempfile
import venv
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / "bin"
CONSTRAINTS = "service/constraints.txt"
OLDEST_PYTHON = (3, 11)
OLDEST_PIP = (22, 3)


def ready(extra: str = "") -> Path:
    """The interpreter of an environment that holds the service, and the given extra of pyproject.toml."""
    _check_python()
    with one_at_a_time(ROOT):
        if not _is_installed(extra):
            _set_up(extra)
    return BIN / "python"


def _check_python() -> None:
    if sys.version_info < OLDEST_PYTHON:
        sys.exit(f"Shedu needs Python 3.11 or newer; this is {sys.version.split()[0]}.")


def hand_over(program: Path, *arguments: str) -> None:
    """Become another program: same process id, so signals and exit codes reach the caller as they are."""
    sys.stdout.flush()
    os.execv(program, [str(program), *arguments])


@contextlib.contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Who installs something there waits for whoever does so already."""
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
    """Changes with anything that could make the environment wrong, the folder it stands in included."""
    files = ("pyproject.toml", "clients/python/pyproject.toml", CONSTRAINTS, "service/bootstrap.py")
    digest = hashlib.sha256(_interpreter().encode())
    for file in files:
        digest.update((ROOT / file).read_bytes())
    return digest.hexdigest()


def _interpreter() -> str:
    return f"{sys.version} {sys.base_prefix} {ROOT}"


def _set_up(extra: str) -> None:
    print("Setting up (once, about a minute) ...", file=sys.stderr, flush=True)
    owner = VENV / "interpreter"
    if not owner.exists() or owner.read_text() != _interpreter():
        _create(VENV)
        owner.write_text(_interpreter())
    # The second setting pins what builds the packages; older versions of pip take the first for that, too.
    pins = {"PIP_CONSTRAINT": CONSTRAINTS, "PIP_BUILD_CONSTRAINT": CONSTRAINTS}
    _install(BIN / "python", "-e", f".[{extra}]" if extra else ".", **pins)
    for complete in (extra, ""):  # every extra comes with the service
        _stamp(complete).write_text(_fingerprint())


def _create(folder: Path) -> None:
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
    """The beginning of a command that acts on that interpreter's environment."""
    return (
        [sys.executable, "-m", "pip", "--python", str(python)] if _has_pip() else [str(python), "-m", "pip"]
    )


def _install(python: Path, *requirements: str, **settings: str) -> None:
    settings = {**os.environ, **settings, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    command = [*pip(python), "install", "-q", "-e", "clients/python", *requirements]
    done = subprocess.run(
        command, cwd=ROOT, env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        sys.exit(
            f"{done.stdout}\nSetting up failed, see above. It needs the network this once; then run it again."
        )


def _freeze() -> None:
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder) / "bin" / "python"
        _create(Path(folder))
        _install(python, "-e", ".[test]", "setuptools")
        listed = subprocess.run(
            [*pip(python), "freeze", "--all", "--exclude-editable", "--exclude", "pip"],
            check=True,
            capture_output=True,
            text=True,
        )
    (ROOT / CONSTRAINTS).write_text(listed.stdout)


def _extras() -> list[str]:
    import tomllib  # from Python 3.11 on

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return sorted(project["optional-dependencies"])


def main() -> None:
    _check_python()
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--extra", action="append", default=[], choices=_extras(), help="install it; may be repeated"
    )
    parser.add_argument("--freeze", action="store_true", help="raise the pinned versions")
    wanted = parser.parse_args()
    if not wanted.extra and not wanted.freeze:
        parser.error("say what to do")
    for extra in wanted.extra:
        ready(extra)
        print(f"{extra} is installed for {(BIN / 'python').relative_to(ROOT)}")
    if wanted.freeze:
        _freeze()


if __name__ == "__main__":
    main()
