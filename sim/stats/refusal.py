"""How often tribute is refused, and which card is paid, when the cards are dealt fairly: exact counts.

Refusing tribute (抗贡) needs both big jokers among those who owe it; under some rules both small ones do as well. The
cards of a deal do not depend on what was played before, so these rates are a matter of counting hands, whoever plays.
They serve as a test of dealing and tribute.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import Final

DECK_CARDS = 108
HAND_CARDS = 27
BIG_JOKERS = SMALL_JOKERS = 2

_PLAIN: Final = "AKQJT98765432"
_OF_RANK: Final = 8
_PAYABLE_LEVEL_CARDS: Final = 6  # of eight: the two wilds are never paid


def refusal_probability(payers: int, *, small: bool = False) -> Fraction:
    """Count the share of deals in which `payers` seats together hold both big jokers, or with `small` both small ones.

    Of the C(108, 2) places for the two cards, C(27 payers, 2) lie in the payers' hands: 702/11556 for the one payer
    of a single tribute, 2862/11556 for the two of a double, whose jokers count together. Raises ValueError unless 1
    <= payers <= 4. Source: national competition rules (竞技掼蛋竞赛规则), tribute and refusal.

    >>> refusal_probability(1) == Fraction(702, 11556)
    True
    """
    _check_payers(payers)
    both = Fraction(comb(HAND_CARDS * payers, BIG_JOKERS), comb(DECK_CARDS, BIG_JOKERS))
    if not small:
        return both
    jokers = BIG_JOKERS + SMALL_JOKERS
    return 2 * both - Fraction(comb(HAND_CARDS * payers, jokers), comb(DECK_CARDS, jokers))


def paid_probabilities(payers: int, level: str, *, small: bool = False) -> dict[str, Fraction]:
    """Count how often a payer pays a card of each rank where tribute is not refused, greatest first.

    Keys are HR, SB, level, then the other ranks from A down. level: the letter that is played; its hearts are never
    paid. payers, small: as for `refusal_probability`. Raises ValueError for a level that is none.

    >>> round(float(paid_probabilities(1, "2")["HR"]), 4)
    0.403
    """
    _check_payers(payers)
    if len(level) != 1 or level not in _PLAIN:
        raise ValueError(f"level {level!r}: write one of {_PLAIN}")
    with_big = with_small = with_none = 0
    for own, small_own, ways in _joker_places(payers, small=small):
        if own:
            with_big += ways
        elif small_own:
            with_small += ways
        else:
            with_none += ways
    total = with_big + with_small + with_none
    found = {"HR": Fraction(with_big, total), "SB": Fraction(with_small, total)}
    left = DECK_CARDS - BIG_JOKERS - SMALL_JOKERS  # of which a hand without jokers is drawn
    hands = comb(left, HAND_CARDS)
    for rank in ("level", *_PLAIN.replace(level, "")):
        without = left - (_PAYABLE_LEVEL_CARDS if rank == "level" else _OF_RANK)
        greatest = comb(left, HAND_CARDS) - comb(without, HAND_CARDS)
        found[rank] = Fraction(with_none, total) * Fraction(greatest, hands)
        left = without
    return found


def _joker_places(payers: int, *, small: bool) -> Iterator[tuple[int, int, int]]:
    """Give (big jokers, small jokers) of one payer and the ways to place all four, tribute not being refused."""
    seats = HAND_CARDS, HAND_CARDS * (payers - 1), HAND_CARDS * (4 - payers)
    for own, other, small_own, small_other in product(range(3), repeat=4):
        if own + other > 1 or small_own + small_other > (1 if small else 2):
            continue
        big = own, other, BIG_JOKERS - own - other
        little = small_own, small_other, SMALL_JOKERS - small_own - small_other
        ways = 1
        for room, first, second in zip(seats, big, little, strict=True):
            ways *= comb(room, first) * comb(max(room - first, 0), second)
        yield own, small_own, ways


def _check_payers(payers: int) -> None:
    if not 1 <= payers <= 4:
        raise ValueError(f"one to four seats can owe tribute, got {payers}")
