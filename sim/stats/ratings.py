"""Ratings of several strategies on one scale from the points of their match-ups (Bradley-Terry).

Only differences of ratings have a meaning; where the scale has its zero is a convention, and so is the error of a
single rating.
Sources: R. A. Bradley and M. E. Terry 1952; L. R. Ford 1957 (when a maximum exists); D. R. Hunter 2004; H. White 1982
(sandwich errors); the Ordo program's manual (errors of differences, perfect scores).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import log
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.stats.comparisons import holm
from sim.stats.likelihood import CELL_SCORES, PAIR_LEGS, Floats
from sim.stats.results import Estimate, NotEstimable, normal_quantile

ELO_PER_LOGIT = 400 / log(10)
_STEPS = 100
_LONGEST_STEP = 2.0


@dataclass(frozen=True, slots=True)
class Ratings:
    """Hold the ratings of K strategies in Elo with the test of fit.

    elo: [K]. covariance: [K, K] in Elo squared, with that of the pairs where pairs were given. bound: [K] int8, 1 for
    a strategy that won everything, whose rating is a lower bound; -1 for one that lost everything; 0 otherwise. Those
    bounded have infinite errors. `deviance` with `df` and `p` tests that one number a strategy is enough: a low p means
    that the strategies are not on one line (a beats b beats c beats a). `dispersion` is the variance of pairs over that
    of independent matches, by which the deviance is divided; 1 where pairs were not given. `prior_pairs`
    is to be shown wherever it is not 0.
    """

    elo: Floats
    covariance: Floats
    bound: NDArray[np.int8]
    matches: int
    deviance: float
    df: int
    p: float
    dispersion: float
    prior_pairs: float = 0.0

    @property
    def se(self) -> Floats:
        """Give the standard errors [K] relative to the zero of the scale; not to be compared with each other."""
        return np.asarray(np.where(self.bound != 0, np.inf, np.sqrt(np.maximum(np.diag(self.covariance), 0.0))))

    @property
    def se_difference(self) -> Floats:
        """Give the standard errors [K, K] of the differences."""
        own = np.diag(self.covariance)
        errors = np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * self.covariance, 0.0))
        bounded = self.bound != 0
        open_end = (bounded[:, None] | bounded[None, :]) & ~np.eye(len(own), dtype=bool)
        return np.asarray(np.where(open_end, np.inf, errors))

    def difference(self, i: int, j: int, level: float = 0.95) -> Estimate | NotEstimable:
        """Estimate the rating of strategy i minus that of j in Elo; NotEstimable where one is a bound."""
        if self.bound[i] or self.bound[j]:
            return NotEstimable("not_connected", self.matches, self.matches)
        value, se = float(self.elo[i] - self.elo[j]), float(self.se_difference[i, j])
        z = normal_quantile(level)
        return Estimate(value, value - z * se, value + z * se, se, self.matches, self.matches)


def win_components(points: ArrayLike) -> NDArray[np.int32]:
    """Number the strongly connected parts of the graph «won a point from», [K]; one number only: all can be rated.

    points: [K, K], row's points against column. Source: Ford 1957.
    """
    from scipy.sparse.csgraph import connected_components  # imported here: it takes a third of a second

    return np.asarray(connected_components(_checked(points) > 0, connection="strong")[1], np.int32)


def bradley_terry(
    points: ArrayLike, *, anchor: int | None = None, bounds: bool = True, prior_pairs: float = 0.0
) -> Ratings | NotEstimable:
    """Rate K strategies from points [K, K], row's points against column: 1 for a match won, 1/2 for a drawn one.

    The mean rating is 0, or that of strategy `anchor`. With `bounds` a strategy that won or lost everything gets a
    one-sided rating, at half a point less than everything. `prior_pairs` drawn pairs of every strategy against the mean
    draw all ratings together and make them finite whatever the points, with no bound and no check of chains.
    NotEstimable("not_connected") where the rest is no single
    group in which everyone has won from everyone along some path, NotEstimable("no_data") for fewer than two strategies
    or no match. Raises ValueError for a table that is not square or negative.
    """
    return _rate(_checked(points), None, anchor, bounds, prior_pairs)


def bradley_terry_pairs(
    cells: ArrayLike, *, anchor: int | None = None, bounds: bool = True, prior_pairs: float = 0.0
) -> Ratings | NotEstimable:
    """Rate K strategies from pairs, cells [K, K, 5] (LL, LD, MID, WD, WW of row against column).

    A match-up may stand on either side of the diagonal, or be divided between them. Ratings as by `bradley_terry`; the
    errors come from the pairs (sandwich), since two matches on the same deals vary less than two independent ones.
    """
    table = np.asarray(cells, float)
    if table.ndim != 3 or table.shape[0] != table.shape[1] or table.shape[2] != 5 or (table < 0).any():
        raise ValueError(f"cells have the shape [K, K, 5] and no negative count, got {table.shape}")
    both = table + table.transpose(1, 0, 2)[:, :, ::-1]
    for k in range(len(both)):
        both[k, k] = 0
    return _rate(PAIR_LEGS * both @ np.array(CELL_SCORES), both, anchor, bounds, prior_pairs)


def rank_intervals(ratings: Ratings, alpha: float = 0.05) -> list[tuple[int, int]]:
    """Give for each strategy the first and last rank it may have, 1 the best.

    [1 + those significantly better, K - those significantly worse], with Holm's correction over all match-ups.
    Nothing is claimed of a rating that is a bound.
    """
    k = len(ratings.elo)
    couples = list(combinations(range(k), 2))
    errors, z = ratings.se_difference, NormalDist()
    p = [2 * z.cdf(-abs(float(ratings.elo[i] - ratings.elo[j])) / float(errors[i, j])) for i, j in couples]
    better, worse = [0] * k, [0] * k
    for (i, j), adjusted in zip(couples, holm(p), strict=True):
        if adjusted < alpha:
            high, low = (i, j) if ratings.elo[i] > ratings.elo[j] else (j, i)
            better[low] += 1
            worse[high] += 1
    return [(1 + better[i], k - worse[i]) for i in range(k)]


def _checked(points: ArrayLike) -> Floats:
    table = np.array(points, float)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not (table >= 0).all():
        raise ValueError(f"points are a square table without negative entries, got the shape {table.shape}")
    np.fill_diagonal(table, 0.0)
    return table


def _rate(
    points: Floats, pairs: Floats | None, anchor: int | None, bounds: bool, prior: float
) -> Ratings | NotEstimable:
    if not prior >= 0:
        raise ValueError(f"a prior has no negative number of pairs, got {prior}")
    k = len(points)
    played = points + points.T
    matches = round(played.sum() / 2)
    if k < 2 or matches == 0:
        return NotEstimable("no_data", matches, matches)
    core, peeled = _peel(points) if bounds and not prior else (np.arange(k), [])
    inside = points[np.ix_(core, core)]
    if len(core) > 1 and not prior and win_components(inside).max() > 0:
        return NotEstimable("not_connected", matches, matches)
    theta, bound = np.zeros(k), np.zeros(k, np.int8)
    theta[core] = _newton(inside, prior)
    for one, rest, sign in reversed(peeled):
        theta[one], bound[one] = _at_half_a_point(points[one, rest], points[rest, one], theta[rest]), sign
    wins = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
    covariance = np.zeros((k, k))
    covariance[np.ix_(core, core)] = _covariance(
        played[np.ix_(core, core)],
        wins[np.ix_(core, core)],
        None if pairs is None else pairs[np.ix_(core, core)],
        _prior_information(theta[core], prior),
    )
    shift = np.full(k, 1 / k) if anchor is None else np.eye(k)[anchor]
    centre = np.eye(k) - np.outer(np.ones(k), shift)
    dispersion = 1.0 if pairs is None else _dispersion(pairs)
    deviance, df = _deviance(inside, wins[np.ix_(core, core)])
    from scipy.special import chdtrc  # imported here: it takes a third of a second

    p = float(chdtrc(df, deviance / dispersion)) if df > 0 else 1.0
    return Ratings(
        centre @ theta * ELO_PER_LOGIT,
        centre @ covariance @ centre.T * ELO_PER_LOGIT**2,
        bound,
        matches,
        deviance / dispersion,
        df,
        p,
        dispersion,
        prior,
    )


def _peel(points: Floats) -> tuple[NDArray[np.int64], list[tuple[int, list[int], int]]]:
    """Take out, one after another, those who won or lost everything against the rest, with whom they had left."""
    core, peeled = list(range(len(points))), []
    while len(core) > 1:
        for one in core:
            rest = [other for other in core if other != one]
            won, lost = points[one, rest].sum(), points[rest, one].sum()
            if (won == 0) != (lost == 0):
                peeled.append((one, rest, 1 if won else -1))
                core = rest
                break
        else:
            break
    return np.array(core), peeled


def _newton(points: Floats, prior: float) -> Floats:
    k = len(points)
    played = points + points.T
    theta = np.zeros(k)
    for _ in range(_STEPS):
        wins = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
        score = (points - played * wins).sum(1) - prior * np.tanh(theta / 2)
        held = _prior_information(theta, prior) if prior else 1 / k
        step = np.linalg.solve(_information(played, wins) + held, score)
        step *= min(1.0, _LONGEST_STEP / max(np.abs(step).max(), 1e-300))
        theta += step
        if np.abs(step).max() < 1e-12:
            break
    return theta


def _prior_information(theta: Floats, prior: float) -> Floats:
    """Give what the drawn pairs against a strategy rated 0 tell, [K, K]: two matches each, variance P (1 - P)."""
    return np.asarray(np.diag(PAIR_LEGS * prior / (4 * np.cosh(theta / 2) ** 2)))


def _information(played: Floats, wins: Floats) -> Floats:
    between = played * wins * (1 - wins)
    np.fill_diagonal(between, 0.0)
    return np.asarray(np.diag(between.sum(1)) - between)


def _covariance(played: Floats, wins: Floats, pairs: Floats | None, prior: Floats) -> Floats:
    inverse = np.linalg.pinv(_information(played, wins) + prior, hermitian=True)
    if pairs is None:
        return np.asarray(inverse)
    points = PAIR_LEGS * np.array(CELL_SCORES)
    squares = (pairs * (points - PAIR_LEGS * wins[:, :, None]) ** 2).sum(2)
    np.fill_diagonal(squares, 0.0)
    return np.asarray(inverse @ (np.diag(squares.sum(1)) - squares) @ inverse)


def _dispersion(pairs: Floats) -> float:
    """Compare the spread of pairs about the mean of their own match-up with that of independent matches."""
    points = PAIR_LEGS * np.array(CELL_SCORES)
    found = expected = 0.0
    for i, j in combinations(range(len(pairs)), 2):
        n = pairs[i, j].sum()
        if n < 2:
            continue
        mean = pairs[i, j] @ points / n
        found += float(pairs[i, j] @ (points - mean) ** 2)
        expected += float((n - 1) * mean * (1 - mean / PAIR_LEGS))
    return found / expected if found > 0 and expected > 0 else 1.0


def _deviance(points: Floats, wins: Floats) -> tuple[float, int]:
    played = points + points.T
    with np.errstate(divide="ignore", invalid="ignore"):
        each = np.where(points > 0, points * np.log(points / (played * wins)), 0.0)
    match_ups = int((np.triu(played, 1) > 0).sum())
    return float(2 * each.sum()), match_ups - (len(points) - 1)


def _at_half_a_point(won: Floats, lost: Floats, others: Floats) -> float:
    """Find the rating at which half a point less than everything, or more than nothing, is expected against others."""
    played = won + lost
    target = won.sum() - 0.5 if won.sum() else 0.5
    low, high = others.min() - 60.0, others.max() + 60.0
    for _ in range(200):
        middle = (low + high) / 2
        expected = (played / (1 + np.exp(others - middle))).sum()
        low, high = (middle, high) if expected < target else (low, middle)
    return float((low + high) / 2)
