"""Say what an estimate is, and what stands in its place when there is none."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Final, Literal

MIN_UNITS: Final = 30
"""Fewest pairs for which a rate is shown. Below it the interval formulas are not to be trusted."""

Reason = Literal[
    "no_data", "one_unit", "no_variation", "same_strategy", "too_few", "no_end", "not_connected", "not_kept"
]
"""Why a number cannot be given: nothing observed; a single unit; a quantity that never varied where its spread is
needed; both sides one deterministic strategy; fewer units than asked for; a model that never ends;
strategies that no chain of wins joins in both directions; rows that the run does not keep."""


@dataclass(frozen=True, slots=True)
class NotEstimable:
    """Stand for a number that the data cannot give, with the reason and what there was.

    It is a result and not an error: empty and degenerate runs are ordinary. `units` counts pairs, `events` the rows
    (deals, matches, cards) in the denominator.
    """

    reason: Reason
    units: int = 0
    events: int = 0


@dataclass(frozen=True, slots=True)
class Interval:
    """Hold the two ends of a confidence interval."""

    lo: float
    hi: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """Hold an estimate with its standard error, interval and sample.

    `units` is the number of independent units (pairs) behind it, `events` the size of the denominator (deals, matches,
    cards).
    """

    value: float
    lo: float
    hi: float
    se: float
    units: int
    events: int


def normal_quantile(level: float) -> float:
    """Give z of a two-sided interval: 1.959964 at level 0.95. Raises ValueError unless 0 < level < 1."""
    check_level(level)
    return NormalDist().inv_cdf(0.5 + level / 2)


def check_level(level: float) -> None:
    """Raise ValueError unless the confidence level lies strictly between 0 and 1."""
    if not 0.0 < level < 1.0:
        raise ValueError(f"a confidence level lies between 0 and 1, for example 0.95; got {level}")


def enough(estimate: Estimate | NotEstimable, units: int = MIN_UNITS) -> Estimate | NotEstimable:
    """Replace an estimate from fewer than `units` pairs by «too few»."""
    if isinstance(estimate, NotEstimable) or estimate.units >= units:
        return estimate
    return NotEstimable("too_few", estimate.units, estimate.events)
