"""Scenarios that do not depend on the title, played in the in-process service."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from gamehost.play.access import SeatKey
from gamehost.play.use_cases.play_action import DecisionAnswer
from shedu.v1 import game_pb2
from support.keyed_service import KeyedService
from support.service import Service
from support.started_game import StartedGame, kinds

from .games import known

Played = tuple[Service, str]
HOUR = 3600
NAMES = ("Ann", "Bob", "Cid", "Dot")


async def served(path: Path) -> Played:
    """Plays a golden game in a service, with the same options, luck and moves."""
    golden = known(path)
    service = Service(entropy=lambda size: golden.seed[:size])
    created = await service.call(
        "CreateGame",
        title=golden.title,
        seat_count=golden.seats,
        options=service.codec.renderer.options(golden.title, golden.options),
        request_id=f"golden-{golden.title}-{path.stem}",
    )
    game_id = created.game.game_id
    for name in NAMES[: golden.seats]:
        await service.join(game_id, display_name=name)
    for move in golden.moves[1:]:
        asked = (await service.application.tables.current(game_id)).decision_of(move.seat)
        answer = DecisionAnswer(asked.id, move.action)
        await service.application.play_action.play(game_id, SeatKey(game_id, move.seat, 1), answer, None)
    assert golden.outcome == (await service.application.tables.current(game_id)).outcome
    return service, game_id


async def table_talk(title: str) -> Played:
    """Plays with reserved, left and retaken seats, revoked tokens, undone moves, and an agreed end."""
    game = await gathered(title)
    await game.call("StartGame", 0)
    await take_back(game)
    await game.play(2)
    proposed = await game.call("ProposeUndo", 0, to_version=await dealt(game))
    await game.call("AnswerProposal", 1, proposal_id=proposed.view.proposal.proposal_id)
    await game.agree("ProposeUndo", 0, to_version=await dealt(game))
    await game.play(2)
    await game.agree("ProposeAbandon", 0)
    return game.service, game.game_id


async def take_back(game: StartedGame) -> None:
    """Plays up to ten actions, and undoes the first that its seat may take back alone, if there is one."""
    for _ in range(10):
        view = (await game.play()).view
        if view.HasField("undo_to_version"):
            await game.call("ProposeUndo", view.seat, to_version=view.undo_to_version)
            return


async def gathered(title: str) -> StartedGame:
    service = KeyedService(luck=title)
    keys = [await service.key(name) for name in ("ann", "bob")]
    seats = [game_pb2.SeatPlan(reserved_for="key:ann"), game_pb2.SeatPlan(reserved_for="key:bob")]
    wish = {"seats": seats, "manual_start": True, "visibility": game_pb2.VISIBILITY_PRIVATE}
    created = await service.call("CreateGame", keys[0], title=title, request_id="table-talk-000001", **wish)
    here = {"game_id": created.game.game_id}
    await service.call("JoinGame", keys[0], display_name="A.", **here)
    await service.call("LeaveGame", keys[0], **here)
    for key, name in zip(keys, NAMES, strict=False):
        await service.call("JoinGame", key, display_name=name, client_seed=name.encode(), **here)
    tokens = [(await service.call("RevokeSeatTokens", key, **here)).seat_token for key in keys]
    return StartedGame(service, created.game.game_id, tokens, title)


async def dealt(game: StartedGame) -> int:
    """Returns the version after the start of the game, to which all must agree to go back."""
    events = await game.events(0)
    start = kinds(events).index("game_started")
    return next(event.version for event in events[start:] if not event.continues)


async def time_is_up(title: str) -> Played:
    """Plays a time-out, a reclaimed seat, a resignation, and bots to the end; nothing is revealed."""
    service = Service(luck=title)
    clock = game_pb2.Clock(days=1, on_timeout=game_pb2.TIMEOUT_POLICY_TAKE_OVER)
    wish = {"clock": clock, "reveal": game_pb2.REVEAL_POLICY_NEVER}
    spectators = game_pb2.Spectators(policy=game_pb2.SPECTATOR_POLICY_PUBLIC, delay=5)
    game = await StartedGame.open(title, title, service, spectators=spectators, **wish)
    await game.play(3)
    await service.pass_time(25 * HOUR)
    late = [seat.seat for seat in (await game.view(0)).game.seats if seat.taken_over]
    await game.call("ReclaimSeat", late[0])
    await game.play(2)
    await game.call("Resign", late[0])
    await service.let_bots_play()
    return service, game.game_id


async def forfeited(title: str) -> Played:
    """Plays a game with a time bank in which a seat forfeits by time-out."""
    service = Service(luck=title)
    bank = game_pb2.TimeBank(initial={"seconds": 600}, increment={"seconds": 10}, cap={"seconds": 700})
    clock = game_pb2.Clock(bank=bank, on_timeout=game_pb2.TIMEOUT_POLICY_FORFEIT)
    game = await StartedGame.open(title, title, service, clock=clock)
    await game.play(4)
    await service.pass_time(2 * HOUR)
    await service.let_bots_play()
    return service, game.game_id


async def with_a_bot(title: str) -> Played:
    """Plays a person against a hosted bot until the person resigns."""
    service = Service(luck=title)
    created = await service.call("CreateGame", title=title, seats=[{}, {"bot_level": "random"}])
    game_id = created.game.game_id
    ann = await service.join(game_id, display_name="Ann")
    for _ in range(5):
        await service.let_bots_play()
        await service.move(game_id, ann)
    await service.call("Resign", ann, game_id=game_id)
    return service, game_id


async def sandbox(title: str) -> Played:
    service = Service(luck=title)
    game = await StartedGame.open(title, title, service)
    await game.play(6)
    fork = await game.call("ForkGame", 0)
    branch = StartedGame(service, fork.game.game_id, list(fork.seat_tokens), title)
    await branch.play(4)
    return service, branch.game_id


async def rematch(title: str) -> Played:
    service = Service(luck=title)
    game = await StartedGame.open(title, title, service)
    await game.play(2)
    await game.agree("ProposeAbandon", 0)
    again = [await game.call("Rematch", seat) for seat in range(len(game.tokens))]
    new = StartedGame(service, again[0].game.game_id, [each.seat_token for each in again], title)
    await new.play(5)
    return service, new.game_id


async def expired(title: str) -> Played:
    service = Service(luck=title, expiry=HOUR * 1_000_000)
    game_id = (await service.call("CreateGame", title=title)).game.game_id
    await service.join(game_id, display_name="Ann")
    await service.pass_time(2 * HOUR)
    return service, game_id


SCENARIOS: dict[str, Callable[[str], Awaitable[Played]]] = {
    each.__name__: each for each in (table_talk, forfeited, time_is_up, with_a_bot, sandbox, rematch, expired)
}
