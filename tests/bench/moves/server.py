"""The servers that are measured: the service, and two that only send a request back."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from typing import Any

import grpc.aio
import uvicorn
import uvloop

from gamehost import worker
from gamehost.settings import LogFormat, Settings


@dataclass(frozen=True)
class Server:
    """`name` is shedu, or echo: a bare grpc.aio server and a bare uvicorn application on the same ports."""

    name: str
    redis: str
    port: int
    grpc_port: int


def serve(server: Server) -> None:
    if server.name == "echo":
        uvloop.run(serve_echo(server))
        return
    settings = Settings(port=server.port, grpc_port=server.grpc_port, log_format=LogFormat.JSON)
    worker.run_worker(settings, server.redis)


async def serve_echo(server: Server) -> None:
    """Serves both echoes with the servers, event loop and parser of the service, and nothing else."""

    class Echo(grpc.GenericRpcHandler):  # type: ignore[type-arg]
        def service(self, _details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any]:
            async def answer(request: bytes, _context: object) -> bytes:
                return request

            handler: Any = answer
            return grpc.unary_unary_rpc_method_handler(handler)

    grpc_server = grpc.aio.server()
    grpc_server.add_generic_rpc_handlers((Echo(),))
    grpc_server.add_insecure_port(f"127.0.0.1:{server.grpc_port}")
    await grpc_server.start()
    config = uvicorn.Config(
        echo, host="127.0.0.1", port=server.port, http="httptools", log_level="warning", access_log=False
    )
    await uvicorn.Server(config).serve()
    await grpc_server.stop(0)


async def echo(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "http":
        return
    body = (await receive()).get("body", b"")
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def arguments(server: Server) -> list[str]:
    return ["-m", __spec__.name, json.dumps(asdict(server))]


if __name__ == "__main__":
    serve(Server(**json.loads(sys.argv[1])))
