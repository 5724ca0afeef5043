"""Tests of CORS: which origins may call."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from api.limited_servers import LIST, running_limited_servers
from gamehost.settings import IdentityMode, Settings

OURS, THEIRS = "https://play.example.org", "https://evil.example.net"


@pytest.mark.parametrize("path", ["/v1/games", LIST])
async def test_only_pages_of_the_given_origins_may_call(path: str) -> None:
    asks = {"access-control-request-method": "POST", "access-control-request-headers": "authorization"}
    async with running_limited_servers(origins=(OURS,)) as servers:
        preflights = [await servers.http.options(path, headers={"origin": o, **asks}) for o in (OURS, THEIRS)]
        answers = [await servers.http.get("/v1/games", headers={"origin": o}) for o in (OURS, THEIRS)]

    allowed = [answer.headers.get("access-control-allow-origin") for answer in (*preflights, *answers)]
    assert [200, 400] == [answer.status_code for answer in preflights]
    assert [OURS, None, OURS, None] == allowed


@pytest.mark.parametrize(
    ("given", "origins"),
    [
        ({}, ("*",)),
        ({"host": "::1"}, ("*",)),
        ({"host": "0.0.0.0"}, ()),
        ({"identity": IdentityMode.KEYS}, ()),
        ({"host": "0.0.0.0", "cors_origins": (OURS,)}, (OURS,)),
        ({"cors_origins": ()}, ()),
        ({"host": "0.0.0.0", "cors_origins": "*"}, ("*",)),
        ({"cors_origins": f"{OURS}, http://localhost:3000"}, (OURS, "http://localhost:3000")),
    ],
)
def test_without_a_setting_other_origins_may_call_only_on_ones_own_machine(
    given: dict[str, object], origins: tuple[str, ...], tmp_path: Path
) -> None:
    assert origins == Settings(data_dir=tmp_path, **given).origins  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "origin", ["example.org", f"{OURS}/", f"{OURS}/path", "https://*.example.org/x", "null"]
)
def test_what_is_no_origin_is_refused(origin: str) -> None:
    with pytest.raises(ValidationError, match="is not an origin"):
        Settings(cors_origins=(origin,))


@pytest.mark.parametrize("network", ["10.0.0.1/8", "nonsense", "10.0.0.0/33"])
def test_what_is_no_network_of_proxies_is_refused(network: str) -> None:
    with pytest.raises(ValidationError, match="proxies"):
        Settings(proxies=(network,))  # type: ignore[arg-type]


def test_networks_of_proxies_are_read_from_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHEDU_PROXIES", "10.0.0.0/8, 2001:db8::/32 192.0.2.1")

    assert ["10.0.0.0/8", "2001:db8::/32", "192.0.2.1/32"] == [str(each) for each in Settings().proxies]
