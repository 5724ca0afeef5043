"""The queue of messages of one webhook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gamehost.play.ports.maps import MapChange
from gamehost.play.ports.schedule import DueGame, Outlook
from gamehost.play.ports.webhooks import WebhookStore

from .records import DeliveryState, Message, delivery_id

STATE = "state"
MOST_FAILED = 1000  # failed messages of a webhook that are kept


class MessageQueue:
    """The messages of a webhook, each delivered under one id.

    The store keeps three things under the name of the webhook: a board with the keys of the events that were
    put into the queue; a map with the state and the messages that were not delivered, in which those that
    have failed are ranked by time; and a schedule with the times of the next attempts.
    """

    def __init__(self, store: WebhookStore, webhook_id: str) -> None:
        self._store, self._webhook_id, self._name = store, webhook_id, f"hook:{webhook_id}"

    async def state(self) -> tuple[bytes | None, DeliveryState | None]:
        """Return the state, and its encoded form to replace it with `save_state`."""
        stored = await self._field(STATE)
        return stored, DeliveryState.decoded(stored) if stored else None

    async def save_state(self, before: bytes | None, state: DeliveryState) -> bool:
        """Replace the state; False if another process has replaced it meanwhile."""
        encoded = state.encoded()
        if encoded == before:
            return True
        return await self._store.change_map(self._name, MapChange({STATE: before}, {STATE: encoded}))

    async def unknown(self, keys: Sequence[str]) -> list[str]:
        """Return those of the keys whose events were never put into the queue."""
        known = await self._store.marked(self._name, keys)
        return [key for key, is_known in zip(keys, known, strict=True) if not is_known]

    async def add(self, key: str, event_type: str, body: bytes, now: int) -> None:
        """Put an event into the queue, due now. Repeating this before its delivery changes nothing."""
        message = Message(
            delivery_id(self._webhook_id, key), event_type, body.decode(), begun_at=now, next_at=now
        )
        # The mark comes last: if the process dies before it, the event is noticed and added again.
        await self._store.change_map(
            self._name, MapChange({message.id: None}, {message.id: message.encoded()})
        )
        await self._store.schedule(self._name, message.id, now)
        await self._store.mark(self._name, once=[key])

    async def outlook(self) -> Outlook:
        return await self._store.outlook(self._name)

    async def due(self, now: int, *, limit: int, lease: int) -> Sequence[DueGame]:
        return await self._store.due(self._name, now, limit=limit, lease=lease)

    async def message(self, message_id: str) -> Message | None:
        """Return a message that has not been delivered."""
        stored = await self._field(message_id)
        return Message.decoded(stored) if stored else None

    async def delivered(self, due: DueGame) -> None:
        """Remove a message that was delivered."""
        await self._store.change_map(self._name, MapChange(remove=[due.game], unrank=[due.game]))
        await self._store.settle(self._name, due, None)

    async def failed(self, due: DueGame, after: Message) -> None:
        """Store a failed attempt. A message without a next attempt is given up."""
        change = MapChange(put={after.id: after.encoded()}, scores={after.id: after.last_at})
        await self._store.change_map(self._name, change)
        await self._store.settle(self._name, due, after.next_at or None)
        if not after.next_at:
            await self._remove_oldest()

    async def _remove_oldest(self) -> None:
        """Remove the oldest messages that were given up, if too many are kept."""
        size = await self._store.ranking_size(self._name)
        if size <= MOST_FAILED:
            return
        oldest = await self._store.ranked(self._name, start=MOST_FAILED, limit=size - MOST_FAILED)
        for each in oldest:
            message = await self.message(each.member)
            if message is None or not message.next_at:
                await self._store.change_map(
                    self._name, MapChange(remove=[each.member], unrank=[each.member])
                )

    async def failures(self, start: int, limit: int) -> tuple[Sequence[Message], bool]:
        """Return a page of failed messages, the last failed first, and whether there may be more."""
        page = await self._store.ranked(self._name, start=start, limit=limit)
        stored = await self._store.map_fields(self._name, [each.member for each in page])
        return [Message.decoded(each) for each in stored if each], len(page) == limit

    async def replay(self, message_id: str, now: int) -> bool:
        """Have a failed message sent again now; False if it was delivered or is unknown."""
        stored = await self._field(message_id)
        message = Message.decoded(stored) if stored else None
        if message is None or not message.attempts:
            return False
        again = replace(message, begun_at=now, tries=0, next_at=now)
        if not await self._store.change_map(
            self._name, MapChange({message_id: stored}, {message_id: again.encoded()})
        ):
            return False  # an attempt has just ended; its result counts
        await self._store.schedule(self._name, message_id, now)
        return True

    async def remove(self) -> None:
        """Remove everything that the store keeps of the queue."""
        await self._store.remove_schedule(self._name)
        fields = [*await self._store.whole_map(self._name)]
        if fields:
            await self._store.change_map(self._name, MapChange(remove=fields, unrank=fields))
        await self._store.remove_board(self._name)

    async def _field(self, name: str) -> bytes | None:
        [stored] = await self._store.map_fields(self._name, [name])
        return stored
