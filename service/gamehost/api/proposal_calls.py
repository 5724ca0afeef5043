"""The calls of GameService about going back, stopping early, and trying things out."""

from __future__ import annotations

from shedu.v1 import game_service_pb2 as pb

from .call import Call


class ProposalCalls:
    async def propose_undo(self, request: pb.ProposeUndoRequest, call: Call) -> pb.ProposeUndoResponse:
        raise NotImplementedError

    async def propose_abandon(
        self, request: pb.ProposeAbandonRequest, call: Call
    ) -> pb.ProposeAbandonResponse:
        raise NotImplementedError

    async def answer_proposal(
        self, request: pb.AnswerProposalRequest, call: Call
    ) -> pb.AnswerProposalResponse:
        raise NotImplementedError

    async def fork_game(self, request: pb.ForkGameRequest, call: Call) -> pb.ForkGameResponse:
        raise NotImplementedError
