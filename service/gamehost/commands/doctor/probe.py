"""`shedu doctor --probe`: checks how a running server answers.

It changes nothing on the server: it sends reads and invalid requests, only to the given addresses.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

from gamehost import __version__
from gamehost.api.openapi.document import document
from gamehost.api.pipeline.dispatch import MAX_REQUEST_BYTES, Dispatch
from gamehost.composition import SERVICES

from .finding import Finding, good, problem, warning
from .probe_grpc import GrpcAddress
from .probe_http import UNREACHABLE, HttpAddress, HttpAnswer, ask
from .store_checks import sdk_version
from .tls_checks import expiry

CALLERS, MOST_CALLS, RATE_CHECK_SECONDS = 4, 3000, 5.0  # bounds of the check for a rate limit
LIMITED = "/v1/titles/no_such_title"  # a call that is counted, answered from memory and changes nothing
PROXY = "Look for a proxy that answers in place of the service, or upgrade the service."
POLICY, SNIFFING, FRAMES = "content-security-policy", "x-content-type-options", "frame-ancestors"
SECURITY_HEADERS = (POLICY, SNIFFING, "referrer-policy")
SEND_JSON = {"Content-Type": "application/json"}
ACCEPT_HTML = {"Accept": "text/html"}
MAX_NAMES = 5  # names in one finding

Check = Callable[[HttpAddress], Iterator[Finding]]


def plan(http: HttpAddress, rpc: GrpcAddress | None, limits: bool) -> str:
    """Describe the requests before they are sent."""
    asked = f"{http.host}:{http.port}" + (f" and {rpc.shown}" if rpc else "")
    most = (
        f", then at most {MOST_CALLS} in {RATE_CHECK_SECONDS:.0f} seconds until a limit answers"
        if limits
        else ""
    )
    return f"asks {asked} about 20 times{most}; no game is created"


def findings(http: HttpAddress, rpc: GrpcAddress | None, limits: bool) -> Iterator[Finding]:
    reached = list(check_reachable(http))
    yield from reached
    # Without a connection every other check would only repeat the same problem.
    if any(each.action for each in reached if each.check == "reach"):
        return
    checks: list[Check] = [
        check_probe_paths,
        check_malformed_request,
        check_unknown_paths,
        check_too_large,
        check_headers,
        check_contract,
    ]
    for check in checks:
        yield from run_check(check, http)
    yield from (rpc.findings() if rpc else note_no_grpc())
    yield from check_server_version(http, rpc)
    if limits:  # last, because the server may refuse this address for a moment afterwards
        yield from run_check(check_call_limit, http)


def run_check(check: Check, http: HttpAddress) -> Iterator[Finding]:
    """Run a check; a connection error becomes a problem under the name of the check function."""
    try:
        yield from check(http)
    except UNREACHABLE as error:
        name = check.__name__.replace("_", " ")
        yield problem(
            name, f"no answer: {error}", "Look at the log of the service, and of what is in front of it."
        )


def check_reachable(http: HttpAddress) -> Iterator[Finding]:
    """Check that Shedu answers, and its TLS."""
    try:
        answer = http.ask("GET", "/v1/titles?page_size=1")
        yield from check_tls(http)
    except UNREACHABLE as error:
        yield unreachable(http, error)
    else:
        yield reached(answer)


def unreachable(http: HttpAddress, error: Exception) -> Finding:
    why, where = str(error) or type(error).__name__, f"{http.host}:{http.port}"
    if isinstance(error, ssl.SSLCertVerificationError):
        detail = f"the certificate of {where} is not trusted: {error.verify_message}"
        return problem("reach", detail, "Name its authority with --server-ca, or correct the certificate.")
    # With TLS 1.3 a server that misses a certificate hangs up after the handshake.
    if http.tls and isinstance(error, ssl.SSLError | ConnectionResetError | BrokenPipeError):
        action = "If it asks for a certificate, give --client-cert and --client-key."
        return problem("reach", f"{where} ends the TLS session: {why}", action)
    detail = f"no HTTP server answers at {where}: {why}"
    return problem("reach", detail, "Check the address, and whether the service runs.")


def reached(answer: HttpAnswer) -> Finding:
    titles = answer.json()
    if answer.status == 200 and isinstance(titles, dict) and "titles" in titles:
        return good("reach", "Shedu answers")
    detail = f"GET /v1/titles is answered {answer.status}, not with titles"
    return problem("reach", detail, "Check the address: this may not be Shedu, or not be ready.")


def check_tls(http: HttpAddress) -> Iterator[Finding]:
    if http.tls:
        version, expires = http.session()
        yield good("tls", f"the server speaks {version}")
        if expires:
            when = datetime.fromtimestamp(ssl.cert_time_to_seconds(expires), UTC)
            yield expiry("the certificate of the server", when)
    elif http.loopback:
        yield good("tls", "no TLS, but only on this machine")
    else:
        action = "Set --tls-cert and --tls-key, or put a proxy with TLS in front, and probe https://."
        yield warning("tls", "no TLS: keys, seat tokens and hidden cards travel in clear text", action)


def check_probe_paths(http: HttpAddress) -> Iterator[Finding]:
    """Check the probe paths. They should answer on the server's own machine, but not through a gateway."""
    for path in ("/healthz", "/readyz", "/metrics"):
        status = http.ask("GET", path).status
        if status == 503:
            yield problem("probes", f"{path} is answered 503: the server is not ready", "Look at its log.")
        elif status == 200 and not http.loopback:
            detail = f"{path} can be reached from here"
            yield warning("probes", detail, "Block it at the gateway, if this address is public.")
        elif status == 200:
            yield good("probes", f"{path} answers")
        elif http.loopback:
            yield problem("probes", f"{path} is answered {status}", PROXY)
        else:
            yield good("probes", f"{path} cannot be reached from here ({status})")


def check_malformed_request(http: HttpAddress) -> Iterator[Finding]:
    yield answered("garbage", 400, http.ask("GET", "/v1/titles?page_size=many"), "an invalid number")
    connect = http.ask("POST", "/shedu.v1.CatalogService/ListTitles", b'{"pageSize": ', SEND_JSON)
    yield answered("garbage", 400, connect, "incomplete JSON")


def check_unknown_paths(http: HttpAddress) -> Iterator[Finding]:
    for path in ("/v1/no-such-thing", "/no-such-page"):
        yield answered("unknown paths", 404, http.ask("GET", path), path)


def check_too_large(http: HttpAddress) -> Iterator[Finding]:
    """Send a body over the limit. It is blank, so that a server without the limit refuses it, too."""
    answer = http.ask("POST", "/v1/games", b" " * (MAX_REQUEST_BYTES + 1), SEND_JSON)
    yield answered("too large", 413, answer, f"a request of {MAX_REQUEST_BYTES + 1} bytes")


def answered(check: str, wanted: int, answer: HttpAnswer, what: str) -> Finding:
    if answer.status == wanted:
        return good(check, f"{what} is answered {wanted}")
    return problem(check, f"{what} is answered {answer.status}, not {wanted}", PROXY)


def check_headers(http: HttpAddress) -> Iterator[Finding]:
    for path in ("/", "/docs"):
        answer = http.ask("GET", path, headers=ACCEPT_HTML)
        missing = [name for name in SECURITY_HEADERS if name not in answer.headers]
        if answer.headers.get(SNIFFING, "nosniff").lower() != "nosniff":
            missing.append(f"nosniff in {SNIFFING}")
        if FRAMES not in answer.headers.get(POLICY, FRAMES):
            missing.append(f"{FRAMES} in {POLICY}")
        if missing:
            action = "Look for a proxy that removes them, or upgrade the service."
            yield problem("headers", f"{path} lacks {', '.join(missing)}", action)
        else:
            yield good("headers", f"{path} has {', '.join(SECURITY_HEADERS)}, and no page may frame it")


def check_contract(http: HttpAddress) -> Iterator[Finding]:
    """Compare the calls and fields of this client library with those of the server."""
    reported = http.ask("GET", "/openapi.json").json()
    if not isinstance(reported, dict):
        yield problem("contract", "/openapi.json is not JSON", PROXY)
        return
    here, there = names(document(Dispatch((), SERVICES, None))), names(reported)
    if lacking := sorted(here - there):
        yield problem(
            "contract", f"the server lacks {shortened(lacking)}", "Upgrade the server: it is older."
        )
    elif more := sorted(there - here):
        yield warning(
            "contract", f"the server also has {shortened(more)}", "Upgrade this client: it is older."
        )
    else:
        yield good("contract", f"client and server agree on {len(here)} calls and fields")


def names(described: dict[str, Any]) -> set[str]:
    """Return every call and every field of an OpenAPI document."""
    calls = {
        f"{method.upper()} {path}"
        for path, methods in as_dict(described.get("paths")).items()
        for method in as_dict(methods)
    }
    schemas = as_dict(as_dict(described.get("components")).get("schemas"))
    fields = {
        f"{name}.{field}"
        for name, schema in schemas.items()
        for field in as_dict(as_dict(schema).get("properties"))
    }
    return calls | fields


def as_dict(value: Any) -> dict[str, Any]:
    """Return the value if it is a dict, else an empty one: the server is not trusted to send valid JSON."""
    return value if isinstance(value, dict) else {}


def shortened(found: list[str]) -> str:
    rest = f" and {len(found) - MAX_NAMES} more" if len(found) > MAX_NAMES else ""
    return ", ".join(found[:MAX_NAMES]) + rest


def note_no_grpc() -> Iterator[Finding]:
    yield good("grpc", "not checked: set --server")


def check_server_version(http: HttpAddress, rpc: GrpcAddress | None) -> Iterator[Finding]:
    try:
        reported = as_dict(http.ask("GET", "/v1/titles?page_size=1").json()).get("serverVersion", "")
    except UNREACHABLE:
        return
    if rpc and rpc.version != reported:
        detail = f"HTTP reports version {reported or 'unknown'}, gRPC {rpc.version or 'unknown'}"
        yield problem("versions", detail, "Finish the rollout, or correct one of the addresses.")
    elif not reported:
        yield warning(
            "versions", "the server does not report its version", "Upgrade the server: it is older."
        )
    elif reported.split(".")[:2] != sdk_version().split(".")[:2]:
        detail = f"the server is {reported}, this client {sdk_version()}"
        yield warning("versions", detail, f"Install shedu {reported} here, or upgrade the server.")
    else:
        yield good("versions", f"server {reported}, client {sdk_version()}, doctor {__version__}")


def check_call_limit(http: HttpAddress) -> Iterator[Finding]:
    """Send calls over a few connections until one is refused; bounded in number and in time."""
    began = time.monotonic()
    # Several connections at once: over one, round trips to a distant server are too slow to reach a limit.
    with ThreadPoolExecutor(CALLERS) as pool:
        shares = list(
            pool.map(lambda _: calls_until_refused(http, began + RATE_CHECK_SECONDS), range(CALLERS))
        )
    count, refused = sum(sent for sent, _ in shares), [answer for _, answer in shares if answer]
    sent = f"{count} calls in {time.monotonic() - began:.1f} s"
    if refused and "retry-after" in refused[0].headers:
        yield good("limits", f"after {sent}, one is answered 429 with Retry-After")
    elif refused:
        yield warning("limits", f"after {sent}, one is answered 429 without Retry-After", PROXY)
    elif http.loopback:
        yield good("limits", f"{sent} are answered: no limit that low, which this machine may not need")
    else:
        action = "Set SHEDU_CALLS_PER_SECOND, or limit calls in front of the service."
        yield warning("limits", f"{sent} are answered: no limit that low", action)


def calls_until_refused(http: HttpAddress, until: float) -> tuple[int, HttpAnswer | None]:
    connection = http.connect()
    try:
        for sent in range(1, MOST_CALLS // CALLERS + 1):
            answer = ask(connection, "GET", LIMITED)
            if answer.status == 429:
                return sent, answer
            if time.monotonic() > until:
                break
        return sent, None
    finally:
        connection.close()
