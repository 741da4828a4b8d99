"""What faults and forfeits do to a score: three scores side by side, and a limit beyond which none counts.

A leg that a strategy lost by its own faults stays lost; leaving such pairs out would be a selection, since faults
depend on the play. So the score is given as played, without any pair with a fault, and with every fault of x a defeat.
Sources: C. F. Manski 2003, Partial Identification (bounds instead of selection); Clopper and Pearson 1934.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from sim.stats.duplicate import Duplicate, Leg, duplicate
from sim.stats.proportions import clopper_pearson
from sim.stats.results import Interval, NotEstimable

CONTAMINATED_ABOVE: Final = 0.001
INVALID_ABOVE: Final = 0.01

Soundness = Literal["sound", "contaminated", "invalid"]
"""No forfeit, or an upper bound of the forfeit rate of at most 0.1 %; above it; above 1 %. A test
gives no verdict on the last two."""


class FaultyPair(NamedTuple):
    """Results of both legs for x in half points, which of them have a fault of x, and whether any has one of y."""

    first: Leg
    second: Leg
    x_first: bool = False
    x_second: bool = False
    y_any: bool = False


@dataclass(frozen=True, slots=True)
class ThreeScores:
    """Hold the results as played, of pairs without any fault, and with x's faulty legs lost and y's pairs dropped.

    `pairs_with_faults` is the rate of pairs with a fault, with the exact interval.
    """

    played: Duplicate
    clean: Duplicate
    worst: Duplicate
    pairs_with_faults: Interval | NotEstimable


def three_scores(pairs: Mapping[FaultyPair, int], level: float = 0.95) -> ThreeScores:
    """Evaluate pairs, given as counts, in three ways. A pair with faults of both sides counts in `worst` for x's.

    Raises ValueError for results or counts that cannot be, as `duplicate` does.
    """
    played: dict[tuple[Leg, Leg], int] = {}
    clean: dict[tuple[Leg, Leg], int] = {}
    worst: dict[tuple[Leg, Leg], int] = {}
    faulty = 0
    for pair, count in pairs.items():
        legs = (pair.first, pair.second)
        of_x = pair.x_first or pair.x_second
        played[legs] = played.get(legs, 0) + count
        if not of_x and not pair.y_any:
            clean[legs] = clean.get(legs, 0) + count
        else:
            faulty += count
        if of_x or not pair.y_any:
            lost = (0 if pair.x_first else pair.first, 0 if pair.x_second else pair.second)
            worst[lost] = worst.get(lost, 0) + count
    rate = clopper_pearson(faulty, sum(played.values()), level)
    return ThreeScores(duplicate(played, level), duplicate(clean, level), duplicate(worst, level), rate)


def soundness(forfeits: int, legs: int, level: float = 0.95) -> Soundness | NotEstimable:
    """Say whether so many forfeited legs of one strategy leave a result sound, by the exact upper bound of the rate.

    Without a forfeit a result is sound however few the legs are: there the bound is wide only because the run is short.
    NotEstimable without legs. Raises ValueError for counts that cannot be.
    """
    bound = clopper_pearson(forfeits, legs, level)
    if isinstance(bound, NotEstimable):
        return bound
    if forfeits == 0 or bound.hi <= CONTAMINATED_ABOVE:
        return "sound"
    return "invalid" if bound.hi > INVALID_ABOVE else "contaminated"
