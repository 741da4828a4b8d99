"""Identities that every honest table of results satisfies, and the information in a distribution.

Sources: a deal earns 1, 2 or 3 levels (竞技掼蛋竞赛规则, promotion); C. E. Shannon 1948 (entropy); M. O. Hill 1973
(effective number).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

from sim.stats.results import NotEstimable

_LEAST, _MOST = 1, 3


@dataclass(frozen=True, slots=True)
class StepConsistency:
    """Say between which ends a mean of signed steps can lie, and whether it does. At a bound it deserves a query."""

    lo: float
    hi: float
    possible: bool
    at_bound: bool


def step_consistency(win_rate: float, mean_steps: float, tolerance: float = 1e-9) -> StepConsistency:
    """Check the mean signed steps of a deal against the share of deals won: w - 3 (1 - w) <= mean <= 3 w - (1 - w).

    tolerance: of the mean, half a unit of the last printed digit for a published table. At a bound every deal won would
    have to be a double-down (双下) and every deal lost the least defeat, or the other way round. Raises ValueError for
    a rate outside [0, 1].
    """
    if not 0 <= win_rate <= 1:
        raise ValueError(f"a rate lies between 0 and 1, got {win_rate}")
    lo = win_rate * _LEAST - (1 - win_rate) * _MOST
    hi = win_rate * _MOST - (1 - win_rate) * _LEAST
    at_bound = min(abs(mean_steps - lo), abs(mean_steps - hi)) <= tolerance
    return StepConsistency(lo, hi, lo - tolerance <= mean_steps <= hi + tolerance, at_bound)


def entropy(weights: Sequence[float]) -> float | NotEstimable:
    """Give the Shannon entropy in bits of counts or probabilities, which need not add up to 1.

    NotEstimable where all are 0. Raises ValueError for a negative weight. For counts it is the plain estimate, too low
    by about (cells - 1)/(2 n ln 2).

    >>> entropy([1, 1, 2])
    1.5
    """
    if min(weights, default=0) < 0:
        raise ValueError(f"weights are not negative, got {min(weights)}")
    total = sum(weights)
    if total == 0:
        return NotEstimable("no_data")
    return -sum(w / total * log(w / total, 2) for w in weights if w > 0)


def effective_number(weights: Sequence[float]) -> float | NotEstimable:
    """Give exp of the entropy: how many equally frequent kinds would be as diverse. Errors as in `entropy`."""
    bits = entropy(weights)
    return bits if isinstance(bits, NotEstimable) else exp(bits * log(2))
