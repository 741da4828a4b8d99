"""Means and quantiles from integer sums and exact histograms.

Only integers are stored and added: addition is then exact, and a total does not depend on how the work was divided.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt

from sim.stats.results import Estimate, NotEstimable, check_level


@dataclass(frozen=True, slots=True)
class Moments:
    """Hold mean and variance of n integers, from their sum and sum of squares."""

    n: int
    mean: float
    variance: float

    @property
    def sd(self) -> float:
        """Give the standard deviation, with divisor n - 1."""
        return sqrt(self.variance)

    @property
    def se(self) -> float:
        """Give the standard error of the mean of independent units."""
        return sqrt(self.variance / self.n)


def moments(n: int, total: int, squares: int, *, scale: int = 1) -> Moments | NotEstimable:
    """Give mean and variance of `n` integers divided by `scale`.

    The variance (n Q - S^2) / (n (n-1)) is formed in integers of any size, so nothing cancels. Raises ValueError for
    sums that no integers can have. Returns NotEstimable for n < 2.
    """
    if n < 0 or n * squares < total * total:
        raise ValueError(f"no {n} numbers have the sum {total} and the sum of squares {squares}")
    if n < 2:
        return NotEstimable("one_unit" if n else "no_data", n, n)
    variance = Fraction(n * squares - total * total, n * (n - 1) * scale * scale)
    return Moments(n, float(Fraction(total, n * scale)), float(variance))


def mean_student(n: int, total: int, squares: int, level: float = 0.95, *, scale: int = 1) -> Estimate | NotEstimable:
    """Estimate the mean of `n` independent integers divided by `scale`, with Student's interval.

    Source: Student 1908, The Probable Error of a Mean.
    """
    check_level(level)
    result = moments(n, total, squares, scale=scale)
    if isinstance(result, NotEstimable):
        return result
    from scipy.special import stdtrit  # imported here: it takes a third of a second, most commands do not need it

    half = float(stdtrit(n - 1, 0.5 + level / 2)) * result.se
    return Estimate(result.mean, result.mean - half, result.mean + half, result.se, n, n)


def quantile(histogram: Mapping[int, int], q: Fraction | float) -> int | NotEstimable:
    """Give the smallest value whose cumulative count reaches ceil(q n), the lower empirical quantile.

    `histogram` maps values to counts. Raises ValueError unless 0 < q <= 1. Source: Hyndman and Fan 1996, definition 1.
    """
    if not 0 < q <= 1:
        raise ValueError(f"a quantile lies between 0 and 1, got {q}")
    n = sum(histogram.values())
    if n == 0:
        return NotEstimable("no_data")
    # A float like 0.95 is meant as 19/20: rounded up as it stands in binary it would ask for one unit too many.
    needed = ceil(Fraction(q).limit_denominator(1_000_000) * n)
    seen = 0
    for value in sorted(histogram):
        seen += histogram[value]
        if seen >= needed:
            return value
    raise AssertionError("the counts of a histogram are not negative")
