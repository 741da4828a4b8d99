"""The sequential test: its ratio against direct maximisation, its verdict in any order of arrival, its error rates."""

from __future__ import annotations

import math
from time import process_time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import NonlinearConstraint, minimize

from sim.stats import (
    CELL_SCORES,
    ELO_PER_T,
    AfterStop,
    FixedLength,
    NotEstimable,
    SequentialTest,
    Verdict,
    elo_of_score,
    estimate_after_stop,
    expected_score,
    fixed_length,
    llr,
    llr_closed_form,
    possible_cells,
)
from sim.stats.likelihood import Model
from sim.stats.stopped import outcome_probability

CELLS = st.lists(st.integers(0, 400), min_size=5, max_size=5)
MODELS = st.sampled_from(["normalized", "logistic"])
BOUNDS = st.tuples(st.floats(-40, 40), st.floats(1, 40)).map(lambda pair: (pair[0], pair[0] + pair[1]))
POINTS = np.array(CELL_SCORES)


@given(cells=CELLS, model=MODELS, bounds=BOUNDS)
def test_exchanging_the_sides_reverses_the_cells_and_negates_the_ratio(
    cells: list[int], model: Model, bounds: tuple[float, float]
) -> None:
    low, high = bounds
    there, back = llr(cells, low, high, model), llr(cells[::-1], -high, -low, model)
    assert there == pytest.approx(-back, rel=1e-6, abs=1e-8)


@given(cells=st.lists(st.integers(1, 400), min_size=5, max_size=5), model=MODELS, times=st.integers(2, 50))
def test_more_pairs_of_the_same_kind_are_more_evidence_in_proportion(
    cells: list[int], model: Model, times: int
) -> None:
    assert llr([times * count for count in cells], 0, 10, model) == pytest.approx(
        times * llr(cells, 0, 10, model), rel=1e-6, abs=1e-6
    )


@given(cells=st.lists(st.integers(5, 400), min_size=5, max_size=5), model=MODELS)
def test_a_pair_won_instead_of_lost_is_evidence_for_the_higher_strength(cells: list[int], model: Model) -> None:
    better = [cells[0] - 5, *cells[1:4], cells[4] + 5]
    if model == "logistic":
        assert llr(better, 0, 10, model) > llr(cells, 0, 10, model)
    else:
        mean, spread = (float(x) for x in _mean_and_sd(np.array(cells) / sum(cells)))
        after, spread_after = (float(x) for x in _mean_and_sd(np.array(better) / sum(better)))
        if (after - 0.5) / spread_after > (mean - 0.5) / spread and abs(after - 0.5) < 0.1:
            assert llr(better, 0, 10, model) > llr(cells, 0, 10, model)


def test_cells_that_cannot_occur_do_not_count() -> None:
    table = np.array([[1180, 0, 2540, 0, 1280], [18, 0, 57, 0, 25]])
    dropped = llr(table, 0, 20, possible=possible_cells(table))
    three = llr(table[:, ::2], 0, 20, scores=(0, 0.5, 1))
    assert dropped == pytest.approx(three, abs=1e-12)
    assert possible_cells([3, 0, 1, 1, 2]).all()


def _mean_and_sd(q: NDArray[Any]) -> tuple[Any, Any]:
    mean = q @ POINTS
    return mean, np.sqrt(q @ (POINTS - mean) ** 2)


def _direct(cells: list[int], constraint: Any) -> float:
    """Maximise the likelihood under a constraint on q, without any theory: ln of its value."""
    share = np.where(np.array(cells) == 0, 1e-3, cells)
    total = share.sum()
    share = share / total

    def lost(logits: NDArray[Any]) -> float:
        return -float(share @ np.log(_soft(logits)))

    found = minimize(
        lost,
        np.log(share),
        constraints=NonlinearConstraint(lambda logits: constraint(_soft(logits)), 0.0, 0.0),
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert found.success
    return float(-total * found.fun)


def _soft(logits: NDArray[Any]) -> NDArray[Any]:
    weights = np.exp(logits - logits.max())
    return np.asarray(weights / weights.sum())


@pytest.mark.parametrize(
    ("cells", "low", "high"),
    [
        ([300, 20, 1000, 25, 355], -5, 5),
        ([10, 30, 51, 39, 20], 0, 30),
        ([5, 3, 11, 2, 19], 0, 50),
        ([90, 9, 9, 9, 3], -40, 0),
    ],
)
def test_the_ratio_is_that_of_two_directly_maximised_likelihoods(cells: list[int], low: float, high: float) -> None:
    means = [_direct(cells, lambda q, e=elo: q @ POINTS - expected_score(e)) for elo in (low, high)]
    assert llr(cells, low, high, "logistic") == pytest.approx(means[1] - means[0], abs=1e-4)

    def off(q: NDArray[Any], elo: float) -> float:
        mean, sd = _mean_and_sd(q)
        return float(mean - 0.5 - elo * math.sqrt(2) / ELO_PER_T * sd)

    units = [_direct(cells, lambda q, e=elo: off(q, e)) for elo in (low, high)]
    assert llr(cells, low, high, "normalized") == pytest.approx(units[1] - units[0], abs=1e-4)


@settings(max_examples=40)
@given(
    shares=st.lists(st.floats(0.05, 1), min_size=5, max_size=5),
    elo=st.floats(-3, 3),
)
def test_the_closed_form_is_near_for_many_pairs_near_equality(shares: list[float], elo: float) -> None:
    share = np.array(shares) + np.array(shares[::-1])  # even, then tilted a little
    share = share / share.sum() * (1 + elo / 300 * (POINTS - 0.5))
    cells = np.round(20_000 * share)
    assert llr_closed_form(cells, 0, 5) == pytest.approx(llr(cells, 0, 5), abs=0.02)


def test_fewer_than_16_pairs_give_no_verdict() -> None:
    test = SequentialTest(0, 200)
    assert test.verdict([[0, 0, 0, 0, 15]]).state == "undecided"
    assert test.verdict([[0, 0, 0, 0, 15]]).llr > test.bounds.hi
    assert test.verdict([[0, 0, 0, 0, 15], [0, 0, 0, 0, 1]]).state == "accepted"


def test_a_cap_ends_a_test_without_passing_it() -> None:
    test = SequentialTest(0, 2, cap=300)
    even = [25, 0, 50, 0, 25]
    assert test.verdict([even] * 2).state == "undecided"
    assert test.verdict([even] * 9) == Verdict("inconclusive", 2, test.llrs([75, 0, 150, 0, 75]).item(), 300)


def test_a_bound_crossed_at_the_last_look_before_the_cap_counts() -> None:
    assert SequentialTest(0, 50, cap=200).verdict([[10, 0, 50, 0, 40]] * 2).state == "accepted"


def test_all_pairs_won_end_a_test() -> None:
    verdict = SequentialTest(0, 10).verdict([[0, 0, 0, 0, 20]] * 6)
    assert (verdict.state, verdict.pairs) == ("accepted", 80)


def test_boards_of_signed_steps_are_judged_on_their_own_scores() -> None:
    scores = tuple(step / 2 for step in range(-6, 7))
    test = SequentialTest(0, 10, scores=scores, even=0.0)
    counts = [12, 30, 66, 95, 160, 210, 300, 222, 175, 110, 80, 40, 20]
    mirror = SequentialTest(-10, 0, scores=scores, even=0.0)
    assert test.verdict([counts]).llr == pytest.approx(-mirror.verdict([counts[::-1]]).llr, abs=1e-9)
    assert test.verdict([counts] * 4).state == "accepted"


@settings(max_examples=60)
@given(
    looks=st.lists(st.tuples(*[st.integers(0, 12)] * 5), min_size=1, max_size=12),
    seed=st.integers(0, 10**6),
    corrected=st.booleans(),
)
def test_no_order_of_arrival_changes_a_verdict(looks: list[tuple[int, ...]], seed: int, corrected: bool) -> None:
    test = SequentialTest(0, 60, alpha=0.2, beta=0.2, cap=400, corrected=corrected)
    expected = test.verdict(looks)
    arrived: dict[int, tuple[int, ...]] = {}
    for look in np.random.default_rng(seed).permutation(len(looks)).tolist():
        arrived[look] = looks[look]
        verdict = test.verdict(arrived)
        assert verdict.state in ("undecided", expected.state)
        if verdict.state != "undecided":
            assert verdict == expected
    assert test.verdict(arrived) == expected


@pytest.mark.parametrize(
    "wrong",
    [
        {"elo0": 5, "elo1": 5},
        {"alpha": 0.0},
        {"alpha": 0.6, "beta": 0.5},
        {"cap": 15},
        {"model": "elo"},
        {"model": "logistic", "scores": (-1.0, 1.0)},
    ],
)
def test_a_test_that_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="got"):
        SequentialTest(**({"elo0": 0, "elo1": 5} | wrong))


def test_looks_that_cannot_be_are_refused() -> None:
    test = SequentialTest(0, 5)
    with pytest.raises(ValueError, match="not negative"):
        test.verdict([[1, 0, -1, 0, 3]])
    with pytest.raises(ValueError, match="numbered from 0"):
        test.verdict({-1: [1, 0, 0, 0, 0]})
    with pytest.raises(ValueError, match="5 cells"):
        test.llrs([1, 2, 3])
    with pytest.raises(ValueError, match="5 cells, got a look of 3"):
        test.verdict([[1, 2, 3]] * 5)


NO_SPREAD = [[0] * 5, [0, 0, 0, 0, 1], [0, 0, 0, 0, 40], [0, 0, 40, 0, 0], [40, 0, 0, 0, 0]]


@pytest.mark.parametrize("cells", NO_SPREAD)
def test_cells_without_spread_have_a_typed_answer_at_once(cells: list[int]) -> None:
    test = SequentialTest(0, 10)
    start = process_time()
    answers = [fixed_length(cells), estimate_after_stop(cells, test)]
    test.verdict([cells])
    took = process_time() - start
    assert all(isinstance(answer, NotEstimable) for answer in answers)
    assert isinstance(test.llr(cells), NotEstimable) == (sum(cells) < 2)
    assert took < 0.05


@given(cells=st.lists(st.integers(1, 300), min_size=5, max_size=5))
def test_exchanging_the_sides_mirrors_elo_and_the_estimate_after_the_stop(cells: list[int]) -> None:
    there, back = fixed_length(cells), fixed_length(cells[::-1])
    assert isinstance(there, FixedLength)
    assert isinstance(back, FixedLength)
    assert (there.elo, there.nelo, there.los) == pytest.approx((-back.elo, -back.nelo, 1 - back.los), abs=1e-6)
    stopped = estimate_after_stop(cells, SequentialTest(-10, 20))
    mirrored = estimate_after_stop(cells[::-1], SequentialTest(-20, 10))
    assert isinstance(stopped, AfterStop)
    assert isinstance(mirrored, AfterStop)
    assert stopped.ends.lo <= stopped.score <= stopped.ends.hi
    assert (stopped.score, stopped.ends.lo) == pytest.approx((1 - mirrored.score, 1 - mirrored.ends.hi), abs=1e-6)


def series(drift: float, variance: float, time: float, reached: float, a: float, b: float) -> float:
    """The same probability by the eigenfunctions of the heat equation, which needs a long time but no images."""
    width, start = b - a, -a
    g, n = drift / variance, np.arange(1, 400)
    k = n * math.pi / width
    rate = variance * k**2 / 2 + drift**2 / (2 * variance)
    decay = np.exp(-rate * time)
    at_a = (math.exp(-2 * g * start) - math.exp(-2 * g * width)) / (1 - math.exp(-2 * g * width))
    absorbed = at_a - variance / width * math.exp(-g * start) * (k * np.sin(k * start) * decay / rate).sum()
    u = np.linspace(0, reached - a, 4_001)
    density = 2 / width * np.exp(g * (u - start)) * ((np.sin(k * start) * decay) @ np.sin(np.outer(k, u)))
    return float(absorbed + np.trapezoid(density, u))


@pytest.mark.parametrize("drift", [-0.03, -0.004, 0.002, 0.05])
@pytest.mark.parametrize(("time", "reached"), [(120, -1.0), (400, 2.9), (900, 0.5), (4_000, 2.9)])
def test_the_outcomes_of_a_brownian_motion_are_those_of_its_eigenfunctions(
    drift: float, time: float, reached: float
) -> None:
    images = outcome_probability(drift, 0.02, time, reached, -2.9, 3.4)
    assert images == pytest.approx(series(drift, 0.02, time, reached, -2.9, 3.4), abs=1e-6)


@given(
    drift=st.floats(-50, 50),
    time=st.floats(1, 1e5),
    reached=st.floats(-2.9, 2.9),
    variance=st.floats(1e-4, 1),
)
def test_an_outcome_has_a_probability_that_falls_as_the_drift_grows(
    drift: float, time: float, reached: float, variance: float
) -> None:
    there = outcome_probability(drift, variance, time, reached, -2.944, 2.944)
    assert 0 <= there <= 1
    assert outcome_probability(drift + 0.01, variance, time, reached, -2.944, 2.944) <= there + 1e-9


@pytest.mark.parametrize("nelo", [-10.0, 0.0, 15.0, 15.0 + 1e-8, 30.0, 60.0])
def test_the_characteristics_of_both_models_agree_for_the_same_scores(nelo: float) -> None:
    """Normalized Elo with a known variance is a score, and so a logistic Elo."""
    variance = 0.1
    scores = [0.5 + each / ELO_PER_T * math.sqrt(2 * variance) for each in (0, 30, nelo)]
    low, high, true = (float(elo_of_score(score)) for score in scores)
    one = SequentialTest(0, 30).characteristics(nelo)
    two = SequentialTest(low, high, model="logistic").characteristics(true, variance)
    assert (one.accept, one.pairs) == pytest.approx((two.accept, two.pairs), rel=1e-6)
    mirrored = SequentialTest(-30, 0).characteristics(-nelo)
    assert (mirrored.accept, mirrored.pairs) == pytest.approx((1 - one.accept, one.pairs), rel=1e-6)


def test_logistic_characteristics_need_the_variance() -> None:
    with pytest.raises(ValueError, match="variance of a pair, got None"):
        SequentialTest(0, 5, model="logistic").characteristics(0)


def test_the_correction_brings_a_bound_nearer_by_half_the_size_of_a_record() -> None:
    test = SequentialTest(0, 30, corrected=True)
    ratios = np.array([0.8, 0.5, 1.6, 2.4, 2.5])
    outcome, look = test.decide(ratios, [100, 200, 300, 400, 500])
    assert (int(outcome), int(look)) == (2, 4)
    over = (3 * 0.8**2 + 0.1**2) / (2 * 2.5)
    assert 2.5 < test.bounds.hi - over < 2.75
    outcome, look = test.decide(np.append(ratios, 2.75), [100, 200, 300, 400, 500, 600])
    assert (int(outcome), int(look)) == (1, 5)
