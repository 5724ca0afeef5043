"""Tests that luck is committed to before the game and can be verified after it."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

from gamehost.play.proof import prove
from gamehost.play.table.events import TABLE_EVENTS
from gamehost.rules.chance import SeededChance, commitment, luck_key
from gamehost.rules.kit import replay
from gamehost.titles.tides.rules import TIDES
from support.service import Service


async def finished() -> tuple[Service, str]:
    service = Service(luck="any")
    game_id, tokens = await service.table("Ann", "Bob")
    await service.finish(game_id, tokens)
    return service, game_id


async def test_the_revealed_seed_fits_the_commitment_of_the_first_event():
    service, game_id = await finished()

    events = (await service.call("ListEvents", game_id=game_id, page_size=1000)).events

    seed = events[-1].seed_revealed.seed
    assert 32 == len(seed)
    assert commitment(game_id, seed) == events[0].game_created.commitment
    assert hashlib.sha256(b"shedu:commitment:v1:" + game_id.encode() + b":" + seed).digest() == (
        events[0].game_created.commitment
    )


async def test_the_seed_alone_gives_every_draw_again():
    service, game_id = await finished()
    records = await service.application.tables.records(game_id, after=0)
    seed = records[-1].event.seed
    told = [record.event for record in records if not isinstance(record.event, TABLE_EVENTS)]

    dealt = TIDES.setup(TIDES.options(), 2, SeededChance(seed, 0))

    assert list(dealt) == told[: len(dealt)]
    assert TIDES.outcome(replay(TIDES, told)) == (await service.application.tables.current(game_id)).outcome


async def test_the_seed_is_in_no_event_view_or_snapshot_before_the_end():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    seed = await service.store.seed(game_id)
    assert seed is not None

    table = await service.application.tables.current(game_id)
    kept = [stored.payload for stored in await service.store.read(game_id)]
    kept.append(service.codec.encode_table(table, with_state=True))
    kept.append((await service.call("GetView", ann, game_id=game_id)).SerializeToString())

    assert not [payload for payload in kept if seed in payload]


async def dealt(service: Service, **client_seeds: bytes) -> tuple[str, list[Any]]:
    """Starts a game with these client seeds; returns its id and the events of the deal."""
    game_id = (await service.call("CreateGame", title="tides")).game.game_id
    for name, client_seed in client_seeds.items():
        await service.join(game_id, display_name=name, client_seed=client_seed)
    records = await service.application.tables.records(game_id, after=0)
    return game_id, [record.event for record in records if not isinstance(record.event, TABLE_EVENTS)]


async def test_client_seeds_become_part_of_the_luck():
    service = Service(luck="any")
    game_id, deal = await dealt(service, Ann=b"from Ann", Bob=b"")
    seed = await service.store.seed(game_id)
    assert seed is not None
    message = b"shedu:luck:v1:" + b"\x08from Ann" + b"\x00"

    key = hmac.digest(seed, message, "sha256")

    assert list(TIDES.setup(TIDES.options(), 2, SeededChance(key, 0))) == deal
    assert list(TIDES.setup(TIDES.options(), 2, SeededChance(seed, 0))) != deal


async def test_without_client_seeds_the_seed_alone_is_the_key():
    service = Service(luck="any")

    game_id, deal = await dealt(service, Ann=b"", Bob=b"")

    seed = await service.store.seed(game_id)
    assert list(TIDES.setup(TIDES.options(), 2, SeededChance(seed, 0))) == deal


async def test_client_seeds_count_as_they_are_at_the_start():
    service = Service(luck="any")
    game_id = (await service.call("CreateGame", title="tides", manual_start=True)).game.game_id
    gone = await service.join(game_id, client_seed=b"gone")
    ann = await service.join(game_id, client_seed=b"stays")
    await service.call("LeaveGame", gone, game_id=game_id)
    await service.join(game_id, client_seed=b"came")
    await service.call("StartGame", ann, game_id=game_id)

    fairness = (await service.call("GetFairness", game_id=game_id)).fairness

    records = await service.application.tables.records(game_id, after=0)
    deal = [record.event for record in records if not isinstance(record.event, TABLE_EVENTS)]
    key = luck_key(await service.store.seed(game_id), [b"came", b"stays"])
    assert [b"came", b"stays"] == list(fairness.client_seeds)
    assert list(TIDES.setup(TIDES.options(), 2, SeededChance(key, 0))) == deal


async def test_client_seeds_are_the_key_of_every_draw_after_the_deal_too():
    service = Service(luck="any")
    game_id, _ = await service.table()
    tokens = [await service.join(game_id, client_seed=seed) for seed in (b"one", b"two")]
    await service.finish(game_id, tokens)
    records = await service.application.tables.records(game_id, after=0)

    proof = prove(game_id, TIDES, records, await service.store.seed(game_id))

    assert 18 == proof.numbers


async def test_client_seeds_are_remembered_by_snapshots():
    service = Service()
    game_id = (await service.call("CreateGame", title="tides")).game.game_id
    await service.join(game_id, client_seed=b"kept")
    table = await service.application.tables.current(game_id)

    again = service.codec.decode_table(game_id, service.codec.encode_table(table, with_state=True))

    assert again == table
    assert (b"kept", b"") == again.client_seeds


async def test_client_seeds_are_public_and_at_most_64_bytes():
    service = Service()
    game_id = (await service.call("CreateGame", title="tides")).game.game_id
    await service.join(game_id, client_seed=b"x" * 64)

    events = (await service.call("ListEvents", game_id=game_id)).events
    refused = await service.refusal("JoinGame", game_id=game_id, client_seed=b"x" * 65)

    assert b"x" * 64 == events[1].seat_taken.client_seed
    assert ("INVALID_ARGUMENT", "INVALID_REQUEST") == refused


async def test_fairness_binds_before_the_start_and_tells_the_seed_after_the_end():
    service = Service()
    game_id, _ = await service.table()
    before = (await service.call("GetFairness", game_id=game_id)).fairness
    tokens = [await service.join(game_id) for _ in range(2)]
    running = (await service.call("GetFairness", tokens[0], game_id=game_id)).fairness
    await service.finish(game_id, tokens)

    after = (await service.call("GetFairness", game_id=game_id)).fairness

    assert [False, False, True] == [fairness.HasField("seed") for fairness in (before, running, after)]
    assert {before.commitment} == {running.commitment, after.commitment}
    assert commitment(game_id, after.seed) == before.commitment
    assert "shedu:v1" == before.method
    for label in ("shedu:commitment:v1:", "shedu:luck:v1:", "shedu:draw:v1:"):
        assert label in before.description


def test_draws_have_published_test_vectors():
    """Computed with another HMAC implementation; verifiers in any language can be tested with them."""
    chance = SeededChance(bytes(range(32)), 7)

    assert (6, 5, 3, 2, 3, 2) == chance.roll(6)
    assert (7, 6, 14) == chance.draw(range(1, 19), 3)


def test_every_outcome_is_equally_likely():
    faces = SeededChance(b"a fair seed", 0).roll(6000)

    expected = 1000
    chi_squared = sum((faces.count(face) - expected) ** 2 / expected for face in range(1, 7))
    assert chi_squared < 20.5  # one seed in a thousand would fail; this one is fixed
