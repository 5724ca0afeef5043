"""The codec of Tides of Time."""

from __future__ import annotations

from gamehost.rules.tides import TIDES
from gamehost.rules.tides.actions import Action
from gamehost.rules.tides.events import Event, RoundScored, Score
from gamehost.rules.tides.model import View
from shedu.tides.v1 import tides_pb2

from .title import title_codec

TIDES_CODEC = title_codec(
    TIDES, tides_pb2, action=Action, event=Event, view=View, memoized=[RoundScored, Score]
)
