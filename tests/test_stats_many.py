"""Ratings, comparisons, planning, luck and the bootstrap: symmetry, slow references, degenerate input."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from time import process_time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize

from sim import stats
from sim.stats import NotEstimable, Ratings

FULL = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(1, 60), min_size=k, max_size=k), min_size=k, max_size=k)
)
COUNT = st.integers(0, 60)


def rated(points: Any) -> Ratings:
    found = stats.bradley_terry(points)
    assert isinstance(found, Ratings)
    return found


@given(points=FULL)
def test_exchanging_points_negates_all_ratings(points: list[list[int]]) -> None:
    there, back = rated(points), rated(np.transpose(points))
    assert there.elo == pytest.approx(-back.elo, abs=1e-6)
    assert there.se_difference == pytest.approx(back.se_difference, abs=1e-6)
    assert there.deviance == pytest.approx(back.deviance, abs=1e-6)
    assert there.elo.sum() == pytest.approx(0, abs=1e-9)


@given(points=FULL, times=st.integers(2, 9))
def test_more_matches_of_the_same_kind_leave_ratings_and_shrink_errors(points: list[list[int]], times: int) -> None:
    once, often = rated(points), rated(times * np.array(points))
    assert once.elo == pytest.approx(often.elo, abs=1e-6)
    assert once.se_difference == pytest.approx(often.se_difference * math.sqrt(times), rel=1e-6)


@settings(max_examples=25)
@given(points=FULL)
def test_ratings_are_those_of_the_directly_maximised_likelihood(points: list[list[int]]) -> None:
    table = np.array(points, float)
    np.fill_diagonal(table, 0)

    def lost(theta: NDArray[Any]) -> float:
        return float((table * np.logaddexp(0, theta[None, :] - theta[:, None])).sum())

    found = minimize(lost, np.zeros(len(table)), method="BFGS", options={"gtol": 1e-7}).x
    assert rated(points).elo == pytest.approx((found - found.mean()) * 400 / math.log(10), abs=0.01)


@given(points=FULL)
def test_the_zero_of_the_scale_does_not_change_differences(points: list[list[int]]) -> None:
    mean, anchored = rated(points), stats.bradley_terry(points, anchor=1)
    assert isinstance(anchored, Ratings)
    assert anchored.elo[1] == pytest.approx(0)
    assert anchored.se[1] == pytest.approx(0, abs=1e-9)
    assert mean.se_difference == pytest.approx(anchored.se_difference, abs=1e-6)
    assert mean.elo - mean.elo[1] == pytest.approx(anchored.elo, abs=1e-6)


def test_two_strategies_are_as_far_apart_as_the_elo_of_their_score() -> None:
    assert rated([[0, 640], [360, 0]]).elo[0] * 2 == pytest.approx(float(stats.elo_of_score(0.64)))


def test_independent_matches_in_pairs_have_the_errors_of_matches() -> None:
    """Pairs whose cells are those of two independent matches: the sandwich is the model."""
    cells = np.zeros((3, 3, 5))
    for i, j in ((0, 1), (0, 2), (1, 2)):
        cells[i, j, ::2] = 250, 500, 250
    pairs, model = stats.bradley_terry_pairs(cells), rated([[0, 1000, 1000], [1000, 0, 1000], [1000, 1000, 0]])
    assert isinstance(pairs, Ratings)
    assert pairs.se_difference == pytest.approx(model.se_difference)
    assert pairs.dispersion == pytest.approx(1, abs=0.01)


def test_a_match_up_may_stand_on_either_side_of_the_diagonal() -> None:
    there, back = np.zeros((2, 2, 5)), np.zeros((2, 2, 5))
    there[0, 1] = 10, 2, 30, 3, 20
    back[1, 0] = there[0, 1, ::-1]
    one, two = stats.bradley_terry_pairs(there), stats.bradley_terry_pairs(back)
    assert isinstance(one, Ratings)
    assert isinstance(two, Ratings)
    assert one.elo == pytest.approx(two.elo)
    assert one.se == pytest.approx(two.se)


def test_strategies_that_no_chain_of_wins_joins_are_not_rated_together() -> None:
    apart = [[0, 5, 0, 0], [4, 0, 0, 0], [0, 0, 0, 7], [0, 0, 3, 0]]
    assert stats.bradley_terry(apart) == NotEstimable("not_connected", 19, 19)
    groups = stats.win_components(apart)
    assert groups[0] == groups[1] != groups[2] == groups[3]
    above = [[0, 5, 9, 9], [4, 0, 9, 9], [0, 0, 0, 7], [0, 0, 3, 0]]
    assert isinstance(stats.bradley_terry(above), NotEstimable)


def test_who_wins_everything_is_rated_at_half_a_point_less_as_a_lower_bound() -> None:
    found = rated([[0, 20, 20], [0, 0, 12], [0, 8, 0]])
    assert found.bound.tolist() == [1, 0, 0]
    expected = (20 / (1 + 10 ** ((found.elo[1:] - found.elo[0]) / 400))).sum()
    assert expected == pytest.approx(39.5)
    assert found.se[0] == math.inf
    assert isinstance(found.difference(0, 1), NotEstimable)
    assert found.elo[1] - found.elo[2] == pytest.approx(float(stats.elo_of_score(0.6)))
    assert isinstance(stats.bradley_terry([[0, 20, 20], [0, 0, 12], [0, 8, 0]], bounds=False), NotEstimable)


def test_who_loses_everything_is_the_mirror_image() -> None:
    above, below = rated([[0, 20, 20], [0, 0, 12], [0, 8, 0]]), rated([[0, 0, 0], [20, 0, 8], [20, 12, 0]])
    assert below.bound.tolist() == [-1, 0, 0]
    assert below.elo == pytest.approx(-above.elo)


@given(points=FULL)
def test_a_prior_draws_ratings_together_and_vanishes_with_its_weight(points: list[list[int]]) -> None:
    free = rated(points)
    spreads = [free.elo.max() - free.elo.min()]
    for pairs in (1e-9, 1.0, 10.0):
        held = stats.bradley_terry(points, prior_pairs=pairs)
        assert isinstance(held, Ratings)
        assert held.prior_pairs == pairs
        if pairs == 1e-9:
            assert held.elo == pytest.approx(free.elo, abs=1e-4)
            assert held.se_difference == pytest.approx(free.se_difference, abs=1e-4)
        assert (held.se_difference <= free.se_difference + 1e-6).all() or pairs == 1e-9
        spreads.append(held.elo.max() - held.elo.min())
    assert spreads == sorted(spreads, reverse=True) or spreads[0] == pytest.approx(spreads[1], abs=1e-4)


def test_a_prior_rates_who_won_everything_and_groups_that_never_met() -> None:
    found = stats.bradley_terry([[0, 20, 0, 0], [0, 0, 0, 0], [0, 0, 0, 6], [0, 0, 4, 0]], prior_pairs=1)
    assert isinstance(found, Ratings)
    assert np.isfinite(found.se_difference).all()
    assert found.bound.tolist() == [0, 0, 0, 0]
    assert found.elo[0] > found.elo[2] > found.elo[3] > found.elo[1]
    theta = found.elo[0] * math.log(10) / 400  # by symmetry the mean is 0, and the other one is at -theta
    expected = 20 / (1 + math.exp(-2 * theta)) + 2 / (1 + math.exp(-theta))
    assert expected == pytest.approx(21)
    with pytest.raises(ValueError, match="got -1"):
        stats.bradley_terry([[0, 1], [1, 0]], prior_pairs=-1)


def test_a_cycle_does_not_fit_one_line_and_its_ranks_stay_open() -> None:
    cycle = rated([[0, 70, 30], [30, 0, 70], [70, 30, 0]])
    assert cycle.p < 1e-6
    assert stats.rank_intervals(cycle) == [(1, 3)] * 3
    line = rated([[0, 700, 800], [300, 0, 650], [200, 350, 0]])
    assert line.p > 1e-3
    assert stats.rank_intervals(line) == [(1, 1), (2, 2), (3, 3)]


P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(p=P_VALUES, seed=st.integers(0, 99))
def test_adjusted_p_values_keep_their_order_and_do_not_depend_on_that_of_the_family(p: list[float], seed: int) -> None:
    for adjust in (stats.holm, stats.benjamini_hochberg):
        adjusted = adjust(p)
        assert (adjusted >= np.array(p) - 1e-12).all()
        assert (adjusted <= 1).all()
        assert (np.diff(adjusted[np.argsort(p, kind="stable")]) >= -1e-12).all()
        mixed = np.random.default_rng(seed).permutation(len(p))
        assert adjust(np.array(p)[mixed]) == pytest.approx(adjusted[mixed])
    assert (stats.holm(p) >= stats.benjamini_hochberg(p) - 1e-12).all()


@given(p=P_VALUES, alpha=st.floats(0.001, 0.5))
def test_holm_rejects_step_by_step(p: list[float], alpha: float) -> None:
    left, rejected = sorted(p), 0
    while left and left[0] * len(left) < alpha:
        left.pop(0)
        rejected += 1
    assert int((stats.holm(p) < alpha).sum()) == rejected


@given(b=COUNT, c=COUNT, both=COUNT)
def test_mcnemar_exchanges_its_candidates_and_is_exact_where_it_says(b: int, c: int, both: int) -> None:
    there, back = stats.mcnemar(b, c, b + c + both), stats.mcnemar(c, b, b + c + both)
    if b + c == 0:
        assert isinstance(there, NotEstimable)
        return
    assert isinstance(there, stats.McNemar)
    assert isinstance(back, stats.McNemar)
    assert (there.difference, there.p_exact, there.p_mid) == (-back.difference, back.p_exact, back.p_mid)
    n, low = b + c, min(b, c)
    ways = [math.comb(n, k) for k in range(n + 1)]
    assert there.p_exact == pytest.approx(min(1.0, 2 * sum(ways[: low + 1]) / 2**n))
    mid = 1.0 if b == c else (2 * sum(ways[:low]) + ways[low]) / 2**n
    assert there.p_mid == pytest.approx(mid)
    assert 0 <= there.p_mid <= there.p_exact <= 1


@given(counts=st.tuples(st.integers(0, 50), st.integers(0, 50)), n=st.tuples(st.integers(50, 90), st.integers(50, 90)))
def test_newcombes_interval_changes_sign_with_its_samples(counts: tuple[int, int], n: tuple[int, int]) -> None:
    there, back = stats.newcombe(counts[0], n[0], counts[1], n[1]), stats.newcombe(counts[1], n[1], counts[0], n[0])
    assert isinstance(there, stats.Difference)
    assert isinstance(back, stats.Difference)
    assert (there.value, there.lo, there.hi) == pytest.approx((-back.value, -back.hi, -back.lo))
    assert -1 <= there.lo <= there.value <= there.hi <= 1


@given(values=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=30))
def test_a_paired_difference_is_that_of_the_differences(values: list[tuple[int, int]]) -> None:
    first, second = (list(column) for column in zip(*values, strict=True))
    there, back = stats.paired_difference(first, second), stats.paired_difference(second, first)
    gaps = np.subtract(first, second) / 4
    if len(set(gaps.tolist())) == 1:
        assert isinstance(there, NotEstimable)
        return
    assert isinstance(there, stats.Estimate)
    assert isinstance(back, stats.Estimate)
    assert (there.value, there.lo) == pytest.approx((-back.value, -back.hi))
    assert (there.value, there.se) == pytest.approx((gaps.mean(), gaps.std(ddof=1) / math.sqrt(len(gaps))))


def test_pairs_needed_give_the_power_they_promise() -> None:
    """80 of 100 studies with as many pairs as that find the difference."""
    difference, split = 0.03, 0.6
    ww = (1 - split) / 2 + difference
    rho = 4 * 2 * (1 - split) / 4 - 1
    pairs = stats.pairs_needed(difference, rho)
    cells = np.random.default_rng(1).multinomial(pairs, [1 - split - ww, split, ww], 4_000)
    mean = (cells[:, 1] / 2 + cells[:, 2]) / pairs
    se = np.sqrt(((cells[:, 1] / 4 + cells[:, 2]) / pairs - mean**2) / pairs)
    assert (np.abs(mean - 0.5) / se > 1.96).mean() == pytest.approx(0.8, abs=0.03)


@given(half=st.floats(0.001, 0.2), variance=st.floats(0.01, 4))
def test_a_narrower_interval_needs_pairs_by_the_square(half: float, variance: float) -> None:
    n, more = stats.pairs_for_half_width(half, variance), stats.pairs_for_half_width(half / 2, variance)
    assert 4 * (n - 1) < more <= 4 * n
    assert 1.96 * math.sqrt(variance / n) <= half * 1.0001


def test_peeking_agrees_with_walks_that_were_played_out() -> None:
    walks = np.random.default_rng(2).normal(size=(40_000, 20)).cumsum(1) / np.sqrt(np.arange(1, 21))
    for looks in (1, 3, 20):
        seen = (np.abs(walks[:, :looks]) > 1.96).any(1).mean()
        assert stats.peeking_probability(looks, 1.96) == pytest.approx(seen, abs=3 * math.sqrt(0.25 * 0.75 / 40_000))
    chances = [stats.peeking_probability(looks, 1.959964) for looks in (1, 2, 5, 10, 100, 500)]
    assert chances == sorted(chances)
    assert chances[0] == pytest.approx(0.05, abs=1e-6)
    assert chances[-1] == pytest.approx(0.49, abs=0.01)


def test_a_confidence_sequence_is_narrowest_where_it_was_planned() -> None:
    wide = {n: stats.confidence_sequence_half(n, 1.0, 1_000) * math.sqrt(n) / 1.959964 for n in (100, 1_000, 10_000)}
    assert min(wide, key=lambda n: wide[n]) == 1_000
    assert wide[1_000] == pytest.approx(1.549, abs=1e-3)
    assert wide[10_000] == pytest.approx(1.661, abs=1e-3)


@given(results=st.dictionaries(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), st.integers(0, 9), max_size=9))
def test_variance_divides_into_deal_and_rest(results: dict[tuple[int, int], int]) -> None:
    found = stats.variance_components(results)
    legs = [pair for pair, count in results.items() for _ in range(count)]
    if len(legs) < 2 or len(set(legs)) == 1:
        assert isinstance(found, NotEstimable)
        return
    assert isinstance(found, stats.VarianceComponents)
    first, second = np.array(legs, float).T
    assert found.rest == pytest.approx(2 * ((first + second) / 2).var(ddof=1))
    assert found.deal + found.rest == pytest.approx((first.var(ddof=1) + second.var(ddof=1)) / 2)
    mirrored = stats.variance_components({(-one, -two): count for (one, two), count in results.items()})
    assert isinstance(mirrored, stats.VarianceComponents)
    assert (mirrored.skill.value, mirrored.deal) == pytest.approx((-found.skill.value, found.deal))


def test_components_of_a_made_up_game_are_found() -> None:
    random, deals = np.random.default_rng(4), 30_000
    luck, own = random.normal(0, 1.5, deals), random.normal(0, 1, (2, deals))
    legs = np.rint(10 * np.stack([0.5 + luck + own[0], 0.5 - luck + own[1]])).astype(int)
    found = stats.variance_components(Counter(zip(*legs.tolist(), strict=True)), scale=10)
    assert isinstance(found, stats.VarianceComponents)
    assert found.skill.value == pytest.approx(0.5, abs=0.03)
    assert found.deal == pytest.approx(2.25, abs=0.08)
    assert found.rest == pytest.approx(1.0, abs=0.05)
    replays = luck[:, None] + random.normal(0, 0.7, (deals, 3))
    assert stats.own_randomness(replays) == pytest.approx(0.49, abs=0.02)
    strategy = stats.strategy_variance([0.0, 1.0, 2.0], [0.1, 0.1, 0.1])
    assert strategy == pytest.approx(0.99)
    assert isinstance(strategy, float)
    assert stats.skill_share(strategy, found) == pytest.approx(0.99 / (0.99 + found.deal + found.rest))


CELLS = st.lists(st.integers(1, 300), min_size=5, max_size=5)


@given(cells=st.dictionaries(st.text(min_size=1, max_size=3), CELLS, min_size=2, max_size=5))
def test_residuals_of_workers_do_not_care_who_is_x(cells: dict[str, list[int]]) -> None:
    there = stats.worker_residuals(cells)
    back = stats.worker_residuals({name: counts[::-1] for name, counts in cells.items()})
    assert isinstance(there, stats.WorkerResiduals)
    assert isinstance(back, stats.WorkerResiduals)
    assert there.chi2 == pytest.approx(back.chi2)
    assert there.residual == pytest.approx(back.residual)
    assert there.df == 2 * (len(cells) - 1)


def test_honest_workers_are_seldom_coloured_and_a_bad_one_always() -> None:
    random, coloured = np.random.default_rng(5), 0
    for _ in range(400):
        cells = {f"w{k}": random.multinomial(400, [0.1, 0.2, 0.4, 0.2, 0.1]).tolist() for k in range(6)}
        found = stats.worker_residuals(cells)
        assert isinstance(found, stats.WorkerResiduals)
        coloured += max(found.residual.values()) > found.z95
    assert coloured / 400 == pytest.approx(0.05, abs=3 * math.sqrt(0.05 * 0.95 / 400))
    cells["bad"] = [4000, 0, 0, 0, 0]
    assert stats.outlying_workers(cells) == ["bad"]


@given(rate=st.floats(0, 1), mean=st.floats(-3, 3))
def test_a_mean_of_steps_within_its_ends_can_be_made_up_of_deals(rate: float, mean: float) -> None:
    found = stats.step_consistency(rate, mean)
    assert found.possible == (-3 * (1 - rate) + rate - 1e-9 <= mean <= 3 * rate - (1 - rate) + 1e-9)
    mirrored = stats.step_consistency(1 - rate, -mean)
    assert (mirrored.lo, mirrored.hi) == pytest.approx((-found.hi, -found.lo))


@given(weights=st.lists(st.integers(0, 50), min_size=1, max_size=24), times=st.integers(1, 9))
def test_entropy_lies_between_0_and_the_logarithm_of_the_cells(weights: list[int], times: int) -> None:
    bits = stats.entropy(weights)
    if not sum(weights):
        assert bits == NotEstimable("no_data")
        return
    assert isinstance(bits, float)
    assert -1e-9 <= bits <= math.log2(len(weights)) + 1e-9
    assert stats.entropy([times * weight for weight in weights]) == pytest.approx(bits)
    assert stats.effective_number(weights) == pytest.approx(2**bits)
    assert stats.effective_number([3] * len(weights)) == pytest.approx(len(weights))


@given(values=st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=40), cut=st.integers(0, 40))
def test_merged_moments_are_those_of_all_values(values: list[float], cut: int) -> None:
    both = stats.FloatMoments.of(values[:cut]) + stats.FloatMoments.of(values[cut:])
    assert both.n == len(values)
    assert both.mean == pytest.approx(np.mean(values), abs=1e-6)
    assert both.variance == pytest.approx(np.var(values, ddof=1), rel=1e-9, abs=1e-6)


@given(values=st.lists(st.integers(1, 10**7), min_size=1, max_size=60), q=st.sampled_from([0.05, 0.5, 0.95, 1.0]))
def test_a_logarithmic_histogram_knows_quantiles_to_one_percent(values: list[int], q: float) -> None:
    whole = stats.LogHistogram.of(values)
    assert whole == stats.LogHistogram.of(values[::2]) + stats.LogHistogram.of(values[1::2])
    exact = stats.quantile(Counter(values), q)
    assert isinstance(exact, int)
    assert whole.quantile(q) == pytest.approx(exact, rel=0.0101)


PINNED = [[0, 2, 2, 1, 1, 1], [0, 2, 1, 1, 1, 1], [1, 1, 2, 0, 0, 1]]
"""Weights written down once: a change of numpy that moved them would change stored results."""


def test_bootstrap_weights_depend_on_key_pair_and_replicate_alone() -> None:
    ids = np.arange(5_000)
    weights = stats.poisson_weights(7, ids, 40)
    some = np.array([4_999, 17, 18, 2_500])
    assert (stats.poisson_weights(7, some, 40) == weights[some]).all()
    assert (stats.poisson_weights(7, ids, 12) == weights[:, :12]).all()
    assert (stats.poisson_weights(8, ids, 40) != weights).mean() > 0.5
    assert stats.poisson_weights(0, [0, 1, 2**47], 6).tolist() == PINNED


def test_bootstrap_weights_are_poisson_with_mean_1_and_independent() -> None:
    weights = stats.poisson_weights(3, np.arange(20_000), 10).astype(int)
    shares = np.bincount(weights.ravel(), minlength=5)[:5] / weights.size
    assert shares == pytest.approx([math.exp(-1) / math.factorial(k) for k in range(5)], abs=0.005)
    assert np.abs(np.corrcoef(weights.T) - np.eye(10)).max() < 0.035
    assert abs(np.corrcoef(weights[:-1, 0], weights[1:, 0])[0, 1]) < 0.03


def test_bootstrap_sums_of_blocks_add_up_to_those_of_all() -> None:
    ids, values = np.arange(300), np.random.default_rng(6).integers(-5, 9, (300, 2))
    whole = stats.bootstrap_sums(stats.poisson_weights(1, ids, 20), values)
    parts = [
        stats.bootstrap_sums(stats.poisson_weights(1, ids[part], 20), values[part]) for part in (ids < 90, ids >= 90)
    ]
    assert (whole == parts[1] + parts[0]).all()
    with pytest.raises(TypeError, match="integers"):
        stats.bootstrap_sums(stats.poisson_weights(1, ids, 20), values / 2)


DEGENERATE: dict[str, Callable[[], Any]] = {
    "no strategies": lambda: stats.bradley_terry(np.zeros((0, 0))),
    "one strategy": lambda: stats.bradley_terry([[0]]),
    "no match": lambda: stats.bradley_terry(np.zeros((3, 3))),
    "disconnected": lambda: stats.bradley_terry(np.kron(np.eye(2), [[0, 3], [2, 0]])),
    "no pairs of three": lambda: stats.bradley_terry_pairs(np.zeros((3, 3, 5))),
    "newcombe of nothing": lambda: stats.newcombe(0, 0, 3, 9),
    "mcnemar of nothing": lambda: stats.mcnemar(0, 0, 0),
    "mcnemar of like results": lambda: stats.mcnemar(0, 0, 50),
    "no difference": lambda: stats.paired_difference([], []),
    "one difference": lambda: stats.paired_difference([4], [0]),
    "all differences alike": lambda: stats.paired_difference([4] * 9, [2] * 9),
    "no components": lambda: stats.variance_components({}),
    "one pair of components": lambda: stats.variance_components({(3, -1): 1}),
    "all split": lambda: stats.variance_components({(1, -1): 40}),
    "all won": lambda: stats.variance_components({(1, 1): 40}),
    "no workers": lambda: stats.worker_residuals({}),
    "one worker": lambda: stats.worker_residuals({"a": [1, 2, 3, 4, 5]}),
    "workers with one outcome": lambda: stats.worker_residuals({"a": [0, 0, 9, 0, 0], "b": [0, 0, 4, 0, 0]}),
    "sequence of nothing": lambda: stats.confidence_sequence(0, 0, 0, 100),
    "sequence of all won": lambda: stats.confidence_sequence(50, 200, 800, 100, scale=4),
    "no replays": lambda: stats.own_randomness([]),
    "one replay": lambda: stats.own_randomness([[1.0], [2.0]]),
    "a pool of one": lambda: stats.strategy_variance([1.0], [0.1]),
    "no replicates": lambda: stats.percentile_interval([]),
    "no gain": lambda: stats.pairing_gain(0.25, 0.0),
    "no time": lambda: stats.FloatMoments().variance,
    "no times": lambda: stats.LogHistogram().quantile(0.5),
    "no kinds": lambda: stats.effective_number([0, 0]),
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_input_has_a_typed_answer_at_once(name: str) -> None:
    import scipy.sparse.csgraph
    import scipy.special  # noqa: F401 - their first import is not what is timed

    start = process_time()
    answer = DEGENERATE[name]()
    took = process_time() - start
    assert isinstance(answer, NotEstimable)
    assert took < 0.05


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: stats.mcnemar(3, 4, 6), "at most n"),
        (lambda: stats.paired_difference([1], [1, 2]), "the same pairs"),
        (lambda: stats.holm([0.1, 1.2]), "between 0 and 1, got 1.2"),
        (lambda: stats.pairs_needed(0, 0), "no number of pairs"),
        (lambda: stats.pairs_for_half_width(0, 1), "positive"),
        (lambda: stats.peeking_probability(0, 2), "at least one"),
        (lambda: stats.confidence_sequence_half(0, 1, 10), "first pair"),
        (lambda: stats.confidence_sequence_rate(0), "planned"),
        (lambda: stats.bradley_terry([[0, 1]]), "square"),
        (lambda: stats.bradley_terry([[0, -1], [1, 0]]), "without negative"),
        (lambda: stats.bradley_terry_pairs(np.zeros((2, 2, 3))), r"\[K, K, 5\]"),
        (lambda: stats.worker_residuals({"a": [1, 2, 3]}), "five counts"),
        (lambda: stats.step_consistency(1.2, 0), "between 0 and 1"),
        (lambda: stats.entropy([-1, 2]), "not negative"),
        (lambda: stats.poisson_weights(-1, [0]), "below 2"),
        (lambda: stats.variance_components({(1, 1): -1}), "not negative"),
        (lambda: stats.strategy_variance([1.0], []), "one error"),
        (lambda: stats.quantile({1: 1}, Fraction(0)), "between 0 and 1"),
    ],
)
def test_what_cannot_be_is_refused_with_the_value(call: Callable[[], Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        call()
