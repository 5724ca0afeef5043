"""Tests of boards as text: they show what the view has, and every event has a description."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from gamehost.codec.titles import TITLES
from gamehost.commands.terminal import parts
from gamehost.commands.terminal.event_text import event_sentence
from gamehost.commands.terminal.title import TERMINALS
from gamehost.rules.kit import replay
from gamehost.titles.stone_age import terminal as stone_age
from gamehost.titles.tides import terminal as tides
from gamehost.titles.tigris import terminal as tigris
from golden import games
from shedu.stone_age.v1 import stone_age_pb2
from shedu.tides.v1 import tides_pb2
from shedu.tigris.v1 import tigris_pb2
from shedu.tigris_cards.v1 import tigris_cards_pb2
from shedu.v1 import game_pb2

NAMES = ["you", "Bea", "Cid", "Dan"]
VIEWS = 8  # of each game
WIDTH = 80


def views_and_boards(title: str) -> Iterator[tuple[Any, list[str]]]:
    """Yields views of the first seat, spread over every recorded game, with the lines of their boards."""
    for file in games.golden_paths(title):
        game = games.read(file)
        for n in range(1, VIEWS + 1):
            state = replay(game.rules, game.events[: len(game.events) * n // VIEWS])
            view = TITLES[title].view.encode(game.rules.view(state, 0))
            yield view, lines(title, view, NAMES[: game.seats])


def lines(title: str, view: Any, names: list[str]) -> list[str]:
    page = Console(file=StringIO(), width=WIDTH, color_system=None)
    page.print(TERMINALS[title].draw(view, names), highlight=False)
    assert isinstance(page.file, StringIO)
    return page.file.getvalue().splitlines()


def test_the_map_of_tigris_shows_everything_at_its_place() -> None:
    for view, shown in views_and_boards("tigris"):
        rows = [line[3:].ljust(64) for line in shown[1:12]]
        cells = {(row, n): rows[row][4 * n : 4 * n + 4] for row in range(11) for n in range(16)}

        board = view.board
        hidden = {tigris.at(board.covered)} if board.HasField("covered") else set()
        tiles = {tigris.at(tile.space): tile.colour for tile in board.tiles}
        leaders = {tigris.at(each.space): (each.seat, each.leader) for each in board.leaders}
        assert {place: "TFMS"[c - 1] for place, c in tiles.items() if place not in hidden} == {
            place: cell[1] for place, cell in cells.items() if cell[1] in "TFMS"
        }
        assert {place: "pftk"[c - 1] + str(seat) for place, (seat, c) in leaders.items()} == {
            place: cell[1:3] for place, cell in cells.items() if cell[1] in "pftk"
        }
        assert placed(board.treasures) == {place for place, cell in cells.items() if cell[3] in "*!"}
        assert placed(board.catastrophes) == {place for place, cell in cells.items() if cell[1] == "X"}
        assert placed(board.face_down) == {place for place, cell in cells.items() if cell[0] == "#"}
        assert {tigris.at(each.space) for each in board.buildings} - hidden == {
            place for place, cell in cells.items() if cell[2] == "+"
        }
        wet = {place for place, cell in cells.items() if "≈" in cell}
        covered = placed(board.catastrophes) | placed(board.face_down)
        assert placed(board.river) - covered <= wet <= placed(board.river)
        for kingdom in view.kingdoms:
            for each in kingdom.leaders:
                role = parts.LEADERS[parts.word(tigris_pb2.Colour, each.leader)]
                who = f"{role} of {NAMES[each.seat]} at {tigris.name_of(each.space)}"
                assert f"{who}: {each.supporters} in a war" in " ".join(shown)


def placed(spaces: Any) -> set[tuple[int, int]]:
    return {tigris.at(space) for space in spaces}


def test_the_columns_of_the_card_game_show_every_card_leader_and_link() -> None:
    letters = {"black": "K", "red": "R", "green": "G", "blue": "B", "treasure": "$"}
    for view, shown in views_and_boards("tigris_cards"):
        tallest = max(len(column.cards) for column in view.table.columns)
        rows = [line[2:].ljust(75) for line in shown[2 : 2 + tallest]]

        for n, column in enumerate(view.table.columns):
            for row, card in enumerate(column.cards):
                cell = rows[row][10 * n : 10 * n + 5]
                face = parts.word(tigris_cards_pb2.Face, card.face)
                assert letters.get(face, "~") == cell[0]
                assert seat_of(card) == cell[4].strip()
            assert all(not line[10 * n : 10 * n + 5].strip() for line in rows[len(column.cards) :])
        links = ["?" if gap == view.face_down.gap else " " for gap in range(7)]
        links = links if view.HasField("face_down") else [" "] * 7
        for gap, link in enumerate(view.table.links):
            if link.HasField("link"):
                links[gap] = letters[parts.word(tigris_cards_pb2.Face, link.link.face)]
        assert links == [rows[0][10 * gap + 6] for gap in range(7)]


def seat_of(card: Any) -> str:
    return str(card.leader.seat) if card.HasField("leader") else ""


def test_tides_shows_both_kingdoms_card_by_card_and_the_hand() -> None:
    for view, shown in views_and_boards("tides"):
        halves = ["\n".join(line[:38] for line in shown), "\n".join(line[39:] for line in shown)]

        for seat, half in zip(view.seats, halves, strict=True):
            points = {each.card: each.points for each in seat.standing.cards}
            for card in [*seat.relics, *seat.played]:
                assert re.search(rf"{re.escape(tides.name_of(card))} +{points[card]} │", half)
            assert len(points) == len(re.findall(r"^│ [ ◆][PLGTS-] ", half, re.MULTILINE))
        held = [line.split("  ")[1][2:].strip() for line in shown if re.match(r"  [PLGTS-] ", line)]
        assert [tides.name_of(card)[:28] for card in view.hand] == [name[:28].strip() for name in cut(held)]


def cut(held: list[str]) -> list[str]:
    """Returns the names without effects: only the longest name is followed by its effect after one space."""
    longest = tides.name_of(tides_pb2.CARD_CITADELS_OF_THE_PROPHETS)
    return [longest if name.startswith(longest) else name for name in held]


def test_stone_age_shows_who_stands_where_what_is_on_offer_and_all_stocks() -> None:
    for view, shown in views_and_boards("stone_age"):
        text = "\n".join(shown)

        for place in view.places:
            name = parts.word(stone_age_pb2.Place, place.place)
            there = [f"{NAMES[seat]} {count}" for seat, count in enumerate(place.people) if count]
            assert re.search(rf"^{name} +\w+ +{', '.join(there) or '–'} ", text, re.MULTILINE), name
        for offer in view.cards:
            assert (
                not offer.HasField("card") or f"for {offer.cost}: {stone_age.upper_text(offer.card)}" in text
            )
        for name, player in zip(NAMES, view.players, strict=False):
            stock = (
                rf"^{name} +{player.people_at_home} of {player.people} +{player.food} \+{player.food_track} "
            )
            assert re.search(stock, text, re.MULTILINE)


@pytest.mark.parametrize("title", sorted(TERMINALS))
def test_a_board_fits_into_eighty_columns_without_colours(title: str) -> None:
    for _, shown in views_and_boards(title):
        assert max(map(len, shown)) <= WIDTH
        assert "\x1b" not in "".join(shown)
        assert "…" not in "".join(shown)


@pytest.mark.parametrize("title", sorted(TERMINALS))
def test_every_event_is_told_or_not_worth_it_and_no_sentence_is_in_vain(title: str) -> None:
    kinds = set()
    for file in games.golden_paths(title):
        game = games.read(file)
        for event in game.events:
            for seat in (0, 1):
                witnessed: Any = TITLES[title].event.encode(game.rules.witness(event, seat))
                said = event_sentence(game_pb2.Event(**{title: witnessed}), NAMES)
                assert said is None or re.fullmatch(r"[A-Z\d][^{}]*\.", said), said
                assert (said is None) == (witnessed.WhichOneof("kind") not in TERMINALS[title].sentences)
                kinds.add(witnessed.WhichOneof("kind"))

    possible = {field.name for field in witnessed.DESCRIPTOR.oneofs_by_name["kind"].fields}
    assert set() == set(TERMINALS[title].sentences) - possible
    assert len(kinds) > len(possible) * 0.6


def test_you_are_spoken_to() -> None:
    placed_leader = tigris_pb2.LeaderSentHome(
        seat=0,
        leader=tigris_pb2.COLOUR_BLACK,
        space=tigris_pb2.Space(row=3, column=1),
        reason=tigris_pb2.HOME_REASON_LOST_WAR,
    )

    event = game_pb2.Event(tigris=tigris_pb2.Event(leader_sent_home=placed_leader))

    assert "Your king left B4: lost war." == event_sentence(event, NAMES)
    assert "The king of Ann left B4: lost war." == event_sentence(event, ["Ann", "you"])
