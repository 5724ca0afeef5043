"""Schemas of the custom resources in use, limited to the fields that our manifests set."""

from __future__ import annotations

from typing import Any


def obj(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": required | (optional or {}),
        "required": list(required),
        "additionalProperties": False,
    }


def array(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": 1, "maxItems": 16}


TEXT = {"type": "string", "minLength": 1}
NAME = {"type": "string", "pattern": r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}
PORT = {"type": "integer", "minimum": 1, "maximum": 65535}
HOST = {
    "type": "string",
    "pattern": r"^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
}
GATEWAY_DURATION = {"type": "string", "pattern": r"^([0-9]{1,5}(h|m|s|ms)){1,4}$"}
DURATION = {"type": "string", "pattern": r"^(\d+y)?(\d+w)?(\d+d)?(\d+h)?(\d+m)?(\d+s)?(\d+ms)?$"}
LABELS = {"type": "object", "additionalProperties": {"type": "string"}}

PARENT = obj({"name": NAME}, {"namespace": NAME, "sectionName": NAME, "port": PORT})
BACKEND = obj({"name": NAME, "port": PORT}, {"weight": {"type": "integer"}})
PATH = obj({"type": {"enum": ["Exact", "PathPrefix"]}, "value": {"type": "string", "pattern": "^/"}})
METHOD = obj({"service": TEXT}, {"method": TEXT, "type": {"enum": ["Exact", "RegularExpression"]}})
HTTP_RULE = obj(
    {"matches": array(obj({"path": PATH})), "backendRefs": array(BACKEND)},
    {"timeouts": obj({}, {"request": GATEWAY_DURATION, "backendRequest": GATEWAY_DURATION})},
)
GRPC_RULE = obj({"matches": array(obj({"method": METHOD})), "backendRefs": array(BACKEND)})
SCRAPE = obj({"port": TEXT}, {"path": TEXT, "interval": DURATION, "scrapeTimeout": DURATION})
ALERT = obj({"alert": TEXT, "expr": TEXT}, {"for": DURATION, "labels": LABELS, "annotations": LABELS})


def route(rule: dict[str, Any]) -> dict[str, Any]:
    return obj({"parentRefs": array(PARENT), "hostnames": array(HOST), "rules": array(rule)})


SCHEMAS = {
    ("gateway.networking.k8s.io/v1", "HTTPRoute"): route(HTTP_RULE),
    ("gateway.networking.k8s.io/v1", "GRPCRoute"): route(GRPC_RULE),
    ("monitoring.coreos.com/v1", "ServiceMonitor"): obj(
        {"selector": obj({"matchLabels": LABELS}), "endpoints": array(SCRAPE)}
    ),
    ("monitoring.coreos.com/v1", "PodMonitor"): obj(
        {"selector": obj({"matchLabels": LABELS}), "podMetricsEndpoints": array(SCRAPE)}, {"jobLabel": TEXT}
    ),
    ("monitoring.coreos.com/v1", "PrometheusRule"): obj(
        {"groups": array(obj({"name": TEXT, "rules": array(ALERT)}))}
    ),
}
