"""Structured log lines: JSON for machines, colours for people."""

from __future__ import annotations

import logging
import sys
from typing import Any

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
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(processors=[_plain, renderer], foreign_pre_chain=shared)
    )
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)


def _for_people() -> Any:
    """Tracebacks without the values of variables, which may be secret."""
    return structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)


def _plain(_logger: Any, _name: str, line: Any) -> Any:
    return structlog.stdlib.ProcessorFormatter.remove_processors_meta(_logger, _name, line)
