"""Simulated error rates: a test passes as often as it says, an interval covers as often as its exact coverage."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sim import stats
from sim.stats import Estimate, Interval, NotEstimable, SequentialTest

RUNS = 20_000
SPLIT = 0.55
"""Share of pairs won by one side each."""


def chances(nelo: float) -> NDArray[Any]:
    """Give the probabilities of LL, split, WW at a true normalized Elo."""
    variance = (1 - SPLIT) / 4
    gap = nelo / stats.ELO_PER_T * math.sqrt(2 * variance)
    return np.array([(1 - SPLIT) / 2 - gap, SPLIT, (1 - SPLIT) / 2 + gap])


def played_out(
    test: SequentialTest, looks: NDArray[Any], each: int
) -> tuple[NDArray[Any], NDArray[np.int8], NDArray[np.int64]]:
    """Give (ratios, outcomes, deciding looks) of many tests; looks: [tests, looks, 3], `each` pairs a look."""
    counts = looks.cumsum(1)
    tests, number = counts.shape[:2]
    pairs = each * np.arange(1, number + 1)
    ratios, going = np.zeros((tests, number)), np.arange(tests)
    for first, last in pairwise([*range(0, number, 16), number]):
        rows = counts[going, first:last].reshape(-1, 3)
        codes, where = np.unique(rows @ np.array([1, 10**4, 10**8]), return_inverse=True)  # each count once
        cells = np.zeros((len(codes), 5), np.int64)
        cells[:, ::2] = codes[:, None] // np.array([1, 10**4, 10**8]) % 10**4
        ratios[going, first:last] = test.llrs(cells)[where].reshape(len(going), -1)
        outcome, _ = test.decide(ratios[going, :last], pairs[:last])
        going = going[outcome == 2]
    return (ratios, *test.decide(ratios, pairs))


@pytest.mark.heavy
@pytest.mark.parametrize(("each", "corrected"), [(8, False), (16, True)])
def test_of_20_000_tests_of_equal_strategies_3_8_to_5_4_of_100_pass_at_5(each: int, corrected: bool) -> None:
    test = SequentialTest(0, 30, cap=2_400, corrected=corrected)
    looks = np.random.default_rng(5).multinomial(each, chances(0), (20_000, 2_400 // each))
    _, outcome, look = played_out(test, looks, each)
    assert 0.038 <= (outcome == 1).mean() <= 0.054
    expected = test.characteristics(0).pairs
    assert ((look + 1) * each).mean() == pytest.approx(expected, rel=0.15)


def test_a_true_strength_at_h1_is_accepted_in_19_of_20_tests() -> None:
    test = SequentialTest(0, 30, cap=2_400)
    looks = np.random.default_rng(6).multinomial(16, chances(30), (3_000, 150))
    _, outcome, _ = played_out(test, looks, 16)
    assert 0.94 <= (outcome == 1).mean() <= 0.985


def arrivals(looks: NDArray[Any], workers: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Give the order in which the looks of each test arrive, [tests, looks]: x's won matches are the shorter ones."""
    hours = looks @ np.array([1.5, 1.25, 1.0]) * np.exp(0.3 * random.normal(size=looks.shape[:2]))
    free, done = np.zeros((len(looks), workers)), np.empty(looks.shape[:2])
    rows = np.arange(len(looks))
    for look in range(looks.shape[1]):
        worker = free.argmin(1)
        free[rows, worker] += hours[:, look]
        done[:, look] = free[rows, worker]
    return np.asarray(done.argsort(1, kind="stable"))


@pytest.mark.heavy
def test_the_order_in_which_64_workers_deliver_changes_no_verdict_but_would_change_the_error_rate() -> None:
    test, random, each = SequentialTest(0, 30, cap=1_200), np.random.default_rng(8), 4
    looks = random.multinomial(each, chances(0), (3_000, 1_200 // each))
    order = arrivals(looks, 64, random)
    for one in range(25):
        cells = [[ll, 0, mid, 0, ww] for ll, mid, ww in looks[one].tolist()]
        expected, arrived = test.verdict(cells), {}
        for moment, look in enumerate(order[one].tolist()):
            arrived[look] = cells[look]
            if moment % 16 == 15 or moment == len(cells) - 1:
                found = test.verdict(arrived)
                assert found == expected or found.state == "undecided"
        assert test.verdict(arrived) == expected
    ranked = np.take_along_axis(looks, order[:, :, None], 1).cumsum(1)
    by_arrival = stats.llr_closed_form(ranked, 0, 30, (0, 0.5, 1))
    outcome, _ = test.decide(by_arrival, each * np.arange(1, looks.shape[1] + 1))
    assert (outcome == 1).mean() > 0.08


@pytest.mark.heavy
def test_the_estimate_after_the_stop_covers_and_is_median_unbiased() -> None:
    test, random, runs = SequentialTest(0, 30, cap=2_400), np.random.default_rng(9), 1_000
    truth = 0.5 + 15 / stats.ELO_PER_T * math.sqrt(2 * 0.11)
    looks = random.multinomial(8, chances(15), (runs, 300))
    _, _, look = played_out(test, looks, 8)
    covered = above = 0
    for one in range(runs):
        ll, mid, ww = looks[one, : look[one] + 1].sum(0).tolist()
        found = stats.estimate_after_stop([ll, 0, mid, 0, ww], test)
        assert isinstance(found, stats.AfterStop)
        covered += found.ends.lo <= truth <= found.ends.hi
        above += found.score > truth
    assert 930 <= covered <= 970
    assert abs(above / runs - 0.5) < 3 * math.sqrt(0.25 / runs) + 0.02


def agree(covers: NDArray[np.bool_], weights: NDArray[Any], drawn: NDArray[Any]) -> float:
    """Compare the coverage of drawn outcomes with the exact one, which is given; within three standard errors."""
    seen, exact = float(covers[drawn].mean()), float(covers @ weights)
    assert abs(seen - exact) <= 3 * math.sqrt(exact * (1 - exact) / len(drawn))
    return exact


def within(interval: Interval | Estimate | stats.Difference | NotEstimable, truth: float) -> bool:
    return not isinstance(interval, NotEstimable) and interval.lo <= truth <= interval.hi


@pytest.mark.parametrize(
    ("interval", "least"), [(stats.wilson, 0.91), (stats.clopper_pearson, 0.95), (stats.jeffreys, 0.91)]
)
@pytest.mark.parametrize(("n", "p"), [(20, 0.05), (50, 0.3), (100, 0.5)])
def test_an_interval_of_a_proportion_covers_as_often_as_the_binomial_sum_says(
    interval: Callable[[int, int], Interval | NotEstimable], least: float, n: int, p: float
) -> None:
    weights = np.array([math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)])
    drawn = np.random.default_rng(11).binomial(n, p, RUNS)
    assert agree(np.array([within(interval(k, n), p) for k in range(n + 1)]), weights, drawn) >= least


@pytest.mark.parametrize(("p1", "p2"), [(0.5, 0.5), (0.8, 0.6), (0.05, 0.02)])
def test_newcombes_interval_covers_as_often_as_the_sum_over_both_binomials_says(p1: float, p2: float) -> None:
    n1, n2 = 40, 60
    first, second = (
        np.array([math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]) for n, p in ((n1, p1), (n2, p2))
    )
    covers = [within(stats.newcombe(k, n1, m, n2), p1 - p2) for k in range(n1 + 1) for m in range(n2 + 1)]
    random = np.random.default_rng(11)
    drawn = random.binomial(n1, p1, RUNS) * (n2 + 1) + random.binomial(n2, p2, RUNS)
    assert 0.93 <= agree(np.array(covers), np.outer(first, second).ravel(), drawn) <= 0.985


def test_the_intervals_of_a_score_cover_as_often_as_the_sum_over_all_cells_says() -> None:
    """Student's, the normal one of a fixed length, and that of a difference of paired candidates, for 40 pairs."""
    n, p = 40, (0.3, 0.45, 0.25)
    outcomes = [(ll, n - ll - ww, ww) for ll in range(n + 1) for ww in range(n + 1 - ll)]
    ways = [math.comb(n, ll) * math.comb(n - ll, ww) for ll, _, ww in outcomes]
    weights = np.array(ways, float) * (np.array(p) ** np.array(outcomes)).prod(1)
    index = {outcome: row for row, outcome in enumerate(outcomes)}
    draws = np.random.default_rng(11).multinomial(n, p, RUNS).tolist()
    drawn = np.array([index[ll, mid, ww] for ll, mid, ww in draws])
    truth = p[1] / 2 + p[2]
    intervals: dict[str, Callable[[tuple[int, int, int]], Any]] = {
        "student": lambda o: stats.duplicate({(0, 0): o[0], (2, 0): o[1], (2, 2): o[2]}).score,
        "boards": lambda o: stats.duplicate_steps({(0, 0): o[0], (1, 0): o[1], (1, 1): o[2]}).score,
        "fixed": lambda o: getattr(stats.fixed_length([o[0], 0, o[1], 0, o[2]]), "score_ends", NotEstimable("no_data")),
        "paired": lambda o: stats.paired_difference([0] * o[0] + [2] * o[1] + [4] * o[2], [0] * n),
    }
    for name, interval in intervals.items():
        covers = np.array([within(interval(outcome), truth) for outcome in outcomes])
        assert 0.93 <= agree(covers, weights, drawn) <= 0.97, name


def test_a_confidence_sequence_holds_at_every_look_in_95_of_100_runs() -> None:
    """Read after every pair from the 30th on; the fixed interval, read so, fails in a third of the runs."""
    random, runs, last, planned = np.random.default_rng(12), 2_000, 1_000, 500
    scores = random.choice([0, 2, 4], size=(runs, last), p=[0.225, SPLIT, 0.225])
    n = np.arange(1, last + 1)
    mean = scores.cumsum(1) / n / 4
    sd = np.sqrt(np.maximum((scores**2).cumsum(1) / n / 16 - mean**2, 0) * n / np.maximum(n - 1, 1))
    unit = np.array([stats.confidence_sequence_half(k, 1.0, planned) for k in n.tolist()])
    off = np.abs(mean - 0.5)[:, 29:]
    assert (off <= (unit * sd)[:, 29:]).all(1).mean() >= 0.95
    assert (off <= (1.96 / np.sqrt(n) * sd)[:, 29:]).all(1).mean() < 0.75
    spot = stats.confidence_sequence(last, int(scores[0].sum()), int((scores[0] ** 2).sum()), planned, scale=4)
    assert isinstance(spot, Estimate)
    assert (spot.hi - spot.lo) / 2 == pytest.approx((unit * sd)[0, -1])


def random_cells(elo: list[float], pairs: int, random: np.random.Generator) -> NDArray[Any]:
    """Draw pairs whose two matches share a deal: a shift of the logit for one leg and against it for the other."""
    cells = np.zeros((len(elo), len(elo), 5), np.int64)
    for i in range(len(elo)):
        for j in range(i + 1, len(elo)):
            win = 1 / (1 + 10 ** (-(elo[i] - elo[j]) / 400))
            common = 0.15 * random.choice([-1, 1], pairs)
            won = (random.random(pairs) < win + common).astype(int) + (random.random(pairs) < win - common)
            cells[i, j, ::2] = np.bincount(won, minlength=3)
    return cells


@pytest.mark.heavy
def test_differences_of_ratings_cover_with_the_errors_of_pairs_and_ranks_hold_together() -> None:
    random, elo, runs = np.random.default_rng(13), [40.0, 10.0, 0.0, -50.0], 800
    covered = ranked = 0
    model = []
    for _ in range(runs):
        cells = random_cells(elo, 150, random)
        found = stats.bradley_terry_pairs(cells)
        assert isinstance(found, stats.Ratings)
        covered += within(found.difference(0, 2), 40.0)
        ranked += all(lo <= rank <= hi for rank, (lo, hi) in enumerate(stats.rank_intervals(found), start=1))
        model.append(found.dispersion)
    assert abs(covered / runs - 0.95) <= 3 * math.sqrt(0.95 * 0.05 / runs)
    assert ranked / runs >= 0.95
    assert np.mean(model) < 0.95


def test_the_bootstrap_of_a_ratio_covers_in_93_to_97_of_100_runs() -> None:
    random, runs, pairs = np.random.default_rng(14), 400, 150
    covered = 0
    for run in range(runs):
        n = random.integers(5, 16, pairs)
        y = random.binomial(n, 0.4)
        sums = stats.bootstrap_sums(stats.poisson_weights(run, np.arange(pairs)), np.stack([n, y], 1))
        covered += within(stats.percentile_interval(sums[:, 1] / sums[:, 0]), 0.4)
    assert abs(covered / runs - 0.95) <= 3 * math.sqrt(0.95 * 0.05 / runs)


def test_holm_keeps_the_chance_of_any_wrong_claim_and_benjamini_hochberg_the_share_of_wrong_ones() -> None:
    random, runs, m = np.random.default_rng(15), 1_500, 12
    wrong, shares = 0, []
    for _ in range(runs):
        z = random.normal(size=m)
        z[:4] += 3.5
        p = np.array([math.erfc(abs(value) / math.sqrt(2)) for value in z])
        wrong += bool((stats.holm(p)[4:] < 0.05).any())
        claimed = stats.benjamini_hochberg(p) < 0.05
        shares.append(claimed[4:].sum() / max(1, claimed.sum()))
    limit = 3 * math.sqrt(0.05 * 0.95 / runs)
    assert wrong / runs <= 0.05 + limit
    assert np.mean(shares) <= 0.05 * 8 / 12 + limit
