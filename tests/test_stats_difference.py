"""The difference of two ratios on the same clusters, against the delta method done by hand and against simulation."""

import math

import numpy as np
import pytest

from sim.stats import ClusterSums, CrossSums, Estimate, NotEstimable, cluster_difference, cluster_ratio


def difference(n_x: list[int], y_x: list[int], n_y: list[int], y_y: list[int]) -> Estimate | NotEstimable:
    cross = CrossSums.of((n_x, y_x), (n_y, y_y))
    return cluster_difference(ClusterSums.of(n_x, y_x), ClusterSums.of(n_y, y_y), cross, len(n_x))


def test_it_is_the_linearised_variance_of_the_residuals() -> None:
    rng = np.random.default_rng(1)
    n_x, n_y = rng.integers(0, 9, 60), rng.integers(0, 9, 60)
    y_x, y_y = rng.binomial(n_x, 0.4), rng.binomial(n_y, 0.6)
    found = difference(n_x.tolist(), y_x.tolist(), n_y.tolist(), y_y.tolist())
    assert isinstance(found, Estimate)
    a, b = y_x.sum() / n_x.sum(), y_y.sum() / n_y.sum()
    residuals = (y_x - a * n_x) / n_x.sum() - (y_y - b * n_y) / n_y.sum()
    assert found.value == pytest.approx(a - b)
    assert found.se == pytest.approx(math.sqrt(60 / 59 * (residuals**2).sum()))
    assert (found.lo + found.hi) / 2 == pytest.approx(found.value)


def test_a_side_against_itself_differs_by_nothing_for_certain() -> None:
    n, y = [3, 5, 0, 7, 2], [1, 4, 0, 3, 2]
    found = difference(n, y, n, y)
    assert isinstance(found, Estimate)
    assert found.value == 0.0
    assert found.se == pytest.approx(0.0, abs=1e-9)


def test_common_luck_makes_the_interval_narrower_than_two_separate_ones() -> None:
    rng = np.random.default_rng(2)
    luck = rng.uniform(0.2, 0.8, 400)
    n = np.full(400, 10)
    y_x, y_y = rng.binomial(n, luck), rng.binomial(n, luck)
    found = difference(n.tolist(), y_x.tolist(), n.tolist(), y_y.tolist())
    alone = [cluster_ratio(ClusterSums.of(n, y)) for y in (y_x, y_y)]
    assert isinstance(found, Estimate)
    assert found.se < 0.8 * math.hypot(*(each.se for each in alone if isinstance(each, Estimate)))


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(3)
    runs, clusters, covered = 600, 80, 0
    for _ in range(runs):
        luck = rng.uniform(-0.2, 0.2, clusters)
        n_x, n_y = rng.poisson(6, clusters), rng.poisson(6, clusters)
        y_x, y_y = rng.binomial(n_x, 0.5 + luck), rng.binomial(n_y, 0.4 + luck)
        found = difference(n_x.tolist(), y_x.tolist(), n_y.tolist(), y_y.tolist())
        assert isinstance(found, Estimate)
        covered += found.lo <= 0.1 <= found.hi
    assert abs(covered / runs - 0.95) < 3 * math.sqrt(0.95 * 0.05 / runs) + 0.01  # 80 clusters are not many


@pytest.mark.parametrize(("n", "y"), [([0, 0, 0], [0, 0, 0]), ([4, 0, 0], [1, 0, 0])])
def test_a_side_without_data_gives_no_estimate(n: list[int], y: list[int]) -> None:
    assert isinstance(difference(n, y, [3, 3, 3], [1, 2, 0]), NotEstimable)
    assert isinstance(difference([3, 3, 3], [1, 2, 0], n, y), NotEstimable)
