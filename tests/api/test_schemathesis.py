"""Tests generated valid and invalid requests against the OpenAPI document: no 5xx, responses as described."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api.echo import METHODS, SERVICES, Echo, open_admission
from gamehost.api.pipeline.dispatch import Dispatch
from gamehost.api.transports.asgi import build_app
from support.budget import budget


async def ready() -> bool:
    return True


CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
SETTINGS = settings(
    max_examples=budget(3, 25), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


@pytest.fixture(scope="module")
def schema() -> Any:
    app = build_app(Dispatch([Echo()], SERVICES, open_admission()), ready=ready)
    return schemathesis.openapi.from_asgi("/openapi.json", app)


def is_as_described(case: schemathesis.Case) -> None:
    case.call_and_validate(checks=CHECKS)


# `schema.parametrize()` does the same, but generates the requests of all operations while tests are
# collected, which every process of a run does: ten seconds each.
@pytest.mark.parametrize("rpc", sorted(rpc.name for rpc in METHODS))
def test_answers_are_as_described(schema: Any, rpc: str) -> None:
    (operation,) = schema.include(operation_id=rpc).get_all_operations()

    check = build_operation_test(
        config=schema.config,
        operation=operation.ok(),
        test_func=is_as_described,
        explicit_settings=SETTINGS,
        given_kwargs={},
        feedback=FeedbackSources(),
    )

    check()
