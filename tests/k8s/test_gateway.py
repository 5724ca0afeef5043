"""Tests that the routes of the Gateway API expose the public paths and no others."""

from __future__ import annotations

import re

from gamehost import worker
from gamehost.api.transports.asgi import build_app
from support.service import Service

from .manifests import of_kind

HIDDEN = {"/metrics", "/healthz", "/readyz"}


def test_routes_of_one_listener_do_not_share_a_host():
    hosts = [
        host
        for route in of_kind("production", "HTTPRoute", "GRPCRoute")
        for host in route["spec"]["hostnames"]
    ]

    assert len(set(hosts)) == len(hosts) == 2


def test_the_gateway_knows_every_service():
    (http,), (grpc,) = of_kind("production", "HTTPRoute"), of_kind("production", "GRPCRoute")
    methods = {match["method"]["service"] for rule in grpc["spec"]["rules"] for match in rule["matches"]}
    ours = {service.full_name for service in worker.SERVICES}

    assert ours <= methods
    assert all(routed(http, f"/{name}/Method") for name in ours)


def test_the_gateway_leads_to_every_page_and_hides_metrics_and_probes():
    (http,) = of_kind("production", "HTTPRoute")

    async def ready() -> bool:
        return True

    paths = {route.path for route in build_app(Service().dispatch, ready=ready).routes}

    assert HIDDEN <= paths
    assert HIDDEN == {path for path in paths if not routed(http, re.sub(r"\{.*?\}", "x", path))}


def routed(route, path: str) -> bool:
    """Whether a route matches a path, exactly or by prefix, as the Gateway API does."""
    matches = [match["path"] for rule in route["spec"]["rules"] for match in rule["matches"]]
    return any(
        path == each["value"] or (each["type"] == "PathPrefix" and path.startswith(f"{each['value']}/"))
        for each in matches
    )
