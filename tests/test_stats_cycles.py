"""Cycles of certain wins, rankings that allow for them, and what forfeits do to a score."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sim import stats
from sim.stats import FaultyPair, NotEstimable

WON, LOST, EVEN = [50, 0, 100, 0, 150], [150, 0, 100, 0, 50], [100, 0, 100, 0, 100]


def cells(*rows: list[list[int]]) -> NDArray[Any]:
    """Give [K, K, 5] from the match-ups above the diagonal, a row for each strategy but the last."""
    table = np.zeros((len(rows) + 1, len(rows) + 1, 5))
    for i, row in enumerate(rows):
        for j, counts in enumerate(row, start=i + 1):
            table[i, j] = counts
    return table


def test_rock_paper_scissors_is_a_cycle_and_nobody_leads() -> None:
    p = stats.win_probabilities(cells([WON, LOST], [WON]))
    found = stats.longest_cycle(p)
    assert found is not None
    assert found.members == (0, 1, 2)
    assert stats.copeland(p).tolist() == [0, 0, 0]
    assert found.p < 1e-6


def test_the_weakest_edge_of_a_cycle_is_named() -> None:
    barely = [85, 0, 100, 0, 120]
    found = stats.longest_cycle(stats.win_probabilities(cells([WON, LOST], [barely])))
    assert found is not None
    assert found.weakest == (1, 2)
    assert 1e-4 < found.p < 0.05


def test_wins_that_are_not_certain_make_no_cycle() -> None:
    assert stats.longest_cycle(stats.win_probabilities(cells([WON, LOST], [EVEN]))) is None
    assert stats.longest_cycle(stats.win_probabilities(cells([WON, WON], [WON]))) is None
    assert stats.longest_cycle(np.zeros((0, 0))) is None


def test_all_pairs_won_is_certain_and_all_split_is_nothing() -> None:
    p = stats.win_probabilities(cells([[0, 0, 0, 0, 20], [0, 0, 20, 0, 0]], [[1, 0, 0, 0, 0]]))
    assert p[0, 1] == pytest.approx(3 * 2.0**-19)
    assert p[0, 2] == p[2, 0] == p[2, 1] == 1.0


@given(seed=st.integers(0, 10**6), k=st.integers(2, 6), density=st.floats(0.2, 0.7))
def test_the_longest_cycle_is_that_found_by_trying_all(seed: int, k: int, density: float) -> None:
    random = np.random.default_rng(seed)
    ahead = np.triu(random.random((k, k)) < 0.5, 1)
    sure = np.triu(random.random((k, k)) < density, 1)
    beats = (ahead & sure) | (~ahead & sure).T
    np.fill_diagonal(beats, False)
    found = stats.longest_cycle(np.where(beats, 0.01, 1.0))
    longest = 0
    for size in range(3, k + 1):
        for order in permutations(range(k), size):
            if all(beats[one, other] for one, other in zip(order, (*order[1:], order[0]), strict=True)):
                longest = size
                break
    assert (0 if found is None else len(found.members)) == longest
    if found is not None:
        assert len(set(found.members)) == longest
        assert all(beats[a, b] for a, b in zip(found.members, (*found.members[1:], found.members[0]), strict=True))


def test_too_many_strategies_in_cycles_are_refused() -> None:
    ring = np.ones((13, 13))
    ring[np.arange(13), (np.arange(13) + 1) % 13] = 0.0
    with pytest.raises(ValueError, match="at most 12"):
        stats.longest_cycle(ring)


@given(p=st.lists(st.floats(0.05, 0.95), min_size=6, max_size=6))
def test_no_strategy_beats_the_maximal_lottery_on_average(p: list[float]) -> None:
    scores = np.full((4, 4), 0.5)
    scores[np.triu_indices(4, 1)] = p
    scores = np.triu(scores, 1) + np.tril(1 - scores.T, -1) + np.eye(4) / 2
    mixture = stats.maximal_lottery(scores)
    assert not isinstance(mixture, NotEstimable)
    assert mixture.sum() == pytest.approx(1)
    assert (mixture >= -1e-9).all()
    assert (scores @ mixture <= 0.5 + 1e-7).all()


def test_who_beats_all_others_is_first_by_every_rule() -> None:
    scores = np.array([[0.5, 0.6, 0.7], [0.4, 0.5, 0.9], [0.3, 0.1, 0.5]])
    assert stats.maximal_lottery(scores) == pytest.approx([1, 0, 0], abs=1e-9)
    assert stats.borda(scores) == pytest.approx([0.65, 0.65, 0.2])
    assert stats.copeland(np.where(scores > 0.5, 0.01, 1.0)).tolist() == [2, 0, -2]


def test_one_strategy_or_none_is_not_ranked() -> None:
    assert isinstance(stats.borda([[0.5]]), NotEstimable)
    assert isinstance(stats.maximal_lottery(np.zeros((0, 0))), NotEstimable)
    assert stats.win_probabilities(np.zeros((1, 1, 5))).tolist() == [[1.0]]


def test_faults_of_x_count_against_it_in_the_worst_score_only() -> None:
    pairs = {
        FaultyPair(2, 2): 10,
        FaultyPair(2, 0): 20,
        FaultyPair(0, 0): 10,
        FaultyPair(2, 2, x_first=True): 4,
        FaultyPair(2, 2, y_any=True): 6,
    }
    found = stats.three_scores(pairs)
    assert (found.played.pairs, found.clean.pairs, found.worst.pairs) == (50, 40, 44)
    assert list(found.played.cells.values()) == [10, 0, 20, 0, 20]
    assert list(found.clean.cells.values()) == [10, 0, 20, 0, 10]
    assert list(found.worst.cells.values()) == [10, 0, 24, 0, 10]
    assert found.pairs_with_faults == stats.clopper_pearson(10, 50)


@given(counts=st.lists(st.integers(0, 9), min_size=8, max_size=8))
def test_the_worst_score_is_not_above_the_played_one_where_y_has_no_fault(counts: list[int]) -> None:
    kinds = [FaultyPair(a, b, fault) for a in (0, 2) for b in (0, 2) for fault in (False, True)]
    found = stats.three_scores(dict(zip(kinds, counts, strict=True)))
    if isinstance(found.played.score, NotEstimable):
        return
    assert isinstance(found.worst.score, stats.Estimate)
    assert found.worst.score.value <= found.played.score.value


@pytest.mark.parametrize(
    ("forfeits", "legs", "expected"),
    [
        (0, 100, "sound"),
        (1, 100_000, "sound"),
        (1, 1_000, "contaminated"),
        (60, 100_000, "sound"),
        (100, 100_000, "contaminated"),
        (1, 100, "invalid"),
        (0, 0, NotEstimable("no_data")),
    ],
)
def test_forfeits_above_a_thousandth_contaminate_and_above_a_hundredth_void(
    forfeits: int, legs: int, expected: str | NotEstimable
) -> None:
    assert stats.soundness(forfeits, legs) == expected
