"""Score of a match-up from pairs of matches on the same deals, and what pairing gains.

In leg 1 side x sits on seats 0 and 2, in leg 2 on 1 and 3, with the same cards by seat. The pair is the unit; its score
y = (x1 + x2)/2 is free of the luck of the seats by construction, d = (x1 - x2)/2 measures that luck.
Sources: duplicate bridge; for pairs of games in engine testing, M. Van den Bergh's pentanomial model (the fishtest and
OpenBench projects use it).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import sqrt

from sim.stats.integers import Moments, mean_student, moments
from sim.stats.proportions import wilson
from sim.stats.results import Estimate, Interval, NotEstimable

Leg = int
"""Result of one match for x in half points: 2 won, 1 drawn, 0 lost."""

_CELL_OF_SUM = {0: "LL", 1: "LD", 2: "MID", 3: "WD", 4: "WW"}


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Hold the results of n pairs.

    `score` is the mean of y with Student's interval within [0, 1], `seat` the mean of d: half the advantage of seats
    0 and 2 over 1 and 3. `rho` is the correlation of the two legs, negative where shared cards move them apart, and
    `gain` = 1/(1 + rho) says how many unpaired matches one paired match is worth. `cells` counts pairs by result, low
    to high.
    """

    pairs: int
    score: Estimate | NotEstimable
    seat: Estimate | NotEstimable
    rho: float | NotEstimable
    gain: float | NotEstimable
    cells: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class DuplicateSteps:
    """Hold the results of n boards, one deal each, played in two legs.

    With u the levels a deal earns, positive for x: `score` is the mean of (u1 + u2)/2 with Student's interval, `seat`
    the mean of (u1 - u2)/2. `rho` and `gain` as in `Duplicate`.
    """

    pairs: int
    score: Estimate | NotEstimable
    seat: Estimate | NotEstimable
    rho: float | NotEstimable
    gain: float | NotEstimable


def duplicate(results: Mapping[tuple[Leg, Leg], int], level: float = 0.95) -> Duplicate:
    """Evaluate pairs given as counts of (result of leg 1, result of leg 2).

    Where all pairs have the same score its spread is 0 and Student's interval a point; Wilson's for as many independent
    units stands in, so that 50 of 50 pairs won is not taken for certainty.

    Raises ValueError for a result that is not 0, 1 or 2 half points or a negative count.

    >>> duplicate({(2, 0): 30, (0, 2): 26, (2, 2): 40}).cells["WW"]
    40
    """
    for (first, second), count in results.items():
        if first not in (0, 1, 2) or second not in (0, 1, 2) or count < 0:
            raise ValueError(f"half points are 0, 1 or 2 and counts not negative, got {(first, second)}: {count}")
    n = sum(results.values())

    def total(value: Mapping[tuple[Leg, Leg], int]) -> tuple[int, int]:
        return (
            sum(count * value[legs] for legs, count in results.items()),
            sum(count * value[legs] ** 2 for legs, count in results.items()),
        )

    score = _within(mean_student(n, *total({legs: legs[0] + legs[1] for legs in results}), level, scale=4), level)
    seat = mean_student(n, *total({legs: legs[0] - legs[1] for legs in results}), level, scale=4)
    if isinstance(seat, Estimate) and seat.se == 0:  # both legs always alike: nothing is known of the seats
        seat = NotEstimable("no_variation", n, n)
    cells = dict.fromkeys(_CELL_OF_SUM.values(), 0)
    for (first, second), count in results.items():
        cells[_CELL_OF_SUM[first + second]] += count
    rho = _correlation(results)
    return Duplicate(n, score, seat, rho, _gain(rho, n), cells)


def duplicate_steps(results: Mapping[tuple[int, int], int], level: float = 0.95) -> DuplicateSteps:
    """Evaluate boards given as counts of (signed steps of leg 1, of leg 2), positive for x.

    The score of a board is symmetric about 0 and not bounded by a share, so Student's interval stands as it is; where
    every board has the same score nothing is known of its spread. Raises ValueError for a negative count.

    >>> duplicate_steps({(3, -1): 20, (-3, 3): 20, (2, 2): 10}).score.value
    0.8
    """
    if min(results.values(), default=0) < 0:
        raise ValueError(f"counts are not negative, got {dict(results)}")
    n = sum(results.values())

    def mean(sign: int) -> Estimate | NotEstimable:
        values = [(first + sign * second, count) for (first, second), count in results.items()]
        total, squares = sum(count * v for v, count in values), sum(count * v * v for v, count in values)
        found = mean_student(n, total, squares, level, scale=2)
        return NotEstimable("no_variation", n, n) if isinstance(found, Estimate) and found.se == 0 else found

    rho = _correlation(results)
    return DuplicateSteps(n, mean(1), mean(-1), rho, _gain(rho, n))


def _within(score: Estimate | NotEstimable, level: float) -> Estimate | NotEstimable:
    if isinstance(score, NotEstimable):
        return score
    ends: Interval | NotEstimable = Interval(max(0.0, score.lo), min(1.0, score.hi))
    if score.se == 0:
        ends = wilson(score.value * score.units, score.units, level)
    assert isinstance(ends, Interval)
    return replace(score, lo=ends.lo, hi=ends.hi)


def _gain(rho: float | NotEstimable, n: int) -> float | NotEstimable:
    if isinstance(rho, NotEstimable):
        return rho
    return 1 / (1 + rho) if rho > -1 else NotEstimable("no_variation", n, n)


def _correlation(results: Mapping[tuple[Leg, Leg], int]) -> float | NotEstimable:
    n = sum(results.values())
    sums = [sum(count * legs[k] for legs, count in results.items()) for k in (0, 1)]
    squares = [sum(count * legs[k] ** 2 for legs, count in results.items()) for k in (0, 1)]
    spreads = [moments(n, sums[k], squares[k]) for k in (0, 1)]
    first, second = spreads
    if not isinstance(first, Moments) or not isinstance(second, Moments):
        return NotEstimable("one_unit" if n else "no_data", n, n)
    if first.variance == 0 or second.variance == 0:
        return NotEstimable("no_variation", n, n)
    product = sum(count * legs[0] * legs[1] for legs, count in results.items())
    covariance = (n * product - sums[0] * sums[1]) / (n * (n - 1))
    return covariance / sqrt(first.variance * second.variance)
