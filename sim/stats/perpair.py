"""Figures that are made of several ratios over the same pairs, with what each pair adds to their error.

A ratio of sums over pairs is, to first order, a mean over pairs; so is every smooth function of such ratios. With the
share of each pair at hand, differences and products account for whatever the ratios have in common.
Sources: W. G. Cochran 1977, Sampling Techniques, sections 6.3 and 6.17; J.-C. Deville 1999 (variance by
linearisation); Z. Sidak 1967 (simultaneous intervals, valid whatever the dependence of normal estimates).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.stats.results import Estimate, NotEstimable, check_level, normal_quantile

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class PerPair:
    """Hold a figure over some pairs.

    pulls: [pairs] float, how far each pair moves the figure; they add up to 0. used: [pairs] bool, pairs with an
    occasion. events: occasions, of the first ratio where there are several.
    """

    value: float
    pulls: Array
    used: Array
    events: int

    def __add__(self, other: PerPair) -> PerPair:
        return PerPair(self.value + other.value, self.pulls + other.pulls, self.used | other.used, self.events)

    def __sub__(self, other: PerPair) -> PerPair:
        return self + other.times(-1.0)

    def __mul__(self, other: PerPair) -> PerPair:
        pulls = self.value * other.pulls + other.value * self.pulls
        return PerPair(self.value * other.value, pulls, self.used | other.used, self.events)

    def times(self, factor: float, plus: float = 0.0) -> PerPair:
        """Give factor times the figure, plus a constant."""
        return PerPair(factor * self.value + plus, factor * self.pulls, self.used, self.events)

    @property
    def units(self) -> int:
        """Count the pairs with an occasion."""
        return int(self.used.sum())

    def estimate(self, level: float = 0.95) -> Estimate | NotEstimable:
        """Give the figure with its normal interval; NotEstimable for fewer than two pairs.

        For a single ratio it is that of `cluster_ratio`, for a difference that of `cluster_difference`.
        """
        z, units = normal_quantile(level), self.units
        if units < 2:
            return NotEstimable("one_unit" if units else "no_data", units, self.events)
        se = sqrt(units / (units - 1) * float((self.pulls * self.pulls).sum()))
        return Estimate(self.value, self.value - z * se, self.value + z * se, se, units, self.events)


def ratio_per_pair(n: Array, y: Array, *, scale: float = 1) -> PerPair | NotEstimable:
    """Give sum(y) / (scale sum(n)) of two arrays [pairs] as a figure per pair; NotEstimable without an occasion."""
    total = n.sum()
    if total == 0:
        return NotEstimable("no_data")
    value = float(y.sum()) / float(total)
    return PerPair(value / scale, (y - value * n) / (float(total) * scale), np.asarray(n > 0), int(total))


def simultaneous_level(figures: int, level: float = 0.95) -> float:
    """Give the level at which each of so many normal intervals must be drawn for all to hold together: level^(1/m).

    Raises ValueError for no figure. Source: Sidak 1967.

    >>> round(simultaneous_level(10), 6)
    0.994884
    """
    check_level(level)
    if figures < 1:
        raise ValueError(f"a family has one figure at least, got {figures}")
    return float(level ** (1 / figures))


def two_sided_p(estimate: Estimate, null: float = 0.0) -> float:
    """Give the normal p value of an estimate against a value; without spread, that of all pairs falling on one side.

    The sign test stands in where every pair is alike: 2 (1/2)^n, and 1 where the value is hit.
    """
    if estimate.se == 0:
        return 1.0 if estimate.value == null else min(1.0, 2.0 * 0.5**estimate.units)
    return min(1.0, 2 * NormalDist().cdf(-abs(estimate.value - null) / estimate.se))


def gathered(ids: Array, rows: Sequence[tuple[int, float, float]]) -> tuple[Array, Array]:
    """Lay rows (pair, n, y) out along the ascending pair ids; a pair without a row has 0. Both [pairs] float."""
    n, y = np.zeros(len(ids)), np.zeros(len(ids))
    if rows:
        table = np.array(rows, float)
        at = np.searchsorted(ids, table[:, 0].astype(np.int64))
        n[at], y[at] = table[:, 1], table[:, 2]
    return n, y
