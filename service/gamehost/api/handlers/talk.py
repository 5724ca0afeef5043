"""Handlers of the TalkService."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing

from gamehost.api.pipeline.call import Call
from gamehost.codec.messages import MessageRenderer
from gamehost.codec.table_events import timestamp
from gamehost.play.application import Application
from gamehost.play.errors import InvalidRequest, NotFound
from gamehost.play.talk.phrases import phrases_of
from gamehost.play.talk.remarks import NumberedRemark, Remark
from gamehost.play.talk.table_talk import TalkCaughtUp, TalkEnded, TalkHeartbeat, TalkMessage
from gamehost.rules.phrases import Phrase
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as games_pb
from shedu.v1 import talk_service_pb2 as pb

from .idempotency import idempotency_key, seat_scope
from .paging import LARGEST_NUMBER, page_position, page_size, page_token, parsed_number


class TalkHandlers:
    """Answers the rpcs of the TalkService. The contract describes each of them."""

    def __init__(self, codec: MessageRenderer, application: Application) -> None:
        self._titles, self._talk = codec.titles, application.talk

    async def list_phrases(self, request: pb.ListPhrasesRequest, _call: Call) -> pb.ListPhrasesResponse:
        if request.title not in self._titles:
            raise NotFound(f"there is no title {request.title}", reason="TITLE_NOT_FOUND")
        found = phrases_of(request.title)
        position = page_position(request, request.page_token, 1)
        begin = parsed_number(position[0]) if position else 0
        end = begin + page_size(request.page_size, 50, 100)
        return pb.ListPhrasesResponse(
            phrases=map(phrase_message, found[begin:end]),
            next_page_token=page_token(request, end) if end < len(found) else "",
        )

    async def say(self, request: pb.SayRequest, call: Call) -> pb.SayResponse:
        call.note(game=request.game_id)
        remark = await self._talk.say(
            request.game_id,
            call.principal,
            idempotency_key(seat_scope(call), request),
            phrase_id=request.phrase_id,
            text=request.text,
        )
        call.note(seat=remark.seat)
        return pb.SayResponse(remark=remark_message(remark))

    async def list_talk(self, request: pb.ListTalkRequest, call: Call) -> pb.ListTalkResponse:
        call.note(game=request.game_id)
        position = page_position(request, request.page_token, 1)
        after = parsed_number(position[0]) if position else 0
        limit = page_size(request.page_size, 50, 100)
        found, more = await self._talk.page(request.game_id, call.principal, after, limit)
        last = found[-1].number if found else after
        return pb.ListTalkResponse(
            remarks=[remark_message(each.remark) for each in found],
            next_page_token=page_token(request, last) if more else "",
            cursor=str(last),
        )

    async def watch_talk(
        self, request: pb.WatchTalkRequest, call: Call
    ) -> AsyncIterator[pb.WatchTalkResponse]:
        call.note(game=request.game_id)
        watch = self._talk.watch(request.game_id, call.principal, talk_position(request.cursor))
        async with aclosing(watch) as messages:
            async for message in messages:
                yield talk_message(message)

    async def mute_seat(self, request: pb.MuteSeatRequest, call: Call) -> pb.MuteSeatResponse:
        call.note(game=request.game_id)
        muted = await self._talk.mute(
            request.game_id, call.principal, request.muted_seat, muted=request.muted
        )
        return pb.MuteSeatResponse(muted_seats=muted)


def talk_position(cursor: str) -> int:
    """The number in a cursor, 0 for an empty one. Raises InvalidRequest."""
    if not cursor:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 17 and int(cursor) <= LARGEST_NUMBER):
        raise InvalidRequest("cursor", "is not a cursor of talk")
    return int(cursor)


def phrase_message(phrase: Phrase) -> pb.Phrase:
    return pb.Phrase(
        phrase_id=phrase.id, texts={"en": phrase.english, "es": phrase.spanish, "pt": phrase.portuguese}
    )


def remark_message(remark: Remark) -> pb.Remark:
    message = pb.Remark(
        seat=remark.seat,
        display_name=remark.display_name,
        time=timestamp(remark.at),
        version=remark.version,
    )
    if remark.phrase_id:
        message.phrase.CopyFrom(game_pb2.Text(id=remark.phrase_id, english=remark.text))
    else:
        message.text = remark.text
    return message


def talk_message(message: TalkMessage) -> pb.WatchTalkResponse:
    match message:
        case NumberedRemark(number, remark):
            return pb.WatchTalkResponse(remark=remark_message(remark), cursor=str(number))
        case TalkCaughtUp(cursor):
            return pb.WatchTalkResponse(caught_up=pb.TalkCaughtUp(), cursor=str(cursor))
        case TalkHeartbeat(cursor):
            return pb.WatchTalkResponse(heartbeat=pb.TalkHeartbeat(), cursor=str(cursor))
        case TalkEnded(cursor, reason):
            named = games_pb.GoAwayReason.Value(f"GO_AWAY_REASON_{reason.name}")
            return pb.WatchTalkResponse(go_away=pb.TalkGoAway(reason=named), cursor=str(cursor))
