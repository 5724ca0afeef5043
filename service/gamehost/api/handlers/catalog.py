"""Handlers of CatalogService: the titles, their options and bots."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import MISSING, fields
from enum import Enum
from typing import Any

from gamehost import __version__
from gamehost.api.pipeline.call import Call
from gamehost.codec.messages import MessageRenderer
from gamehost.codec.mirror import snake
from gamehost.codec.title import TitleCodec
from gamehost.play.errors import NotFound
from gamehost.play.ports.bots import BotCatalog, BotLevel
from shedu.v1 import catalog_service_pb2 as pb

from .paging import page_position, page_size, page_token, parsed_number


class CatalogHandlers:
    """Answers from messages that are built once: the catalog does not change while the process runs."""

    def __init__(self, codec: MessageRenderer, bot_catalog: BotCatalog) -> None:
        titles = sorted(codec.titles.items())
        self._titles = {name: title_message(title, bot_catalog.levels(name)) for name, title in titles}

    async def list_titles(self, request: pb.ListTitlesRequest, call: Call) -> pb.ListTitlesResponse:
        position = page_position(request, request.page_token, 1)
        start = parsed_number(position[0]) if position else 0
        stop = start + page_size(request.page_size, 50, 100)
        titles = list(self._titles.values())
        more = page_token(request, stop) if stop < len(titles) else ""
        return pb.ListTitlesResponse(
            titles=titles[start:stop], next_page_token=more, server_version=__version__
        )

    async def get_title(self, request: pb.GetTitleRequest, call: Call) -> pb.GetTitleResponse:
        if request.title not in self._titles:
            raise NotFound(f"there is no title {request.title}", reason="TITLE_NOT_FOUND")
        return pb.GetTitleResponse(title=self._titles[request.title])


def title_message(title: TitleCodec, levels: Sequence[BotLevel]) -> pb.Title:
    """Describes a title from the facts that its rules declare."""
    rules = title.rules
    return pb.Title(
        title=rules.title,
        display_name=rules.name,
        summary=rules.summary,
        min_seats=rules.seats.start,
        max_seats=rules.seats.stop - 1,
        rules_version=rules.version,
        options=[
            option_message(field.name, field.default, field.metadata["meaning"])
            for field in fields(rules.options)
        ],
        rules=[pb.Rule(rule_id=rule, text=text) for rule, text in rules.texts.items()],
        bots=[pb.Bot(level=bot.name, meaning=bot.meaning, default=bot.default) for bot in levels],
    )


def option_message(name: str, default: Any, meaning: str) -> pb.Option:
    """Describes an option; its default and choices are written as in JSON requests."""
    if default is MISSING:
        raise TypeError(f"option {name} has no default")
    if not isinstance(default, Enum):
        kind = type(default).__name__
        return pb.Option(name=name, meaning=meaning, type=kind, default_value=json.dumps(default))
    prefix = snake(type(default).__name__).upper()
    choices = [json.dumps(f"{prefix}_{member.name}") for member in type(default)]
    chosen = json.dumps(f"{prefix}_{default.name}")
    return pb.Option(name=name, meaning=meaning, type="enum", default_value=chosen, choices=choices)
