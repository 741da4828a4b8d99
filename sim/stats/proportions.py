"""Intervals for one proportion of independent units.

For rates counted over deals use `sim.stats.clusters`: deals of one pair are not independent. Sources: E. B. Wilson
1927 (score interval); C. J. Clopper and E. S. Pearson 1934 (exact interval); L. D. Brown, T. T. Cai and A. DasGupta
2001, Interval Estimation for a Binomial Proportion, which recommends Wilson's and Jeffreys' and shows why the
textbook interval p +- z sqrt(p(1-p)/n) must not be used.
"""

from __future__ import annotations

from math import sqrt

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


def _beta_quantile(q: float, a: float, b: float) -> float:
    from scipy.special import betaincinv  # imported here: it takes a third of a second, most commands do not need it

    return float(betaincinv(a, b, q))
