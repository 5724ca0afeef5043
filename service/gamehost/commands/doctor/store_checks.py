"""The checks of `shedu doctor`: this machine, the settings and the store."""

from __future__ import annotations

import os
import shutil
import socket
import stat
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from difflib import get_close_matches
from http.client import HTTPException
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from urllib.request import urlopen

import redis

from gamehost import __version__
from gamehost.api.auth.jwks import InvalidKeys, keys_in
from gamehost.commands import banner
from gamehost.play.background.archiving import ARCHIVE_REGISTRY, USED
from gamehost.play.ports.event_log import StoreUnavailable
from gamehost.settings import DurabilityMode, Settings
from gamehost.stores.archive.files import PARTS, FileArchive
from gamehost.stores.redis.batching import Client
from gamehost.stores.redis.client import close_client, parse_redis_url
from gamehost.stores.redis.durability import Durability, EvictingServer, WeakServer, info, inspect, primaries
from gamehost.stores.redis.errors import REFUSAL_ADVICE, refusal_code
from gamehost.stores.redis.keys import registry_key
from gamehost.stores.redis.permissions import missing_permissions
from gamehost.stores.redis.write_check import try_writing

from .file_checks import check_file_limits
from .finding import Finding, good, problem, warning
from .tls_checks import check_tls_files, presents_its_certificate

OLDEST_REDIS = (7, 0)
SKEW_NOTED, SKEW_BAD = 0.5, 5.0  # seconds
FULL = 0.8  # of maxmemory
STORE_SECONDS = 3.0
LEAST_FREE = 1 << 30  # bytes
CONTRACT = "shedu.v1"
SETTING_PREFIX = "SHEDU_"
OTHER_VARIABLES = {"SHEDU_SERVER", "SHEDU_TOKEN", "SHEDU_PLAY_DIR"} | {
    "SHEDU_SERVER_CA",
    "SHEDU_CLIENT_CERT",
    "SHEDU_CLIENT_KEY",
}  # of the commands that play


def local_checks(settings: Settings) -> Iterator[Finding]:
    """Run all checks that do not need the store."""
    yield from check_versions()
    yield from check_ports(settings)
    yield from check_secrets(settings)
    yield from check_issuer(settings)
    yield from check_tls_files(settings)
    yield from check_file_limits(settings)
    yield from check_variables()
    yield from check_archive(settings)
    for text in banner.warnings(settings):
        yield warning("configuration", text, "Change it, unless a proxy in front of the service provides it.")


def check_versions() -> Iterator[Finding]:
    sdk, python = sdk_version(), ".".join(map(str, sys.version_info[:3]))
    detail = f"server {__version__}, SDK {sdk}, contract {CONTRACT}, Python {python}"
    if sdk.split(".")[:2] == __version__.split(".")[:2]:
        yield good("versions", detail)
    else:
        yield problem("versions", detail, f"Install shedu {__version__}: server and SDK belong together.")


def sdk_version() -> str:
    """Return the version of the SDK. In a source tree it is not installed and has the server's version."""
    try:
        return version("shedu")
    except PackageNotFoundError:
        return __version__


def check_ports(settings: Settings) -> Iterator[Finding]:
    own = [settings.health_port] if settings.health_port else []
    for port in (settings.port, settings.grpc_port, *own):
        place = f"{settings.host}:{port}"
        if is_free(settings.host, port):
            yield good("ports", f"{place} is free")
        elif shedu_answers(settings):
            yield good("ports", f"{place} is used, and Shedu answers on {settings.port}")
        else:
            yield problem("ports", f"{place} is used by something else", "Stop it, or choose another port.")


def is_free(host: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # With SO_REUSEADDR, because connections of an earlier process in TIME_WAIT do not prevent a start.
        # Without SO_REUSEPORT, because another instance that listens with it has to be noticed.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def shedu_answers(settings: Settings) -> bool:
    # A wildcard is an address to listen on; not every system can connect to it.
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(settings.host, settings.host)
    if settings.tls_cert:
        return presents_its_certificate(host, settings, STORE_SECONDS)
    try:
        with urlopen(f"http://{host}:{settings.port}/healthz", timeout=STORE_SECONDS) as answer:
            return bool(answer.read() == b"alive\n")
    except (OSError, ValueError, HTTPException):  # HTTPException: something answers that is not HTTP
        return False


def check_secrets(settings: Settings) -> Iterator[Finding]:
    named = (*settings.secret_files, settings.redis_file, settings.tls_key)
    for file in [file for file in named if file is not None and file.is_file()]:
        yield check_file_mode(file)
    if len(set(map(secret_in, settings.secret_files))) < len(settings.secret_files):
        yield warning(
            "secrets",
            "two of the secret files hold the same secret",
            "Put a new secret into one of them: equal secrets cannot be rotated.",
        )
    if settings.redis and not settings.secret_files:
        yield warning(
            "secrets",
            "seat tokens are signed with a secret that the service made and keeps in its store",
            "Anyone who can read the store can sign tokens. Set --secret-file, twice to be able to rotate.",
        )
    if settings.redis and "@" in settings.redis and not settings.redis_file:
        yield warning("secrets", "the password of Redis is in an option or variable", "Use --redis-file.")


def secret_in(file: Path) -> bytes:
    return file.read_bytes().strip()


def check_issuer(settings: Settings) -> Iterator[Finding]:
    """Check the issuer's public keys: the service does not start with invalid ones."""
    if settings.jwt_keys_file is None:
        return
    try:
        count = len(keys_in(settings.jwt_keys_file.read_bytes()))
    except (InvalidKeys, OSError) as error:
        detail = f"{settings.jwt_keys_file}: {error}"
        yield problem("issuer", detail, "Give the issuer's public keys, as a JWK set or PEM.")
    else:
        yield good("issuer", f"{count} public keys in {settings.jwt_keys_file}")


def check_variables() -> Iterator[Finding]:
    """Warn of SHEDU_ variables that are no settings: they are probably misspelt."""
    known = {f"{SETTING_PREFIX}{name.upper()}" for name in Settings.model_fields} | OTHER_VARIABLES
    for name in sorted(name for name in os.environ if name.startswith(SETTING_PREFIX) and name not in known):
        nearest = get_close_matches(name, known, 1)
        action = (
            f"Did you mean {nearest[0]}?"
            if nearest
            else "Remove it, or look up its name in `shedu serve --help`."
        )
        yield warning("configuration", f"{name} is not a setting and changes nothing", action)


def check_archive(settings: Settings) -> Iterator[Finding]:
    """Check that the archive is writable, and its free space."""
    if settings.archive_dir is None:
        return
    found = FileArchive(settings.archive_dir)
    try:
        found.prepare()
        # Permissions alone do not show a read-only or full volume, so a file is really created.
        with tempfile.TemporaryFile(dir=found.folder / PARTS):
            pass
        count = found.count()
    except OSError as error:
        detail = f"{settings.archive_dir} cannot be used: {error.strerror}"
        yield problem("archive", detail, "Mount it, or make it writable for the user of the service.")
        return
    free = shutil.disk_usage(found.folder).free
    detail = f"{count} games in {found.folder}, {free / 2**30:.1f} GiB free"
    if free < LEAST_FREE:
        yield warning("archive", detail, "Free some space: games that cannot be archived stay in the store.")
    else:
        yield good("archive", detail)


def check_file_mode(file: Path) -> Finding:
    mode = stat.S_IMODE(file.stat().st_mode)
    # The group may read: Kubernetes mounts secrets for a group (fsGroup).
    if mode & stat.S_IRWXO:
        return problem("secrets", f"{file} can be read by everyone ({mode:04o})", f"chmod o= {file}")
    if not os.access(file, os.R_OK):
        return problem("secrets", f"{file} cannot be read", "Make it readable for the user of the service.")
    return good("secrets", f"{file} ({mode:04o})")


async def check_redis(settings: Settings, url: str) -> AsyncIterator[Finding]:
    client = parse_redis_url(url).client("shedu-doctor", timeout=STORE_SECONDS)
    try:
        found = await inspect(client)
    except EvictingServer as error:
        yield problem(
            "eviction", str(error), "CONFIG SET maxmemory-policy noeviction, and in its configuration."
        )
        return
    except StoreUnavailable as error:
        yield problem("store", str(error), unavailable_reason(error))
        return
    else:
        yield good("store", f"{found.server} answers")
        for finding in check_promised_durability(settings, found):
            yield finding
        async for finding in server_checks(client, settings):
            yield finding
    finally:
        await close_client(client)


def unavailable_reason(error: StoreUnavailable) -> str:
    if error.__cause__ and (code := refusal_code(error.__cause__)):
        return REFUSAL_ADVICE[code]
    if isinstance(error.__cause__, redis.AuthenticationError):
        return "Check user and password in the URL, and the ACL of the server."
    if isinstance(error.__cause__, redis.exceptions.NoPermissionError):
        return "Permit what is named under permissions."
    return "Check that the server runs, the URL, DNS, network policies and, with rediss://, certificates."


def check_promised_durability(settings: Settings, found: Durability) -> Iterator[Finding]:
    try:
        found.demand(settings.durability, settings.replicas)
    except WeakServer as error:
        yield problem("durability", str(error), "Change the server, or ask for less with --durability.")
        return
    if settings.durability in (None, DurabilityMode.MEMORY) and not found.durable:
        yield warning("durability", found.text, "For games that matter: appendonly yes, appendfsync always.")
    elif found.fsync is None:
        yield warning("durability", found.text, "Permit CONFIG GET, so that it can be checked.")
    else:
        yield good("durability", banner.durability_text(settings, found))


async def server_checks(client: Client, settings: Settings) -> AsyncIterator[Finding]:
    """Check the servers of a store that answers."""
    for node in await primaries(client):
        facts = await info(node)
        for finding in (*check_server(facts), *check_memory(facts, settings)):
            yield finding
        yield check_clock(await clock_skew(node))
    yield await check_writes(client)
    lacking = await missing_permissions(client)
    if lacking:
        action = "ACL SETUSER ... " + " ".join(f"+{name}" for name in lacking)
        yield problem("permissions", f"the user may not use {', '.join(lacking)}", action)
    else:
        yield good("permissions", "the user may use every command that is needed")
    async for finding in check_archive_is_configured(client, settings):
        yield finding


async def check_writes(client: Client) -> Finding:
    try:
        await try_writing(client)
    except StoreUnavailable as error:
        return problem("writes", str(error), unavailable_reason(error))
    return good("writes", "a test write was accepted and removed")


async def check_archive_is_configured(client: Client, settings: Settings) -> AsyncIterator[Finding]:
    """Check that the archive is configured if games of this store were archived."""
    try:
        used = await client.hget(registry_key(ARCHIVE_REGISTRY), USED)
    except redis.exceptions.NoPermissionError:
        return
    except redis.exceptions.ResponseError:
        detail = f"the key {registry_key(ARCHIVE_REGISTRY)} is not one of Shedu"
        yield problem("archive", detail, "Give Shedu a Redis of its own; if it is one, remove that key.")
        return
    if used and settings.archive_dir is None:
        detail = "games of this store were archived, but no archive is configured: they cannot be found"
        yield problem("archive", detail, "Set SHEDU_ARCHIVE_DIR to the folder of the archive.")


def check_server(facts: dict[str, object]) -> Iterator[Finding]:
    reported = str(facts.get("redis_version", ""))
    if reported and tuple(map(int, reported.split(".")[:2])) < OLDEST_REDIS:
        yield problem(
            "version", f"the server reports version {reported} of Redis", "Use Redis 7 or Valkey, or newer."
        )
    if facts.get("role") == "slave":
        yield problem("store", "this server is a read-only replica", "Use the URL of its primary.")


def check_memory(facts: dict[str, object], settings: Settings) -> Iterator[Finding]:
    used, most = float(str(facts.get("used_memory", 0))), float(str(facts.get("maxmemory", 0)))
    if most and used > FULL * most:
        detail = f"{used / most:.0%} of maxmemory are used; when it is full, no moves are accepted"
        yield warning("memory", detail, "Raise maxmemory, or give the server more.")
    if settings.redis and "maxmemory" in facts and not most:
        detail = "maxmemory is 0: when memory runs short, the kernel kills the server"
        yield warning(
            "memory", detail, "Set maxmemory to what the server may use, less a quarter for itself."
        )


async def clock_skew(node: Client) -> float:
    """Return how many seconds the server's clock is ahead of the local one."""
    before = time.time()
    try:
        answer = await node.execute_command("TIME")
    except redis.exceptions.NoPermissionError:
        return 0.0
    seconds, micros = (float(part) for part in answer)
    # The server read its clock during the round trip. Taking the middle of it halves the largest error.
    return seconds + micros / 1e6 - (before + time.time()) / 2


def check_clock(ahead: float) -> Finding:
    detail = (
        f"the clock of the store is {abs(ahead):.2f} s {'ahead of' if ahead > 0 else 'behind'} the local one"
    )
    if abs(ahead) > SKEW_BAD:
        return problem(
            "clock",
            detail,
            "Game clocks use the store's time, tokens that of this machine: synchronise both with NTP.",
        )
    if abs(ahead) > SKEW_NOTED:
        return warning("clock", detail, "Synchronise both machines with NTP.")
    return good("clock", detail)
