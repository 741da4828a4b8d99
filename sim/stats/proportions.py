"""Intervals for one proportion of independent units, and for the difference of two.

For rates counted over deals use `sim.stats.clusters`: deals of one pair are not independent. Sources: E. B. Wilson
1927 (score interval); C. J. Clopper and E. S. Pearson 1934 (exact interval); L. D. Brown, T. T. Cai and A. DasGupta
2001, Interval Estimation for a Binomial Proportion, which recommends Wilson's and Jeffreys' and shows why the
textbook interval p +- z sqrt(p(1-p)/n) must not be used; R. G. Newcombe 1998 (difference of two).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, sqrt

from sim.stats.results import Interval, NotEstimable, check_level, normal_quantile


def _check(successes: float, n: float) -> None:
    if n < 0 or not 0 <= successes <= n:
        raise ValueError(f"successes must lie between 0 and n, got {successes} of {n}")


def wilson(successes: float, n: float, level: float = 0.95) -> Interval | NotEstimable:
    """Give Wilson's score interval, the default for a displayed rate.

    At 0 successes the lower end is exactly 0, at n the upper end exactly 1. `n` may be fractional (an effective sample
    size). Raises ValueError unless 0 <= successes <= n. Source: Wilson 1927; Brown, Cai, DasGupta 2001, section 3.1.1.

    >>> wilson(7, 10)
    Interval(lo=0.396778..., hi=0.892208...)
    """
    _check(successes, n)
    z = normal_quantile(level)
    if n == 0:
        return NotEstimable("no_data")
    p = successes / n
    shrink = 1 + z * z / n
    centre = (p + z * z / (2 * n)) / shrink
    half = z / shrink * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    lo = 0.0 if successes == 0 else max(0.0, centre - half)
    hi = 1.0 if successes == n else min(1.0, centre + half)
    return Interval(lo, hi)


def clopper_pearson(successes: int, n: int, level: float = 0.95) -> Interval | NotEstimable:
    """Give the exact interval, for claims of absence («it happened in none of n»); otherwise it is too wide.

    Raises ValueError unless 0 <= successes <= n. Source: Clopper and Pearson 1934, by beta quantiles.
    """
    _check(successes, n)
    check_level(level)
    if n == 0:
        return NotEstimable("no_data")
    tail = (1 - level) / 2
    lo = 0.0 if successes == 0 else _beta_quantile(tail, successes, n - successes + 1)
    hi = 1.0 if successes == n else _beta_quantile(1 - tail, successes + 1, n - successes)
    return Interval(lo, hi)


def jeffreys(successes: int, n: int, level: float = 0.95) -> Interval | NotEstimable:
    """Give the equal-tailed Jeffreys interval, for rare events; its end is forced to 0 or 1 at 0 or n successes.

    Raises ValueError unless 0 <= successes <= n. Source: Brown, Cai, DasGupta 2001, section 3.1.2.
    """
    _check(successes, n)
    check_level(level)
    if n == 0:
        return NotEstimable("no_data")
    tail = (1 - level) / 2
    lo = 0.0 if successes == 0 else _beta_quantile(tail, successes + 0.5, n - successes + 0.5)
    hi = 1.0 if successes == n else _beta_quantile(1 - tail, successes + 0.5, n - successes + 0.5)
    return Interval(lo, hi)


@dataclass(frozen=True, slots=True)
class Difference:
    """Hold a difference with the ends of its interval."""

    value: float
    lo: float
    hi: float


def newcombe(
    successes1: float, n1: float, successes2: float, n2: float, level: float = 0.95
) -> Difference | NotEstimable:
    """Estimate the first proportion minus the second, of independent units, by Newcombe's hybrid score interval.

    For two strategies on the same deals use `mcnemar` or `paired_difference`, which know what the deals have in common.
    NotEstimable where either n is 0; raises ValueError as `wilson` does. Source: Newcombe 1998, method 10.
    """
    one, two = wilson(successes1, n1, level), wilson(successes2, n2, level)
    if isinstance(one, NotEstimable) or isinstance(two, NotEstimable):
        return NotEstimable("no_data")
    p1, p2 = successes1 / n1, successes2 / n2
    value = p1 - p2
    return Difference(value, value - hypot(p1 - one.lo, two.hi - p2), value + hypot(one.hi - p1, p2 - two.lo))


def _beta_quantile(q: float, a: float, b: float) -> float:
    from scipy.special import betaincinv  # imported here: it takes a third of a second, most commands do not need it

    return float(betaincinv(a, b, q))
