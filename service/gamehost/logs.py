"""Structured log lines: JSON for machines, colours for people."""

from __future__ import annotations

import contextlib
import logging
import sys
from typing import Any, TextIO, cast

import structlog

from .settings import LogFormat


def configure(form: LogFormat) -> None:
    """Every line of this process, those of libraries included, goes to standard error in one form."""
    human = form is LogFormat.CONSOLE or (form is LogFormat.AUTO and sys.stderr.isatty())
    shared: list[Any] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    if not human:
        shared.append(structlog.processors.format_exc_info)
    renderer: Any = _for_people() if human else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, DroppingStream(sys.stderr))),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(DroppingStream(sys.stderr))
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(processors=[_plain, renderer], foreign_pre_chain=shared)
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


def _for_people() -> Any:
    """Tracebacks without the values of variables, which may be secret."""
    return structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)


def _plain(_logger: Any, _name: str, line: Any) -> Any:
    return structlog.stdlib.ProcessorFormatter.remove_processors_meta(_logger, _name, line)
