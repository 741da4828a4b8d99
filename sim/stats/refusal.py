"""How often tribute is refused when the cards are dealt fairly: an exact count.

Refusing tribute (抗贡) needs both big jokers among those who owe it. The cards of a deal do not depend on what was
played before, so the rate is a matter of counting hands, whoever plays. It serves as a test of dealing and tribute.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

DECK_CARDS = 108
HAND_CARDS = 27
BIG_JOKERS = 2


def refusal_probability(payers: int, *, jokers: int = BIG_JOKERS) -> Fraction:
    """Count the share of deals in which `payers` seats together hold all `jokers` big jokers of the two packs.

    Of the C(108, 2) places for the two cards, C(27 payers, 2) lie in the payers' hands: 702/11556 for the one payer
    of a single tribute, 2862/11556 for the two of a double, whose jokers count together. Raises ValueError unless 1
    <= payers <= 4. Source: national competition rules (竞技掼蛋竞赛规则), tribute and refusal.

    >>> refusal_probability(1) == Fraction(702, 11556)
    True
    """
    if not 1 <= payers <= 4:
        raise ValueError(f"one to four seats can owe tribute, got {payers}")
    return Fraction(comb(HAND_CARDS * payers, jokers), comb(DECK_CARDS, jokers))
