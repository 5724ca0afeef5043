"""Tests generated valid and invalid requests against the OpenAPI document: no 5xx, responses as described."""

from __future__ import annotations

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api.echo import SERVICES, Echo, open_admission
from gamehost.api.pipeline.dispatch import Dispatch
from gamehost.api.transports.asgi import build_app
from support.budget import budget


async def ready() -> bool:
    return True


APP = build_app(Dispatch([Echo()], SERVICES, open_admission()), ready=ready)
SCHEMA = schemathesis.openapi.from_asgi("/openapi.json", APP)
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@SCHEMA.parametrize()
@settings(
    max_examples=budget(3, 25), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
def test_answers_are_as_described(case: schemathesis.Case) -> None:
    case.call_and_validate(checks=CHECKS)
