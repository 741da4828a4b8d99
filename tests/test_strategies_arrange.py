"""Arranging a hand (理牌): groups are legal plays that use each card once, as few or as cheap as weights ask for."""

import random
from collections import Counter

import pytest

from engine import _core
from engine.cards import RANKS, card_bytes, card_texts
from engine.plays import Kind
from tests.slow import brute
from tests.support.arranging import Arranger, build, weights

SEED = 700

PAIR_OF_SEVENS = next(code for code in _core.Plays(card_bytes("D7 C7"), 0, 0, False).codes() if code >> 28 == Kind.PAIR)

PRICES = {"turn": 100, "low": 30, "top": 70, "bomb": 160, "larger": 15, "flush": 190, "wild": 60, "slack": 100}


@pytest.fixture(scope="module")
def arranger(tmp_path_factory: pytest.TempPathFactory) -> Arranger:
    return build(tmp_path_factory.mktemp("arrange"))


def fewest_turns(cards: bytes, level: int) -> int:
    """Try every split of the cards into sets that the brute-force lister reads as plays."""
    texts, n = card_texts(cards), len(cards)
    known: dict[tuple[str, ...], bool] = {}
    is_play = [False] * (1 << n)
    for mask in range(1, 1 << n):
        chosen = tuple(sorted(texts[i] for i in range(n) if mask >> i & 1))
        if chosen not in known:
            known[chosen] = len(chosen) <= brute.LARGEST_PLAY and bool(brute.readings(chosen, RANKS[level]))
        is_play[mask] = known[chosen]
    turns = [0] * (1 << n)
    for mask in range(1, 1 << n):
        first = mask & -mask
        rest = part = mask ^ first
        turns[mask] = n
        while True:
            if is_play[part | first]:
                turns[mask] = min(turns[mask], turns[rest ^ part] + 1)
            if not part:
                break
            part = (part - 1) & rest
    return turns[-1]


def clustered_hand(rng: random.Random, level: int, size: int) -> bytes:
    """Draw from few ranks, so that sequences, full houses and bombs compete; up to two wilds."""
    start, span = rng.randrange(8), rng.choice((5, 6))
    ranks = range(start, start + span) if rng.random() < 0.6 else rng.sample(range(13), span)
    deck = [4 * rank + suit for rank in ranks for suit in range(4)] * 2 + [52, 53] * 2 * (rng.random() < 0.3)
    wilds = rng.choice((0, 0, 1, 2))
    deck = [card for card in deck if card != 4 * level + 1]
    return bytes(sorted(rng.sample(deck, size - wilds) + [4 * level + 1] * wilds))


@pytest.mark.parametrize(
    ("level", "cards", "turns"),
    [
        ("2", "S3", 1),
        ("2", "S3 H3 S4", 2),
        ("2", "S3 H4 C5 D6 S7", 1),  # straight
        ("2", "S3 S4 S5 S6 S7", 1),  # straight flush
        ("2", "SA S2 D3 H4 S5", 1),  # ace low
        ("2", "S9 DT HJ SQ SK SA", 2),
        ("2", "S3 C3 S4 C4 S5 C5", 1),  # tube
        ("2", "S3 C3 D3 S4 C4 D4", 1),  # plate
        ("2", "S3 C3 D3 S9 C9", 1),  # full house
        ("2", "S3 C3 D3 H3 S5 C5 D5 S9 C9 D9", 2),  # the bomb is the pairs of two full houses
        ("2", "S3 C4 C4 S5 D5 D6 S6 C7 S7 C8", 2),  # two straights that overlap
        ("2", "SB SB HR HR", 1),
        ("2", "SB SB HR", 2),
        ("8", "H8 H8", 1),  # both wilds: the pair of the level
        ("8", "H8 H8 S3", 1),  # triple
        ("8", "H8 H8 S3 C3 DA", 1),  # full house
        ("8", "H8 S3 C3 D3 D5", 1),
        ("8", "H8 S3 C4 D6 D7", 1),  # straight by the wild
        ("8", "S3 S3 C3 C3 D3 D3 H3 H3 H8 H8", 1),  # bomb of ten
    ],
)
def test_hand_takes_so_many_turns(arranger: Arranger, level: str, cards: str, turns: int) -> None:
    hand, rank = card_bytes(cards), RANKS.index(level)
    assert arranger.arrange(hand, rank, weights()).turns == turns
    assert fewest_turns(hand, rank) == turns


def test_no_turns_are_needed_for_an_empty_hand(arranger: Arranger) -> None:
    assert arranger.arrange(b"", 5, weights()).cost == 0


def test_turns_of_small_hands_are_the_fewest_there_are(arranger: Arranger) -> None:
    rng = random.Random(SEED)
    seen: Counter[int] = Counter()
    for _ in range(250):
        level = rng.randrange(13)
        hand = clustered_hand(rng, level, rng.randint(5, 9))
        found = arranger.arrange(hand, level, weights())
        assert found.cost == found.turns == fewest_turns(hand, level), f"{card_texts(hand)} at {RANKS[level]}"
        seen[found.turns] += 1
    assert len(seen) >= 5


@pytest.mark.parametrize("size", [27, 20, 12])
@pytest.mark.parametrize("priced", [False, True])
def test_groups_are_plays_of_the_hand_that_use_each_card_once(arranger: Arranger, size: int, priced: bool) -> None:
    rng = random.Random(SEED + size)
    w = weights(PRICES, low_at=0x1F, top_at=0x7000) if priced else weights()
    kinds: Counter[int] = Counter()
    for _ in range(300):
        level = rng.randrange(13)
        wilds = rng.choice((0, 0, 1, 2))
        deck = [card for card in range(54) if card != 4 * level + 1] * 2
        hand = bytes(sorted(rng.sample(deck, size - wilds) + [4 * level + 1] * wilds))
        found, left = arranger.arrange(hand, level, w), hand
        groups = found.group[: found.turns]
        for group in groups:
            assert group in _core.Plays(left, level, 0, False).codes(), f"{group:x} of {card_texts(left)}"
            left = arranger.without(left, level, group)
            kinds[group >> 28] += 1
        assert left == b""
        assert found.cost == sum(arranger.group_cost(group, w) for group in groups)
        assert found.bombs == sum(group >> 28 >= 8 for group in groups)
    assert set(kinds) >= set(range(1, 10))


@pytest.mark.parametrize(
    ("cards", "changed", "kinds"),
    [
        # the bomb stays whole, though breaking it would save a turn
        ("S3 C3 D3 S3 S5 C5 D5 S9 C9 D9", {}, [3, 3, 9]),
        ("S3 C3 D3 S3 S5 C5 D5 S9 C9 D9", {"bomb": 0}, [5, 5]),
        # the wild makes a bomb of a triple, not a straight of singles, unless bombs are worth nothing
        ("H2 S4 S5 D7 D8 SJ CJ DJ", {}, [1, 1, 1, 1, 9]),
        ("H2 S4 S5 D7 D8 SJ CJ DJ", {"bomb": 0, "wild": 0}, [3, 7]),
        # the straight flush or the bomb
        ("S3 S4 S5 S6 S7 C5 D5 H5", {}, [3, 8]),
        ("S3 S4 S5 S6 S7 C5 D5 H5", {"bomb": 1000, "flush": 0}, [1, 1, 1, 1, 9]),
    ],
)
def test_weights_decide_what_is_kept(arranger: Arranger, cards: str, changed: dict[str, int], kinds: list[int]) -> None:
    prices = {"turn": 100, "bomb": 320, "flush": 420, "wild": 60, "slack": 400} | changed
    found = arranger.arrange(card_bytes(cards), 0, weights(prices))
    assert sorted(group >> 28 for group in found.group[: found.turns]) == kinds


def test_what_is_left_behind_a_group_costs_no_more_than_the_hand_less_the_group(arranger: Arranger) -> None:
    rng = random.Random(SEED)
    w = weights(PRICES, low_at=0x1F, top_at=0x7000)
    for _ in range(200):
        hand = clustered_hand(rng, 12, 9)
        found = arranger.arrange(hand, 12, w)
        for group in found.group[: found.turns]:
            left = arranger.arrange(arranger.without(hand, 12, group), 12, w)
            assert left.cost <= found.cost - arranger.group_cost(group, w) or group >> 28 == 5


def test_cards_are_taken_from_suits_outside_of_straight_flushes(arranger: Arranger) -> None:
    hand = card_bytes("S3 S4 S5 S6 S7 D5 D7 C7 HK")
    left = card_texts(arranger.without(hand, 0, PAIR_OF_SEVENS))
    assert {"S3", "S4", "S5", "S6", "S7"} <= set(left)
