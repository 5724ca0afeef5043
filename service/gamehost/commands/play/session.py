"""The interactive session of `shedu play`: prints events and asks for decisions."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from enum import Enum, auto

from rich.rule import Rule
from rich.text import Text

import shedu
from gamehost.commands.console import err, out
from gamehost.commands.terminal.boards import board
from gamehost.commands.terminal.event_text import event_sentence
from gamehost.message_text import printable
from shedu.arguments import Legal
from shedu.resuming import Moment
from shedu.v1 import catalog_service_pb2, game_pb2

from .choices import Choices
from .rulebook import help_text, rule_text

PLAY_PROMPT = "a number, words to search, ? help, u undo, r resign, q leave: "


class SessionEnd(Enum):
    """The way in which a session ended."""

    FINISHED = auto()
    RESIGNED = auto()
    LEFT = auto()


class PlayerLeft(Exception):
    """The player quit the session."""


class PlayerResigned(Exception):
    """The player resigned."""


class PlaySession:
    """Plays one seat until the game is over or the player leaves."""

    def __init__(self, player: shedu.Player, title: catalog_service_pb2.Title) -> None:
        self._player, self._title = player, title
        self.view = game_pb2.View()
        self._names: Sequence[str] = ()
        self._drawn = ""

    def play(self) -> SessionEnd:
        try:
            self._follow()
        except (PlayerLeft, EOFError, KeyboardInterrupt):
            return SessionEnd.LEFT
        except PlayerResigned:
            return SessionEnd.RESIGNED
        return SessionEnd.FINISHED

    @property
    def names(self) -> Sequence[str]:
        return self._names

    def _follow(self) -> None:
        moments = iter(self._player.watch())
        while True:
            with err.status(f"waiting for {self._waiting_for()} …"):
                moment = next(moments, None)
            if moment is None:
                return
            self._show_moment(moment)

    def _show_moment(self, moment: Moment) -> None:
        self.view, self._names = moment.view, names_of(moment.view, self._player.seat)
        for event in moment.events:
            if (sentence := event_sentence(event, self._names)) is not None:
                print_text(sentence)
        if moment.view.game.seats[self._player.seat].taken_over:
            self._reclaim_seat()
        elif self._is_asked_to_accept():
            self._answer_proposal(moment.view.proposal)
        elif not self._has_own_proposal():
            self._ask_if_asked(moment.view)

    def _waiting_for(self) -> str:
        if self.view.game.status == game_pb2.GAME_STATUS_GATHERING:
            return f"players of game {self.view.game.game_id}"
        asked = sorted({each.seat for each in self.view.decisions} - {self._player.seat})
        return ", ".join(self._names[seat] for seat in asked) or "the table"

    def _has_own_proposal(self) -> bool:
        return self.view.HasField("proposal") and self.view.proposal.seat == self._player.seat

    def _is_asked_to_accept(self) -> bool:
        return self.view.HasField("proposal") and self._player.seat in self.view.proposal.waiting_for

    def _reclaim_seat(self) -> None:
        read_line("You ran out of time and a bot plays for you. Press Enter to take your seat back: ")
        try:
            self._player.reclaim()
        except shedu.NotNow as error:  # it was reclaimed too often, or the bot has ended the game
            print_text(error.message)

    def _answer_proposal(self, proposal: game_pb2.Proposal) -> None:
        wish = "end the game without a winner" if proposal.WhichOneof("kind") == "abandon" else "undo"
        said = read_line(f"{self._names[proposal.seat]} proposes to {wish}. Do you accept? yes or no: ")
        try:
            self._player.answer(proposal, accept=said.lower() in ("y", "yes"))
        except (shedu.NotNow, shedu.Stale) as error:
            print_text(error.message)

    def _ask_if_asked(self, view: game_pb2.View) -> None:
        # The view is from the stream, the legal actions are newer: bots may have moved in between. Only a
        # decision that both have is asked; for any other the stream brings a newer view.
        mine = {each.decision_id for each in view.decisions if each.seat == self._player.seat}
        legal = self._player.legal_actions() if mine else None
        if legal and legal.decision and legal.decision.decision_id in mine:
            self._draw(view)
            SeatQuestion(self._player, self._title, view, self._names, legal).ask()

    def _draw(self, view: game_pb2.View) -> None:
        """Print the board unless it is unchanged, as between choosing a tile and choosing its space."""
        with out.capture() as drawing:
            print_board(view, self._names)
        if drawing.get() != self._drawn:
            self._drawn = drawing.get()
            print_board(view, self._names)


class SeatQuestion:
    """One decision: shows the choices and reads commands until it is answered or obsolete."""

    def __init__(
        self,
        player: shedu.Player,
        title: catalog_service_pb2.Title,
        view: game_pb2.View,
        names: Sequence[str],
        legal: Legal,
    ) -> None:
        self._player, self._title, self._view, self._names, self._legal = player, title, view, names, legal
        self._choices = Choices([each.text.english for each in legal.actions])
        self._all = range(len(legal.actions))

    def ask(self) -> None:
        self._show()
        while not self._run_command(read_line(PLAY_PROMPT)):
            pass

    def _show(self) -> None:
        decision = self._legal.decision
        assert decision is not None
        left = (
            f" ({decision.deadline.seconds - time.time():.0f} s left)"
            if decision.HasField("deadline")
            else ""
        )
        out.print(Text(f"{printable(decision.prompt.english)}{left}", "bold"))
        out.print(self._choices.shown(self._all), highlight=False)

    def _run_command(self, said: str) -> bool:
        """Run a command and return whether the decision is answered."""
        word, _, rest = said.lower().partition(" ")
        match word:
            case "":
                print_text(f"Type a number from 1 to {len(self._all)}, or ? for help.")
            case "?" | "h" | "help":
                out.print(help_text(self._title, rest.strip()), highlight=False)
            case "all":
                out.print(self._choices.shown(self._all, None), highlight=False)
            case "b" | "board":
                print_board(self._view, self._names)
                self._show()
            case "q" | "quit":
                raise PlayerLeft
            case "u" | "undo":
                return self._undo()
            case "r" | "resign":
                self._resign()
            case _:
                return self._chosen(said)
        return False

    def _chosen(self, said: str) -> bool:
        chosen = self._choices.named(said)
        if chosen is not None:
            return self._play(chosen)
        if said.lstrip("-").isdecimal():
            print_text(f"There is no choice {said}: they are 1 to {len(self._all)}. Nothing was played.")
        elif found := self._choices.matching(said):
            out.print(self._choices.shown(found), highlight=False)
        else:
            print_text(f"No choice has “{said}”. Nothing was played; all shows every choice, ? helps.")
        return False

    def _play(self, chosen: int) -> bool:
        assert self._legal.decision is not None
        try:
            self._player.play(self._legal.actions[chosen], self._legal.decision)
        except shedu.Refused as refused:
            print_text(f"{refused.message} {rule_text(self._title, refused.rule)}")
            return False
        # The decision is no longer open, so it counts as answered: the stream brings the next one.
        except (shedu.Stale, shedu.NotNow) as error:
            print_text(f"{error.message}: the game has continued.")
        return True

    def _undo(self) -> bool:
        try:
            asked = self._player.undo()
        except (shedu.NotNow, shedu.Stale, shedu.InvalidRequest) as error:
            print_text(f"Nothing was undone: {error.message}.")
            return False
        if asked.view.HasField("proposal"):
            who = ", ".join(self._names[seat] for seat in asked.view.proposal.waiting_for)
            print_text(f"The other players must accept: {who} was asked. Ctrl-C leaves.")
        return True

    def _resign(self) -> None:
        if read_line("Really resign? yes or no: ").lower() not in ("y", "yes"):
            print_text("You did not resign.")
            return
        self._player.resign()
        raise PlayerResigned


def names_of(view: game_pb2.View, me: int) -> list[str]:
    """Return a unique name for each seat: you, a player's name, or the level of a bot."""
    seats = view.game.seats
    called = [seat.display_name or f"{seat.bot_level} bot".strip() for seat in seats]
    called = [name if name != "bot" else "nobody" for name in map(printable, called)]
    return [
        "you" if n == me else f"{name} {n}" if called.count(name) > 1 or name == "you" else name
        for n, name in enumerate(called)
    ]


def print_board(view: game_pb2.View, names: Sequence[str]) -> None:
    drawing = board(view, names)
    if drawing is not None:
        out.print(Rule(style="dim"), drawing, highlight=False)


def read_line(prompt: str) -> str:
    """Read a line. Input from a pipe is echoed, as a terminal would do."""
    said = out.input(Text(prompt, "bold cyan")).strip()
    # Without the echo, a transcript of a game from a pipe would show no answers.
    if not sys.stdin.isatty():
        print_text(said)
    return said


def print_text(sentence: str, *, whole: bool = False) -> None:
    """Print a sentence. `whole` does not wrap it, for commands that are copied."""
    out.print(Text(printable(sentence)), highlight=False, soft_wrap=whole)
