"""Strategies that are not on one line: which wins are certain, cycles among them, rankings that allow for cycles.

Sources: S. Holm 1979; E. C. Tarjan 1972 (components); A. H. Copeland 1951; J.-C. de Borda 1781; P. C. Fishburn 1984
(maximal lotteries); M. Lanctot et al. 2023, Evaluating Agents using Social Choice Theory (arXiv 2312.03121).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.stats.comparisons import holm
from sim.stats.likelihood import CELL_SCORES, Floats
from sim.stats.results import NotEstimable

MOST_IN_CYCLE = 12
"""Largest component whose longest cycle is searched: all of them are tried."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """Hold a cycle of certain wins: each member beats the next, the last the first. `weakest` is the least sure."""

    members: tuple[int, ...]
    weakest: tuple[int, int]
    p: float


def win_probabilities(cells: ArrayLike) -> Floats:
    """Give p values [K, K], adjusted by Holm over all match-ups, for «row beats column»; 1 where row is not ahead.

    cells: [K, K, 5], pairs of row against column, on either side of the diagonal. Two-sided Student's test of the mean
    pair score; where all pairs have one score, the sign test. Match-ups without pairs belong to the family all the
    same, since it is fixed before the run. Raises ValueError for another shape or a negative count.
    """
    table = np.asarray(cells, float)
    if table.ndim != 3 or table.shape[0] != table.shape[1] or table.shape[2] != 5 or (table < 0).any():
        raise ValueError(f"cells have the shape [K, K, 5] and no negative count, got {table.shape}")
    both = table + table.transpose(1, 0, 2)[:, :, ::-1]
    couples = list(combinations(range(len(table)), 2))
    tested = [_mean_test(both[i, j]) for i, j in couples]
    adjusted = holm([p for _, p in tested])
    found = np.ones((len(table), len(table)))
    for (i, j), (lead, _), p in zip(couples, tested, adjusted, strict=True):
        if lead:
            found[(i, j) if lead > 0 else (j, i)] = p
    return found


def longest_cycle(p: ArrayLike, alpha: float = 0.05) -> Cycle | None:
    """Find a longest cycle of wins with p < alpha, given as `win_probabilities` does, [K, K]; None if there is none.

    Raises ValueError where more than 12 strategies hang together in cycles.
    """
    table = np.asarray(p, float)
    beats = table < alpha
    from scipy.sparse.csgraph import connected_components  # imported here: it takes a third of a second

    count, label = connected_components(beats, connection="strong")
    best: tuple[int, ...] = ()
    for component in range(count):
        inside = np.flatnonzero(label == component).tolist()
        if len(inside) > MOST_IN_CYCLE:
            raise ValueError(f"cycles of at most {MOST_IN_CYCLE} strategies are searched, got {len(inside)} joined")
        if len(inside) > max(2, len(best)):
            found = _longest(inside, beats)
            best = found if len(found) > len(best) else best
    if not best:
        return None
    edges = list(zip(best, (*best[1:], best[0]), strict=True))
    weakest = max(edges, key=lambda edge: table[edge])
    return Cycle(best, weakest, float(table[weakest]))


def borda(scores: ArrayLike) -> Floats | NotEstimable:
    """Give each strategy's mean score against the others, [K], from scores [K, K] of row against column.

    NotEstimable for fewer than two strategies.
    """
    table = np.asarray(scores, float)
    if len(table) < 2:
        return NotEstimable("no_data", len(table), len(table))
    return np.asarray((table.sum(1) - np.diag(table)) / (len(table) - 1))


def copeland(p: ArrayLike, alpha: float = 0.05) -> NDArray[np.int64]:
    """Give certain wins minus certain defeats, [K], from `win_probabilities` [K, K]."""
    beats = np.asarray(p, float) < alpha
    return np.asarray(beats.sum(1) - beats.sum(0), np.int64)


def maximal_lottery(scores: ArrayLike) -> Floats | NotEstimable:
    """Give probabilities [K] of a mixture that no strategy beats on average, from scores [K, K] of row against column.

    A strategy that beats all others gets 1. Where several mixtures serve, one of them is given. NotEstimable without
    strategies. Source: Fishburn 1984, by linear programming.
    """
    table = np.asarray(scores, float)
    if not len(table):
        return NotEstimable("no_data")
    from scipy.optimize import linprog  # imported here: it takes a third of a second

    margin = (table - table.T) / 2
    found = linprog(
        np.zeros(len(table)),
        A_ub=margin,  # no row gains against the mixture
        b_ub=np.full(len(table), 1e-12),
        A_eq=np.ones((1, len(table))),
        b_eq=[1.0],
        bounds=(0, 1),
    )
    return np.asarray(found.x, float)


def _mean_test(cells: Floats) -> tuple[int, float]:
    """Give (who is ahead: 1, 0 or -1; two-sided p) of the mean score of pairs against one half."""
    n = cells.sum()
    if n < 1:
        return 0, 1.0
    scores = np.array(CELL_SCORES)
    mean = float(cells @ scores / n)
    lead = int(np.sign(round(mean - 0.5, 12)))
    if lead == 0:
        return 0, 1.0
    spread = float(cells @ (scores - mean) ** 2)
    if n < 2 or spread < 1e-12:
        return lead, float(min(1.0, 2.0 ** (1 - n)))
    from scipy.special import stdtr  # imported here, see above

    t = abs(mean - 0.5) / sqrt(spread / (n - 1) / n)
    return lead, float(2 * stdtr(n - 1, -t))


def _longest(inside: list[int], beats: NDArray[np.bool_]) -> tuple[int, ...]:
    """Find a longest cycle through strategies of one component, by the sets that paths from its least member cover."""
    k = len(inside)
    after = [[m for m in range(k) if beats[inside[n], inside[m]]] for n in range(k)]
    best: tuple[int, ...] = ()
    for start in range(k):
        paths: dict[tuple[int, int], tuple[int, ...]] = {(1 << start, start): (start,)}
        while paths:
            longer: dict[tuple[int, int], tuple[int, ...]] = {}
            for (covered, end), path in paths.items():
                if start in after[end] and len(path) > len(best):
                    best = path
                for follower in after[end]:
                    if follower > start and not covered >> follower & 1:
                        longer.setdefault((covered | 1 << follower, follower), (*path, follower))
            paths = longer
    return tuple(inside[n] for n in best)
