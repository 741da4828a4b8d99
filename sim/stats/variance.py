"""Luck and skill: what the variance of the results is made of.

From two legs on one deal, with u the result of x: M = (u1 + u2)/2 holds the skill, D = (u1 - u2)/2 the seats and the
deal. Leg variances are taken to be equal, as exchanging the legs at random would make them.
Sources: method of moments for one-way random effects, S. R. Searle, G. Casella and C. E. McCulloch 1992, Variance
Components; P. Duersch, M. Lambrecht and J. Oechssler 2020, Measuring skill and chance in games (skill share).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from sim.stats.integers import mean_student, moments
from sim.stats.results import Estimate, NotEstimable


@dataclass(frozen=True, slots=True)
class VarianceComponents:
    """Hold skill and seat effect with their errors, and the variance of one leg in two parts.

    `deal` = Var D - Var M comes from the cards and is negative where chance wills it; show `max(0, deal)`. `rest` =
    2 Var M is the strategies' own randomness and what a deal means to one strategy and not to the other.
    """

    skill: Estimate
    seat: Estimate
    deal: float
    rest: float

    @property
    def deal_share(self) -> float:
        """Give the share of the deal, which is minus the correlation of the legs."""
        return self.deal / (self.deal + self.rest)

    @property
    def rho(self) -> float:
        """Give the correlation of the legs."""
        return -self.deal_share

    @property
    def gain(self) -> float:
        """Give how many unpaired legs a paired one is worth; inf where pairs have no spread at all."""
        return (self.deal + self.rest) / self.rest if self.rest else float("inf")


def variance_components(
    results: Mapping[tuple[int, int], int], level: float = 0.95, *, scale: int = 1
) -> VarianceComponents | NotEstimable:
    """Divide the variance of pairs given as counts of (result of leg 1, of leg 2), integers of which `scale` make 1.

    NotEstimable for fewer than two pairs, and where no leg ever differed. Raises ValueError for a negative count.
    """
    if min(results.values(), default=0) < 0:
        raise ValueError(f"counts are not negative, got {dict(results)}")
    n = sum(results.values())
    estimates, spreads = [], []
    for sign in (1, -1):
        values = [(first + sign * second, count) for (first, second), count in results.items()]
        total, squares = sum(v * count for v, count in values), sum(v * v * count for v, count in values)
        mean, spread = mean_student(n, total, squares, level, scale=2 * scale), moments(n, total, squares)
        if isinstance(mean, NotEstimable) or isinstance(spread, NotEstimable):
            return NotEstimable("one_unit" if n else "no_data", n, n)
        estimates.append(mean)
        spreads.append(Fraction(n * squares - total * total, n * (n - 1) * 4 * scale * scale))
    if sum(spreads) == 0:
        return NotEstimable("no_variation", n, n)
    return VarianceComponents(estimates[0], estimates[1], float(spreads[1] - spreads[0]), float(2 * spreads[0]))


def own_randomness(replays: ArrayLike) -> float | NotEstimable:
    """Give the variance that the strategies' own draws cause: the mean variance within [cells, replays].

    A cell is one deal in one seating, played `replays` times with other streams of the strategies. The remainder of
    `VarianceComponents.rest` is interaction of deal and strategy. NotEstimable without cells or with a single replay.
    """
    table = np.asarray(replays, float)
    if table.ndim != 2 or table.size == 0:
        return NotEstimable("no_data")
    if table.shape[1] < 2:
        return NotEstimable("one_unit", table.shape[0], table.size)
    return float(table.var(axis=1, ddof=1).mean())


def strategy_variance(strengths: ArrayLike, errors: ArrayLike) -> float | NotEstimable:
    """Give the variance of true strength over a pool, from estimates and their standard errors, both [strategies].

    max(0, variance of the estimates - mean squared error). It speaks of this pool alone. NotEstimable for fewer than
    two strategies. Raises ValueError for unequal lengths.
    """
    values, noise = np.asarray(strengths, float), np.asarray(errors, float)
    if values.shape != noise.shape or values.ndim != 1:
        raise ValueError(f"every strategy needs one error, got shapes {values.shape} and {noise.shape}")
    if len(values) < 2:
        return NotEstimable("one_unit" if len(values) else "no_data", len(values), len(values))
    return float(max(0.0, values.var(ddof=1) - (noise**2).mean()))


def skill_share(strategy: float, components: VarianceComponents) -> float:
    """Give the share of a variant's variance that is due to who plays, on one scale: 0 is all luck, 1 all skill.

    strategy: from `strategy_variance`, in the unit of the legs. A negative deal component counts as 0.
    """
    return strategy / (strategy + max(0.0, components.deal) + components.rest)


def pairing_gain(leg_variance: float, pair_variance: float) -> tuple[float, float] | NotEstimable:
    """Give (rho, gain) from the variance of single legs and of pair scores: rho = 2 pair/leg - 1, gain = leg/(2 pair).

    For counts published elsewhere, where the legs of a pair are not told apart. NotEstimable where either did not vary.
    """
    if not leg_variance > 0 or not pair_variance > 0:
        return NotEstimable("no_variation")
    return 2 * pair_variance / leg_variance - 1, leg_variance / (2 * pair_variance)
