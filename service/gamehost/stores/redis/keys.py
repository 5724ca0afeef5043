"""The names of keys in Redis. They are part of the data format and never change."""

from __future__ import annotations

from zlib import crc32

PING = "shedu:ping"
# Lists, registries and schedules of all games are spread over so many keys, and thus over the slots of a
# cluster. The number is part of the data format.
SHARDS = 16
SHARDED_REGISTRIES = frozenset({"payers"})
SHARDED_SCHEDULES = frozenset({"clocks", "archive"})


def game_key(game: str, part: str) -> str:
    # The braces put all keys of a game into one slot of a cluster. Scripts with several keys need that.
    return f"shedu:{{{game}}}:{part}"


def schedule_key(schedule: str, part: str) -> str:
    return f"shedu:{{agenda:{schedule}}}:{part}"


def schedule_shard(schedule: str, game: str) -> str:
    """Return the schedule that has a game: a shard, or the schedule itself if it has none."""
    return schedule + (shard_of(game) if schedule in SHARDED_SCHEDULES else "")


def schedule_shards(schedule: str) -> list[str]:
    """Return a schedule, in which earlier releases entered games, and its shards."""
    shards = SHARDS if schedule in SHARDED_SCHEDULES else 0
    return [schedule, *(f"{schedule}:{shard}" for shard in range(shards))]


def registry_key(registry: str, name: str = "") -> str:
    """Return the key of a name in a registry; without a name, the key that registries without shards have."""
    return f"shedu:book:{registry}" + (shard_of(name) if name and registry in SHARDED_REGISTRIES else "")


def registry_keys(registry: str) -> list[str]:
    """Return all keys of a registry."""
    shards = SHARDS if registry in SHARDED_REGISTRIES else 0
    return [registry_key(registry), *(f"{registry_key(registry)}:{shard}" for shard in range(shards))]


def board_key(board: str, part: str) -> str:
    return f"shedu:board:{{{board}}}:{part}"


def map_key(name: str, part: str) -> str:
    return f"shedu:map:{{{name}}}:{part}"


def list_key(list_name: str, game: str = "") -> str:
    """Return the key of a game in a list; without a game, the key that lists without shards have."""
    return f"shedu:shelf:{list_name}" + (shard_of(game) if game and is_sharded(list_name) else "")


def keys_of_list(list_name: str) -> list[str]:
    """Return all keys of a list."""
    shards = SHARDS if is_sharded(list_name) else 0
    return [list_key(list_name), *(f"{list_key(list_name)}:{shard}" for shard in range(shards))]


def is_sharded(list_name: str) -> bool:
    """Whether a list is one of all games: those of a caller have its name after a colon."""
    return ":" not in list_name


def shard_of(name: str) -> str:
    """Return the end of the key of the shard that has a game."""
    return f":{crc32(name.encode()) % SHARDS}"
