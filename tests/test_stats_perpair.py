"""Figures made of several ratios over the same pairs: their errors are those of the known special cases."""

import numpy as np
import pytest

from sim.stats import (
    ClusterSums,
    CrossSums,
    Estimate,
    NotEstimable,
    PerPair,
    cluster_difference,
    cluster_ratio,
    gathered,
    paired_difference,
    ratio_per_pair,
    simultaneous_level,
    two_sided_p,
)

DRAWN = np.random.default_rng(5)
N = DRAWN.integers(0, 9, 300)
Y = np.minimum(DRAWN.integers(0, 9, 300), N)
N2 = DRAWN.integers(1, 9, 300)
Y2 = np.minimum(Y, N2)


def per_pair(n: np.ndarray, y: np.ndarray, scale: int = 1) -> PerPair:
    found = ratio_per_pair(n, y, scale=scale)
    assert isinstance(found, PerPair)
    return found


def numbers(found: Estimate | NotEstimable) -> tuple[float, ...]:
    assert isinstance(found, Estimate)
    return found.value, found.lo, found.hi, found.se, found.units, found.events


def test_a_single_ratio_is_that_of_the_cluster_sums() -> None:
    expected = cluster_ratio(ClusterSums.of(N, Y), scale=2)
    assert numbers(per_pair(N, Y, 2).estimate()) == pytest.approx(numbers(expected))


def test_a_difference_is_that_of_the_cross_sums() -> None:
    expected = cluster_difference(
        ClusterSums.of(N, Y),
        ClusterSums.of(N2, Y2),
        CrossSums.of(*([n.tolist(), y.tolist()] for n, y in ((N, Y), (N2, Y2)))),
        300,
    )
    found = (per_pair(N, Y) - per_pair(N2, Y2)).estimate()
    assert numbers(found)[:5] == pytest.approx(numbers(expected)[:5])


def test_a_difference_of_scores_is_that_of_the_pairs() -> None:
    """On two legs a pair, the mean of the differences with the divisor n - 1."""
    legs, x, y = np.full(200, 2), DRAWN.integers(0, 5, 200), DRAWN.integers(0, 5, 200)
    found = (per_pair(legs, x, 2) - per_pair(legs, y, 2)).estimate()
    expected = paired_difference(x.tolist(), y.tolist())
    assert numbers(found)[0::3] == pytest.approx(numbers(expected)[0::3])  # value and se


def test_a_product_has_the_error_that_resampling_finds() -> None:
    product = per_pair(np.ones(300, int), Y) * (per_pair(N, Y) - per_pair(N2, Y2))
    draws = DRAWN.integers(0, 300, (4000, 300))
    each = Y[draws].mean(1) * (Y[draws].sum(1) / N[draws].sum(1) - Y2[draws].sum(1) / N2[draws].sum(1))
    assert numbers(product.estimate())[3] == pytest.approx(each.std(), rel=0.06)


@pytest.mark.parametrize(("units", "reason"), [(0, "no_data"), (1, "one_unit")])
def test_without_two_pairs_there_is_no_estimate(units: int, reason: str) -> None:
    n = np.array([1] * units + [0] * 3)
    found = ratio_per_pair(n, n)
    missing = found if isinstance(found, NotEstimable) else found.estimate()
    assert isinstance(missing, NotEstimable)
    assert missing.reason == reason


def test_rows_are_laid_out_along_the_pairs() -> None:
    n, y = gathered(np.array([3, 5, 9]), [(9, 2, 1), (3, 4, 0)])
    assert (n.tolist(), y.tolist()) == ([4, 0, 2], [0, 0, 1])


def test_simultaneous_intervals_hold_together_as_often_as_they_say() -> None:
    """Ten independent normal estimates: all inside in 95 of 100 drawings, and more often where they go together."""
    from statistics import NormalDist

    z = NormalDist().inv_cdf(0.5 + simultaneous_level(10) / 2)
    drawn = DRAWN.standard_normal((40_000, 10))
    together = (drawn + drawn[:, :1]) / np.sqrt(np.r_[4, np.full(9, 2)])
    assert (np.abs(drawn) < z).all(1).mean() == pytest.approx(0.95, abs=0.004)
    assert (np.abs(together) < z).all(1).mean() > 0.95


@pytest.mark.parametrize(
    ("value", "se", "null", "p"),
    [(0.55, 0.0255106, 0.5, 0.05), (0.5, 0.1, 0.5, 1.0), (1.0, 0.0, 0.5, 2 * 0.5**40), (0.5, 0.0, 0.5, 1.0)],
)
def test_p_is_normal_or_that_of_the_sign_test(value: float, se: float, null: float, p: float) -> None:
    assert two_sided_p(Estimate(value, 0, 1, se, 40, 40), null) == pytest.approx(p, rel=1e-3)
