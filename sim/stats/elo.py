"""Elo, normalized Elo and likelihood of superiority (LOS) from the cells of a fixed number of pairs.

Sources: A. E. Elo 1978, The Rating of Chessplayers; M. Van den Bergh, Normalized Elo; the same figures are printed by
the fishtest and fastchess projects.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from sim.stats.likelihood import CELL_SCORES, ELO_PER_T, PAIR_LEGS, elo_of_score, mean_and_variance, shares
from sim.stats.results import Interval, NotEstimable, normal_quantile


@dataclass(frozen=True, slots=True)
class FixedLength:
    """Hold what a fixed number of pairs says of one strategy against another.

    `score` is the mean of the pairs, `variance` (divisor N) that of a pair, `score_ends` the normal interval within
    [0, 1]. `elo` with its ends is the logistic Elo of these; `nelo` the normalized Elo, known to `nelo_half`. `los` is
    the probability that the true score is above one half under a flat prior.
    """

    pairs: int
    score: float
    score_ends: Interval
    variance: float
    elo: float
    elo_ends: Interval
    nelo: float
    nelo_half: float
    los: float

    @property
    def elo_half(self) -> float:
        """Give half the width of the interval of Elo."""
        return (self.elo_ends.hi - self.elo_ends.lo) / 2


def fixed_length(
    counts: ArrayLike,
    level: float = 0.95,
    *,
    scores: ArrayLike = CELL_SCORES,
    legs: int = PAIR_LEGS,
    possible: ArrayLike = True,
) -> FixedLength | NotEstimable:
    """Evaluate `counts` [cells] of pairs on `scores` [cells] within [0, 1], an empty possible cell counted 0.001.

    NotEstimable: without pairs, for a single pair, and where all pairs have one score (all won, all split). Not for a
    number of pairs that a sequential test chose: there `estimate_after_stop` takes its stopping into account.
    """
    table = np.asarray(counts)
    z = normal_quantile(level)
    pairs = int(table.sum())
    missing = not_spread(table)
    if missing is not None:
        return missing
    total, share = shares(table, possible)
    mean, variance = (float(x) for x in mean_and_variance(share, np.asarray(scores, float)))
    se = sqrt(variance / float(total))
    ends = Interval(max(0.0, mean - z * se), min(1.0, mean + z * se))
    unit = sqrt(legs * variance)
    return FixedLength(
        pairs,
        mean,
        ends,
        variance,
        float(elo_of_score(mean)),
        Interval(float(elo_of_score(ends.lo)), float(elo_of_score(ends.hi))),
        ELO_PER_T * (mean - 0.5) / unit,
        ELO_PER_T * z * se / unit,
        NormalDist().cdf((mean - 0.5) / se),
    )


def not_spread(counts: ArrayLike) -> NotEstimable | None:
    """Say why `counts` [cells] tell nothing of the spread: no pair, one pair, or all in one cell; None if they do."""
    table = np.asarray(counts)
    pairs = int(table.sum())
    if pairs < 2:
        return NotEstimable("one_unit" if pairs else "no_data", pairs, pairs)
    if (table > 0).sum() == 1:
        return NotEstimable("no_variation", pairs, pairs)
    return None
