"""Aggregates of measured times, which are no small integers: merged moments and a histogram of logarithmic buckets.

Sources: T. F. Chan, G. H. Golub and R. J. LeVeque 1979, Updating Formulae and a Pairwise Algorithm for Computing Sample
Variances; C. Masson, J. E. Rim and H. K. Lee 2019, DDSketch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, log

from sim.stats.integers import quantile
from sim.stats.results import NotEstimable

RATIO = 1.02
"""Ratio of the ends of a bucket: a quantile is known to 1 %."""


@dataclass(frozen=True, slots=True)
class FloatMoments:
    """Hold count, mean and sum of squared deviations of floats.

    Two of them add up; the last digits depend on the order, so merge in the order of block ids.
    """

    n: int = 0
    mean: float = 0.0
    m2: float = 0.0

    def __add__(self, other: FloatMoments) -> FloatMoments:
        n = self.n + other.n
        if n == 0:
            return self
        delta = other.mean - self.mean
        return FloatMoments(
            n, self.mean + delta * other.n / n, self.m2 + other.m2 + delta * delta * self.n * other.n / n
        )

    @classmethod
    def of(cls, values: Iterable[float]) -> FloatMoments:
        """Sum up values, one after another."""
        total = cls()
        for value in values:
            total += cls(1, value, 0.0)
        return total

    @property
    def variance(self) -> float | NotEstimable:
        """Give the variance with divisor n - 1; NotEstimable for fewer than two values."""
        if self.n < 2:
            return NotEstimable("one_unit" if self.n else "no_data", self.n, self.n)
        return self.m2 / (self.n - 1)


@dataclass(frozen=True, slots=True)
class LogHistogram:
    """Count positive whole numbers in buckets (RATIO^(k-1), RATIO^k], exact and mergeable in any order."""

    counts: Mapping[int, int] = field(default_factory=dict)

    def __add__(self, other: LogHistogram) -> LogHistogram:
        return LogHistogram(Counter(self.counts) + Counter(other.counts))

    @classmethod
    def of(cls, values: Iterable[int]) -> LogHistogram:
        """Count values; below 1 they count as 1."""
        return cls(Counter(ceil(log(max(1, value)) / log(RATIO)) for value in values))

    def quantile(self, q: Fraction | float) -> float | NotEstimable:
        """Give the lower empirical quantile, to 1 % of its size. Raises ValueError unless 0 < q <= 1."""
        bucket = quantile(self.counts, q)
        return bucket if isinstance(bucket, NotEstimable) else 2 * RATIO**bucket / (RATIO + 1)
