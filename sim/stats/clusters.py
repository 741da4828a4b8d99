"""Rates and means over deals, with the pair as the unit of sampling.

The deals of a match, and the two matches of a pair, depend on each other. A rate over deals is therefore a ratio of two
sums over pairs: y events out of n eligible deals. Six integer sums carry everything; they add over blocks in any order.
Sources: W. G. Cochran 1977, Sampling Techniques, section 6.3 and 9A.1 (linearised variance of a ratio over clusters);
L. Kish 1965 (effective sample size); N. Dean and M. Pagano 2015 (Wilson's interval with it for clustered proportions).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.stats.proportions import wilson
from sim.stats.results import Estimate, NotEstimable, normal_quantile


@dataclass(frozen=True, slots=True)
class ClusterSums:
    """Hold the six integer sums over clusters: count, n, y, n squared, y squared, n times y.

    Only clusters with n > 0 belong in `clusters`; the others add nothing else. Sums of disjoint sets of clusters add
    up.
    """

    clusters: int
    n: int
    y: int
    nn: int
    yy: int
    ny: int

    def __add__(self, other: ClusterSums) -> ClusterSums:
        return ClusterSums(
            self.clusters + other.clusters,
            self.n + other.n,
            self.y + other.y,
            self.nn + other.nn,
            self.yy + other.yy,
            self.ny + other.ny,
        )

    @classmethod
    def of(cls, n: Sequence[int] | NDArray[Any], y: Sequence[int] | NDArray[Any]) -> ClusterSums:
        """Sum up two equally long integer arrays, one entry a cluster; clusters with n = 0 are left out.

        Raises ValueError for unequal lengths, a negative n, or events where nothing was eligible.
        """
        sizes, events = np.asarray(n, np.int64), np.asarray(y, np.int64)
        if sizes.shape != events.shape or sizes.ndim != 1:
            raise ValueError(f"n and y must be equally long lists, got shapes {sizes.shape} and {events.shape}")
        if (sizes < 0).any() or (events[sizes == 0] != 0).any():
            raise ValueError("n must not be negative, and y must be 0 where n is 0")
        return cls(
            int((sizes > 0).sum()),
            int(sizes.sum()),
            int(events.sum()),
            int((sizes * sizes).sum()),
            int((events * events).sum()),
            int((sizes * events).sum()),
        )

    @property
    def variance(self) -> float:
        """Give the linearised variance of y/n; needs two clusters and a positive n.

        C/(C-1) (Syy - 2 r Sny + r^2 Snn) / Sn^2, put over one denominator and computed in integers, so that it is
        exactly 0 where all clusters have the same rate. Source: Cochran 1977, section 6.3.
        """
        spread = self.yy * self.n**2 - 2 * self.y * self.n * self.ny + self.y**2 * self.nn
        return self.clusters * spread / ((self.clusters - 1) * self.n**4)


@dataclass(frozen=True, slots=True)
class CrossSums:
    """Hold the integer sums over clusters of x's eligible units n and events y times those of y: n n, n y, y n, y y."""

    nn: int
    ny: int
    yn: int
    yy: int

    @classmethod
    def of(cls, x: Sequence[Sequence[int]], y: Sequence[Sequence[int]]) -> CrossSums:
        """Sum up (n, y) of both sides, an entry a cluster in the same order."""
        (n_x, y_x), (n_y, y_y) = (np.asarray(side, np.int64) for side in (x, y))
        return cls(*(int((a * b).sum()) for a, b in ((n_x, n_y), (n_x, y_y), (y_x, n_y), (y_x, y_y))))


def cluster_ratio(sums: ClusterSums, level: float = 0.95, *, scale: int = 1) -> Estimate | NotEstimable:
    """Estimate y / (scale n), a mean over deals such as deals a match, with the normal interval r +- z se.

    `scale` divides the result: 2 where y counts half points. Returns NotEstimable without data or with a single
    cluster. Source: Cochran 1977, section 6.3.
    """
    z = normal_quantile(level)
    missing = _missing(sums)
    if missing is not None:
        return missing
    value, se = sums.y / sums.n / scale, sqrt(sums.variance) / scale
    return Estimate(value, value - z * se, value + z * se, se, sums.clusters, sums.n)


def cluster_rate(sums: ClusterSums, level: float = 0.95, *, scale: int = 1) -> Estimate | NotEstimable:
    """Estimate a rate in [0, 1] with Wilson's interval at the effective sample size.

    The effective size is r(1-r)/Var(r), the number of independent deals that would be as informative. For common
    events and many pairs the interval is r +- 1.96 se to the printed digits; near 0 and 1 it keeps its coverage,
    where the normal one leaves [0, 1] or shrinks to a point. Where Var(r) = 0 (nothing or everything happened, or
    every pair has the same rate) the number of pairs serves as the size, which is cautious. `scale` as in
    `cluster_ratio`.

    Raises ValueError if there are more events than eligible units. Sources: Cochran 1977, section 6.3; Kish 1965;
    Dean and Pagano 2015.
    """
    missing = _missing(sums)
    if missing is not None:
        return missing
    if not 0 <= sums.y <= scale * sums.n:
        raise ValueError(f"a rate needs 0 <= events <= {scale} n, got {sums.y} events of n = {sums.n}")
    value, variance = sums.y / sums.n / scale, sums.variance / scale**2
    size = value * (1 - value) / variance if variance > 0 else float(sums.clusters)
    interval = wilson(size * value, size, level)
    assert not isinstance(interval, NotEstimable)
    return Estimate(value, interval.lo, interval.hi, sqrt(variance), sums.clusters, sums.n)


def cluster_difference(
    x: ClusterSums, y: ClusterSums, cross: CrossSums, clusters: int, level: float = 0.95
) -> Estimate | NotEstimable:
    """Estimate the difference of two ratios on the same clusters, x's minus y's, with the normal interval.

    clusters: how many there are, those without an eligible unit on one side included. Deals that are common to both
    sides make their events depend on each other; `cross` carries that. `units` of the result are the clusters, `events`
    those of x. Returns NotEstimable where one of the ratios is.
    Source: Cochran 1977, section 6.3 and 6.17 (the linearised covariance of two ratios).
    """
    z = normal_quantile(level)
    missing = _missing(x) or _missing(y)
    if missing is not None:
        return missing
    first, second = x.y / x.n, y.y / y.n
    spread = sum(
        (sums.yy - 2 * ratio * sums.ny + ratio * ratio * sums.nn) / sums.n**2
        for sums, ratio in ((x, first), (y, second))
    )
    common = (cross.yy - second * cross.yn - first * cross.ny + first * second * cross.nn) / (x.n * y.n)
    se = sqrt(max(0.0, clusters / (clusters - 1) * (spread - 2 * common)))
    value = first - second
    return Estimate(value, value - z * se, value + z * se, se, clusters, x.n)


def _missing(sums: ClusterSums) -> NotEstimable | None:
    if sums.clusters == 0 or sums.n == 0:
        return NotEstimable("no_data")
    if sums.clusters == 1:
        return NotEstimable("one_unit", 1, sums.n)
    return None
