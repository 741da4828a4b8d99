"""Strength of a match-up after a sequential test has stopped.

A test stops when luck and strength have pushed the ratio over a bound, so the plain mean is too far out. Here the ratio
is a Brownian motion between two absorbing barriers; the estimate is the strength for which what was seen is the median
of all outcomes, ordered from fast rejection to fast acceptance.
Sources: D. Siegmund 1985, Sequential Analysis, chapter III (ordering, median-unbiased estimate); A. N. Borodin and P.
Salminen 2002 (method of images between two barriers); the fishtest project, sprt.py, gives the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from sim.stats.elo import not_spread
from sim.stats.likelihood import (
    CELL_SCORES,
    ELO_PER_T,
    Floats,
    elo_of_score,
    expected_score,
    mean_and_variance,
    possible_cells,
    shares,
)
from sim.stats.results import Interval, NotEstimable, check_level
from sim.stats.sequential import SequentialTest

_CLAMPED = 1.03


@dataclass(frozen=True, slots=True)
class AfterStop:
    """Hold the mean score (median-unbiased), its interval, and the probability `los` that x is the stronger.

    `clamped` warns that the ratio lies so far beyond a bound that the numbers describe the crossing only.
    """

    score: float
    ends: Interval
    los: float
    clamped: bool

    @property
    def elo(self) -> float:
        """Give the logistic Elo of a score within [0, 1]."""
        return float(elo_of_score(min(max(self.score, 0.0), 1.0)))

    @property
    def elo_ends(self) -> Interval:
        """Give the ends of the interval in logistic Elo."""
        lo, hi = elo_of_score(np.clip([self.ends.lo, self.ends.hi], 0.0, 1.0))
        return Interval(float(lo), float(hi))


def estimate_after_stop(counts: ArrayLike, test: SequentialTest, level: float = 0.95) -> AfterStop | NotEstimable:
    """Estimate the mean score from the official `counts` [cells] of a test, stopped or still going.

    Where the ratio overshot a bound the time is scaled back to the crossing. NotEstimable for fewer than two pairs and
    where all pairs have one score.
    """
    check_level(level)
    table = np.asarray(counts)
    missing = not_spread(table)
    if missing is not None:
        return missing
    scores = np.asarray(test.scores, float)
    total, share = shares(table, possible_cells(table) if test.scores == CELL_SCORES else True)
    mean, variance = (float(x) for x in mean_and_variance(share, scores))
    if test.model == "normalized":
        low, high = (test.even + elo / ELO_PER_T * sqrt(test.legs * variance) for elo in (test.elo0, test.elo1))
    else:
        low, high = (float(expected_score(elo)) for elo in (test.elo0, test.elo1))
    a, b = test.bounds.lo, test.bounds.hi
    per_unit = (high - low) ** 2 / variance
    time = float(total)
    reached = time * (mean - (low + high) / 2) * (high - low) / variance
    clamped = not _CLAMPED * a <= reached <= _CLAMPED * b
    if not a <= reached <= b:
        bound = a if reached < a else b
        time, reached = time * bound / reached, bound

    def worse(score: float) -> float:
        drift = (score - (low + high) / 2) * (high - low) / variance
        return outcome_probability(drift, per_unit, time, reached, a, b)

    from scipy.optimize import brentq  # imported here: it takes a third of a second, most commands do not need it

    step = sqrt(variance / time)

    def solve(probability: float) -> float:
        left, right = mean - step, mean + step
        while worse(left) < probability:
            left -= 2 * (right - left)
        while worse(right) > probability:
            right += 2 * (right - left)
        return float(brentq(lambda score: worse(score) - probability, left, right, xtol=1e-12))

    tail = (1 - level) / 2
    ends = Interval(solve(1 - tail), solve(tail))
    return AfterStop(solve(0.5), ends, worse(test.even), clamped)


def outcome_probability(drift: float, variance: float, time: float, reached: float, a: float, b: float) -> float:
    """Give the probability of an outcome no better than being alive at `time` with a level of at most `reached`.

    A Brownian motion starts at 0 with `drift` and `variance` per unit of time and is absorbed at a < 0 < b; the worse
    outcomes are absorption at a before `time`, and being alive at it at or below `reached` (b for an acceptance just
    then, a for a rejection just then). Summed over mirror images of the start, each term being at most about 1, so it
    holds for any drift.
    """
    from scipy.special import log_ndtr  # imported here, see above

    width, start, sd = b - a, -a, sqrt(variance * time)
    most = 2 + int(10 * sd / (2 * width))
    images = 2 * width * np.arange(-most, most + 1, dtype=np.float64)
    g, shift = drift / variance, drift * time

    def mass(centres: Floats) -> Floats:
        """Weigh the normal mass between a and the level around each image, measured from a."""
        low, high = (-centres - shift) / sd, (reached - a - centres - shift) / sd
        flip = low > 0  # the difference of two upper tails loses no digits when taken on the other side
        low, high = np.where(flip, -high, low), np.where(flip, -low, high)
        top, bottom = log_ndtr(high), log_ndtr(low)
        with np.errstate(divide="ignore"):
            return np.asarray(np.exp(g * (centres - start) + top + np.log(-np.expm1(np.minimum(bottom - top, 0.0)))))

    alive = (mass(start + images) - mass(images - start)).sum()
    distance = start + images
    far, pull = np.abs(distance), abs(g)
    first = np.exp(-g * start - far * pull + log_ndtr((abs(shift) - far) / sd))
    again = np.exp(-g * start + far * pull + log_ndtr((-abs(shift) - far) / sd))
    absorbed = (np.sign(distance) * (first + again)).sum()
    return float(min(1.0, max(0.0, alive + absorbed)))
