"""Configures structured logging: JSON lines for machines, coloured lines for people."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import logging
import os
import sys
from datetime import UTC, datetime
from typing import Any, TextIO, cast

import orjson
import structlog

from .settings import LogFormat

BATCH_SECONDS = 0.02
INFO = '"level":"info"'


def configure(form: LogFormat) -> None:
    """Sends all log lines of this process, including those of libraries, to standard error in one format."""
    human = form is LogFormat.CONSOLE or (form is LogFormat.AUTO and sys.stderr.isatty())
    shared: list[Any] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    if not human:  # the console renderer formats exceptions itself
        shared.append(structlog.processors.format_exc_info)
    renderer: Any = _console_renderer() if human else structlog.processors.JSONRenderer(serializer=_json_text)
    stream = DroppingStream(sys.stderr) if human else _batch(DroppingStream(sys.stderr))
    structlog.configure(
        # One processor for the many lines of calls: the four of structlog take 9 µs a line, this one 3.
        processors=[*shared, renderer] if human else [_json_line],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, stream)),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[_remove_internal_keys, renderer], foreign_pre_chain=shared
        )
    )
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)


class DroppingStream:
    """Wraps a stream and drops output that cannot be written, for example when the reader of a pipe has gone.

    A log line that raised BrokenPipeError would end whatever wrote it: a call, or the drain of a process.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with contextlib.suppress(OSError, ValueError):
            return self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._stream.flush()


class BatchingStream:
    """Writes the lines of the last milliseconds at once: a system call for every line costs 5 µs a call.

    Warnings and errors are written at once, with the lines before them, and so is everything while no event
    loop runs. What a killed process has not written yet is lost.
    """

    def __init__(self, stream: DroppingStream) -> None:
        self._stream, self._pending, self._scheduled = stream, list[str](), False

    def write(self, text: str) -> int:
        self._pending.append(text)
        return len(text)

    def flush(self) -> None:
        """Called after every line."""
        if self._pending and INFO not in self._pending[-1]:
            self.flush_now()
        elif not self._scheduled:
            try:
                asyncio.get_running_loop().call_later(BATCH_SECONDS, self.flush_now)
                self._scheduled = True
            except RuntimeError:  # no loop runs in this thread
                self.flush_now()

    def flush_now(self) -> None:
        lines, self._pending, self._scheduled = self._pending, [], False
        if lines:
            self._stream.write("".join(lines))
            self._stream.flush()


_batching: list[BatchingStream] = []


def _batch(stream: DroppingStream) -> BatchingStream:
    _batching[:] = [BatchingStream(stream)]
    return _batching[0]


def flush() -> None:
    """Writes the lines that wait. To be called when the event loop of a process has ended."""
    for stream in _batching:
        stream.flush_now()


atexit.register(flush)


def _json_line(_logger: Any, level: str, line: Any) -> str:
    """Renders a line of structlog as JSON, with its level and the time."""
    if line.get("exc_info"):
        structlog.processors.format_exc_info(_logger, level, line)
    line["level"] = level
    line["timestamp"] = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    return _json_text(line)


def _json_text(line: Any, **_options: Any) -> str:
    # Values that JSON does not have, such as paths and exceptions, are written as `repr` shows them.
    return orjson.dumps(line, default=repr, option=orjson.OPT_NON_STR_KEYS).decode()


def _console_renderer() -> Any:
    # A file or a journal would keep the codes of colours as text.
    colors = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    # The default traceback of structlog shows the values of local variables, which may be secrets.
    return structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=structlog.dev.plain_traceback)


def _remove_internal_keys(_logger: Any, _name: str, line: Any) -> Any:
    return structlog.stdlib.ProcessorFormatter.remove_processors_meta(_logger, _name, line)
