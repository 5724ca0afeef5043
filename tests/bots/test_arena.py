"""Tests of the arena: its games, standings and output."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from bots.seasons import arena, inline, season, timeless
from gamehost.arena.match import Effort, GameResult, play_game
from gamehost.arena.plot import draw_figure
from gamehost.arena.results import Standings
from gamehost.bots.levels import HEURISTICS
from gamehost.commands.arena import standings_table
from gamehost.rules.catalog import CATALOG
from support.process import shedu_here


def told(*arguments):
    return arena(*arguments)[0]


def test_the_same_seed_plays_the_same_games_on_any_number_of_cores(tmp_path):
    asked = ("--title", "tides", "--bots", "random,greedy", "--games", 3, "--seed", 5)
    alone = told(*asked, "--jobs", 1, "--log", tmp_path / "alone")
    together = told(*asked, "--jobs", 2, "--log", tmp_path / "together")

    assert timeless(alone) == timeless(together)
    assert [path.read_text() for path in sorted((tmp_path / "alone").iterdir())] == [
        path.read_text() for path in sorted((tmp_path / "together").iterdir())
    ]


def test_another_seed_plays_other_games():
    games = [
        [played.scores for played in inline(season(bots=("random", "random"), seed=seed).fixtures())]
        for seed in (1, 2)
    ]

    assert games[0] != games[1]


def test_the_seats_go_round():
    players = [[one.name for one in fixture.players] for fixture in season(games=3).fixtures()]

    assert [["random", "greedy"], ["greedy", "random"], ["random", "greedy"]] == players


def test_everyone_meets_everyone():
    three = season(bots=("random", "random", "greedy"), games=2)
    players = [{one.name for one in fixture.players} for fixture in three.fixtures()]

    assert 6 == len(three)
    assert [{"random", "random#2"}] * 2 + [{"random", "greedy"}] * 2 + [{"random#2", "greedy"}] * 2 == players


def test_too_few_bots_sit_down_twice():
    fixture = next(season("stone_age", seats=3).fixtures())

    assert ["random", "greedy", "random"] == [one.name for one in fixture.players]


def test_the_table_counts_wins_draws_scores_and_decisions():
    played = season(bots=("random", "random"), games=8)
    games = list(inline(played.fixtures()))
    standings = Standings(played)
    for game in games:
        standings.add(game)

    facts = standings.facts()

    for at, name in enumerate(("random", "random#2")):
        seats = [(at + number) % 2 for number in range(8)]
        ranks = [(game.ranks[seat], game.ranks.count(1)) for game, seat in zip(games, seats, strict=True)]
        scores = [game.scores[seat] for game, seat in zip(games, seats, strict=True)]
        bot = facts["bots"][at]
        assert (name, 8) == (bot["name"], bot["games"])
        assert ranks.count((1, 1)) == bot["wins"]
        assert ranks.count((1, 2)) == bot["draws"]
        assert sum(rank == 2 for rank, _ in ranks) == bot["losses"]
        assert round(sum(scores) / 8, 2) == bot["mean_score"]
        assert 8 * 14 == bot["decisions"]
    assert {"ROUNDS_PLAYED": 8} == facts["ends"]


def test_a_shared_first_place_is_a_draw_and_shares_the_win():
    three = season("stone_age", bots=("random", "random", "random"), seats=3, games=3)
    standings = Standings(three)
    effort = Effort(10, 0.5)
    for fixture, ranks in zip(three.fixtures(), [(1, 1, 3), (1, 2, 3), (3, 1, 1)], strict=True):
        standings.add(GameResult(fixture, ranks, (30, 20, 10), "DECK_EXHAUSTED", (effort,) * 3))

    first, second, third = standings.facts()["bots"]

    # The seats rotate: the first bot sits on 0, then on 2, then on 1.
    assert (0, 2, 1) == (first["wins"], first["draws"], first["losses"])
    assert (1, 2, 0) == (second["wins"], second["draws"], second["losses"])
    assert (0, 0, 3) == (third["wins"], third["draws"], third["losses"])
    assert [1 / 3, 2 / 3, 0] == pytest.approx([bot["win_rate"] for bot in (first, second, third)], abs=1e-4)
    assert 20 == first["decisions_per_second"]
    standings.seconds = 4.5
    assert (4.5, 20) == (standings.facts()["seconds"], standings.facts()["decisions_per_second"])


def told_of(season, scores, **fields):
    """Returns the standings after games that all have the same result."""
    standings = Standings(season)
    for fixture in season.fixtures():
        ranks = tuple(range(1, len(scores) + 1))
        standings.add(
            GameResult(fixture, ranks, scores, "OVER", (Effort(900, 0.01),) * len(scores), **fields)
        )
    return standings


def test_the_table_fits_a_terminal_and_says_what_its_numbers_mean():
    standings = told_of(season("stone_age", seats=4, games=1200), (130, 120, 90, 80), forfeiter=3)
    standings.seconds = 100.0
    console = Console(width=80, record=True, file=io.StringIO())

    console.print(standings_table(standings))

    lines = console.export_text().splitlines()
    columns = "bot games wins draws failed win % (95 %) score Elo ±95 % dec./s"
    assert columns.split() == next(line for line in lines if " bot " in line).split()
    assert all("…" not in line for line in lines)
    assert any(line.split()[:3] == ["greedy", "2400", "600"] for line in lines)
    shown = " ".join(" ".join(lines).split())
    assert "100.0 s, 43,200 decisions per second." in shown
    assert "Bots take several seats at a table, and every seat counts as a game." in shown


def test_scores_are_counted_in_bars_of_one_width():
    figure = draw_figure(told_of(season(games=1), (10, 90)))

    edges = {round(bar.get_x(), 6) for bar in figure.axes[1].patches}
    assert 20 == len(edges)
    assert 40 == len(figure.axes[1].patches)


def test_the_table_is_shown_to_people():
    done = shedu_here("arena", "--title", "tides", "--bots", "random,random", "--games", 2, "--jobs", 1)

    assert done.returncode == 0
    assert "Tides of Time: 2 games for 2, seed 1" in done.stdout
    assert "random#2" in done.stdout


@pytest.mark.parametrize("title", CATALOG)
def test_a_logged_game_replays_and_its_luck_can_be_checked(title, tmp_path):
    told("--title", title, "--bots", "random,random", "--games", 1, "--jobs", 1, "--log", tmp_path)
    [file] = tmp_path.iterdir()

    replayed = shedu_here("replay", file, "--plain", "--step", "4")
    verified = shedu_here("verify", file, "--json")

    assert replayed.returncode == 0, replayed.stderr
    assert "step 4 of" in replayed.stdout
    assert json.loads(verified.stdout)["verified"]


def test_options_are_those_of_the_api():
    fixture = next(season("stone_age").fixtures())
    done = told(
        *("--title", "stone_age", "--bots", "random,random", "--games", 1, "--jobs", 1),
        *("--options", '{"maxRounds": 1}'),
    )

    assert 50 == fixture.options.max_rounds
    assert {"ROUNDS_PLAYED": 1} == done["ends"]


def test_a_picture_is_drawn(tmp_path):
    file = tmp_path / "arena.png"

    told("--title", "tides", "--bots", "random,random", "--games", 2, "--jobs", 1, "--plot", file)

    assert file.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--title", "chess", "--bots", "random,random"], "there is no title chess"),
        (["--title", "tides", "--bots", "random"], "--bots needs at least two bots"),
        (["--title", "tides", "--bots", "random,clever"], "there is no level clever"),
        (["--title", "tides", "--bots", "random,random", "--seats", "3"], "tides is for 2 players"),
        (["--title", "tides", "--bots", "random,random", "--options", "{"], "--options:"),
        (["--title", "tides", "--bots", "random,random", "--options", '{"dance": 1}'], "--options:"),
        (
            ["--title", "stone_age", "--bots", "random,random", "--options", '{"maxRounds": 0}'],
            "--options: max_rounds: must be greater than or equal to 1",
        ),
        (["--title", "tides", "--bots", "random,nowhere.py"], "there is no file nowhere.py"),
        (["--title", "tides", "--bots", "random,random", "--plot", "no/where.png"], "there is no folder no"),
        (
            ["--title", "tides", "--bots", "random,random", "--plot", "arena.doc"],
            "arena.doc has no image suffix",
        ),
        (["--title", "tides", "--bots", "random,random", "--plot", "arena"], "use one of ."),
    ],
)
def test_what_cannot_be_played_is_said(arguments, why):
    done = shedu_here("arena", *arguments)

    assert done.returncode == 2
    assert why in done.stderr.replace("\n", " ")


def test_greedy_beats_random_by_far():
    for title in HEURISTICS:
        games = [play_game(fixture) for fixture in season(title, games=4).fixtures()]
        won = sum(
            game.ranks[seat] == 1 == game.ranks.count(1)
            for game in games
            for seat, player in enumerate(game.fixture.players)
            if player.name == "greedy"
        )

        assert won >= 3, title
