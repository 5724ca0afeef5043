"""Tests that the objects of an overlay agree with each other, the code and the documents."""

from __future__ import annotations

import re
import stat

import pytest
import yaml

from bench.bounds import trials
from gamehost import __version__, worker
from gamehost.api.handlers import watch_messages
from gamehost.api.transports import event_stream as event_stream
from gamehost.play.tables import delayed, past_versions
from gamehost.play.watching import replay_cache
from gamehost.settings import LIMITS, Settings
from gamehost.stores.redis.permissions import REDIS_COMMANDS

from .manifests import (
    K8S,
    OVERLAYS,
    README,
    WORKLOADS,
    containers,
    of_kind,
    one,
    pods,
    selects,
    settings_of,
    template,
)

PER_OVERLAY = pytest.mark.parametrize("overlay", OVERLAYS)
IN_EARNEST = [overlay for overlay in OVERLAYS if overlay != "dev"]
PINNED = re.compile(r"[\w./-]+(:v?\d+\.\d+\.\d+[\w.-]*)?(@sha256:[0-9a-f]{64})?")
BARE_PROCESS = 160 << 20
SPREAD = ["topology.kubernetes.io/zone", "kubernetes.io/hostname"]
MADE_BY_HAND = re.compile(r"create (secret generic|configmap) ([\w-]+)((?:\s+\\\n\s+--from-file=[\w./=-]+)+)")


def ports_of(pod) -> dict[str, int]:
    return {
        port["name"]: port["containerPort"]
        for each in pod["spec"]["containers"]
        for port in each.get("ports", ())
    }


def in_readme(kind: str) -> dict[str, set[str]]:
    """Returns the objects of a kind that the README tells the operator to create, with their keys."""
    return {
        name: set(re.findall(r"--from-file=([\w.-]+)", keys))
        for made, name, keys in MADE_BY_HAND.findall(README)
        if made.startswith(kind.lower())
    }


def available(overlay: str, kind: str) -> dict[str, set[str]]:
    """Returns the available ConfigMaps or Secrets with their keys."""
    found = {each["metadata"]["name"]: set(each["data"]) for each in of_kind(overlay, kind)}
    return found | (in_readme(kind) if overlay in IN_EARNEST else {})


@PER_OVERLAY
def test_workloads_select_their_own_pods_and_no_others(overlay):
    everything = dict(pods(overlay))

    for workload in of_kind(overlay, *WORKLOADS):
        chosen = [
            name
            for name, pod in everything.items()
            if selects(workload["spec"]["selector"], pod["metadata"]["labels"])
        ]
        assert [workload["metadata"]["name"]] == chosen


@PER_OVERLAY
def test_services_lead_to_ports_of_one_workload(overlay):
    everything = dict(pods(overlay))

    for service in of_kind(overlay, "Service"):
        chosen = [
            pod
            for pod in everything.values()
            if selects({"matchLabels": service["spec"]["selector"]}, pod["metadata"]["labels"])
        ]
        assert 1 == len(chosen), service["metadata"]["name"]
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= ports_of(chosen[0]).keys()


def speaks_tls(overlay: str) -> bool:
    return "SHEDU_TLS_CERT" in settings_of(overlay, one(overlay, "Deployment", "gamehost"))


@PER_OVERLAY
def test_grpc_is_announced_as_http2(overlay):
    ports = [
        port
        for service in of_kind(overlay, "Service")
        for port in service["spec"]["ports"]
        if port["name"] == "grpc"
    ]

    announced = "https" if speaks_tls(overlay) else "kubernetes.io/h2c"  # h2c is HTTP/2 in clear text
    assert {announced} == {port["appProtocol"] for port in ports}
    assert 2 == len(ports)


@PER_OVERLAY
def test_ports_are_those_the_process_listens_on(overlay):
    gamehost = one(overlay, "Deployment", "gamehost")
    settings = settings_of(overlay, gamehost)

    names = {"grpc": "SHEDU_GRPC_PORT", "http": "SHEDU_PORT", "health": "SHEDU_HEALTH_PORT"}
    expected = {port: int(settings[name]) for port, name in names.items() if name in settings}

    assert expected == ports_of(template(gamehost))


@PER_OVERLAY
def test_an_eviction_takes_one_pod_of_a_deployment_at_a_time(overlay):
    budgets = [each["spec"] for each in of_kind(overlay, "PodDisruptionBudget")]

    for deployment in of_kind(overlay, "Deployment"):
        labels = template(deployment)["metadata"]["labels"]
        (budget,) = [each for each in budgets if selects(each["selector"], labels)]
        assert (1, "AlwaysAllow") == (budget["maxUnavailable"], budget["unhealthyPodEvictionPolicy"])


@PER_OVERLAY
def test_the_autoscaler_finds_its_workload(overlay):
    (scaler,) = of_kind(overlay, "HorizontalPodAutoscaler")

    target = scaler["spec"]["scaleTargetRef"]

    assert ("Deployment", "gamehost") == (target["kind"], target["name"])
    assert scaler["spec"]["behavior"]["scaleDown"]["stabilizationWindowSeconds"] >= 300
    assert "replicas" not in one(overlay, "Deployment", "gamehost")["spec"]


@PER_OVERLAY
def test_a_rollout_never_takes_a_pod_away_before_another_is_ready(overlay):
    for deployment in of_kind(overlay, "Deployment"):
        assert {"maxUnavailable": 0, "maxSurge": 1} == deployment["spec"]["strategy"]["rollingUpdate"]


@PER_OVERLAY
def test_pods_of_a_deployment_spread_over_zones_and_machines(overlay):
    for deployment in of_kind(overlay, "Deployment"):
        pod = template(deployment)
        spread = pod["spec"].get("topologySpreadConstraints", ())
        assert SPREAD == [each["topologyKey"] for each in spread], deployment["metadata"]["name"]
        assert all(selects(each["labelSelector"], pod["metadata"]["labels"]) for each in spread)


@PER_OVERLAY
def test_the_grace_period_is_longer_than_the_way_out(overlay):
    gamehost = one(overlay, "Deployment", "gamehost")
    spec = template(gamehost)["spec"]
    settings = settings_of(overlay, gamehost)

    before = spec["containers"][0]["lifecycle"]["preStop"]["sleep"]["seconds"]
    drain = float(settings["SHEDU_DRAIN_SECONDS"]) + worker.MOST_DRAIN_SECONDS

    assert before >= 5
    assert before + drain + 5 <= spec["terminationGracePeriodSeconds"]


@PER_OVERLAY
def test_only_readiness_looks_at_the_store(overlay):
    (container,) = containers(one(overlay, "Deployment", "gamehost"))
    services = {service.full_name for service in worker.SERVICES}
    assert container["readinessProbe"]["timeoutSeconds"] > worker.STORE_PATIENCE
    if speaks_tls(overlay):  # gRPC probes do not support TLS
        paths = {
            name: container[name]["httpGet"] for name in ("startupProbe", "livenessProbe", "readinessProbe")
        }
        assert {"health"} == {each["port"] for each in paths.values()}
        assert ["/healthz", "/healthz", "/readyz"] == [each["path"] for each in paths.values()]
        return

    port = int(settings_of(overlay, one(overlay, "Deployment", "gamehost"))["SHEDU_GRPC_PORT"])

    assert {"port": port} == container["startupProbe"]["grpc"] == container["livenessProbe"]["grpc"]
    assert container["readinessProbe"]["grpc"]["port"] == port
    assert container["readinessProbe"]["grpc"]["service"] in services


@PER_OVERLAY
def test_every_container_has_probes_requests_and_limits(overlay):
    for workload in of_kind(overlay, *WORKLOADS):
        for each in containers(workload):
            assert {"startupProbe", "livenessProbe", "readinessProbe"} <= each.keys(), each["name"]
            assert (
                {"cpu", "memory"}
                == each["resources"]["requests"].keys()
                == each["resources"]["limits"].keys()
            )


@PER_OVERLAY
def test_pods_keep_to_the_restricted_standard(overlay):
    (namespace,) = of_kind(overlay, "Namespace")
    assert "restricted" == namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"]

    for name, pod in pods(overlay):
        spec = pod["spec"]
        assert spec["securityContext"]["runAsNonRoot"], name
        assert spec["securityContext"]["runAsUser"] > 0, name
        assert "RuntimeDefault" == spec["securityContext"]["seccompProfile"]["type"], name
        assert spec["automountServiceAccountToken"] is False, name
        assert not {"hostNetwork", "hostPID", "hostIPC"} & spec.keys(), name
        kinds = {kind for volume in spec["volumes"] for kind in volume.keys() - {"name"}}
        assert kinds <= {"configMap", "secret", "emptyDir", "persistentVolumeClaim", "projected"}, name
        for each in spec["containers"]:
            safe = {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert safe == each["securityContext"], name


@PER_OVERLAY
def test_images_are_pinned(overlay):
    images = {each["image"] for workload in of_kind(overlay, *WORKLOADS) for each in containers(workload)}

    for image in images:
        tagged = PINNED.fullmatch(image)
        assert tagged is not None, image
        assert any(tagged.groups()), image
    assert 1 == sum(f"/{image}".endswith(f"/shedu:{__version__}") for image in images)


@PER_OVERLAY
def test_bots_that_have_pods_do_not_think_in_others(overlay):
    names = {each["metadata"]["name"] for each in of_kind(overlay, "Deployment")}
    settings = settings_of(overlay, one(overlay, "Deployment", "gamehost"))

    assert ("bots" in names) == (settings.get("SHEDU_BOTS") == "false")


@PER_OVERLAY
def test_every_variable_is_a_setting(overlay):
    for workload in of_kind(overlay, *WORKLOADS):
        ours = {name for name in settings_of(overlay, workload) if name.startswith("SHEDU_")}
        assert ours <= {f"SHEDU_{name.upper()}" for name in Settings.model_fields}


@PER_OVERLAY
def test_no_secret_stands_in_a_variable(overlay):
    for workload in of_kind(overlay, *WORKLOADS):
        text = yaml.safe_dump(
            [each.get("env", []) + each.get("envFrom", []) for each in containers(workload)]
        )
        assert "secretRef" not in text
        assert "secretKeyRef" not in text


@PER_OVERLAY
def test_what_is_mounted_exists_and_holds_the_keys(overlay):
    for name, pod in pods(overlay):
        volumes = {volume["name"]: volume for volume in pod["spec"]["volumes"]}
        mounted = {mount["name"] for each in pod["spec"]["containers"] for mount in each["volumeMounts"]}
        assert volumes.keys() <= mounted, name
        for volume in volumes.values():
            if "secret" in volume:
                keys = available(overlay, "Secret")[volume["secret"]["secretName"]]
                assert {item["key"] for item in volume["secret"]["items"]} <= keys, name
                assert not volume["secret"]["defaultMode"] & (stat.S_IRWXO | stat.S_IWGRP), name
            if "configMap" in volume:
                keys = available(overlay, "ConfigMap")[volume["configMap"]["name"]]
                assert {item["key"] for item in volume["configMap"].get("items", ())} <= keys, name
            if "persistentVolumeClaim" in volume:
                one(overlay, "PersistentVolumeClaim", volume["persistentVolumeClaim"]["claimName"])


@PER_OVERLAY
def test_files_named_in_settings_are_mounted(overlay):
    """No other file is mounted, except the authority in the URL of an external Redis in the README."""
    authority = set(re.findall(r"ssl_ca_certs=(/[\w./-]+)", README))

    for client in of_kind(overlay, "Deployment"):
        settings = settings_of(overlay, client)
        named = {settings["SHEDU_REDIS_FILE"], *yaml.safe_load(settings["SHEDU_SECRET_FILES"])}
        if settings["SHEDU_DURABILITY"] == "replicated":
            named |= authority
        named |= {settings[name] for name in ("SHEDU_TLS_CERT", "SHEDU_TLS_KEY") if name in settings}
        assert named == files_of(client)


def files_of(workload) -> set[str]:
    spec = template(workload)["spec"]
    volumes = {volume["name"]: volume for volume in spec["volumes"]}
    return {
        f"{mount['mountPath']}/{item['path']}"
        for mount in spec["containers"][0]["volumeMounts"]
        for source in volumes[mount["name"]].values()
        if isinstance(source, dict)
        for item in source.get("items", ())
    }


@PER_OVERLAY
def test_an_archive_is_a_volume_that_all_share(overlay):
    for client in of_kind(overlay, "Deployment"):
        spec = template(client)["spec"]
        shared = {volume["name"] for volume in spec["volumes"] if "persistentVolumeClaim" in volume}
        mounts = [
            mount["mountPath"] for mount in spec["containers"][0]["volumeMounts"] if mount["name"] in shared
        ]
        named = settings_of(overlay, client).get("SHEDU_ARCHIVE_DIR")
        assert mounts == ([named] if named else [])
    for claim in of_kind(overlay, "PersistentVolumeClaim"):
        assert ["ReadWriteMany"] == claim["spec"]["accessModes"]


@PER_OVERLAY
def test_the_settings_agree_with_each_other(overlay):
    """Validated by the service itself, which would refuse to start."""
    for client in of_kind(overlay, "Deployment"):
        settings = settings_of(overlay, client)
        replicated = settings["SHEDU_DURABILITY"] == "replicated"
        assert replicated == bool(int(settings.get("SHEDU_REPLICAS", "0")))


def test_secrets_in_earnest_are_not_in_git():
    used = {
        volume["secret"]["secretName"]
        for overlay in IN_EARNEST
        for _, pod in pods(overlay)
        for volume in pod["spec"]["volumes"]
        if "secret" in volume
    }

    assert [] == [each for overlay in IN_EARNEST for each in of_kind(overlay, "Secret")]
    assert in_readme("Secret").keys() == used


def test_the_redis_user_may_do_what_the_store_does_and_no_more():
    for text in ((K8S / "overlays/dev/users.acl").read_text(), README):
        (line,) = re.findall(r"^user gamehost .*", text, re.MULTILINE)
        assert {f"+{command}" for command in REDIS_COMMANDS} == {
            word for word in line.split() if word.startswith("+")
        }
        assert "-@all" in line
        assert "~shedu:*" in line


@PER_OVERLAY
def test_monitors_and_routes_lead_to_services(overlay):
    services = {each["metadata"]["name"]: each for each in of_kind(overlay, "Service")}

    for monitor in of_kind(overlay, "ServiceMonitor"):
        chosen = [
            each
            for each in services.values()
            if selects(monitor["spec"]["selector"], each["metadata"]["labels"])
        ]
        assert ["gamehost"] == [each["metadata"]["name"] for each in chosen]
        assert {each["port"] for each in monitor["spec"]["endpoints"]} <= {
            p["name"] for p in chosen[0]["spec"]["ports"]
        }
    for route in of_kind(overlay, "HTTPRoute", "GRPCRoute"):
        for backend in (each for rule in route["spec"]["rules"] for each in rule["backendRefs"]):
            assert backend["port"] in {port["port"] for port in services[backend["name"]]["spec"]["ports"]}


@PER_OVERLAY
def test_the_memory_of_a_pod_holds_what_it_may_come_to(overlay):
    (container,) = containers(one(overlay, "Deployment", "gamehost"))
    limit = int(container["resources"]["limits"]["memory"].removesuffix("Mi")) << 20
    settings = settings_of(overlay, one(overlay, "Deployment", "gamehost"))
    streams, greedy = (int(LIMITS[name]) for name in ("streams", "streams_per_caller"))

    cache = int(settings["SHEDU_CACHE_MB"]) << 20
    watchers = (streams - greedy) * trials.STORM.holds + greedy * trials.UNREAD.holds
    retold = replay_cache.SNAPSHOT_CAPACITY + replay_cache.CREATION_CAPACITY + replay_cache.REPLAY_CAPACITY
    tables = retold + past_versions.PAST_TABLES_BYTES + delayed.DELAYED_TABLES_BYTES
    written = watch_messages.MESSAGE_CACHE_BYTES + watch_messages.SERIALIZED_CACHE_BYTES
    written += 2 * event_stream.FRAME_CACHE_BYTES  # events, lines

    assert f"told lately and may be told again ({(tables + written) >> 20} MiB)" in sizing()
    assert BARE_PROCESS + cache + tables + written + watchers < limit


def sizing() -> str:
    return (K8S / "README.md").read_text().partition("## How to size a cluster")[2]
