"""Tests that a title which breaks the contract fails with a message that names it, the field and the fix."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace

import pytest

import gamehost.titles
from gamehost.bots.greedy.heuristic import Heuristic
from gamehost.codec import titles as codecs
from gamehost.rules.catalog import CATALOG, load_rules, title_part
from gamehost.rules.contract import BrokenTitle, check_names, check_rules
from gamehost.rules.kit import Decision, TitleRules
from gamehost.titles.tides.rules import TIDES
from gamehost.titles.tides.rules.events import CardsDrawn
from gamehost.titles.tides.rules.options import Options
from gamehost.titles.tides.rules.rules import Tides

from .checks import check_final, check_questions, check_some_are_final, check_view_hides
from .playouts import game, games


@dataclass(frozen=True)
class Unexplained:
    quick: bool = False


@dataclass
class Changeable:
    seat: int


@dataclass(frozen=True)
class Unwritable:
    """An event with a field that no message has."""

    board: dict[str, int]


def variant(**changes):
    return type("Variant", (Tides,), changes)()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"title": "tide"}, "title tides, title: it is 'tide'; make it 'tides', the name of the folder"),
        ({"summary": ""}, "title tides, summary: it is ''; make it a text"),
        ({"version": 0}, "title tides, version: it is 0; begin with 1"),
        ({"seats": range(2, 9)}, "title tides, seats: it has 8; at most 4 are supported"),
        ({"seats": 2}, "title tides, seats: it is 2; make it a range such as range(2, 5) for 2 to 4 seats"),
        ({"options": Unexplained}, "title tides, options.quick: write it as `= option(default"),
        (
            {"events": (*TIDES.events, Changeable)},
            "title tides, events: Changeable can be changed;",
        ),
        ({"events": (*TIDES.events, int)}, "title tides, events: int is no dataclass; write @dataclass"),
        ({"actions": ()}, "title tides, actions: it is empty; list the dataclasses"),
        ({"actions": TIDES.actions * 2}, "title tides, actions: ChooseCard is listed twice; rename one"),
        (
            {"final": frozenset({Options})},
            "title tides, final: Options is no event of the title",
        ),
        (
            {"texts": {"rule one": "x"}},
            "title tides, texts: 'rule one' is no id of a rule;",
        ),
        ({"turn_rule": "TT-99"}, "title tides, turn_rule: there is no rule TT-99; name one of `texts`"),
        (
            {"decisions": lambda self, state: [Decision("a", 0, (), TIDES.name)]},
            "title tides, decisions: it asks a seat in the state `blank`; return [] before",
        ),
        (
            {"decisions": lambda self, state: [state.nobody]},
            "title tides, decisions: it fails for the state `blank` with AttributeError(",
        ),
    ],
)
def test_what_can_be_seen_at_once_fails_when_the_title_is_loaded(changes, sentence):
    with pytest.raises(BrokenTitle) as caught:
        check_rules("tides", variant(**changes))

    assert str(caught.value).startswith(sentence)


def test_a_title_as_it_should_be_is_loaded():
    assert TIDES is check_rules("tides", TIDES)


def test_a_name_that_is_taken():
    with pytest.raises(BrokenTitle, match="title waves, name: 'Tides of Time' is the name of tides; choose"):
        check_names({"tides": TIDES, "waves": variant(title="waves")})
    with pytest.raises(BrokenTitle, match="title waves, texts: the rules of tides begin with TT-; choose"):
        check_names({"tides": TIDES, "waves": variant(title="waves", name="Waves")})

    check_names(CATALOG)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Creates a folder for a title `broken`, into which a test writes files."""
    path = tmp_path / "broken"
    (path / "rules").mkdir(parents=True)
    (path / "__init__.py").touch()
    monkeypatch.setattr(gamehost.titles, "__path__", [*gamehost.titles.__path__, str(tmp_path)])
    yield path
    for name in [name for name in sys.modules if name.startswith("gamehost.titles.broken")]:
        del sys.modules[name]


def test_missing_rules(folder):
    (folder / "rules" / "__init__.py").write_text('"""Nothing."""\n')

    with pytest.raises(BrokenTitle, match="title broken, RULES: it is missing; define it in rules/__init__"):
        load_rules("broken")


@pytest.mark.parametrize(
    ("text", "kind", "sentence"),
    [
        ("", Heuristic, "title broken, greedy.HEURISTIC: it is missing; define it in greedy.py"),
        ("HEURISTIC = 3", Heuristic, "title broken, greedy.HEURISTIC: it has no `lead_scale`, see Heuristic"),
        ("HEURISTIC = 3", str, "title broken, greedy.HEURISTIC: it is of type int; make it one of str"),
    ],
)
def test_an_optional_module_of_the_wrong_type(folder, text, kind, sentence):
    (folder / "greedy.py").write_text(text)

    with pytest.raises(BrokenTitle) as caught:
        title_part("broken", "greedy", "HEURISTIC", kind)

    assert sentence == str(caught.value)


def test_an_event_that_cannot_be_mirrored():
    with pytest.raises(BrokenTitle, match=r"title tides, messages: .*unwritable.*run `python3 proto --title"):
        codecs._codec(variant(events=(*TIDES.events, Unwritable)))


def test_a_title_without_messages(folder):
    with pytest.raises(BrokenTitle, match=r"shedu.broken.v1.broken_pb2 is missing; run `python3 proto"):
        codecs._codec(variant(title="broken"))


def test_a_view_that_shows_a_hidden_field():
    """The view shows the lowest card of the other hand as the size of the pile."""

    def view(state, seat):
        return replace(TIDES.view(state, seat), pile_size=min(state.seats[1].hand, default=0))

    leaky, state = variant(view=staticmethod(view)), game("tides", 0).positions[0].state
    with pytest.raises(AssertionError, match=r"title tides, view.pile_size: .* `view` shows what is hidden"):
        [check_view_hides(leaky, state, 0, salt) for salt in range(9)]


def test_questions_with_the_same_id():
    def named(id):
        return variant(
            decisions=lambda self, state: [replace(each, id=id(each)) for each in TIDES.decisions(state)]
        )

    with pytest.raises(AssertionError, match="title tides, decisions: two open questions have the id same"):
        check_questions(named(lambda each: "same"), game("tides", 0))
    with pytest.raises(AssertionError, match=r"title tides, decisions: 0 was answered and is asked again"):
        check_questions(named(lambda each: str(each.seat)), game("tides", 0))


def test_ids_that_the_frame_makes_are_unique():
    unnamed = variant(decisions=lambda self, state: [without_id(each) for each in TIDES.decisions(state)])

    check_questions(unnamed, game("tides", 0))


def without_id(decision: Decision) -> Decision:
    return replace(decision, id="")


def test_an_action_that_could_be_taken_back_after_luck_decided_it():
    loose = variant(final=frozenset())
    played = game("tides", 0)
    with pytest.raises(
        AssertionError, match=r"title tides, final: seat \d could take back .* make one of them"
    ):
        [check_final(loose, played, position) for position in played.positions]


def test_an_action_that_nobody_can_take_back():
    with pytest.raises(AssertionError, match="title tides, final: nobody can take any action back alone"):
        check_some_are_final(TIDES, list(games(TIDES)), all_final=False)
    with pytest.raises(AssertionError, match="title tides, final: every action can be taken back alone"):
        check_some_are_final(variant(final=frozenset()), list(games(TIDES)), all_final=False)


def test_what_is_not_said_to_be_free_is_final():
    facts = {"events": TIDES.events, "free": frozenset({CardsDrawn})}

    assert {*TIDES.events} - {CardsDrawn} == type("Kind", (TitleRules,), facts).final
