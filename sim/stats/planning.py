"""How many pairs a question needs, and what looking at the results early does.

Sources: P. Armitage, C. K. McPherson and B. C. Rowe 1969, Repeated Significance Tests on Accumulating Data; I.
Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy and A. Ramdas 2021, Time-uniform central limit theory (arXiv
2103.06476), after H. Robbins 1970.
"""

from __future__ import annotations

from functools import cache
from math import ceil, log, pi, sqrt
from statistics import NormalDist

import numpy as np

from sim.stats.integers import Moments, moments
from sim.stats.results import Estimate, NotEstimable, check_level, normal_quantile

MATCH_VARIANCE = 0.25
"""Variance of one match won as often as lost."""


def pairs_needed(
    difference: float,
    rho: float,
    *,
    variance: float = MATCH_VARIANCE,
    alpha: float = 0.05,
    power: float = 0.8,
) -> int:
    """Give the pairs after which a two-sided test finds a true score of one half + `difference`.

    (z_(1-alpha/2) + z_power)^2 variance (1 + rho) / 2 / difference^2, rounded up; `rho` is the correlation of the two
    legs, `variance` that of a match. Raises ValueError for no difference, or figures that cannot be.

    >>> pairs_needed(0.02, -0.25)
    1840
    """
    if difference == 0 or not -1 <= rho <= 1 or not variance > 0:
        raise ValueError(f"no number of pairs finds {difference} with rho {rho} and variance {variance}")
    if not 0 < alpha < 1 or not 0 < power < 1:
        raise ValueError(f"alpha and power lie between 0 and 1, got {alpha} and {power}")
    z = NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)
    return ceil(z * z * variance * (1 + rho) / 2 / difference**2)


def pairs_for_half_width(half: float, pair_variance: float, level: float = 0.95) -> int:
    """Give the pairs after which the interval of a mean is `half` wide to either side.

    Raises ValueError for a width or variance that is not positive.
    """
    if not half > 0 or not pair_variance > 0:
        raise ValueError(f"half width and variance are positive, got {half} and {pair_variance}")
    return ceil((normal_quantile(level) / half) ** 2 * pair_variance)


def peeking_probability(looks: int, threshold: float) -> float:
    """Give the probability that |z| exceeds `threshold` at one of `looks` equally spaced looks, without any effect.

    The density of the sum of those still inside is carried from look to look by Gauss-Legendre quadrature. Raises
    ValueError for fewer than one look or a threshold that is not positive. Source: Armitage, McPherson and Rowe 1969.

    >>> round(peeking_probability(5, 1.959964), 3)
    0.142
    """
    if looks < 1 or not threshold > 0:
        raise ValueError(f"looks are at least one and the threshold positive, got {looks} and {threshold}")
    nodes, weights = _quadrature(threshold)
    inside = weights * _density(nodes)
    for look in range(2, looks + 1):
        after, weights = _quadrature(threshold * sqrt(look))
        inside = weights * (_density(after[:, None] - nodes) @ inside)
        nodes = after
    return float(1 - inside.sum())


def confidence_sequence_half(n: int, sd: float, planned: int, level: float = 0.95) -> float:
    """Give the half width after n pairs of an interval that may be read at any time, narrowest near `planned` pairs.

    sd sqrt(2 (n r^2 + 1)/(n^2 r^2) ln(sqrt(n r^2 + 1)/a)) with a = 1 - level and r from `confidence_sequence_rate`.
    Raises ValueError for fewer than one pair. Source: Waudby-Smith et al. 2021, theorem 2.2 and equation 13.
    """
    if n < 1:
        raise ValueError(f"a confidence sequence begins with the first pair, got {n}")
    grown = n * confidence_sequence_rate(planned, level) ** 2 + 1
    return sd * sqrt(2 * grown / (n * (grown - 1)) * log(sqrt(grown) / (1 - level)))


def confidence_sequence_rate(planned: int, level: float = 0.95) -> float:
    """Give the mixing rate r = sqrt((-2 ln a + ln(-2 ln a) + 1) / planned) that makes a sequence narrowest there.

    Raises ValueError for fewer than one planned pair.
    """
    check_level(level)
    if planned < 1:
        raise ValueError(f"at least one pair is planned, got {planned}")
    twice = -2 * log(1 - level)
    return sqrt((twice + log(twice) + 1) / planned)


def confidence_sequence(
    n: int, total: int, squares: int, planned: int, level: float = 0.95, *, scale: int = 1
) -> Estimate | NotEstimable:
    """Estimate the mean of n pairs with an interval that may be read at any time, for a page that is watched.

    Arguments as in `mean_student`: integer sums, divided by `scale`. It is valid for many pairs, since it takes the
    observed spread for the true one; NotEstimable for fewer than two, and where nothing varied.
    """
    check_level(level)
    found = moments(n, total, squares, scale=scale)
    if not isinstance(found, Moments):
        return found
    if found.variance == 0:
        return NotEstimable("no_variation", n, n)
    half = confidence_sequence_half(n, found.sd, planned, level)
    return Estimate(found.mean, found.mean - half, found.mean + half, found.se, n, n)


def _density(x: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.asarray(np.exp(-x * x / 2) / sqrt(2 * pi))


def _quadrature(half: float) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], ...]:
    nodes, weights = _legendre(64 * ceil((20 + 6 * half) / 64))
    return half * nodes, half * weights


@cache
def _legendre(order: int) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], ...]:
    return np.polynomial.legendre.leggauss(order)
