"""Finds the answers and metrics by which a viewer can tell two worlds apart."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from gamehost.rules.kit import AnyRules, Seat
from rules.playouts import Game, Position
from shedu.v1 import game_service_pb2 as pb
from support.service import Service

from .observations import Observation, counters, grown, observe
from .probes import ASKED, READING, Probe, Prober
from .worlds import World, real_world, twin_world

Viewer = Seat | str | None
SALT = 1  # for what is dealt again in the other world


async def differences(
    rules: AnyRules,
    game: Game,
    position: Position,
    viewer: Viewer,
    rpcs: Collection[str] = frozenset(ASKED),
    **terms: Any,
) -> list[Probe | str]:
    """Returns the answers and counters that differ between two worlds which the viewer cannot tell apart.

    Calls only these `rpcs`, by default all.
    """
    seat = Seat(viewer) if isinstance(viewer, int) else None
    place = (rules, game, position)
    worlds = await real_world(*place, **terms), await twin_world(*place, seat, SALT, **terms)
    (one, counted), (other, counted_too) = [await all_seen(world, place, viewer, rpcs) for world in worlds]
    told_apart = [probe for (probe, seen), (_, too) in zip(one, other, strict=True) if seen != too]
    return [*told_apart, *sorted({name for name, _ in counted.symmetric_difference(counted_too)})]


async def all_seen(
    world: World, place: tuple[AnyRules, Game, Position], viewer: Viewer, rpcs: Collection[str]
) -> tuple[list[tuple[Probe, tuple[Observation, ...]]], frozenset[tuple[str, float]]]:
    """Returns what each probe shows, and the growth of the counters."""
    before, still = counters(), world.served()
    version = await still.store.version(world.game_id)
    probes = [probe for probe in Prober(*place, world, version).probes() if probe.rpc in rpcs]
    sights = [(probe, await seen_by(probe, world, viewer, still, version)) for probe in probes]
    return sights, frozenset(grown(before, counters()))


async def seen_by(
    probe: Probe, world: World, viewer: Viewer, still: Service, version: int
) -> tuple[Observation, ...]:
    """Returns what the call shows and, if it may change the game, the view and the events afterwards."""
    token = world.token(viewer)
    if probe.rpc in READING or only_validates(probe):
        return (await observe(still, probe.rpc, token, probe.fields),)
    service = world.served()
    first = await observe(service, probe.rpc, token, probe.fields)
    here = {"game_id": world.game_id}
    view = await observe(service, "GetView", token, here)
    news = await observe(service, "ListEvents", token, {**here, "after_version": version})
    forked = await in_the_sandbox(probe, first, service)
    await service.settled()  # so that its background writes are counted for this probe
    return (first, view, news, *forked)


def only_validates(probe: Probe) -> bool:
    """Whether every action of the probe is only checked, so that the game stays as it was."""
    actions = [item["play"] for item in probe.fields.get("items", [])] or [probe.fields]
    return all(action.get("validate_only") for action in actions)


async def in_the_sandbox(probe: Probe, first: Observation, service: Service) -> list[Observation]:
    """Returns the views of all seats of a fork, which belong to the caller."""
    if probe.rpc != "ForkGame" or (first.lines[-1:] and ("code", "OK") not in first.lines[-1]):
        return []
    answer = pb.ForkGameResponse.FromString(first.answers[0])
    asked = {"game_id": answer.game.game_id}
    return [await observe(service, "GetView", token, asked) for token in answer.seat_tokens]
