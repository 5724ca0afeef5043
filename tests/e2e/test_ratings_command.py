"""Tests of `shedu ratings rebuild`: ratings from the logs of a store and its archive."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gamehost.play.players.rating_sequence import ratings_map
from gamehost.play.ports.maps import MapChange
from gamehost.stores.archive.files import FileArchive
from gamehost.stores.redis.store import RedisEventStore, connect
from support.keyed_service import KeyedService
from support.process import shedu_here


async def rated_games(store: RedisEventStore, folder: Path) -> None:
    """Plays three rated games, and moves the first two of them to the archive."""
    archive = FileArchive(folder)
    archive.prepare()
    service = KeyedService(store, archive=archive)
    ann, bob = [await service.key(name) for name in ("ann", "bob")]
    for number in range(3):
        game_id, tokens = await service.shared_table(ann, bob, rated=True)
        await service.call("Resign", tokens[number % 2], game_id=game_id)
        await service.record_finished_games()
        if number == 1:
            await service.archive_due_games()


async def test_ratings_are_checked_and_restored_from_logs_and_archive(redis_url: str, tmp_path: Path) -> None:
    store = connect(redis_url)
    await rated_games(store, tmp_path)

    def rebuild(*words: str) -> tuple[int, Any]:
        done = shedu_here(
            "ratings", "rebuild", "--redis", redis_url, "--archive-dir", tmp_path, "--json", *words
        )
        return done.returncode, json.loads(done.stdout)

    assert (0, {"games": 3, "differences": []}) == rebuild("--check")

    fields = await store.whole_map(ratings_map("tides"))
    one, other = [name for name in fields if name.startswith("player:")]
    await store.change_map(ratings_map("tides"), MapChange(put={one: fields[other]}))

    code, found = rebuild("--check")
    assert (1, [one.removeprefix("player:")]) == (code, [each["player"] for each in found["differences"]])
    assert 0 == rebuild()[0]
    assert (0, {"games": 3, "differences": []}) == rebuild("--check")
    assert fields[one] == (await store.whole_map(ratings_map("tides")))[one]
    await store.close()


def test_a_service_without_players_has_no_ratings(redis_url: str) -> None:
    done = shedu_here("ratings", "rebuild", "--redis", redis_url, SHEDU_PLAYERS="false")

    assert 2 == done.returncode
    assert "nothing about players" in done.stderr
