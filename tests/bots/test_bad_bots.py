"""Tests of bots in files, good and faulty."""

from __future__ import annotations

import json

import pytest

from bots.seasons import arena, bot_file, season, shown
from shedu.deciding import BadBot, ask, load
from shedu.v1.game_pb2 import Decision, View
from shedu.v1.game_service_pb2 import LegalAction
from support.process import shedu, shedu_here

LAST = """
    def decide(view, decision, actions):
        return actions[-1]
"""
CLASS = """
    import random

    class Bot:
        def __init__(self):
            self.asked = 0

        def decide(self, view, decision, actions):
            self.asked += 1
            assert view.seat == decision.seat
            assert view.WhichOneof("title") == "tides"
            assert len(view.tides.hand) in (0, *range(2, 6))
            assert self.asked <= 14, "made anew for every game"
            return random.choice(actions).action
"""


def played(bot, games=2):
    """Plays against a random bot; returns the results, and the messages on stderr."""
    return shown(season(bots=("random", bot), games=games))


def test_bots_in_files_play(tmp_path):
    first, second = bot_file(tmp_path, LAST), bot_file(tmp_path, CLASS, "another.py")

    facts, complaints = arena(
        *("--title", "tides", "--bots", f"random,{first},{second}", "--games", 2, "--jobs", 1)
    )

    assert ["random", "my_bot.py", "another.py"] == [bot["name"] for bot in facts["bots"]]
    assert [0, 0, 0] == [bot["forfeits"] for bot in facts["bots"]]
    assert [56, 56, 56] == [bot["decisions"] for bot in facts["bots"]]
    assert "" == complaints


def test_what_a_bot_takes_from_random_is_the_same_again(tmp_path):
    bot = bot_file(tmp_path, CLASS)

    first, second = (played(bot, games=4)[0] for _ in "12")

    assert [bot["mean_score"] for bot in first["bots"]] == [bot["mean_score"] for bot in second["bots"]]


def test_what_a_bot_does_to_its_list_does_not_change_what_its_answer_means(tmp_path):
    """Online and offline, the returned action counts, not its index in the list."""
    code = """
        def worth(each):
            return -each.action.tides.choose_card.card

        def decide(view, decision, actions):
            {}
            return {}
        """
    upright = bot_file(tmp_path, code.format("pass", "min(actions, key=worth)"), "upright.py")
    restless = bot_file(tmp_path, code.format("actions.sort(key=worth)", "actions[0]"), "restless.py")

    scores = [[bot["mean_score"] for bot in played(bot, games=6)[0]["bots"]] for bot in (upright, restless)]

    assert scores[0] == scores[1]


@pytest.mark.parametrize("deed", ["actions.clear()", "actions[1].action.tides.choose_card.card = 7"])
def test_a_bot_has_only_copies_of_the_actions(deed, tmp_path):
    code = f"def decide(view, decision, actions):\n    last = actions[1]\n    {deed}\n    return last\n"
    decider = load(bot_file(tmp_path, code))()
    offered = [LegalAction(action={"tides": {"choose_card": {"card": card}}}) for card in (3, 5)]

    if "clear" in deed:
        assert 1 == ask("restless", decider, View(), Decision(), offered)
    else:
        with pytest.raises(BadBot, match="an action that is not legal"):
            ask("restless", decider, View(), Decision(), offered)

    assert [3, 5] == [each.action.tides.choose_card.card for each in offered]


def test_what_a_bot_prints_is_not_taken_for_a_result(tmp_path):
    chatty = bot_file(
        tmp_path,
        """
        print("loaded")

        def decide(view, decision, actions):
            print("hm")
            return actions[0]
        """,
    )

    done = shedu(
        *("arena", "--title", "tides", "--bots", f"random,{chatty}"),
        *("--games", "1", "--jobs", "1", "--json"),
    )

    assert "my_bot.py" == json.loads(done.stdout)["bots"][1]["name"]
    assert {"loaded", "hm"} == set(done.stderr.split())


def test_a_bot_may_import_what_lies_beside_it(tmp_path):
    bot_file(tmp_path, "FAVOURITE = 0", "taste_of_a_bot.py")
    bot = bot_file(
        tmp_path,
        """
        from taste_of_a_bot import FAVOURITE

        def decide(view, decision, actions):
            return actions[FAVOURITE]
        """,
    )

    facts, _ = played(bot)

    assert 0 == facts["bots"][1]["forfeits"]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("def decide(:", "is not Python: line 1"),
        ("import nothing_of_that_name", "cannot be loaded: ModuleNotFoundError"),
        ("raise SystemExit(0)", "cannot be loaded: SystemExit"),
        ("decide = 3", "has neither a function decide"),
        ("class Bot: pass", "has neither a function decide"),
        ("async def decide(view, decision, actions): return actions[0]", "has an async decide"),
        ("class Bot:\n    async def decide(self, view, decision, actions): ...", "has an async decide"),
    ],
)
def test_a_file_without_a_bot_is_refused_before_the_first_game(code, why, tmp_path):
    path = bot_file(tmp_path, code)

    with pytest.raises(BadBot) as bad:
        load(path)
    done = shedu_here("arena", "--title", "tides", "--bots", f"random,{path}")

    assert f"{path} {why}" in str(bad.value)
    assert 2 == done.returncode
    assert why in done.stderr.replace("\n", " ")


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("def decide(view, decision, actions): return None", "decide returns NoneType at draft.1.1."),
        ("def decide(view, decision, actions): return 0", "decide returns int"),
        ("def decide(view, decision, actions): 1 / 0", "decide fails at draft.1.1."),
        ("def decide(view, decision, actions): raise ValueError('a [/b] :+1: b')", "a [/b] :+1: b"),
        ("def decide(view, actions): return actions[0]", "positional arguments but 3 were given"),
        ("import sys\ndef decide(view, decision, actions): sys.exit()", "SystemExit:  (line 2)"),
        (
            """
            import json

            def decide(view, decision, actions):
                return json.loads("{")
            """,
            "(char 1) (line 5)",
        ),
        (
            """
            def decide(view, decision, actions):
                del actions[0].action.tides.choose_card.card
                return type(actions[0].action)()
            """,
            "decide",
        ),
        (
            """
            class Bot:
                def __init__(self, strength): ...
                def decide(self, view, decision, actions): ...
            """,
            "Bot() cannot be made",
        ),
    ],
)
def test_a_bot_that_fails_forfeits_its_game_and_is_named(code, why, tmp_path):
    path = bot_file(tmp_path, code)

    facts, complaints = played(path)

    other, failing = facts["bots"]
    assert (2, 0, 2) == (other["wins"], failing["wins"], failing["forfeits"])
    assert failing["mean_score"] is None
    assert str(path) in complaints
    assert why in complaints


def test_a_forfeited_game_is_not_logged(tmp_path):
    bot = bot_file(tmp_path, "def decide(view, decision, actions): return None")

    facts, _ = arena(
        *("--title", "tides", "--bots", f"random,{bot}", "--games", 1, "--jobs", 1),
        *("--log", tmp_path / "games"),
    )

    assert 1 == facts["bots"][1]["forfeits"]
    assert not (tmp_path / "games").exists()
