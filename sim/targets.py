"""Say before a run what it is to show: bands that its figures should lie in, and how its comparisons form a family.

They are stored in run.json before the first block, so that no band can be drawn around a result.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from sim.errors import SimError, is_finite, one_line

METRICS: Final = (
    *("score", "deal_win", "signed_steps", "seat", "deals_per_match"),
    *("steps_3", "steps_2", "steps_1", "refusal_single", "refusal_double"),
    *("next_win_single", "next_win_double", "next_win_refused"),
    *("a_passed", "a_deal_lost", "a_partner_last", "a_tries"),
)
"""Figures that a band may be set for, by their names in the glossary; rates as shares of one."""

Family = Literal["holm", "bh"]
FAMILIES: Final[tuple[Family, ...]] = get_args(Family)


@dataclass(frozen=True, slots=True)
class Target:
    """Hold the band of one figure. Raises `SimError` for an unknown figure or a band that is none."""

    metric: str
    low: float
    high: float

    def __post_init__(self) -> None:
        if self.metric not in METRICS:
            near = difflib.get_close_matches(str(self.metric), METRICS, n=3) or METRICS
            raise SimError("target_metric", value=self.metric, known=" ".join(near))
        numbers = is_finite(self.low) and is_finite(self.high)
        if not numbers or self.low > self.high:
            raise SimError("target_band", metric=self.metric, value=f"{one_line(self.low)}, {one_line(self.high)}")


@dataclass(frozen=True, slots=True)
class Aims:
    """Hold what was set before a run: target bands, and how p values of its match-ups are adjusted together.

    family: `holm` for claims, `bh` (Benjamini-Hochberg) for exploration
    """

    targets: tuple[Target, ...] = ()
    family: Family = "holm"

    def __post_init__(self) -> None:
        if self.family not in FAMILIES:
            raise SimError("family_unknown", value=self.family, known=" ".join(FAMILIES))
        metrics = [each.metric for each in self.targets]
        for metric in metrics:
            if metrics.count(metric) > 1:
                raise SimError("target_twice", metric=metric)

    def as_dict(self) -> dict[str, Any]:
        """Give JSON values."""
        return {"family": self.family, "targets": [[each.metric, each.low, each.high] for each in self.targets]}

    @staticmethod
    def from_dict(found: Mapping[str, Any]) -> Aims:
        """Read what `as_dict` gave; raises `SimError` for what is no band, `TypeError` where the form is wrong."""
        return Aims(read_targets(found["targets"]), found["family"])


NO_AIMS: Final = Aims()


def read_targets(entries: Sequence[Sequence[Any]]) -> tuple[Target, ...]:
    """Make targets of (metric, low, high)."""
    return tuple(Target(*entry) for entry in entries)
