"""The codec of Stone Age."""

from __future__ import annotations

from gamehost.rules.stone_age import STONE_AGE
from gamehost.rules.stone_age.actions import Action
from gamehost.rules.stone_age.events import Event
from gamehost.rules.stone_age.model import View
from shedu.stone_age.v1 import stone_age_pb2

from .title import title_codec

STONE_AGE_CODEC = title_codec(STONE_AGE, stone_age_pb2, action=Action, event=Event, view=View)
