"""`shedu play`: play in the terminal, against bots or in a game that someone else created."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamehost.commands.console import fail
from gamehost.commands.options import CallerTokenFile

if TYPE_CHECKING:
    import shedu

    from .new_game import PlayRequest
    from .saved_seat import SavedSeat, SavedSeats
    from .session import SessionEnd

Title = Annotated[str, typer.Argument(help="A title, as `shedu titles` lists them; --game needs none.")]
Bots = Annotated[
    str,
    typer.Option(
        help="Bot levels of the other seats, separated by commas; the last one fills the remaining seats.",
        show_default="the default level of the title",
    ),
]
Seats = Annotated[int, typer.Option(help="Number of seats.", show_default="the fewest the title allows")]
Option = Annotated[list[str] | None, typer.Option(help="An option of the title, as name=value; repeat it.")]
Server = Annotated[
    str,
    typer.Option(
        envvar="SHEDU_SERVER",
        help="The gRPC address of a server: host:port, grpc:// or, with TLS, grpcs:// (its files: "
        "SHEDU_SERVER_CA, SHEDU_CLIENT_CERT, SHEDU_CLIENT_KEY).",
        show_default="start a local server for this game",
    ),
]
GameId = Annotated[str, typer.Option("--game", help="Join this game instead of creating one.")]
Invite = Annotated[str, typer.Option(help="The invite code of a private game.")]
Name = Annotated[str, typer.Option(help="Your name, as other players see it.")]
Continue = Annotated[bool, typer.Option("--continue", help="Continue the last unfinished game of the title.")]
DataDir = Annotated[
    Path | None,
    typer.Option(
        envvar="SHEDU_PLAY_DIR",
        help="Directory of local games and saved seat tokens.",
        show_default="~/.local/share/shedu/play",
    ),
]


def register(app: typer.Typer) -> None:
    app.command(
        epilog="Examples:\n\n    shedu play tides\n\n    shedu play tigris --bots greedy,random\n\n"
        "    shedu play stone_age --seats 4 --option max_rounds=5\n\n    shedu play tides --continue\n\n"
        "    shedu play --server play.example.org:50051 --game t7q2mxk4wz5r3ncvb6ha --name Ann"
    )(play)


def play(
    title: Title = "",
    bots: Bots = "",
    seats: Seats = 0,
    option: Option = None,
    server: Server = "",
    token_file: CallerTokenFile = None,
    game: GameId = "",
    invite: Invite = "",
    name: Name = "Player",
    go_on: Continue = False,
    data_dir: DataDir = None,
) -> None:
    """Play a title in the terminal. Without --server, a local server is started and you play against bots.

    Choices are numbered; ? shows the commands and the rules. Input may also come from a pipe.
    """
    from gamehost import main
    from gamehost.commands.server_calls import call_errors_explained
    from gamehost.settings import data_home

    from .new_game import PlayRequest
    from .saved_seat import SavedSeats

    data = data_dir or data_home() / "play"
    saved_seats = SavedSeats(data)
    saved = saved_seat_of(saved_seats, title) if go_on else None
    request = PlayRequest(title, bots, seats, option or [], game, invite, name)
    check_request(request, server, saved)
    try:
        with (
            open_game_server(saved.server if saved else server, data) as host,
            call_errors_explained(host.address),
        ):
            play_seat(host, request, saved_seats, saved, token_file)
    except main.CANNOT_START as error:
        fail(str(error))


@dataclass(frozen=True, slots=True)
class GameServer:
    """The server of the game. A game that is not `persistent` is lost when the player leaves.

    `started` is set if this command runs the server.
    """

    address: str
    started: bool
    persistent: bool
    data: Path

    @property
    def is_default_directory(self) -> bool:
        from gamehost.settings import data_home

        return self.data == data_home() / "play"


@contextmanager
def open_game_server(server: str, data: Path) -> Iterator[GameServer]:
    from .local_service import run_local_server, usable_data_dir

    if server:
        yield GameServer(server, False, True, data)
        return
    with usable_data_dir(data) as home, run_local_server(home) as address:
        yield GameServer(address, True, home == data, data)


def saved_seat_of(saved_seats: SavedSeats, title: str) -> SavedSeat:
    saved = saved_seats.get(title) if title else None
    if saved is None:
        fail(f"there is no unfinished game of {title or 'which title?'}")
    return saved


def check_request(request: PlayRequest, server: str, saved: SavedSeat | None) -> None:
    """Fail for invalid requests before a server is started."""
    from gamehost.rules.catalog import CATALOG

    if request.game and not server:
        fail("--game needs --server")
    if not request.title and not request.game:
        fail(f"which title? There are: {', '.join(sorted(CATALOG))}")
    if not server and not saved and request.title not in CATALOG:
        fail(f"there is no title {request.title}; there are: {', '.join(sorted(CATALOG))}")


def play_seat(
    host: GameServer,
    request: PlayRequest,
    saved_seats: SavedSeats,
    saved: SavedSeat | None,
    token_file: Path | None,
) -> None:
    import shedu
    from gamehost.commands.server_calls import token

    from .new_game import create_or_join
    from .saved_seat import SavedSeat
    from .session import PlaySession

    with shedu.connect(host.address, token="" if host.started else token(token_file)) as there:
        player = (
            there.player(saved.game_id, saved.seat, saved.token) if saved else create_or_join(there, request)
        )
        title = there.title(player.look().title)
        if host.persistent:
            server = "" if host.started else host.address
            saved_seats.put(SavedSeat(title.title, player.id, player.seat, player.token, server))
        finish(host, saved_seats, title.title, player, PlaySession(player, title).play())


def finish(
    host: GameServer, saved_seats: SavedSeats, title: str, player: shedu.Player, end: SessionEnd
) -> None:
    from .outcome import print_outcome, print_proof
    from .session import SessionEnd, print_text

    if end is SessionEnd.LEFT:
        print_text("")
        if host.persistent:
            where = "" if host.is_default_directory else f" --data-dir {shlex.quote(str(host.data))}"
            print_text(
                f"You left game {player.id}. Continue with:  shedu play {title} --continue{where}", whole=True
            )
        else:
            print_text("You left. The game was not saved.")
        return
    print_outcome(player)
    saved_seats.forget(title, player.id)
    if player.outcome() is not None:
        print_proof(player, "" if host.started else host.address, host.data / "finished")
