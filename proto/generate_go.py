"""Generates the Go messages and gRPC stubs from the descriptors of the contract; `generate.py` calls it.

The plugins come from the Go module proxy, are checked by the checksum database, and are kept beside the
Python environment. Rules of validation and HTTP paths are for servers: without them the generated code needs
nothing but grpc-go and protobuf.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto, FileDescriptorSet

import bootstrap

MODULE = "shedu.example/shedu"
GENERATED_GO = ("clients/go/*v1/*.pb.go",)
PLUGINS = {
    "protoc-gen-go": "google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.12",
    "protoc-gen-go-grpc": "google.golang.org/grpc/cmd/protoc-gen-go-grpc@v1.6.2",
}
LEFT_OUT = ("google/api/", "buf/", "shedu/storage/")


def has_go() -> bool:
    return shutil.which("go") is not None


def generate_go(target: Path, descriptors: FileDescriptorSet) -> None:
    """Writes the packages of the contract into the client of a folder laid out like the project."""
    own = [_for_clients(file) for file in descriptors.file if not _left_out(file.name)]
    files = FileDescriptorSet(file=own)
    folder = target / "clients" / "go"
    folder.mkdir(parents=True, exist_ok=True)
    source = target / "descriptors_go.binpb"
    source.write_bytes(files.SerializeToString())
    names = [file.name for file in files.file if file.name.startswith("shedu/")]
    outputs = [
        f"--{option}={value}"
        for language in ("go", "go-grpc")
        for option, value in {f"{language}_out": folder, f"{language}_opt": f"module={MODULE}"}.items()
    ]
    plugins = [f"--plugin={name}={path}" for name, path in _plugins().items()]
    command = ["-m", "grpc_tools.protoc", f"--descriptor_set_in={source}", *plugins, *outputs, *names]
    subprocess.run([sys.executable, *command], check=True)


def _plugins() -> dict[str, Path]:
    """Returns the paths of the plugins by name, after installing these versions if they are missing."""
    versions = "-".join(plugin.rpartition("@")[2] for plugin in PLUGINS.values())
    folder = bootstrap.BIN.parent / f"go-{versions}"
    folder.mkdir(exist_ok=True)
    with bootstrap.install_lock(folder):
        for name, plugin in PLUGINS.items():
            if not (folder / name).exists():
                subprocess.run(
                    ["go", "install", plugin], env={**os.environ, "GOBIN": str(folder)}, check=True
                )
    return {name: folder / name for name in PLUGINS}


def _left_out(name: str) -> bool:
    return name.startswith(LEFT_OUT)


def _for_clients(file: FileDescriptorProto) -> FileDescriptorProto:
    """Returns the file with the path of its Go package, and without options that other packages define."""
    if not file.name.startswith("shedu/"):
        return file
    made = FileDescriptorProto.FromString(file.SerializeToString())
    made.ClearField("dependency")
    made.dependency.extend(name for name in file.dependency if not _left_out(name))
    for part in _parts(made):
        if part.HasField("options"):
            _keep_standard_options(part.options)
    package = "".join(file.package.removeprefix("shedu.").replace("_", "").split("."))
    made.options.go_package = f"{MODULE}/{'sheduv1' if package == 'v1' else package}"
    return made


def _parts(file: FileDescriptorProto) -> Iterator[Any]:
    """Yields every element of a file that can have options."""
    yield file
    for service in file.service:
        yield service
        yield from service.method
    for message in file.message_type:
        yield from _message_parts(message)
    for enum in file.enum_type:
        yield enum
        yield from enum.value


def _message_parts(message: DescriptorProto) -> Iterator[Any]:
    yield message
    yield from message.field
    yield from message.oneof_decl
    for enum in message.enum_type:
        yield enum
        yield from enum.value
    for nested in message.nested_type:
        yield from _message_parts(nested)


def _keep_standard_options(options: Any) -> None:
    kept = type(options)()
    for field, value in options.ListFields():
        if not field.is_extension:
            setattr(kept, field.name, value)
    options.CopyFrom(kept)
