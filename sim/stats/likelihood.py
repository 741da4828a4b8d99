"""Generalised log-likelihood ratio of two hypotheses about a distribution on finitely many scores.

The alternative hypotheses fix one number: the mean score (logistic Elo) or the mean in standard deviations (normalized
Elo). Under each the cell probabilities are those that make the data most likely; the ratio of the two maxima is the
evidence. All functions take many count vectors at once.
Sources: M. Van den Bergh, Comments on normalized Elo, and A practical introduction to the GSPRT, as used in the
fishtest, fastchess and OpenBench projects; A. B. Owen 2001, Empirical Likelihood, section 2.9 (the multiplier of the
mean constraint).
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Model = Literal["normalized", "logistic"]
Floats = NDArray[np.float64]

CELL_SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Scores of the cells of a pair, low to high: LL, LD, MID, WD, WW."""
ELO_PER_T: Final = 800 / log(10)
"""Normalized Elo of one standard deviation of a match: 347.4."""
EMPTY_CELL: Final = 1e-3
"""Count that stands for 0 in a cell that can occur, so that one more pair there is not a surprise without limit."""
PAIR_LEGS: Final = 2

_ROUNDS = 100
_CALM_AFTER = 20
_CONVERGED = 1e-9
_ROOT_STEPS = 60


def expected_score(elo: ArrayLike) -> Floats:
    """Give the expected score 1/(1 + 10^(-elo/400)) of logistic Elo."""
    return np.asarray(1 / (1 + 10 ** (-np.asarray(elo, float) / 400)))


def elo_of_score(score: ArrayLike) -> Floats:
    """Give the logistic Elo of an expected score; -inf and inf at 0 and 1."""
    share = np.asarray(score, float)
    with np.errstate(divide="ignore"):
        return np.asarray(-400 * np.log10(1 / share - 1))


def possible_cells(counts: ArrayLike) -> NDArray[np.bool_]:
    """Say which of the five cells of a pair can occur, [..., 5] bool: without a drawn match LD and WD cannot.

    counts: [..., 5], cells LL, LD, MID, WD, WW. Draws come from matches that hit the cap only; where none has occurred
    the support has three points.
    """
    table = np.asarray(counts, float)
    possible = np.ones(table.shape, bool)
    possible[..., 1] = possible[..., 3] = (table[..., 1] > 0) | (table[..., 3] > 0)
    return possible


def shares(counts: ArrayLike, possible: ArrayLike = True) -> tuple[Floats, Floats]:
    """Give (total, cell shares) of counts with `EMPTY_CELL` in place of 0; cells that are not `possible` have share 0.

    counts: [..., cells]. Rows without any pair have total 0 and equal shares. Raises ValueError for negative counts.
    """
    table = np.asarray(counts, float)
    if (table < 0).any() or not np.isfinite(table).all():
        raise ValueError(f"counts are finite and not negative, got {table[(table < 0) | ~np.isfinite(table)][0]}")
    filled = np.where(np.asarray(possible, bool), np.where(table == 0, EMPTY_CELL, table), 0.0)
    total = filled.sum(-1)
    return np.where(table.sum(-1) == 0, 0.0, total), filled / total[..., None]


def mean_and_variance(share: Floats, scores: Floats) -> tuple[Floats, Floats]:
    """Give mean and variance (divisor N) of cell shares [..., cells] on `scores` [cells]."""
    mean = share @ scores
    return mean, (share * (scores - mean[..., None]) ** 2).sum(-1)


def llr_mean(
    counts: ArrayLike, mean0: float, mean1: float, scores: ArrayLike = CELL_SCORES, *, possible: ArrayLike = True
) -> Floats:
    """Give ln of the likelihood of mean score `mean1` over that of `mean0`, one for each row of counts.

    counts: [..., cells]; scores: [cells]; possible: bool, which cells can occur (structurally empty ones are dropped).
    A row without pairs gives 0, the evidence of no data. nan where a hypothesis lies outside the support of the row.
    """
    points = np.asarray(scores, float)
    total, share = shares(counts, possible)
    with np.errstate(divide="ignore", invalid="ignore"):
        under = [_tilted(share, np.broadcast_to(points - mean, share.shape)) for mean in (mean0, mean1)]
    return _ratio(total, share, under[0], under[1])


def llr_t(
    counts: ArrayLike,
    t0: float,
    t1: float,
    scores: ArrayLike = CELL_SCORES,
    *,
    even: float = 0.5,
    possible: ArrayLike = True,
) -> Floats:
    """Give ln of the likelihood of t = `t1` over that of `t0`, with t = (mean - even) / (standard deviation of a unit).

    Shapes as in `llr_mean`. The maximum under a hypothesis is found by a fixed point: with mean and deviation of the
    last round the constraint becomes linear. nan where that does not settle.
    Source: M. Van den Bergh, Comments on normalized Elo, section 4.1.
    """
    points = np.asarray(scores, float)
    total, share = shares(counts, possible)
    flat = share.reshape(-1, share.shape[-1])
    both = _with_t(np.concatenate([flat, flat]), np.repeat([t0, t1], len(flat)), points - even)
    under0, under1 = both.reshape(2, *share.shape)
    return _ratio(total, share, under0, under1)


def llr_closed_form(
    counts: ArrayLike,
    nelo0: ArrayLike,
    nelo1: ArrayLike,
    scores: ArrayLike = CELL_SCORES,
    *,
    even: float = 0.5,
    legs: int = PAIR_LEGS,
    possible: ArrayLike = True,
) -> Floats:
    """Approximate the ratio for normalized Elo without any search: N legs/2 ln[(1 + (t-t0)^2) / (1 + (t-t1)^2)].

    With t per match, (mean - even) / sqrt(legs variance). Good to about 2e-3 for ordinary counts; for planning, for a
    live display, and where the search for the exact value fails. Source: the function LLR_normalized_alt of fishtest.
    """
    total, share = shares(counts, possible)
    mean, variance = mean_and_variance(share, np.asarray(scores, float))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(variance > 0, (mean - even) / np.sqrt(legs * variance), 0.0)
    t0, t1 = np.asarray(nelo0) / ELO_PER_T, np.asarray(nelo1) / ELO_PER_T
    return np.asarray(total * legs / 2 * np.log((1 + (t - t0) ** 2) / (1 + (t - t1) ** 2)))


def llr(
    counts: ArrayLike,
    elo0: float,
    elo1: float,
    model: Model = "normalized",
    scores: ArrayLike = CELL_SCORES,
    *,
    even: float = 0.5,
    legs: int = PAIR_LEGS,
    possible: ArrayLike = True,
) -> Floats:
    """Give ln of the likelihood of `elo1` over that of `elo0`, one for each row of counts; always finite.

    counts: [..., cells], units (pairs) by cell. `elo0` and `elo1` are in the unit of the model: normalized Elo is 347.4
    times the mean in standard deviations of one of the `legs` matches of a unit; logistic Elo fixes the expected score.
    Where the search for the exact value fails the closed form stands in. A row without pairs gives 0.

    >>> round(float(llr([1180, 0, 2540, 0, 1280], 0, 10)), 4)
    1.6627
    """
    table = np.asarray(counts, float)
    options: dict[str, Any] = {"scores": scores, "possible": possible}
    if model == "logistic":
        mean0, mean1 = (float(expected_score(elo)) for elo in (elo0, elo1))
        exact = llr_mean(table, mean0, mean1, **options)
        _, share = shares(table, possible)
        _, variance = mean_and_variance(share, np.asarray(scores, float))
        # The closed form knows deviations only: with the observed spread a mean is a normalized Elo.
        unit = np.sqrt(np.where(variance > 0, variance, np.inf) * legs)
        low, high = (np.asarray(ELO_PER_T * (mean - even) / unit) for mean in (mean0, mean1))
    else:
        factor = sqrt(legs) / ELO_PER_T
        exact = llr_t(table, elo0 * factor, elo1 * factor, even=even, **options)
        low, high = np.asarray(elo0, float), np.asarray(elo1, float)
    if np.isfinite(exact).all():
        return exact
    rough = llr_closed_form(table, low, high, even=even, legs=legs, **options)
    return np.where(np.isfinite(exact), exact, rough)


def _ratio(total: Floats, share: Floats, under0: Floats, under1: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(share > 0, share * np.log(under1 / under0), 0.0)
    return np.asarray(np.where(total == 0, 0.0, total * logs.sum(-1)))


def _tilted(share: Floats, value: Floats) -> Floats:
    """Give the most likely probabilities with mean of `value` 0: share / (1 + x value), nan where there are none.

    Both [..., cells]. The root x of sum share value / (1 + x value) lies between 0 and a pole, very near to it where
    the cell of the pole is all but empty. So the unknown is the distance d to the pole; d times the sum is almost a
    straight line, and Newton's method kept within the bracket takes a few steps.
    """
    used = share > 0
    turn = np.where((share * value).sum(-1) > 0, -1.0, 1.0)[..., None]  # so that x <= 0, and the pole is -1/top
    value = np.where(used, value * turn, 0.0)
    top = value.max(-1)
    feasible = (top > 0) & (value.min(-1) < 0)
    top = np.where(feasible, top, 1.0)
    rest = (top[..., None] - value) / top[..., None]  # 1 + x value = rest + d value, exactly 0 + d top at the top
    left, right = np.zeros_like(top), 1 / top
    d = right
    weighted = share * value
    for _ in range(_ROOT_STEPS):
        whole = rest + d[..., None] * value
        terms = weighted / np.where(used, whole, 1.0)
        f = (d[..., None] * terms).sum(-1)
        slope = (terms * rest / np.where(used, whole, 1.0)).sum(-1)
        left, right = np.where(f > 0, d, left), np.where(f > 0, right, d)
        target = np.where(slope < 0, d - f / np.where(slope < 0, slope, 1.0), -1.0)
        target = np.where((target >= left) & (target <= right), target, (left + right) / 2)
        settled = np.abs(target - d) <= 1e-14 * d
        d = target
        if settled[feasible].all():
            break
    tilted = np.where(used, share / np.where(used, rest + d[..., None] * value, 1.0), 0.0)
    return np.where(feasible[..., None], tilted, np.nan)


def _with_t(share: Floats, t: Floats, value: Floats) -> Floats:
    """Give the most likely probabilities with mean / deviation of `value` equal to t; nan where the search fails.

    share: [rows, cells]; t: [rows]; value: [cells].
    """
    found = np.full_like(share, np.nan)
    rows = np.arange(len(share))
    used = share > 0
    guess = used / used.sum(-1, keepdims=True)
    p, wanted = share, t[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        for turn in range(_ROUNDS):
            mean, variance = mean_and_variance(guess, value)
            mean, sd = mean[:, None], np.sqrt(variance)[:, None]
            linear = value - wanted * sd / 2 * (1 + ((value - mean) / sd) ** 2)
            better = _tilted(p, linear)
            change = np.abs(better - guess).max(-1)
            done = change < _CONVERGED
            found[rows[done]] = better[done]
            keep = ~done & np.isfinite(change)
            if not keep.any():
                break
            if turn >= _CALM_AFTER:  # the few that swing between two guesses settle half-way
                better = (better + guess) / 2
            rows, guess, p, wanted = rows[keep], better[keep], p[keep], wanted[keep]
    return found
