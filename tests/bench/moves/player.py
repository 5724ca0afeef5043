"""Plays both seats of games of Tides at random, knowing no more than its own answers tell."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

MOVES = 28  # of every game: three rounds of four cards and two choices of relics, for each seat


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    seat: int


@dataclass(frozen=True, slots=True)
class Seen:
    """What an answer shows of the game."""

    round: int
    hand: Sequence[int]
    played: Sequence[Sequence[int]]  # this round, by seat
    question: Question | None  # the first that is open; None when the game is over


@dataclass(frozen=True, slots=True)
class Move:
    """One card to play, or a relic and a card to remove."""

    question: Question
    cards: Sequence[int]


class Player:
    """Whoever holds both seats knows both hands: what is left of one hand is passed to the other seat."""

    def __init__(self, coin: random.Random, views: Sequence[Seen]) -> None:
        self._coin, self._seen = coin, views[0]
        self._hands = [list(view.hand) for view in views]

    def next(self) -> Move | None:
        question = self._seen.question
        if question is None:
            return None
        if question.id.startswith("draft."):
            return Move(question, [self._coin.choice(self._hands[question.seat])])
        return Move(question, self._coin.sample(list(self._seen.played[question.seat]), 2))

    def saw(self, move: Move, seen: Seen) -> None:
        mine, other = move.question.seat, 1 - move.question.seat
        before, self._seen = self._seen, seen
        rest = [card for card in self._hands[mine] if card not in move.cards]
        if seen.round == before.round and len(seen.played[mine]) > len(before.played[mine]):
            self._hands[other] = rest
        elif len(move.cards) == 2:
            self._take_back(before, move, seen)
        self._hands[mine] = list(seen.hand)

    def _take_back(self, before: Seen, move: Move, seen: Seen) -> None:
        """Three played cards are back in the hand; those drawn are seen with the next answer."""
        if seen.round == before.round:
            self._first = move
            return
        kept = [card for card in before.played[self._first.question.seat] if card not in self._first.cards]
        self._hands[self._first.question.seat] = kept


class Rote:
    """Repeats one valid move, for a server that does not know the rules."""

    def __init__(self, views: Sequence[Seen]) -> None:
        self._hands = [view.hand for view in views]
        self._left = MOVES

    def next(self) -> Move | None:
        if not self._left:
            return None
        seat = self._left % 2
        return Move(Question(f"draft.1.1.{seat}", seat), [self._hands[seat][0]])

    def saw(self, _move: Move, _seen: Seen) -> None:
        self._left -= 1
