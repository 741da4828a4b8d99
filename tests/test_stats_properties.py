"""Statistics at the borders: degenerate input, symmetry, coverage, sums in any order."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.stats import (
    ClusterSums,
    Estimate,
    Interval,
    LevelModel,
    LevelSolution,
    Moments,
    NotEstimable,
    State,
    clopper_pearson,
    cluster_rate,
    cluster_ratio,
    duplicate,
    enough,
    jeffreys,
    mean_student,
    moments,
    quantile,
    refusal_probability,
    wilson,
)

COUNTS = st.integers(0, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
CLUSTERS = st.lists(
    st.integers(0, 30).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))), min_size=0, max_size=40
)
RESULTS = st.dictionaries(st.tuples(st.integers(0, 2), st.integers(0, 2)), st.integers(0, 50))


def sums(clusters: list[tuple[int, int]]) -> ClusterSums:
    return ClusterSums.of([n for n, _ in clusters], [y for _, y in clusters])


@pytest.mark.parametrize("interval", [wilson, clopper_pearson, jeffreys])
@given(counts=COUNTS)
def test_an_interval_of_a_proportion_holds_it_within_0_and_1(interval: type, counts: tuple[int, int]) -> None:
    k, n = counts
    ends = interval(k, n)
    if n == 0:
        assert ends == NotEstimable("no_data")
        return
    assert isinstance(ends, Interval)
    assert 0 <= ends.lo <= k / n <= ends.hi <= 1
    assert (ends.lo == 0) == (k == 0)
    assert (ends.hi == 1) == (k == n)
    mirrored = interval(n - k, n)
    assert isinstance(mirrored, Interval)
    assert (1 - mirrored.hi, 1 - mirrored.lo) == pytest.approx((ends.lo, ends.hi), abs=1e-9)


@pytest.mark.parametrize("interval", [wilson, clopper_pearson, jeffreys])
@pytest.mark.parametrize(("k", "n"), [(-1, 3), (4, 3), (0, -1)])
def test_impossible_counts_are_refused(interval: type, k: int, n: int) -> None:
    with pytest.raises(ValueError, match="between 0 and n"):
        interval(k, n)


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0, nan])
def test_a_confidence_level_outside_0_and_1_is_refused(level: float) -> None:
    for call in (lambda: wilson(1, 2, level), lambda: jeffreys(1, 2, level), lambda: mean_student(3, 3, 5, level)):
        with pytest.raises(ValueError, match="confidence level"):
            call()


@given(left=CLUSTERS, right=CLUSTERS)
def test_cluster_sums_add_up_in_any_order(left: list[tuple[int, int]], right: list[tuple[int, int]]) -> None:
    assert sums(left) + sums(right) == sums(right + left) == sums(right) + sums(left)


@given(clusters=CLUSTERS)
def test_a_clustered_rate_is_typed_or_within_0_and_1(clusters: list[tuple[int, int]]) -> None:
    total = sums(clusters)
    result = cluster_rate(total)
    eligible = sum(n > 0 for n, _ in clusters)
    if eligible < 2:
        assert result == NotEstimable("one_unit" if eligible else "no_data", eligible, total.n)
        return
    assert isinstance(result, Estimate)
    assert (result.units, result.events) == (eligible, total.n)
    assert 0 <= result.lo <= result.value <= result.hi <= 1
    assert result.hi > result.lo
    failures = cluster_rate(sums([(n, n - y) for n, y in clusters]))
    assert isinstance(failures, Estimate)
    assert (1 - failures.hi, 1 - failures.lo) == pytest.approx((result.lo, result.hi), abs=1e-9)


@given(clusters=st.lists(st.tuples(st.integers(1, 20), st.integers(-30, 30)), min_size=2, max_size=30))
def test_the_variance_of_a_ratio_is_that_of_its_linearised_residuals(clusters: list[tuple[int, int]]) -> None:
    n, y = (np.array(column, float) for column in zip(*clusters, strict=True))
    r = y.sum() / n.sum()
    expected = len(clusters) / (len(clusters) - 1) * ((y - r * n) ** 2).sum() / n.sum() ** 2
    result = cluster_ratio(sums(clusters))
    assert isinstance(result, Estimate)
    assert result.value == pytest.approx(r)
    assert result.se**2 == pytest.approx(expected, abs=1e-12)


def test_clusters_of_one_deal_each_give_the_binomial_interval() -> None:
    flips = [(1, 1)] * 60 + [(1, 0)] * 140
    result = cluster_rate(sums(flips))
    independent = wilson(60, 200)
    assert isinstance(result, Estimate)
    assert isinstance(independent, Interval)
    assert (result.lo, result.hi) == pytest.approx((independent.lo, independent.hi), abs=5e-4)


def test_copies_of_a_deal_within_a_pair_add_no_information() -> None:
    one = cluster_rate(sums([(1, 1)] * 60 + [(1, 0)] * 140))
    ten = cluster_rate(sums([(10, 10)] * 60 + [(10, 0)] * 140))
    assert isinstance(one, Estimate)
    assert isinstance(ten, Estimate)
    assert (ten.lo, ten.hi) == pytest.approx((one.lo, one.hi), abs=1e-12)
    assert ten.events == 10 * one.events


def test_a_rate_that_was_never_seen_is_bounded_by_the_number_of_pairs() -> None:
    result = cluster_rate(sums([(12, 0)] * 50))
    expected = wilson(0, 50)
    assert isinstance(result, Estimate)
    assert isinstance(expected, Interval)
    assert (result.lo, result.hi) == (0.0, expected.hi)


def test_more_events_than_deals_are_refused() -> None:
    with pytest.raises(ValueError, match="0 <= events"):
        cluster_rate(sums([(2, 3), (2, 2)]))
    with pytest.raises(ValueError, match="y must be 0 where n is 0"):
        ClusterSums.of([0], [1])


@pytest.mark.parametrize("spread", [0.0, 0.6])
@pytest.mark.parametrize("rate", [0.06, 0.25, 0.5])
def test_clustered_intervals_cover_in_93_to_97_of_100_runs(rate: float, spread: float) -> None:
    """Deals of a pair share a shift of the logit; 1,000 runs of 200 pairs with 5 to 15 deals."""
    random = np.random.default_rng(7)
    runs, pairs = 1_000, 200
    shift = random.normal(0, spread, (runs, pairs))
    chance = 1 / (1 + np.exp(-(np.log(rate / (1 - rate)) + shift)))
    n = random.integers(5, 16, (runs, pairs))
    y = random.binomial(n, chance)
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    logits = np.log(rate / (1 - rate)) + spread * nodes
    truth = float((weights / (1 + np.exp(-logits))).sum() / weights.sum())
    covered = 0
    for run in range(runs):
        result = cluster_rate(ClusterSums.of(n[run], y[run]))
        assert isinstance(result, Estimate)
        covered += result.lo <= truth <= result.hi
    assert 930 <= covered <= 970


@given(results=RESULTS)
def test_exchanging_the_sides_mirrors_the_score_and_reverses_the_cells(results: dict[tuple[int, int], int]) -> None:
    there = duplicate(results)
    back = duplicate({(2 - first, 2 - second): count for (first, second), count in results.items()})
    assert list(back.cells.values()) == list(there.cells.values())[::-1]
    if there.pairs < 2:
        assert isinstance(there.score, NotEstimable)
        return
    assert isinstance(there.score, Estimate)
    assert isinstance(back.score, Estimate)
    assert 0 <= there.score.lo <= there.score.value <= there.score.hi <= 1
    assert (1 - back.score.hi, 1 - back.score.lo) == pytest.approx((there.score.lo, there.score.hi))
    assert there.score.value == pytest.approx(
        sum(k * count for k, count in enumerate(there.cells.values())) / (4 * there.pairs)
    )


@given(results=RESULTS)
def test_the_gain_is_the_variance_of_unpaired_matches_over_that_of_pairs(results: dict[tuple[int, int], int]) -> None:
    """Exactly so when both legs have the same spread, which exchanging them at random would give."""
    even = Counter(results) + Counter({(second, first): count for (first, second), count in results.items()})
    found = duplicate(even)
    if isinstance(found.gain, NotEstimable) or not isinstance(found.score, Estimate):
        return
    legs = [first for (first, _), count in even.items() for _ in range(count)]
    leg = moments(len(legs), sum(legs), sum(x * x for x in legs), scale=2)
    assert isinstance(leg, Moments)
    assert found.gain == pytest.approx(leg.variance / 2 / (found.score.se**2 * found.pairs))


def test_fifty_of_fifty_pairs_won_are_not_taken_for_certainty() -> None:
    result = duplicate({(2, 2): 50})
    assert isinstance(result.score, Estimate)
    assert result.score.value == 1.0
    assert 0.9 < result.score.lo < 1.0
    assert isinstance(result.seat, NotEstimable)
    assert isinstance(result.gain, NotEstimable)


def test_pairs_that_are_always_split_have_no_gain() -> None:
    result = duplicate({(2, 0): 20, (0, 2): 20})
    assert result.rho == pytest.approx(-1.0)
    assert result.gain == NotEstimable("no_variation", 40, 40)


def test_half_points_outside_0_to_2_are_refused() -> None:
    with pytest.raises(ValueError, match="half points"):
        duplicate({(3, 0): 1})


@given(values=st.lists(st.integers(-(10**9), 10**9), min_size=2, max_size=50))
def test_integer_moments_are_exact_where_floats_cancel(values: list[int]) -> None:
    shifted = [value + 10**15 for value in values]
    result = moments(len(shifted), sum(shifted), sum(value * value for value in shifted))
    assert isinstance(result, Moments)
    mean = Fraction(sum(values), len(values))
    exact = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    assert result.variance == float(exact)


def test_sums_that_no_integers_have_are_refused() -> None:
    with pytest.raises(ValueError, match="sum of squares"):
        moments(2, 10, 1)


@given(
    histogram=st.dictionaries(st.integers(1, 50), st.integers(0, 9), min_size=1),
    q=st.floats(0.01, 1.0),
)
def test_a_quantile_leaves_at_most_its_share_below(histogram: dict[int, int], q: float) -> None:
    n = sum(histogram.values())
    found = quantile(histogram, q)
    if n == 0:
        assert found == NotEstimable("no_data")
        return
    assert isinstance(found, int)
    below = sum(count for value, count in histogram.items() if value < found)
    assert below < q * n * (1 + 1e-6) or below == 0
    assert below + histogram[found] >= q * n * (1 - 1e-6)


def test_refusal_is_counted_from_the_deck() -> None:
    assert refusal_probability(1) == Fraction(702, 11556)
    assert refusal_probability(2) == Fraction(2862, 11556)
    assert refusal_probability(4) == 1
    by_hand = Fraction(sum(comb(27, k) * comb(27, 2 - k) for k in range(3)), comb(108, 2))
    assert refusal_probability(2) == by_hand
    with pytest.raises(ValueError, match="one to four seats"):
        refusal_probability(0)


def test_a_rate_from_fewer_than_thirty_pairs_is_too_few() -> None:
    few, many = cluster_rate(sums([(5, 2), (5, 3)] * 14)), cluster_rate(sums([(5, 2), (5, 3)] * 15))
    assert enough(few) == NotEstimable("too_few", 28, 140)
    assert enough(many) is many


@settings(max_examples=6, deadline=None)
@given(p=st.floats(0.1, 0.9), tau=st.floats(-0.1, 0.1), fails=st.integers(0, 3))
def test_exchanging_the_sides_of_the_level_model_turns_win_into_loss(p: float, tau: float, fails: int) -> None:
    steps, other = (0.3, 0.3, 0.4), (0.5, 0.3, 0.2)
    there = LevelModel(p, steps, other, tau=tau, fails_to_reset=fails).solve()
    back = LevelModel(1 - p, other, steps, tau=tau, fails_to_reset=fails).solve()
    assert isinstance(there, LevelSolution)
    assert isinstance(back, LevelSolution)
    assert there.win == pytest.approx(1 - back.win)
    assert there.mean_deals == pytest.approx(back.mean_deals)


def test_the_level_model_agrees_with_played_out_coin_flips() -> None:
    model = LevelModel(0.55, (0.3, 0.3, 0.4), (0.4, 0.3, 0.3))
    solution = model.solve()
    assert isinstance(solution, LevelSolution)
    random = np.random.default_rng(3)
    wins, deals, matches = 0, 0, 4_000
    for _ in range(matches):
        state: State | int = State(2, 2, None, 0, 0)
        while isinstance(state, State):
            moves = list(model.outcomes(state))
            state = moves[int(random.choice(len(moves), p=[chance for chance, _ in moves]))][1]
            deals += 1
        wins += state == 0
    assert wins / matches == pytest.approx(solution.win, abs=0.03)
    assert deals / matches == pytest.approx(solution.mean_deals, abs=4 * solution.sd_deals / matches**0.5)


def test_a_match_that_cannot_end_is_not_estimable() -> None:
    assert LevelModel(0.5, (1.0, 0.0, 0.0), (1.0, 0.0, 0.0)).solve() == NotEstimable("no_end")


@pytest.mark.parametrize("steps", [(0.5, 0.5, 0.5), (1.2, -0.2, 0.0)])
def test_steps_that_are_no_probabilities_are_refused(steps: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="step probabilities"):
        LevelModel(0.5, steps, (0.3, 0.3, 0.4))


def test_degenerate_input_has_a_typed_answer() -> None:
    answers = [
        duplicate({}).score,
        duplicate({(2, 0): 1}).score,
        cluster_rate(ClusterSums(0, 0, 0, 0, 0, 0)),
        cluster_ratio(ClusterSums.of([3], [1])),
        mean_student(0, 0, 0),
        mean_student(1, 5, 25),
        wilson(0, 0),
        quantile({}, 0.5),
    ]
    assert all(isinstance(answer, NotEstimable) for answer in answers)
