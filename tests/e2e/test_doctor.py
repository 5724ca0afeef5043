"""Tests of `shedu doctor` with servers that have one real problem each."""

from __future__ import annotations

import json
import shutil
import socketserver
import threading
import time
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest

from gamehost.commands.doctor.file_checks import file_limits
from gamehost.commands.doctor.store_checks import check_clock, check_file_mode, clock_skew
from gamehost.stores.redis.client import parse_redis_url
from gamehost.stores.redis.permissions import REDIS_COMMANDS, missing_permissions
from gamehost.stores.redis.write_check import keys_by_primary, try_writing
from support.clusters import cluster_of
from support.process import shedu, shedu_here
from support.servers import RedisServer, free_port, redis_server
from support.waiting import PATIENCE, wait_until

OK, WARNING, PROBLEM = "ok", "warning", "problem"


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with redis_server(tmp_path_factory.mktemp("redis"), maxmemory="1gb") as server:
        yield server


class Report:
    """The report of one run of the doctor, without warnings about a slow server: the machine may be busy."""

    def __init__(self, *arguments: object, **settings: str) -> None:
        ports = {"SHEDU_PORT": str(free_port()), "SHEDU_GRPC_PORT": str(free_port())}
        with (
            patch("gamehost.commands.doctor.store_checks.STORE_SECONDS", PATIENCE),
            patch("gamehost.commands.doctor.store_checks.SKEW_NOTED", PATIENCE),
        ):
            done = shedu_here("doctor", "--json", *arguments, **ports | settings)
        assert "" == done.stderr
        self.code = done.returncode
        self.text = done.stdout
        self.said: dict[str, Any] = json.loads(done.stdout)

    def grades(self, check: str) -> set[str]:
        return {each["grade"] for each in self.said["findings"] if each["check"] == check}

    def finding(self, check: str) -> dict[str, str]:
        """Returns the only finding of a check that is not ok."""
        (found,) = [each for each in self.said["findings"] if each["check"] == check and each["grade"] != OK]
        assert found["action"], "it does not say what to do"
        return found


def test_a_healthy_service(redis, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("s" * 32)
    secret.chmod(0o600)

    report = Report(
        "--redis", redis.url, "--durability", "durable", SHEDU_SECRET_FILES=json.dumps([str(secret)])
    )

    assert (0, True) == (report.code, report.said["ok"]), report.text
    grades = {each["grade"] for each in report.said["findings"] if each["check"] != "files"}
    assert {OK} == grades, report.text
    checks = {each["check"] for each in report.said["findings"]}
    here = {"versions", "ports", "secrets", "files"}
    assert here | {"store", "durability", "clock", "writes", "permissions"} == checks


def test_the_limit_of_open_files_is_shown_with_the_connections_that_it_leaves_room_for():
    low, high = file_limits(soft=256, hard=1024, wanted=10_000), file_limits(1024, 65_536, 10_000)

    assert (OK, WARNING) == (high.grade, low.grade)
    assert "soft limit 256, raised to 1024 at the start: 384 connections on each port" == low.detail
    assert "10000 connections" in high.detail
    assert "LimitNOFILE" in low.action


def test_a_server_that_evicts(tmp_path):
    with redis_server(tmp_path, **{"maxmemory-policy": "allkeys-lru"}) as server:
        report = Report("--redis", server.url)

    assert 1 == report.code
    assert "allkeys-lru" in report.finding("eviction")["detail"]
    assert PROBLEM == report.finding("eviction")["grade"]


def test_a_server_that_may_lose_a_second_of_moves(tmp_path):
    with redis_server(tmp_path, appendfsync="everysec") as server:
        asked, unasked = (
            Report("--redis", server.url, "--durability", "durable"),
            Report("--redis", server.url),
        )

    assert (1, PROBLEM) == (asked.code, asked.finding("durability")["grade"])
    assert "appendfsync always" in asked.finding("durability")["detail"]
    assert (0, WARNING) == (unasked.code, unasked.finding("durability")["grade"])


def test_too_few_replicas(redis):
    report = Report("--redis", redis.url, "--durability", "replicated", "--replicas", "2")

    assert (1, PROBLEM) == (report.code, report.finding("durability")["grade"])
    assert "2 replicas" in report.finding("durability")["detail"]


def test_a_replica_in_place_of_its_primary(redis, tmp_path):
    with redis_server(tmp_path, replicaof=f"127.0.0.1 {redis.port}") as replica:
        report = Report("--redis", replica.url)

    assert (1, {OK, PROBLEM}) == (report.code, report.grades("store"))
    assert "replica" in report.finding("store")["detail"]
    assert "(READONLY)" in report.finding("writes")["detail"]


def test_a_server_that_refuses_to_write_without_replicas(tmp_path):
    with redis_server(tmp_path, **{"min-replicas-to-write": "1"}) as server:
        report = Report("--redis", server.url)

    assert (1, PROBLEM) == (report.code, report.finding("writes")["grade"])
    assert "the event store refuses writes (NOREPLICAS)" == report.finding("writes")["detail"]
    assert "min-replicas-to-write" in report.finding("writes")["action"]


def test_a_server_that_is_full(tmp_path):
    with redis_server(tmp_path) as server:
        server.ask("CONFIG SET", "maxmemory", 1)
        report = Report("--redis", server.url)

    assert (1, PROBLEM) == (report.code, report.finding("writes")["grade"])
    assert "(OOM)" in report.finding("writes")["detail"]
    assert "maxmemory" in report.finding("writes")["action"]


def test_a_server_whose_disk_is_gone(tmp_path):
    with redis_server(tmp_path / "redis", appendonly="no", save="3600 1") as server:
        shutil.rmtree(server.folder)
        server.ask("BGSAVE")
        wait_until(lambda: server.ask("INFO", "persistence")["rdb_last_bgsave_status"] == "err")
        report = Report("--redis", server.url)

    assert (1, PROBLEM) == (report.code, report.finding("writes")["grade"])
    assert "(MISCONF)" in report.finding("writes")["detail"]
    assert "disk" in report.finding("writes")["action"]


async def test_what_is_written_to_try_is_taken_back_on_every_node(tmp_path):
    with cluster_of(tmp_path) as cluster:
        client = parse_redis_url(cluster.url).client("shedu-doctor", timeout=PATIENCE)
        tried = await keys_by_primary(client)
        await try_writing(client)
        homes = {client.get_node_from_key(key).name for key in tried}
        await client.aclose()
        left = [node.ask("DBSIZE") for node in cluster.nodes]

    assert [0] * len(cluster.nodes) == left
    assert {f"127.0.0.1:{node.port}" for node in cluster.nodes} == homes


def test_a_server_that_takes_all_the_memory_there_is(tmp_path):
    with redis_server(tmp_path) as server:
        report = Report("--redis", server.url)

    assert (0, WARNING) == (report.code, report.finding("memory")["grade"])


def test_a_key_of_somebody_else(tmp_path):
    with redis_server(tmp_path) as server:
        server.ask("SET", "shedu:book:archive", "mine")
        report = Report("--redis", server.url)

    assert (1, PROBLEM) == (report.code, report.finding("archive")["grade"])
    assert "shedu:book:archive" in report.finding("archive")["detail"]


@pytest.mark.parametrize(
    "command", [name for name in REDIS_COMMANDS if name not in ("auth", "hello", "sunsubscribe")]
)
async def test_every_command_that_is_not_permitted_is_named(redis, command):
    allow(redis, *REDIS_COMMANDS)
    redis.ask("ACL SETUSER", "app", f"-{command}")
    client = parse_redis_url(f"redis://app:sesame@127.0.0.1:{redis.port}").client(
        "shedu-doctor", timeout=PATIENCE
    )

    lacking = await missing_permissions(client)
    await client.aclose()

    assert [command] == lacking


def test_a_user_who_may_not_do_what_is_needed(redis):
    allow(redis, *(command for command in REDIS_COMMANDS if command not in ("xadd", "zrem")))

    report = Report("--redis", f"redis://app:sesame@127.0.0.1:{redis.port}")

    assert (1, PROBLEM) == (report.code, report.finding("permissions")["grade"])
    assert "the user may not use xadd, zrem" == report.finding("permissions")["detail"]
    assert "+xadd +zrem" in report.finding("permissions")["action"]
    assert "sesame" not in report.text


def allow(redis, *commands: str) -> None:
    user = ("app", "reset", "on", ">sesame", "~shedu:*", "&shedu:*")
    redis.ask("ACL SETUSER", *user, *(f"+{command}" for command in commands))


def test_a_user_with_the_listed_commands_and_no_more(redis):
    allow(redis, *REDIS_COMMANDS)

    report = Report("--redis", f"redis://app:sesame@127.0.0.1:{redis.port}")

    assert (0, {OK}) == (report.code, report.grades("permissions")), report.text


def test_a_wrong_password_is_told_without_telling_it(redis):
    report = Report("--redis", f"redis://app:wrong-one@127.0.0.1:{redis.port}")

    assert (1, PROBLEM) == (report.code, report.finding("store")["grade"])
    assert "password" in report.finding("store")["action"]
    assert "wrong-one" not in report.text


def test_a_server_that_is_not_there():
    report = Report("--redis", f"redis://127.0.0.1:{free_port()}")

    assert (1, PROBLEM) == (report.code, report.finding("store")["grade"])


def test_a_server_that_is_nearly_full(tmp_path):
    with redis_server(tmp_path) as server:
        server.ask("CONFIG SET", "maxmemory", int(server.ask("INFO", "memory")["used_memory"]) + 300_000)
        server.ask("SET", "ballast", b"x" * 100_000)
        report = Report("--redis", server.url)

    assert WARNING == report.finding("memory")["grade"]


def test_settings_that_make_no_sense():
    wrong = [
        Report(SHEDU_PORT="many"),
        Report("--redis", "http://x"),
        Report("--durability", "replicated"),
        Report(SHEDU_PORT="8093", SHEDU_GRPC_PORT="8093"),
        Report(SHEDU_SECRET_FILES="/etc/signing"),
    ]

    assert [1] * 5 == [report.code for report in wrong]
    assert [PROBLEM] * 5 == [report.finding("configuration")["grade"] for report in wrong]
    assert "port and grpc_port must differ" in wrong[-2].finding("configuration")["detail"]
    assert "secret_files" in wrong[-1].finding("configuration")["detail"]


@pytest.mark.parametrize("content", ["", " \n"])
def test_a_file_without_a_url_is_no_wish_for_an_embedded_store(tmp_path, content):
    (tmp_path / "url").write_text(content)

    report = Report("--redis-file", str(tmp_path / "url"))

    assert (1, PROBLEM) == (report.code, report.finding("configuration")["grade"])
    assert "redis_file" in report.finding("configuration")["detail"]


def test_a_database_that_the_server_does_not_have(redis):
    report = Report("--redis", f"{redis.url}/99")

    assert (1, PROBLEM) == (report.code, report.finding("configuration")["grade"])
    assert "database" in report.finding("configuration")["detail"]


def test_a_misspelt_variable_is_noted_and_its_name_found(redis):
    report = Report("--redis", redis.url, SHEDU_DURABILTY="durable", SHEDU_TOKEN="sesame")

    assert (0, WARNING) == (report.code, report.finding("configuration")["grade"])
    assert "SHEDU_DURABILTY" in report.finding("configuration")["detail"]
    assert "SHEDU_DURABILITY" in report.finding("configuration")["action"]
    assert "sesame" not in report.text


def test_keys_of_an_issuer_that_cannot_be_used(redis, tmp_path):
    (tmp_path / "keys").write_text('{"keys": []}')

    report = Report("--redis", redis.url, SHEDU_IDENTITY="jwt", SHEDU_JWT_KEYS_FILE=str(tmp_path / "keys"))

    assert (1, PROBLEM) == (report.code, report.finding("issuer")["grade"])


def test_a_secret_that_is_there_twice(redis, tmp_path):
    files = [tmp_path / "signing", tmp_path / "trusted"]
    for file in files:
        file.write_text("s" * 32)
        file.chmod(0o600)

    report = Report("--redis", redis.url, SHEDU_SECRET_FILES=json.dumps([str(file) for file in files]))

    assert (0, WARNING) == (report.code, report.finding("secrets")["grade"])
    assert "same secret" in report.finding("secrets")["detail"]


def test_a_port_that_somebody_else_has(redis):
    report = Report("--redis", redis.url, SHEDU_PORT=str(redis.port))

    assert (1, PROBLEM) == (report.code, report.finding("ports")["grade"])


def test_a_port_where_something_answers_that_is_not_http(redis):
    class Greeting(socketserver.BaseRequestHandler):
        def handle(self):
            self.request.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Greeting) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        report = Report("--redis", redis.url, SHEDU_PORT=str(other.server_address[1]))
        other.shutdown()

    assert (1, PROBLEM) == (report.code, report.finding("ports")["grade"])


def test_the_ports_of_a_service_that_runs_are_as_they_should_be(redis, serve):
    ports = {"SHEDU_PORT": str(serve.port), "SHEDU_GRPC_PORT": str(serve.grpc_port)}

    report = Report("--redis", redis.url, **ports)

    assert {OK} == report.grades("ports")


def test_secrets_that_everyone_can_read(redis, tmp_path):
    secret, url = tmp_path / "secret", tmp_path / "url"
    secret.write_text("s" * 32)
    secret.chmod(0o644)
    url.write_text(redis.url)
    url.chmod(0o440)

    report = Report("--redis-file", str(url), SHEDU_SECRET_FILES=json.dumps([str(secret)]))

    assert (1, {OK, PROBLEM}) == (report.code, report.grades("secrets"))
    assert f"chmod o= {secret}" == report.finding("secrets")["action"]
    assert OK == check_file_mode(url).grade


def test_a_secret_in_a_variable_is_noted(redis):
    redis.ask("ACL SETUSER", "all", "reset", "on", ">sesame", "~*", "&*", "+@all")

    report = Report(SHEDU_REDIS=f"redis://all:sesame@127.0.0.1:{redis.port}")

    assert {WARNING} == report.grades("secrets")
    assert "sesame" not in report.text


async def test_a_clock_that_is_wrong_is_measured(redis, monkeypatch):
    client = parse_redis_url(redis.url).client("shedu-doctor", timeout=PATIENCE)
    right = time.time
    monkeypatch.setattr(time, "time", lambda: right() - 30)

    began = right()
    ahead = await clock_skew(client)
    took = right() - began
    await client.aclose()

    assert 29.9 - took < ahead < 30.1 + took
    assert PROBLEM == check_clock(ahead).grade


@pytest.mark.parametrize(
    ("ahead", "grade"), [(0.1, OK), (-0.4, OK), (0.7, WARNING), (-2.0, WARNING), (30.0, PROBLEM)]
)
def test_clocks_that_differ(ahead, grade):
    assert grade == check_clock(ahead).grade


def test_without_a_redis_it_looks_at_the_embedded_server(tmp_path):
    report = Report("--data-dir", str(tmp_path / "data"), "--durability", "durable")

    assert (0, {OK}) == (report.code, report.grades("durability")), report.text


def test_for_people_it_is_a_table(redis):
    done = shedu("doctor", "--redis", redis.url, COLUMNS="200", SHEDU_PORT="0", SHEDU_GRPC_PORT="0")

    assert (0, "") == (done.returncode, done.stderr)
    assert "what to do" in done.stdout
