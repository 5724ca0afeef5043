"""Valid and invalid headers for requests."""

from __future__ import annotations

from random import Random

from .pool import Pool

TOKENS = (
    "", "x", "shedu_seat_", "shedu_seat_x.y.z", "shedu_spectator_x", "shedu_key_", "shedu_key_a_b",
    "shedu_key_A_b", "shedu_seat_eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJub25lIn0.e30.",
    "eyJhbGciOiJIUzI1NiJ9.e30.AAAA", "a" * 3_000,
    "shedu_seat_eyJhbGciOiJIUzI1NiIsImtpZCI6WzFdfQ.W10.AAAA", "..", "shedu_seat_....",
)  # fmt: skip
ODD = {
    "traceparent": ("", "00-0-0-0", "00-" + "f" * 32 + "-" + "0" * 16 + "-01", "ff", "x" * 200),
    "x-forwarded-for": ("", "::1", "1.2.3.4, nonsense", "," * 50, "[::1]:99999999999"),
    "last-event-id": ("0", "-1", "1e3", "18446744073709551616", "abc", "MTJ8Nw"),
    "connect-timeout-ms": ("0", "-1", "abc", "10000", "99999999999", "1.5"),
    "connect-protocol-version": ("1", "2", "x"),
    "grpc-timeout": ("1S", "x", "99999999S", "10H"),
    "accept": ("application/x-ndjson", "text/event-stream", "*/*", ";;;", "text/html"),
    "accept-encoding": ("gzip", "identity;q=0", "x"),
    "user-agent": ("x" * 500,),
}
NATIVE = ("traceparent", "x-forwarded-for", "user-agent")


def headers(coin: Random, pool: Pool, token: str, *, native: bool) -> dict[str, str]:
    """Returns headers for a request with this seat token; with `native`, only those that gRPC passes on."""
    found = authorization(coin, pool, token)
    for name, choices in ODD.items():
        if coin.random() < 0.04 and (name in NATIVE or not native):
            found[name] = coin.choice(choices)
    return found


def authorization(coin: Random, pool: Pool, token: str) -> dict[str, str]:
    chance = coin.random()
    if chance < 0.1:
        return {}
    known = token if chance < 0.75 else pool.one("token", coin)
    if known and chance < 0.9:
        return {"authorization": f"Bearer {known}"}
    scheme = coin.choice(("Bearer", "bearer", "Basic", "", "Bearer Bearer"))
    return {"authorization": f"{scheme} {coin.choice(TOKENS)}".strip() or "x"}
