"""Combinations of the ports of the store. The adapters in `stores` implement all of them."""

from __future__ import annotations

from typing import Protocol

from gamehost.play.ports.event_log import EventLog, StoreConnection, WholeGames
from gamehost.play.ports.inbox_board import InboxBoard
from gamehost.play.ports.listings import Listings
from gamehost.play.ports.maps import Maps
from gamehost.play.ports.registry import Registry
from gamehost.play.ports.schedule import ScheduleStore
from gamehost.play.ports.talk_log import TalkLog


class ListedLogs(EventLog, Listings, Protocol):
    """Logs of games, and lists of them."""


class InboxStore(ListedLogs, InboxBoard, Protocol):
    """The ports that inboxes need: lists of a caller's games, their logs, and the caller's board."""


class EventStore(
    EventLog,
    WholeGames,
    Listings,
    ScheduleStore,
    InboxBoard,
    Registry,
    Maps,
    TalkLog,
    StoreConnection,
    Protocol,
):
    """The whole store, as an adapter implements it. A use case takes only the ports that it needs."""
