"""Serves the web client, a built bundle that is part of this package."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

# The page may run its own scripts and call its own server, nothing else.
CLIENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
CLIENT_HEADERS = {
    "content-security-policy": CLIENT_SECURITY_POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-cache",
}
# The name of an asset contains a hash of its content, so it can be cached for ever.
ASSET_HEADERS = {"x-content-type-options": "nosniff", "cache-control": "public, max-age=31536000, immutable"}
# Paths that the web client routes itself: all of them load the same page.
PAGE_PATHS = (
    "/",
    "/lobby",
    "/mine",
    "/account",
    "/create/{title}",
    "/play/{title}",
    "/leaderboard/{title}",
    "/players/{handle}",
    "/games/{rest:path}",
)
# Files at fixed paths: a service worker controls the pages below its own path.
ROOT_FILES = ("service_worker.js", "manifest.webmanifest")
TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}


@dataclass(frozen=True)
class StaticFile:
    """A file of the bundle, compressed once."""

    name: str
    content: bytes

    @cached_property
    def compressed(self) -> bytes:
        return gzip.compress(self.content, mtime=0)

    @cached_property
    def tag(self) -> str:
        return f'"{hashlib.sha256(self.content).hexdigest()[:20]}"'

    @property
    def media_type(self) -> str:
        suffix = self.name[self.name.rfind(".") :]
        return TYPES.get(suffix) or mimetypes.guess_type(self.name)[0] or "application/octet-stream"

    def answer(self, request: Request, status: int, headers: dict[str, str]) -> Response:
        """Returns the file, compressed if the client accepts gzip, or 304 if the client has it already."""
        headers = {**headers, "etag": self.tag, "vary": "accept-encoding"}
        if status == 200 and request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.compressed, status, {**headers, "content-encoding": "gzip"}, self.media_type)
        return Response(self.content, status, headers, self.media_type)


class StaticFiles:
    """The page and the assets of the bundle, read into memory at start-up."""

    def __init__(self, folder: Traversable | None = None) -> None:
        folder = folder or resources.files("gamehost") / "web"
        self.page = StaticFile("index.html", (folder / "index.html").read_bytes())
        self.root_files = {f"/{name}": StaticFile(name, (folder / name).read_bytes()) for name in ROOT_FILES}
        assets = (folder / "assets").iterdir()
        self.assets = {file.name: StaticFile(file.name, file.read_bytes()) for file in assets}

    def routes(self) -> list[Route]:
        pages = [Route(path, self.show_page) for path in PAGE_PATHS]
        root_files = [Route(path, self.show_root_file) for path in self.root_files]
        return [*pages, *root_files, Route("/assets/{name}", self.show_asset)]

    async def show_page(self, request: Request) -> Response:
        return self.page.answer(request, 200, CLIENT_HEADERS)

    async def show_missing_page(self, request: Request) -> Response:
        """Responds to a wrong link in a browser: status 404 with the page, which shows an explanation."""
        return self.page.answer(request, 404, CLIENT_HEADERS)

    async def show_root_file(self, request: Request) -> Response:
        return self.root_files[request.url.path].answer(request, 200, CLIENT_HEADERS)

    async def show_asset(self, request: Request) -> Response:
        # Looked up by name and never joined to a path, so that no request can leave the folder.
        asset = self.assets.get(request.path_params["name"])
        if asset is None:
            # Not the page: a browser with an old page must not get HTML in place of a script.
            return PlainTextResponse("no such file in this release\n", 404)
        return asset.answer(request, 200, ASSET_HEADERS)


def wants_html(request: Request) -> bool:
    return request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")
