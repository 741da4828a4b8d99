"""How plays are written: the order of their cards, and sequences by their span."""

from __future__ import annotations

import pytest

from cluster.laying import laid_out, span
from cluster.show import reading
from cluster.texts import Texts
from engine import _core
from engine.cards import LEVELS, card_texts
from engine.layout import read_laid
from engine.plays import Kind, LegalPlays, Play
from engine.rules import Rules

SEED = 20261130


def play(kind: Kind, key: str, cards: str) -> Play:
    return Play(kind, key, tuple(cards.split()))


@pytest.mark.parametrize(
    ("made", "shown"),
    [
        (play(Kind.STRAIGHT, "A", "SA H2 C3 D4 S5"), "A-5"),
        (play(Kind.STRAIGHT, "T", "ST HJ CQ DK SA"), "10-A"),
        (play(Kind.STRAIGHT_FLUSH, "2", "S2 S3 S4 S5 S6"), "2-6"),
        (play(Kind.TUBE, "3", "S3 H3 S4 H4 S5 H5"), "3-5"),
        (play(Kind.TUBE, "A", "SA HA S2 H2 S3 H3"), "A-3"),
        (play(Kind.PLATE, "K", "SK HK CK SA HA CA"), "K-A"),
        (play(Kind.FULL_HOUSE, "9", "S9 H9 C9 S2 H2"), "9"),
        (play(Kind.PAIR, "R", "HR HR"), "大王"),
        (play(Kind.JOKER_BOMB, "JOKER", "SB SB HR HR"), ""),
    ],
)
def test_a_sequence_is_written_from_its_first_to_its_last_rank(made: Play, shown: str) -> None:
    assert reading(Texts("zh"), made) == shown
    assert (span(made) is None) == ("-" not in shown)


@pytest.mark.parametrize(
    ("made", "laid"),
    [
        (play(Kind.FULL_HOUSE, "9", "D2 S2 S9 C9 H7"), "S9 C9 H7 D2 S2"),
        (play(Kind.FULL_HOUSE, "9", "S2 H7 S9 C9 D9"), "S9 C9 D9 S2 H7"),
        (play(Kind.STRAIGHT, "A", "H7 S2 C3 D5 SA"), "SA S2 C3 H7 D5"),
        (play(Kind.BOMB, "K", "H7 SK HK CK"), "SK HK CK H7"),
        (play(Kind.STRAIGHT, "5", "S5 H6 S7 H7 D9"), "S5 H6 S7 H7 D9"),
    ],
)
def test_a_wild_lies_where_the_card_it_replaces_would(made: Play, laid: str) -> None:
    assert laid_out(made, "7") == laid.split()


def test_every_play_is_read_from_how_it_is_laid() -> None:
    """With what it is said to be always; without, but for the two that lie like a lesser one, which is then read."""
    rules, seen = Rules(wild_pair_any=True), set()
    for pair in range(30):
        hands, _ = _core.deal_cards(SEED, pair, 1)
        level = LEVELS[pair % 13]
        wild = "H" + level
        for hand in hands:
            cards = [card for card in card_texts(hand)[::2] if card != wild]
            for play in LegalPlays([*cards, wild, wild], level, rules=rules):
                laid = laid_out(play, level)
                assert read_laid(laid, level, (play.kind, play.key), rules) == play
                unsaid = read_laid(laid, level, None, rules)
                seen.add((play.kind, unsaid.kind))
                if unsaid != play:
                    assert unsaid.kind < play.kind or laid == [wild, wild], f"{laid} is read as {unsaid}, not {play}"
    assert {kind for kind, _ in seen} >= set(Kind) - {Kind.PASS, Kind.JOKER_BOMB}
    assert {both for both in seen if both[0] != both[1]} == {
        (Kind.STRAIGHT_FLUSH, Kind.STRAIGHT),
        (Kind.BOMB, Kind.FULL_HOUSE),
    }
