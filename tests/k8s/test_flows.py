"""Tests that the network policies permit exactly the needed connections, by evaluating them."""

from __future__ import annotations

import ipaddress
from itertools import product

import pytest

from .manifests import Object, of_kind, pods, selects

# Other pods inside and outside of the cluster, with the labels of pod and namespace.
STRANGERS = {
    "gateway": ({"app": "gateway"}, {"shedu/callers": "true"}),
    "prometheus": ({"app": "prometheus"}, {"shedu/monitoring": "true"}),
    "dns": ({"k8s-app": "kube-dns"}, {"kubernetes.io/metadata.name": "kube-system"}),
    "stranger": ({"app": "stranger"}, {}),
    "elsewhere": ({"address": "192.0.2.7"}, {}),
    "world": ({"address": "198.51.100.7"}, {}),
    "impostor": ({"shedu/store-client": "true", "app.kubernetes.io/name": "gamehost"}, {}),
}
PORTS = {
    "gamehost": {"grpc": 50051, "http": 8080},
    "bots": {"metrics": 9100},
    "redis": {"redis": 6379},
    "dns": {"dns": 53},
    "elsewhere": {"redis": 6379, "sentinel": 26379},
    "world": {"https": 443, "redis": 6379},
}
CALLERS = {
    ("gateway", "gamehost", 50051),
    ("gateway", "gamehost", 8080),
    ("prometheus", "gamehost", 8080),
    ("gamehost", "dns", 53),
    ("prometheus", "bots", 9100),
    ("bots", "dns", 53),
}
STORES = {
    "production": {("redis", 6379)},
    "production-external-redis": {("elsewhere", 6379), ("elsewhere", 26379)},
}
PER_OVERLAY = pytest.mark.parametrize("overlay", STORES)


def everyone(overlay: str) -> dict[str, tuple[dict[str, str], dict[str, str] | None]]:
    """Returns the labels of each pod, and of its namespace if that is not ours."""
    ours = {name: (pod["metadata"]["labels"], None) for name, pod in pods(overlay)}
    return {**ours, **STRANGERS}


def is_peer(peer: Object, labels: dict[str, str], namespace: dict[str, str] | None) -> bool:
    assert peer.keys() <= {"podSelector", "namespaceSelector"} or peer.keys() == {"ipBlock"}
    if "ipBlock" in peer:
        network = ipaddress.ip_network(peer["ipBlock"]["cidr"])
        return "address" in labels and ipaddress.ip_address(labels["address"]) in network
    if "namespaceSelector" not in peer:
        return namespace is None and selects(peer["podSelector"], labels)
    return selects(peer["namespaceSelector"], namespace or {}) and selects(
        peer.get("podSelector", {}), labels
    )


def permits(overlay: str, direction: str, here: str, there: str, owner: str, port: int) -> bool:
    """Whether the policies of a pod permit a connection in that direction; other pods have no policies."""
    labels, namespace = everyone(overlay)[here]
    if namespace is not None:
        return True
    applying = [
        policy["spec"]
        for policy in of_kind(overlay, "NetworkPolicy")
        if selects(policy["spec"]["podSelector"], labels) and direction in policy["spec"]["policyTypes"]
    ]
    return not applying or any(
        any(
            is_peer(peer, *everyone(overlay)[there])
            for peer in rule["from" if direction == "Ingress" else "to"]
        )
        and port in {PORTS[owner].get(each["port"], each["port"]) for each in rule["ports"]}
        for spec in applying
        for rule in spec.get(direction.lower(), ())
    )


def flows(overlay: str) -> set[tuple[str, str, int]]:
    here = everyone(overlay)
    pairs = product(here, PORTS.keys() & here.keys())
    return {
        (caller, called, port)
        for caller, called in pairs
        if caller != called and (caller not in STRANGERS or called not in STRANGERS)
        for port in PORTS[called].values()
        if permits(overlay, "Egress", caller, called, called, port)
        and permits(overlay, "Ingress", called, caller, called, port)
    }


@PER_OVERLAY
def test_exactly_what_is_needed_flows(overlay):
    store = {(client, *place) for client in ("gamehost", "bots") for place in STORES[overlay]}

    assert CALLERS | store == flows(overlay)


def test_nothing_leaves_for_the_world():
    for policy in of_kind("production", "NetworkPolicy"):
        for rule in policy["spec"].get("egress", ()):
            assert all(peer.keys() & {"podSelector"} for peer in rule["to"])


@PER_OVERLAY
def test_new_pods_are_shut_off_until_somebody_lets_them_out(overlay):
    closed = [each["spec"] for each in of_kind(overlay, "NetworkPolicy") if each["spec"]["podSelector"] == {}]

    assert [{"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}] == closed
