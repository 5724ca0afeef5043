"""`python3 proto --title` writes the proto of a title from its dataclasses, and never changes a number."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from title_lists import PYTHON_TITLES, TYPESCRIPT_TITLES, generate_title_lists
from title_proto.declarations import TitleProblem
from title_proto.writing import BUF, contract_files, title_files

from gamehost.rules.catalog import CATALOG
from support.node import generator
from support.small_title import small_title

PROTO = Path(__file__).resolve().parents[2] / "proto"
PIPS, GAME = "shedu/pips/v1/pips.proto", "shedu/v1/game.proto"
STATE = "shedu/storage/pips/v1/state.proto"


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    """A copy of the contract, into which tests write."""
    return Path(shutil.copytree(PROTO, tmp_path / "proto", ignore=shutil.ignore_patterns("*.py")))


@pytest.fixture(scope="module")
def written_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the contract that has the small title."""
    folder = tmp_path_factory.mktemp("pips")
    copy = Path(shutil.copytree(PROTO, folder / "proto", ignore=shutil.ignore_patterns("*.py")))
    written(copy, small_title(folder))
    return copy


@pytest.fixture
def pips(written_once: Path, tmp_path: Path) -> Path:
    """A copy of the contract that has the small title, into which tests write."""
    return Path(shutil.copytree(written_once, tmp_path / "proto"))


def written(contract: Path, rules: Any) -> str:
    """The proto of a title after what was generated is written."""
    for path, text in contract_files(rules, {}, contract).items():
        (contract / path).parent.mkdir(parents=True, exist_ok=True)
        (contract / path).write_text(text)
    return (contract / PIPS).read_text()


@pytest.mark.parametrize("title", CATALOG)
def test_the_proto_of_every_title_is_what_its_dataclasses_make(title: str) -> None:
    stale = title_files(title)

    assert {} == stale, f"run `python3 proto --title {title}` and commit what it writes"


def test_a_new_title_gets_a_proto_and_a_case_in_every_union(contract: Path, tmp_path: Path) -> None:
    text = written(contract, small_title(tmp_path))

    assert "repeated Suit cards = 2;" in text
    assert "optional uint32 hidden_cards = 3;" in text
    assert "// A row of numbers.\nmessage Row {" in text
    assert "  // How many rounds are played. 3 if left out.\n  optional uint32 rounds = 1;" in text
    game = (contract / GAME).read_text()
    assert 'import "shedu/pips/v1/pips.proto";' in game
    for case in ("Options pips = 14", "Action pips = 14", "Event pips = 24", "View pips = 14"):
        assert f"shedu.pips.v1.{case};" in game


def test_the_clients_list_a_new_title(pips: Path, tmp_path: Path) -> None:
    image = tmp_path / "image.binpb"
    subprocess.run([BUF, "build", "--as-file-descriptor-set", "-o", image], cwd=pips, check=True)

    generate_title_lists(tmp_path, FileDescriptorSet.FromString(image.read_bytes()))

    python, typescript = (tmp_path / PYTHON_TITLES).read_text(), (tmp_path / TYPESCRIPT_TITLES).read_text()
    assert "from shedu.pips.v1 import pips_pb2\n" in python
    assert python.count("| pips_pb2.") == 2
    assert 'export * as pips from "./gen/shedu/pips/v1/pips_pb.js";' in typescript


def test_the_bounds_of_a_number_are_for_python_alone(contract: Path, tmp_path: Path) -> None:
    bounded = ("    stones: int\n", "    stones: Annotated[int, range(1, 4)]\n")
    imported = (
        "from dataclasses import dataclass\n",
        "from dataclasses import dataclass\nfrom typing import Annotated\n",
    )

    text = written(contract, small_title(tmp_path, bounded, imported))

    assert text == written(contract, small_title(tmp_path))


def test_the_state_is_stored_and_not_part_of_the_public_contract(contract: Path, tmp_path: Path) -> None:
    text = written(contract, small_title(tmp_path))

    stored = (contract / STATE).read_text()
    assert "message State {" in stored
    assert "message HandsItem {\n  repeated shedu.pips.v1.Suit items = 1;" in stored
    assert "message State {" not in text
    assert "HandsItem" not in text
    assert "message Row {" in text, "the view has it as well"


def test_a_type_keeps_its_numbers_when_the_view_begins_to_show_it(contract: Path, tmp_path: Path) -> None:
    """It moves from the stored messages to the public ones, and stored states stay readable."""
    piles = (
        "@dataclass(frozen=True)\nclass State:",
        '@dataclass(frozen=True)\nclass Pile:\n    """A pile."""\n\n    REMOVED    height: int\n'
        "\n\n@dataclass(frozen=True)\nclass State:",
    )
    in_state = ("    rows: tuple[Row, ...] = ()\n", "    pile: Pile | None = None\n")
    before = (piles[0], piles[1].replace("REMOVED    ", "colour: Suit\n    "))
    after = (piles[0], piles[1].replace("REMOVED    ", ""))
    written(contract, small_title(tmp_path, before, in_state))
    stored = contract / STATE
    text = stored.read_text().replace(
        "  shedu.pips.v1.Suit colour = 1;\n", '  reserved 1;\n  reserved "colour";\n'
    )
    stored.write_text(text)

    text = written(
        contract, small_title(tmp_path, after, in_state, ("    phase:", "    pile: Pile\n    phase:"))
    )

    assert 'message Pile {\n  reserved 1;\n  reserved "colour";\n  uint32 height = 2;\n}' in text
    assert "message Pile" not in stored.read_text()


def test_a_second_run_changes_nothing(contract: Path, tmp_path: Path) -> None:
    rules = small_title(tmp_path)
    written(contract, rules)

    assert {} == contract_files(rules, {}, contract)


def test_numbers_stay_and_those_of_removed_fields_are_reserved(
    pips: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = small_title(tmp_path, ('    stones: int\n    """How many."""\n', "    first: bool\n"))

    text = written(pips, changed)

    bid = text[text.index("message Bid") : text.index("message Pass")]
    assert "reserved 1;" in bid
    assert 'reserved "stones";' in bid
    assert "Suit suit = 2 [" in bid
    assert "bool first = 3;" in bid
    assert (
        "title pips, Bid.stones is gone; its number and its name stay reserved.\n" == capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("change", "lost"),
    [
        (("    seat: Seat\n", ""), r"Dealt\.seat"),
        (("    cards: tuple[Suit, ...] | Hidden\n", ""), r"Dealt\.cards, Dealt\.hidden_cards"),
        (("    MOON = 2\n", ""), r"Suit\.SUIT_MOON"),
        (("    hands: tuple[tuple[Suit, ...], ...] = ()\n", ""), r"State\.hands"),
    ],
)
def test_what_stored_games_have_is_not_removed(
    pips: Path, tmp_path: Path, change: tuple[str, str], lost: str
) -> None:
    before = (pips / PIPS).read_text()

    with pytest.raises(
        TitleProblem, match=rf"^title pips, {lost}: stored games have this, .*--title pips --new`"
    ):
        written(pips, small_title(tmp_path, change))

    assert before == (pips / PIPS).read_text()


def test_a_kind_of_event_that_stored_games_have_is_not_removed(contract: Path, tmp_path: Path) -> None:
    rules = small_title(tmp_path)
    rules.events = (*rules.events, rules.actions[1])
    written(contract, rules)

    with pytest.raises(TitleProblem, match=r"^title pips, Event\.pass: stored games have this"):
        written(contract, small_title(tmp_path))


def test_a_title_of_which_no_game_is_stored_is_numbered_anew(pips: Path, tmp_path: Path) -> None:
    fresh = (pips / PIPS).read_text()
    written(pips, small_title(tmp_path, ("    seat: Seat\n", "    bonus: int\n    seat: Seat\n")))

    files = contract_files(small_title(tmp_path), {}, pips, is_new=True)

    assert {PIPS: fresh} == files


def test_the_numbers_of_a_title_that_was_released_are_kept() -> None:
    with pytest.raises(
        TitleProblem, match=r"^title tides, --new: release 0\.2\.0 has this title; .* must stay"
    ):
        title_files("tides", is_new=True)


def test_a_check_names_the_titles_whose_proto_is_stale(contract: Path) -> None:
    proto = contract / "shedu/tides/v1/tides.proto"
    proto.write_text(proto.read_text().replace("message ", "// Outdated.\nmessage ", 1))

    said = generator().stale_titles(contract)

    assert [
        "title tides: proto/shedu/tides/v1/tides.proto is not what its dataclasses make; "
        "run `python3 proto --title tides` and commit what it writes."
    ] == said


def test_a_docstring_that_changed_changes_its_comment(pips: Path, tmp_path: Path) -> None:
    changed = small_title(
        tmp_path, ('"""Bids stones."""', '"""Bids some stones."""'), ('"""How many."""', '"""The number."""')
    )

    text = written(pips, changed)

    assert "// Bids some stones.\nmessage Bid {\n  // The number.\n  uint32 stones = 1;" in text


def test_a_comment_stays_where_the_source_has_none(pips: Path, tmp_path: Path) -> None:
    text = written(pips, small_title(tmp_path, ('    """How many."""\n', "")))

    assert "  // How many.\n  uint32 stones = 1;" in text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("seat: Seat", "seat: dict[str, int]"), r"pips, Dealt\.seat: `dict\[str, int\]` cannot be mirrored"),
        (("seat: Seat", "seat: float"), r"pips, Dealt\.seat: `float` cannot be mirrored"),
        (("seat: Seat", "seat: Any"), r"pips, Dealt\.seat: `Any` cannot be mirrored"),
        (("seat: Seat", "seat: tuple"), r"pips, Dealt\.seat: `tuple` cannot be mirrored"),
        (("seat: Seat", "seat: tuple[int, int]"), r"pips, Dealt\.seat: .*`tuple\[X, \.\.\.\]` for a list"),
        (("seat: Seat", "seat: Row | None"), r"pips, Dealt\.seat: .* a list cannot be absent"),
        (("seat: Seat", "seat: int | str"), r"pips, Dealt\.seat: .* a union is of dataclasses"),
        (("seat: Seat", "seat: Bid | Pass"), r"pips, Dealt\.seat: the union has no name"),
        (("seat: Seat", "seat: tuple[Suit | Hidden, ...]"), r"pips, Dealt\.seat: an item of a list cannot"),
        (("seat: Seat", "hidden_cards: int"), r"pips, Dealt\.hidden_cards: the name is taken"),
        (('    """Bids nothing."""\n', "    pass\n"), r"pips, Pass is not documented: write a docstring"),
        (("rounds: int = option(3", "rounds: Row = option((3,)"), r"pips, Options\.rounds: an option cannot"),
    ],
)
def test_what_cannot_be_mirrored_is_named(
    contract: Path, tmp_path: Path, change: tuple[str, str], said: str
) -> None:
    with pytest.raises(TitleProblem, match=said):
        written(contract, small_title(tmp_path, change))

    assert not (contract / PIPS).exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            ("    stones: int\n", "    stones: bool\n"),
            r"pips, Bid\.stones was `uint32` and would become `bool`",
        ),
        (("    stones: int\n", "    stones: Row\n"), r"pips, Bid\.stones .* would become `repeated uint32`"),
        (("Phase = Bid | Pass", "Phase = tuple[Suit, ...]"), r"pips, View\.phase"),
    ],
)
def test_a_field_whose_type_changed_is_named(
    pips: Path, tmp_path: Path, change: tuple[str, str], said: str
) -> None:
    before = (pips / PIPS).read_text()

    with pytest.raises(TitleProblem, match=said):
        written(pips, small_title(tmp_path, change))

    assert before == (pips / PIPS).read_text()


def test_the_name_of_a_removed_field_is_not_used_again(pips: Path, tmp_path: Path) -> None:
    written(pips, small_title(tmp_path, ('    stones: int\n    """How many."""\n', "")))

    with pytest.raises(TitleProblem, match=r"pips, Bid\.stones was removed in the past"):
        written(pips, small_title(tmp_path))


def test_a_deprecated_field_stays_with_the_message_that_it_is_made_of(contract: Path, tmp_path: Path) -> None:
    """Old logs have it, and an upgrade reads it."""
    old = "    top: Suit | Hidden\n"
    written(contract, small_title(tmp_path, (old, f"{old}    offer: Bid\n")))
    proto = contract / PIPS
    proto.write_text(proto.read_text().replace("Bid offer = 5;", "Bid offer = 5 [deprecated = true];"))

    text = written(contract, small_title(tmp_path, (old, f"{old}    bonus: int\n")))

    assert "  Bid offer = 5 [deprecated = true];\n  uint32 bonus = 6;\n" in text


def test_a_number_that_is_taken_is_not_given_to_a_title(contract: Path, tmp_path: Path) -> None:
    game = contract / GAME
    game.write_text(game.read_text().replace("message Options {", "message Options {\n  reserved 14, 15;"))

    written(contract, small_title(tmp_path))

    assert "shedu.pips.v1.Options pips = 16;" in game.read_text()


def test_two_members_of_a_union_with_one_name_are_named(contract: Path, tmp_path: Path) -> None:
    rules, other = small_title(tmp_path), small_title(tmp_path, ("How many.", "How few."))
    rules.actions = (*rules.actions, *other.actions[:1])

    with pytest.raises(TitleProblem, match="pips, Action has two members that are called bid: rename one"):
        written(contract, rules)


def test_a_title_that_does_not_exist_is_named_with_those_that_do() -> None:
    with pytest.raises(
        TitleProblem, match=r"There is no title chess: .*stone_age, tides, tigris, tigris_cards"
    ):
        title_files("chess")
