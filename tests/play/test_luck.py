"""Luck is bound before the game and can be checked after it."""

from __future__ import annotations

import hashlib

from gamehost.play.table import TABLE_EVENTS
from gamehost.rules.chance import SeededChance, commitment
from gamehost.rules.kit import replay
from gamehost.rules.tides import TIDES
from support.world import Service


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
    records = await service.house.tables.records(game_id, after=0)
    seed = records[-1].event.seed
    told = [record.event for record in records if not isinstance(record.event, TABLE_EVENTS)]

    dealt = TIDES.setup(TIDES.options(), 2, SeededChance(seed, 0))

    assert list(dealt) == told[: len(dealt)]
    assert TIDES.outcome(replay(TIDES, told)) == (await service.house.tables.fresh(game_id)).outcome


async def test_the_seed_is_in_no_event_view_or_snapshot_before_the_end():
    service = Service()
    game_id, (ann, _) = await service.table("Ann", "Bob")
    seed = await service.store.seed(game_id)
    assert seed is not None

    table = await service.house.tables.fresh(game_id)
    kept = [stored.payload for stored in await service.store.read(game_id)]
    kept.append(service.codec.encode_table(table, with_state=True))
    kept.append((await service.call("GetView", ann, game_id=game_id)).SerializeToString())

    assert not [payload for payload in kept if seed in payload]


def test_draws_have_published_test_vectors():
    """Computed with another HMAC than ours; a verifier in any language can be checked by them."""
    chance = SeededChance(bytes(range(32)), 7)

    assert (6, 5, 3, 2, 3, 2) == chance.roll(6)
    assert (7, 6, 14) == chance.draw(range(1, 19), 3)


def test_every_outcome_is_equally_likely():
    faces = SeededChance(b"a fair seed", 0).roll(6000)

    expected = 1000
    chi_squared = sum((faces.count(face) - expected) ** 2 / expected for face in range(1, 7))
    assert chi_squared < 20.5  # one seed in a thousand would fail, and this one is fixed
