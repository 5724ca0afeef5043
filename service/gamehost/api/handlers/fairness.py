"""The handler of GetFairness: what a player needs to verify the luck of a game."""

from __future__ import annotations

from gamehost.api.pipeline.call import Call
from gamehost.codec.table_events import REVEAL
from gamehost.play.application import Application
from gamehost.play.fairness import Fairness
from shedu.v1 import game_pb2
from shedu.v1 import game_service_pb2 as pb

# Players verify games with this text alone, so it must change together with the code it describes.
METHOD = "shedu:v1"
DESCRIPTION = (
    'The commitment is SHA-256 of "shedu:commitment:v1:", the game id, ":" and the seed. '
    "The key is the seed or, when a seat gave a client seed, HMAC-SHA256 under the seed of "
    '"shedu:luck:v1:" and for each seat one byte of length and its client seed. '
    "Number n of a call that finds `position` events of the title, undone ones left out, is "
    'the first 8 bytes, big-endian, of HMAC-SHA256 under the key of "shedu:draw:v1:{position}:{n}". '
    "A choice below a bound skips numbers from its greatest multiple on and is the remainder by it; "
    "a die is 1 + a choice below its sides; a draw removes items at choices below the number of items left."
)


class FairnessHandlers:
    """Answers GetFairness."""

    def __init__(self, application: Application) -> None:
        self._viewing, self._fairness = application.viewing, application.fairness

    async def get_fairness(self, request: pb.GetFairnessRequest, call: Call) -> pb.GetFairnessResponse:
        # What is revealed may depend on having a seat, but never on which one.
        viewpoint = await self._viewing.viewpoint_of_any_seat(request.game_id, call.principal)
        table, seat = viewpoint.table, viewpoint.access.seat if viewpoint.access else None
        call.note(game=table.game_id, seat=seat, version=table.version)
        return pb.GetFairnessResponse(fairness=fairness_message(await self._fairness.of(table, seat)))


def fairness_message(fairness: Fairness) -> game_pb2.Fairness:
    """The commitment and the method; the seed only once the game reveals it."""
    return game_pb2.Fairness(
        method=METHOD,
        description=DESCRIPTION,
        commitment=fairness.commitment,
        reveal=REVEAL[fairness.reveal],
        client_seeds=fairness.client_seeds,
        seed=fairness.seed,
    )
