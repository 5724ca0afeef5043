"""`shedu play`: a game in the terminal, against hosted bots or at a table that others opened."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gamehost.commands.console import fail

if TYPE_CHECKING:
    import shedu

    from .new_game import PlayRequest
    from .saved_seat import SavedSeat, SavedSeats
    from .session import Parting

Title = Annotated[str, typer.Argument(help="A title, as `shedu titles` lists them; --game needs none.")]
Bots = Annotated[
    str,
    typer.Option(
        help="Who plays on the other seats: levels with commas between; the last fills what is left.",
        show_default="what the title proposes",
    ),
]
Seats = Annotated[int, typer.Option(help="How many play.", show_default="as few as possible")]
Option = Annotated[list[str] | None, typer.Option(help="An option of the title, as name=value; repeat it.")]
Server = Annotated[
    str,
    typer.Option(
        envvar="SHEDU_SERVER",
        help="The gRPC address of a server: host:port, grpc:// or, with TLS, grpcs:// (its files: "
        "SHEDU_SERVER_CA, SHEDU_CLIENT_CERT, SHEDU_CLIENT_KEY).",
        show_default="a service of your own, for this game",
    ),
]
TokenFile = Annotated[
    Path | None,
    typer.Option(help="A file with an API key or a JWT, where the server asks for one; or set SHEDU_TOKEN."),
]
GameId = Annotated[str, typer.Option("--game", help="Join this game instead of opening one.")]
Invite = Annotated[str, typer.Option(help="The invite code of a private game.")]
Name = Annotated[str, typer.Option(help="What the others call you.")]
Continue = Annotated[bool, typer.Option("--continue", help="Play the last unfinished game of the title on.")]
DataDir = Annotated[
    Path | None,
    typer.Option(
        envvar="SHEDU_PLAY_DIR",
        help="Where games of your own and the right to your seat are kept.",
        show_default="~/.local/share/shedu/play",
    ),
]


def join(app: typer.Typer) -> None:
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
    token_file: TokenFile = None,
    game: GameId = "",
    invite: Invite = "",
    name: Name = "Player",
    go_on: Continue = False,
    data_dir: DataDir = None,
) -> None:
    """Play a title in the terminal. Without a server, one is started for the game and bots play against you.

    Choices are numbered; ? tells the commands and the rules. Without a terminal, lines of input are read.
    """
    from gamehost import main
    from gamehost.commands.server_calls import explained
    from gamehost.settings import data_home

    from .new_game import PlayRequest
    from .saved_seat import SavedSeats

    data = data_dir or data_home() / "play"
    drawer = SavedSeats(data)
    kept = kept_seat(drawer, title) if go_on else None
    wish = PlayRequest(title, bots, seats, option or [], game, invite, name)
    refuse_nonsense(wish, server, kept)
    try:
        with venue(kept.server if kept else server, data) as here, explained(here.address):
            sit_down(here, wish, drawer, kept, token_file)
    except main.CANNOT_START as error:
        fail(str(error))


@dataclass(frozen=True, slots=True)
class Venue:
    """Where the game is. What does not last is gone when the player leaves."""

    address: str
    own: bool
    lasting: bool
    data: Path

    @property
    def usual(self) -> bool:
        from gamehost.settings import data_home

        return self.data == data_home() / "play"


@contextmanager
def venue(server: str, data: Path) -> Iterator[Venue]:
    from .local_service import own_service, place

    if server:
        yield Venue(server, False, True, data)
        return
    with place(data) as home, own_service(home) as address:
        yield Venue(address, True, home == data, data)


def kept_seat(drawer: SavedSeats, title: str) -> SavedSeat:
    kept = drawer.get(title) if title else None
    if kept is None:
        fail(f"there is no unfinished game of {title or 'which title?'}")
    return kept


def refuse_nonsense(wish: PlayRequest, server: str, kept: SavedSeat | None) -> None:
    """What can be told before anything is started."""
    from gamehost.rules.catalog import CATALOG

    if wish.game and not server:
        fail("on which server is that game? Say --server")
    if not wish.title and not wish.game:
        fail(f"which title? There are: {', '.join(sorted(CATALOG))}")
    if not server and not kept and wish.title not in CATALOG:
        fail(f"there is no title {wish.title}; there are: {', '.join(sorted(CATALOG))}")


def sit_down(
    here: Venue, wish: PlayRequest, drawer: SavedSeats, kept: SavedSeat | None, token_file: Path | None
) -> None:
    import shedu
    from gamehost.commands.server_calls import token

    from .new_game import create_or_join
    from .saved_seat import SavedSeat
    from .session import PlaySession

    with shedu.connect(here.address, token="" if here.own else token(token_file)) as there:
        player = there.player(kept.game_id, kept.seat, kept.token) if kept else create_or_join(there, wish)
        title = there.title(player.look().title)
        if here.lasting:
            server = "" if here.own else here.address
            drawer.put(SavedSeat(title.title, player.id, player.seat, player.token, server))
        part(here, drawer, title.title, player, PlaySession(player, title).play())


def part(here: Venue, drawer: SavedSeats, title: str, player: shedu.Player, parting: Parting) -> None:
    from .outcome import print_outcome, print_proof
    from .session import Parting, print_text

    if parting is Parting.LEFT:
        print_text("")
        if here.lasting:
            where = "" if here.usual else f" --data-dir {shlex.quote(str(here.data))}"
            print_text(
                f"You left game {player.id}. Play on with:  shedu play {title} --continue{where}", whole=True
            )
        else:
            print_text("You left, and the game is gone.")
        return
    print_outcome(player)
    drawer.forget(title, player.id)
    if player.outcome() is not None:
        print_proof(player, "" if here.own else here.address, here.data / "finished")
