"""The codec of the Euphrates & Tigris card game."""

from __future__ import annotations

from gamehost.rules.tigris_cards import TIGRIS_CARDS
from gamehost.rules.tigris_cards.actions import Action
from gamehost.rules.tigris_cards.events import Event
from gamehost.rules.tigris_cards.model import View
from shedu.tigris_cards.v1 import tigris_cards_pb2

from .title import title_codec

TIGRIS_CARDS_CODEC = title_codec(TIGRIS_CARDS, tigris_cards_pb2, action=Action, event=Event, view=View)
