"""Compare two candidates on the same deals, and correct for many comparisons.

Sources: Q. McNemar 1947; M. W. Fagerland, S. Lydersen and P. Laake 2013 (the mid-p version); S. Holm 1979; Y. Benjamini
and Y. Hochberg 1995.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.stats.integers import mean_student
from sim.stats.results import Estimate, NotEstimable

_FEW_DISCORDANT = 50


@dataclass(frozen=True, slots=True)
class McNemar:
    """Hold McNemar's test of b against c discordant matches out of n.

    `difference` is (b - c)/n with its standard error; `p_chi2`, `p_exact` and `p_mid` are two-sided.
    """

    b: int
    c: int
    difference: float
    se: float
    chi2: float
    p_chi2: float
    p_exact: float
    p_mid: float

    @property
    def p(self) -> float:
        """Give the p to report: mid-p below 50 discordant matches, the chi-square approximation from there on."""
        return self.p_mid if self.b + self.c < _FEW_DISCORDANT else self.p_chi2


def mcnemar(b: int, c: int, n: int) -> McNemar | NotEstimable:
    """Test whether two candidates win equally often on n common deals against the same opponent.

    b: matches that only the first won; c: that only the second won. NotEstimable without matches, and where the two
    always had the same result. Raises ValueError for counts that cannot be. Source: McNemar 1947; Fagerland 2013.
    """
    if min(b, c) < 0 or b + c > n:
        raise ValueError(f"b and c are not negative and together at most n, got {b}, {c} of {n}")
    if b + c == 0:
        return NotEstimable("no_variation" if n else "no_data", n, n)
    from scipy.special import bdtr, chdtrc  # imported here: it takes a third of a second, most commands need it not

    chi2 = (b - c) ** 2 / (b + c)
    tail = float(bdtr(min(b, c), b + c, 0.5))
    point = tail - (float(bdtr(min(b, c) - 1, b + c, 0.5)) if min(b, c) else 0.0)
    exact = min(1.0, 2 * tail)
    mid = 1.0 if b == c else min(1.0, 2 * tail - point)
    difference = (b - c) / n
    se = sqrt((b + c - (b - c) ** 2 / n) / n**2)
    return McNemar(b, c, difference, se, chi2, float(chdtrc(1, chi2)), exact, mid)


def paired_difference(
    first: Sequence[int], second: Sequence[int], level: float = 0.95, *, scale: int = 4
) -> Estimate | NotEstimable:
    """Estimate the mean difference of two candidates on the same pair ids, first minus second, with Student's interval.

    Both list the results of the same pairs in the same order, as integers of which `scale` make 1 (quarters of a pair
    score by default). NotEstimable for fewer than two pairs, and where all differences are equal, which tells nothing
    of their spread. Raises ValueError for unequal lengths.
    """
    if len(first) != len(second):
        raise ValueError(f"both candidates need the same pairs, got {len(first)} and {len(second)}")
    gaps = [one - two for one, two in zip(first, second, strict=True)]
    found = mean_student(len(gaps), sum(gaps), sum(gap * gap for gap in gaps), level, scale=scale)
    if isinstance(found, Estimate) and found.se == 0:
        return NotEstimable("no_variation", len(gaps), len(gaps))
    return found


def holm(p: ArrayLike) -> NDArray[np.float64]:
    """Adjust the p values [m] of one family for claims: at most alpha that any of those below alpha is wrong.

    The r-th smallest becomes the running maximum of (m - r + 1) p. Raises ValueError for a p outside [0, 1]. Source:
    Holm 1979.
    """
    values = _probabilities(p)
    order = np.argsort(values, kind="stable")
    steps = (len(values) - np.arange(len(values))) * values[order]
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return adjusted


def benjamini_hochberg(p: ArrayLike) -> NDArray[np.float64]:
    """Adjust the p values [m] of one family for exploring: of those below alpha a share of at most alpha is wrong.

    Raises ValueError for a p outside [0, 1]. Source: Benjamini and Hochberg 1995, by scipy.
    """
    values = _probabilities(p)
    if not len(values):
        return values
    from scipy.stats import false_discovery_control  # imported here: it takes most of a second

    return np.asarray(false_discovery_control(values), float)


def _probabilities(p: ArrayLike) -> NDArray[np.float64]:
    values = np.array(p, float).reshape(-1)
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"a p value lies between 0 and 1, got {values[~((values >= 0) & (values <= 1))][0]}")
    return values
