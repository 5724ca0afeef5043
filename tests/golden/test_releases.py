"""What a release has stored, every later one reads, and sees in it what was seen then."""

from __future__ import annotations

import json

import pytest

from gamehost.commands.verdict import judge
from gamehost.play.happenings import TABLE_EVENTS, Reveal, Visibility
from gamehost.play.table import Status
from gamehost.rules.catalog import CATALOG
from luck.games import exported
from shedu.v1 import game_pb2
from support.releases import git, previous_commit
from support.world import Service

from . import releases
from .releases import FOLDER, MANIFEST, RELEASES, logs, lost, sights, stored, sums

LOGS = logs()
EACH = pytest.mark.parametrize("log", LOGS, ids=[log.name for log in LOGS])


def kinds(log):
    return {game_pb2.Event.FromString(event).WhichOneof("kind") for event in log.kept.events}


@EACH
async def test_a_log_is_seen_as_it_was(log):
    assert [] == list(lost(log.seen, await sights(log.kept)))


@EACH
async def test_a_log_is_listed_as_it_was(log):
    """By the summary beside it, which its release wrote."""
    service = Service(await stored(log.kept))
    table = await service.house.tables.fresh(log.kept.game)

    summary = service.codec.decode_table(log.kept.game, log.kept.summary)

    assert service.codec.game(table) == service.codec.game(summary)


@EACH
async def test_a_log_that_may_be_told_is_verified(log):
    service = Service(await stored(log.kept))
    table = await service.house.tables.fresh(log.kept.game)
    told = table.created.reveal is Reveal.FULL and table.created.visibility is not Visibility.PRIVATE
    if not told or table.status is not Status.FINISHED or len(log.kept.events) > 400:
        return
    if table.created.rules_version != table.rules.version:
        return

    verdict = judge(await exported(service, log.kept.game))

    assert verdict.mismatch is None


@pytest.mark.parametrize("release", sorted({log.name.partition("/")[0] for log in LOGS}))
def test_a_release_has_logs_of_all_that_happens_at_a_table(release):
    told = {kind for log in LOGS if log.name.startswith(f"{release}/") for kind in kinds(log)}
    titles = {log.name.split("/")[1] for log in LOGS if log.name.startswith(f"{release}/")}

    assert titles == {*CATALOG}
    assert len(TABLE_EVENTS) == len(told - titles)


def test_what_is_recorded_is_never_changed():
    assert json.loads(MANIFEST.read_text()) == sums()


def test_nothing_that_the_previous_release_had_recorded_has_changed():
    """Whatever the manifest says."""
    kept = ("tests/golden/*.jsonl", "tests/golden/releases/*.gz")

    changed = git("diff", "--name-only", "--diff-filter=MDR", previous_commit(), "--", *kept)

    assert (0, b"") == (changed.returncode, changed.stdout), changed.stderr.decode()


def test_a_release_is_recorded_once():
    with pytest.raises(SystemExit, match="never recorded again"):
        releases.main()


def test_something_that_is_not_seen_any_more_is_missed():
    then = {"a": 1, "b": [{"c": 2}, {"d": 3}]}

    assert [] == list(lost(then, {"a": 1, "b": [{"c": 2, "new": 0}, {"d": 3}], "more": 1}))
    assert [".b[1].d: 3 then, None now"] == list(lost(then, {"a": 1, "b": [{"c": 2}, {}]}))
    assert 1 == len(list(lost(then, {"a": 1, "b": [{"c": 2}]})))


def test_every_release_has_its_folder():
    assert {path.name for path in RELEASES.iterdir() if path.is_dir()} == {
        log.name.split("/")[0] for log in LOGS
    }
    assert RELEASES.is_relative_to(FOLDER)
