"""Bootstrap that workers can share: Poisson weights keyed by the pair, sums that add.

Every pair has a weight in every replicate, drawn from Poisson(1) by a counter-based generator keyed by (key, replicate)
and counting by pair id. So a block can weigh its own pairs wherever and whenever it runs; the replicate sums are
integers and add over blocks.
Sources: B. Efron 1979; J. A. Hanley and B. MacGibbon 2006 (Poisson weights); J. K. Salmon, M. A. Moraes, R. O. Dror and
D. E. Shaw 2011, Parallel Random Numbers: As Easy as 1, 2, 3 (Philox), by numpy.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import factorial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.stats.results import Interval, NotEstimable, check_level

REPLICATES = 200
_WORDS_A_STEP = 4
"""Words of the generator for one count: replicate b of pair i is word i of the stream of (key, b)."""
_GAP = 1_000
"""Ids this far apart are drawn separately; nearer ones in one go."""
_MOST = 21
"""Largest weight: a larger one has a probability below 2^-64."""


def poisson_weights(key: int, pairs: ArrayLike, replicates: int = REPLICATES) -> NDArray[np.uint8]:
    """Give the weights [pairs, replicates] of pairs by id; that of a pair depends on key, id and replicate alone.

    key: whole number below 2^64. pairs: [pairs] ids below 2^48, quickest where they lie close together. The first
    replicates are the same however many are asked for. Raises ValueError for numbers outside these limits.
    """
    ids = np.asarray(pairs, np.int64).reshape(-1)
    if not 0 <= key < 2**64 or replicates < 1 or (ids < 0).any() or (ids >= 2**48).any():
        raise ValueError(
            f"a key lies below 2^64, ids below 2^48 and there is a replicate, got key {key} and {replicates} replicates"
        )
    weights = np.empty((len(ids), replicates), np.uint8)
    order = np.argsort(ids, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(ids[order]) > _GAP) + 1):
        if not len(rows):
            continue
        start = int(ids[rows[0]]) // _WORDS_A_STEP
        offset = ids[rows] - start * _WORDS_A_STEP
        for replicate in range(replicates):
            stream = np.random.Philox(key=key | replicate << 64, counter=start)
            words = stream.random_raw(int(offset[-1]) + 1)[offset]
            weights[rows, replicate] = np.searchsorted(_limits(), words, side="right")
    return weights


def bootstrap_sums(weights: NDArray[np.uint8], values: ArrayLike) -> NDArray[np.int64]:
    """Give the replicate sums [replicates, columns] of integer values [pairs, columns]; sums of blocks add up.

    Put a column of ones in to have the weighted number of pairs. Raises TypeError for values that are not integers.
    """
    table = np.asarray(values)
    if not np.issubdtype(table.dtype, np.integer):
        raise TypeError(f"only integers add up the same in any order, got {table.dtype}")
    return np.asarray(weights.T.astype(np.int64) @ table.astype(np.int64).reshape(len(weights), -1), np.int64)


def percentile_interval(replicates: ArrayLike, level: float = 0.95) -> Interval | NotEstimable:
    """Give the ends between which the middle `level` of the replicates [replicates] of a statistic lies.

    Replicates that are not finite, such as a ratio whose weights were all 0, are left out. NotEstimable for fewer than
    two. Source: Efron 1979.
    """
    check_level(level)
    values = np.asarray(replicates, float)
    values = values[np.isfinite(values)]
    if len(values) < 2:
        return NotEstimable("one_unit" if len(values) else "no_data", len(values), len(values))
    lo, hi = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(lo), float(hi))


@cache
def _limits() -> NDArray[np.uint64]:
    """Give floor(2^64 P(weight <= k)) for k = 0, 1, ..., from fractions and so the same on every machine."""
    inverse_e = sum(Fraction((-1) ** k, factorial(k)) for k in range(40))
    shares = [inverse_e * sum(Fraction(1, factorial(j)) for j in range(k + 1)) for k in range(_MOST)]
    return np.array([min(int(share * 2**64), 2**64 - 1) for share in shares], np.uint64)
