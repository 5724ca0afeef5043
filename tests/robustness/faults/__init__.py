"""The faults that a run can inject."""

from __future__ import annotations

from .clocks import ClockJump
from .disks import DiskFull, KillWhileSyncing, SlowFsync
from .fault import Fault
from .network import Blackhole, Cut, DroppedReplies, Latency
from .processes import (
    Drain,
    EmbeddedStoreKill,
    RedisKill,
    RedisPause,
    RollingRestart,
    ServiceKill,
    ServicePause,
)
from .readers import SlowReaders
from .storms import ReconnectStorm
from .topologies import (
    ClusterFailover,
    ClusterPrimaryKill,
    Resharding,
    SentinelFailover,
    SentinelPartition,
    SentinelPrimaryKill,
)

KINDS: tuple[type[Fault], ...] = (
    ServiceKill,
    ServicePause,
    Drain,
    RollingRestart,
    RedisKill,
    RedisPause,
    Latency,
    Cut,
    DroppedReplies,
    Blackhole,
    SlowFsync,
    KillWhileSyncing,
    DiskFull,
    ClockJump,
    ReconnectStorm,
    SlowReaders,
    EmbeddedStoreKill,
    SentinelFailover,
    SentinelPrimaryKill,
    SentinelPartition,
    ClusterFailover,
    ClusterPrimaryKill,
    Resharding,
)
FAULTS = {kind.name: kind for kind in KINDS}

__all__ = ["FAULTS", "Fault"]
