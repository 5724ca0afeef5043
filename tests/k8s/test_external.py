"""Tests a pod with an external Redis, by the URL of the README: TLS, sentinels and replicas."""

from __future__ import annotations

import json
import re
from pathlib import Path

from gamehost.stores.redis.permissions import REDIS_COMMANDS
from support.sentinels import replicated
from support.servers import certificate

from .cluster import Pod
from .manifests import README, one, settings_of

OVERLAY = "production-external-redis"
URL = re.compile(r"printf '(rediss\+sentinel://[^']+)'")
SENTINELS = re.compile(r"(?<=@)[\w.:,-]+/")


async def test_it_reaches_its_redis_by_what_the_readme_says(tmp_path: Path) -> None:
    gamehost = one(OVERLAY, "Deployment", "gamehost")
    replicas = int(settings_of(OVERLAY, gamehost)["SHEDU_REPLICAS"])
    keys = certificate(tmp_path)
    user = " ".join(["gamehost on >sesame ~shedu:* &shedu:* -@all", *(f"+{each}" for each in REDIS_COMMANDS)])
    (url,) = URL.findall(README)
    with replicated(tmp_path, replicas=replicas, user=user, **keys) as redis:
        places = ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in redis.sentinels)
        made = {
            "gamehost-store": {"url": SENTINELS.sub(f"{places}/", url).replace("%s", "sesame")},
            "gamehost-seat-tokens": {"signing": "s" * 32, "trusted": "t" * 32},
            "redis-ca": {"ca.crt": Path(keys["tls-ca-cert-file"]).read_text()},
        }
        folder = tmp_path / "pod"
        folder.mkdir()
        here = {"/etc/shedu": str(folder / "etc/shedu")}
        pod = Pod(OVERLAY, gamehost, folder, here, made)
        try:
            await pod.start()
            findings = json.loads(pod.run("doctor", "--json").stdout)
        finally:
            pod.kill()

    assert findings["ok"], findings
