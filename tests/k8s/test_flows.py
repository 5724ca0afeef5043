"""The network policies let through exactly what has to flow; a reading of them as the network would."""

from __future__ import annotations

from itertools import product

from .manifests import Object, of_kind, pods, selects

OVERLAY = "production"
# Who else lives in a cluster, with the labels of pod and namespace.
STRANGERS = {
    "gateway": ({"app": "gateway"}, {"shedu/callers": "true"}),
    "prometheus": ({"app": "prometheus"}, {"shedu/monitoring": "true"}),
    "dns": ({"k8s-app": "kube-dns"}, {"kubernetes.io/metadata.name": "kube-system"}),
    "stranger": ({"app": "stranger"}, {}),
    "impostor": ({"shedu/store-client": "true", "app.kubernetes.io/name": "gamehost"}, {}),
}
PORTS = {
    "gamehost": {"grpc": 50051, "http": 8080},
    "bots": {"metrics": 9100},
    "redis": {"redis": 6379},
    "dns": {"dns": 53},
}
NEEDED = {
    ("gateway", "gamehost", 50051),
    ("gateway", "gamehost", 8080),
    ("prometheus", "gamehost", 8080),
    ("gamehost", "redis", 6379),
    ("gamehost", "dns", 53),
    ("prometheus", "bots", 9100),
    ("bots", "redis", 6379),
    ("bots", "dns", 53),
}


def everyone() -> dict[str, tuple[dict[str, str], dict[str, str] | None]]:
    """Labels of the pod, and of its namespace where that is not ours."""
    ours = {name: (pod["metadata"]["labels"], None) for name, pod in pods(OVERLAY)}
    return {**ours, **STRANGERS}


def is_peer(peer: Object, labels: dict[str, str], namespace: dict[str, str] | None) -> bool:
    assert peer.keys() <= {"podSelector", "namespaceSelector"}
    if "namespaceSelector" not in peer:
        return namespace is None and selects(peer["podSelector"], labels)
    return selects(peer["namespaceSelector"], namespace or {}) and selects(
        peer.get("podSelector", {}), labels
    )


def permits(direction: str, here: str, there: str, owner: str, port: int) -> bool:
    """Whether the policies of a pod let it talk, in that direction, to a peer; strangers have none."""
    labels, namespace = everyone()[here]
    if namespace is not None:
        return True
    applying = [
        policy["spec"]
        for policy in of_kind(OVERLAY, "NetworkPolicy")
        if selects(policy["spec"]["podSelector"], labels) and direction in policy["spec"]["policyTypes"]
    ]
    return not applying or any(
        any(is_peer(peer, *everyone()[there]) for peer in rule["from" if direction == "Ingress" else "to"])
        and port in {PORTS[owner].get(each["port"], each["port"]) for each in rule["ports"]}
        for spec in applying
        for rule in spec.get(direction.lower(), ())
    )


def flows() -> set[tuple[str, str, int]]:
    pairs = product(everyone(), PORTS)
    return {
        (caller, called, port)
        for caller, called in pairs
        if caller != called and (caller not in STRANGERS or called not in STRANGERS)
        for port in PORTS[called].values()
        if permits("Egress", caller, called, called, port)
        and permits("Ingress", called, caller, called, port)
    }


def test_exactly_what_is_needed_flows():
    assert NEEDED == flows()


def test_nothing_leaves_for_the_world():
    for policy in of_kind(OVERLAY, "NetworkPolicy"):
        for rule in policy["spec"].get("egress", ()):
            assert all(peer.keys() & {"podSelector"} for peer in rule["to"])


def test_new_pods_are_shut_off_until_somebody_lets_them_out():
    closed = [each["spec"] for each in of_kind(OVERLAY, "NetworkPolicy") if each["spec"]["podSelector"] == {}]

    assert [{"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}] == closed
