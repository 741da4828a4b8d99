"""Plays as the rule cases and the reference lists write them: [type, rank, [card, ...]], in other programs' words."""

from collections.abc import Iterable, Sequence
from typing import Any

from engine.plays import PASS, Kind, Play, readings

TYPES = {
    "PASS": Kind.PASS,
    "Single": Kind.SINGLE,
    "Pair": Kind.PAIR,
    "Trips": Kind.TRIPLE,
    "ThreePair": Kind.TUBE,
    "ThreeWithTwo": Kind.FULL_HOUSE,
    "TwoTrips": Kind.PLATE,
    "Straight": Kind.STRAIGHT,
    "StraightFlush": Kind.STRAIGHT_FLUSH,
    "Bomb": Kind.BOMB,
    "FourKings": Kind.JOKER_BOMB,
    **{kind.name: kind for kind in Kind},
}
"""Type names of other programs, and our own."""

Reading = tuple[str, str]  # kind name, key


def reading_of(action: Sequence[Any]) -> Reading:
    """Read type and rank. Four jokers are written FourKings with ranks B or R, or Bomb with the rank JOKER."""
    kind, rank = TYPES[action[0]], str(action[1])
    if kind == Kind.JOKER_BOMB or (kind == Kind.BOMB and rank in ("JOKER", "B", "R")):
        return Kind.JOKER_BOMB.name, "JOKER"
    return kind.name, {"10": "T", "SB": "B", "HR": "R"}.get(rank, rank)


def is_pass(action: Any) -> bool:
    """Tell a PASS, written as "PASS" or as ["PASS", ...]."""
    return action == "PASS" or (isinstance(action, Sequence) and action[:1] == ["PASS"])


def play_of_action(action: Sequence[Any]) -> Play:
    """Read a whole action; nothing says yet that its cards can be read like this."""
    if is_pass(action):
        return PASS
    kind, key = reading_of(action)
    return Play(Kind[kind], key, tuple(sorted(action[2])))


def play_like(kind: Kind, cards: Iterable[str], level: str) -> Play:
    """Read cards as the only play of this kind that they are; ValueError when they are none or several."""
    (play,) = (play for play in readings(cards, level) if play.kind == kind)
    return play


def plain(play: Play) -> tuple[str, str, tuple[str, ...]]:
    """Write a play as the slow references do: (kind name, key, cards in text order)."""
    return play.kind.name, play.key, tuple(sorted(play.cards))
