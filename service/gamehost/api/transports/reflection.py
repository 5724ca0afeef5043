"""Server reflection, v1 and v1alpha: describes the services to tools such as grpcurl and buf curl."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool
from grpc_health.v1 import health
from grpc_reflection.v1alpha import reflection, reflection_pb2
from grpc_reflection.v1alpha._async import ReflectionServicer

from gamehost.api.pipeline.dispatch import Dispatch

V1_FILE, V1_PACKAGE = "grpc/reflection/v1/reflection.proto", "grpc.reflection.v1"
V1ALPHA_PACKAGE = "grpc.reflection.v1alpha"
REFLECTION_NAMES = (reflection.SERVICE_NAME, f"{V1_PACKAGE}.ServerReflection")
METHOD_NAME = "ServerReflectionInfo"


class Reflection:
    """Answers questions about the services; every question counts against the limits of an rpc.

    v1 has the same messages as v1alpha under another package, so the same answers serve both.
    """

    def __init__(self, dispatch: Dispatch) -> None:
        describe_v1()
        services = (service.full_name for service in dispatch.services)
        self._dispatch = dispatch
        self._servicer = ReflectionServicer([*REFLECTION_NAMES, health.SERVICE_NAME, *services])

    async def answers(self, requests: AsyncIterator[Any], peer: str) -> AsyncIterator[Any]:
        """Yields an answer for each question. Raises RpcError if the address asks too much."""

        async def counted() -> AsyncIterator[Any]:
            async for request in requests:
                self._dispatch.count(peer)
                yield request

        with self._dispatch.unnamed_stream(peer):
            async for answer in self._servicer.ServerReflectionInfo(counted(), None):
                yield answer


def describe_v1() -> None:
    """Adds the description of v1 to the descriptor pool, because grpcio-reflection has only that of v1alpha.

    Tools that list the methods of every service ask for it, and stop when it is missing.
    """
    pool = descriptor_pool.Default()
    try:
        pool.FindFileByName(V1_FILE)
    except KeyError:
        pool.AddSerializedFile(v1_description().SerializeToString())


def v1_description() -> descriptor_pb2.FileDescriptorProto:
    """The file of v1alpha with the names of v1."""
    file = descriptor_pb2.FileDescriptorProto()
    reflection_pb2.DESCRIPTOR.CopyToProto(file)
    file.name, file.package = V1_FILE, V1_PACKAGE
    for message in file.message_type:
        rename_types(message.field)
    for method in file.service[0].method:
        method.input_type = renamed(method.input_type)
        method.output_type = renamed(method.output_type)
    return file


def rename_types(fields: Iterable[descriptor_pb2.FieldDescriptorProto]) -> None:
    for each in fields:
        if each.type_name:
            each.type_name = renamed(each.type_name)


def renamed(type_name: str) -> str:
    return type_name.replace(f".{V1ALPHA_PACKAGE}.", f".{V1_PACKAGE}.")
