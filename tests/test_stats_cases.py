"""Every case of tests/data/stats/*.jsonl whose function exists, through the public functions only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import comb
from typing import Any

import pytest

from sim import stats
from tests.support.cases import extra_cases

Answer = dict[str, Any]
Given = dict[str, Any]


def _ends(interval: stats.Interval | stats.NotEstimable) -> Answer:
    assert isinstance(interval, stats.Interval)
    return {"lo": interval.lo, "hi": interval.hi}


def _wilson(given: Given) -> Answer:
    return _ends(stats.wilson(given["successes"], given["n"], given["level"]))


def _clopper_pearson(given: Given) -> Answer:
    return _ends(stats.clopper_pearson(given["successes"], given["n"], given["level"]))


def _jeffreys(given: Given) -> Answer:
    return _ends(stats.jeffreys(given["successes"], given["n"], given["level"]))


def _coverage(given: Given) -> Answer:
    """Sum the binomial probabilities of the outcomes whose interval holds p; widths likewise."""
    n, p = given["n"], given["p"]
    answer: Answer = {}
    for name, interval in (("wilson", stats.wilson), ("cp", stats.clopper_pearson), ("jeffreys", stats.jeffreys)):
        covered = width = 0.0
        for k in range(n + 1):
            ends = interval(k, n, given["level"])
            assert isinstance(ends, stats.Interval)
            chance = comb(n, k) * p**k * (1 - p) ** (n - k)
            covered += chance * (ends.lo <= p <= ends.hi)
            width += chance * (ends.hi - ends.lo)
        answer |= {name: covered, f"{name}_w": width}
    return answer


def _cluster_ratio(given: Given) -> Answer:
    n, y = zip(*given["clusters_n_y"], strict=True)
    sums = stats.ClusterSums.of(n, y)
    ratio = stats.cluster_ratio(sums, given["level"])
    assert isinstance(ratio, stats.Estimate)
    names = {"C": sums.clusters, "Sn": sums.n, "Sy": sums.y, "Snn": sums.nn, "Syy": sums.yy, "Sny": sums.ny}
    return {"ratio": ratio.value, "se": ratio.se, "lo": ratio.lo, "hi": ratio.hi, "sums": names}


def _paired_duplicates(given: Given) -> Answer:
    counts = Counter((2 * one, 2 * two) for one, two in zip(given["leg1"], given["leg2"], strict=True))
    result = stats.duplicate(counts, given["level"])
    assert isinstance(result.score, stats.Estimate)
    assert isinstance(result.seat, stats.Estimate)
    return {
        "score": result.score.value,
        "se": result.score.se,
        "lo": result.score.lo,
        "hi": result.score.hi,
        "seat_effect": result.seat.value,
        "seat_effect_se": result.seat.se,
        "rho": result.rho,
        "cells_LL_SPLIT_WW": [result.cells[name] for name in ("LL", "MID", "WW")],
    }


def _integer_moments(given: Given) -> Answer:
    result = stats.moments(given["n"], given["sum"], given["sumsq"])
    assert isinstance(result, stats.Moments)
    return {"mean": result.mean, "var": result.variance, "sd": result.sd, "se": result.se}


def _histogram_quantiles(given: Given) -> Answer:
    histogram = dict(given["hist"])
    n = sum(histogram.values())
    mean = sum(value * count for value, count in histogram.items()) / n
    return {"quantiles": [stats.quantile(histogram, q) for q in given["q"]], "n": n, "mean": mean}


def _toy_match_model(given: Given) -> Answer:
    steps = tuple(given["step_probs_1_2_3"])
    model = stats.LevelModel(
        given["p_hand"],
        steps,
        steps,
        tau=given["tau_after_win"],
        fails_to_reset=given["fails_to_reset"],
        start=given["start_level"],
        top=given["top_level"],
        pass_steps=given["pass_needs_step_ge"],
    )
    solution = model.solve()
    assert isinstance(solution, stats.LevelSolution)
    return {"p_match": solution.win, "mean_hands": solution.mean_deals, "sd_hands": solution.sd_deals}


ANSWERS: dict[str, Callable[[Given], Answer]] = {
    "wilson": _wilson,
    "clopper_pearson": _clopper_pearson,
    "jeffreys": _jeffreys,
    "coverage": _coverage,
    "cluster_ratio": _cluster_ratio,
    "paired_duplicates": _paired_duplicates,
    "integer_moments": _integer_moments,
    "histogram_quantiles": _histogram_quantiles,
    "toy_match_model": _toy_match_model,
}
NOT_OURS = {"wald", "wald_w", "naive_binomial_se", "var_num", "var_den"}
"""Expected answers that no function of ours claims to give: wrong formulas shown for contrast, numerators."""


def _same(expected: Any, got: Any, tolerance: float) -> None:
    if isinstance(expected, dict):
        for name in expected.keys() - NOT_OURS:
            _same(expected[name], got[name], tolerance)
    elif isinstance(expected, list):
        assert len(expected) == len(got)
        for one, other in zip(expected, got, strict=True):
            _same(one, other, tolerance)
    else:
        assert got == pytest.approx(expected, rel=0, abs=tolerance)


def test_published_and_recomputed_values_of_the_case_files() -> None:
    read: Counter[str] = Counter()
    left: Counter[str] = Counter()
    for case in extra_cases("stats", "*.jsonl"):
        answer = ANSWERS.get(case["kind"])
        if answer is None:
            left[case["kind"]] += 1
            continue
        read[case["kind"]] += 1
        try:
            _same(case["expected"], answer(case["input"]), case["tolerance"])
        except AssertionError as error:
            raise AssertionError(f"{case['kind']} {case.get('id')}: {error}") from error
    print(f"stats cases: {sum(read.values())} compared {dict(read)}; no function yet for {dict(left)}")
    assert read.keys() == ANSWERS.keys()
