"""Configures structured logging: JSON lines for machines, coloured lines for people."""

from __future__ import annotations

import contextlib
import logging
import sys
from typing import Any, TextIO, cast

import structlog

from .settings import LogFormat


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
    renderer: Any = _console_renderer() if human else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, DroppingStream(sys.stderr))),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(DroppingStream(sys.stderr))
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


def _console_renderer() -> Any:
    # The default traceback of structlog shows the values of local variables, which may be secrets.
    return structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)


def _remove_internal_keys(_logger: Any, _name: str, line: Any) -> Any:
    return structlog.stdlib.ProcessorFormatter.remove_processors_meta(_logger, _name, line)
