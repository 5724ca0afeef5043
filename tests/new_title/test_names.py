"""Tests of the names that `shedu new-title` accepts, and of its messages for others."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamehost.commands.new_title import command
from gamehost.commands.new_title.naming import problem_with, title_names
from support.process import ROOT, shedu_here


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("High_Card", "'High_Card' is not in snake_case"),
        ("high-card", "'high-card' is not in snake_case"),
        ("high__card", "'high__card' is not in snake_case"),
        ("game_2", "'game_2' is not in snake_case"),
        ("../etc", "'../etc' is not in snake_case"),
        ("", "'' is not in snake_case"),
        ("a" * 31, f"{'a' * 31} has 31 letters; at most 30 are allowed"),
        ("lambda", "lambda is a keyword of Python"),
        ("message", "message is a reserved word of the contract or of a client"),
        ("storage", "storage is a reserved word of the contract or of a client"),
        ("version", "version is a field of the messages in game.proto"),
        ("tides", "there is already a title tides"),
        ("stoneage", "stoneage and the title stone_age have the same package in Go"),
    ],
)
def test_a_name_that_cannot_be_is_refused(name: str, problem: str) -> None:
    done = shedu_here("new-title", name)

    assert 2 == done.returncode
    assert problem in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["high_card", "nim", "go4", "a_b_c"])
def test_a_name_that_can_be(name: str) -> None:
    assert None is problem_with(name)


def test_the_letters_of_rules_are_those_of_no_other_title() -> None:
    assert ["HC", "NI"] == [title_names(title).rule for title in ("high_card", "nim")]
    assert "TT" != title_names("tick_tack").rule


def test_a_dry_run_lists_the_files_and_writes_none() -> None:
    done = shedu_here("new-title", "high_card", "--dry-run")

    assert 0 == done.returncode
    assert "service/gamehost/titles/high_card/rules/rules.py" in done.stdout.splitlines()
    assert "tests/titles/high_card/facts.py" in done.stdout.splitlines()
    assert not (ROOT / "service/gamehost/titles/high_card").exists()


def test_an_installed_package_says_that_it_needs_a_clone(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(command, "TITLE_TEMPLATE", tmp_path / "title_template")

    done = shedu_here("new-title", "high_card")

    assert 2 == done.returncode
    assert ["shedu: new-title needs a clone of the repository; this is an installed package"] == [
        done.stderr.strip()
    ]
