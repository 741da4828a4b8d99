"""Count what figures are made of, pair by pair: occasions n and events y, for what several ratios are compared.

A measure says from which table it comes, so that it can be had of every run that keeps that table. The names of those
that come from `pairs/` are those for which a target can be set (sim.targets).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from sim import counts
from sim.counts import EVERYTHING
from sim.reading import Tables
from sim.stats import NotEstimable, PerPair, gathered, ratio_per_pair

Form = Literal["rate", "mean"]


@dataclass(frozen=True, slots=True)
class Measure:
    """Say how a figure is counted: SQL that gives (pair, n, y), the table it needs, how it is written.

    scale: what y counts in one of n; 2 for half points. needs_legs: means nothing where one leg was played.
    """

    sql: str
    table: str
    form: Form
    unit: str
    scale: int = 1
    needs_legs: bool = False


def _of_pairs(n: str, y: str, form: Form, unit: str, scale: int = 1, *, needs_legs: bool = False) -> Measure:
    return Measure(f"select pair, {n}, {y} from pairs where {n} > 0", "pairs", form, unit, scale, needs_legs)


_HALF_POINTS: Final = "x_half_points_1 + coalesce(x_half_points_2, 0)"
_TRIES: Final = "(x_a_attempts + y_a_attempts)"
_WON: Final = "(x_steps_1 + x_steps_2 + x_steps_3 + y_steps_1 + y_steps_2 + y_steps_3)"
_REFUSED: Final = "(single_refused + double_refused)"

_PAIRS: Final = {
    "score": _of_pairs("legs", _HALF_POINTS, "rate", "match", 2, needs_legs=True),
    "deal_win": _of_pairs("deals", "x_deals_won", "rate", "deal", needs_legs=True),
    "signed_steps": _of_pairs("deals", "x_steps - y_steps", "mean", "deal", needs_legs=True),
    "seat": _of_pairs("legs // 2", "x_half_points_1 - x_half_points_2", "rate", "pair", 4, needs_legs=True),
    "deals_per_match": _of_pairs("legs", "deals", "mean", "match"),
    **{f"steps_{k}": _of_pairs(_WON, f"x_steps_{k} + y_steps_{k}", "rate", "deal") for k in (3, 2, 1)},
    **{f"refusal_{kind}": _of_pairs(f"{kind}_due", f"{kind}_refused", "rate", "deal") for kind in ("single", "double")},
    **{
        f"next_win_{kind}": _of_pairs(f"({kind}_due - {kind}_refused)", f"{kind}_paid_won", "rate", "deal")
        for kind in ("single", "double")
    },
    "next_win_refused": _of_pairs(_REFUSED, "refused_won", "rate", "deal"),
    **{
        f"a_{result}": _of_pairs(_TRIES, f"x_a_{result} + y_a_{result}", "rate", "deal")
        for result in ("passed", "deal_lost", "partner_last")
    },
    "a_tries": _of_pairs("legs", _TRIES, "mean", "match"),
}
_MATCHES: Final = {
    "lead_changes": Measure(
        "select pair, count(*), sum(lead_changes) from matches group by pair", "matches", "mean", "match"
    ),
    "first_at_a": Measure(
        f"select pair, sum(n), sum(y) from ({counts.FIRST_AT_A}) group by pair", "matches", "rate", "match", 2
    ),
    "first_leader": Measure(
        "select pair, count(*), sum(if((first_lead_seat + leg) % 2 = 1, x_half_points, 2 - x_half_points)) "
        "from matches group by pair",
        "matches",
        "rate",
        "match",
        2,
    ),
    "long": Measure(
        "select pair, count(*), count(*) filter (deals > 25) from matches group by pair", "matches", "rate", "match"
    ),
}
_DEALS: Final = {
    "repeat": Measure(
        "select pair, count(*), count(*) filter (winner = declarer) from fair_deals where declarer is not null "
        "group by pair",
        "deals",
        "rate",
        "deal",
    ),
    **{
        f"comeback_{least}": Measure(
            f"select pair, sum(n), sum(y) from ({counts.comebacks(least)}) group by pair", "deals", "rate", "match", 2
        )
        for least in (3, 5, 8)
    },
    "reset": Measure(
        f"select pair, sum(y), sum(y) filter (cell = 'reset') from ({counts.resets(EVERYTHING)}) group by pair",
        "deals",
        "rate",
        "deal",
    ),
    "both_at_a": Measure(
        "select pair, count(*), count(*) filter (x >= 14 and y >= 14) from (select pair, leg, "
        "max(greatest(x_level_before, x_level_after)) as x, max(greatest(y_level_before, y_level_after)) as y "
        "from deals group by pair, leg) group by pair",
        "deals",
        "rate",
        "match",
    ),
}
MEASURES: Final[Mapping[str, Measure]] = MappingProxyType({**_PAIRS, **_MATCHES, **_DEALS})
"""Every measure, those of `pairs/` first."""


class Counted:
    """Hold the pairs of one match-up, ready to be counted along. boards: they are single deals, not matches."""

    def __init__(self, tables: Tables, *, boards: bool = False) -> None:
        self.tables, self.boards = tables, boards
        rows = tables.rows("select pair, legs from pairs order by pair")
        self.ids: NDArray[np.int64] = np.array([pair for pair, _ in rows], np.int64)
        self.single_legs = bool(rows) and max(legs for _, legs in rows) == 1

    def has(self, name: str) -> bool:
        """Tell whether the run keeps what a measure needs."""
        return self.tables.snapshot.has(MEASURES[name].table)

    def arrays(self, sql: str) -> tuple[NDArray[Any], NDArray[Any]]:
        """Give n and y of a statement (pair, n, y) along the pairs of the match-up, both [pairs] float."""
        return gathered(self.ids, [(pair, n, y or 0) for pair, n, y in self.tables.rows(sql)])

    def ratio(self, sql: str, scale: float = 1) -> PerPair | NotEstimable:
        """Give the ratio of a statement (pair, n, y)."""
        return ratio_per_pair(*self.arrays(sql), scale=scale)

    def measure(self, name: str) -> tuple[NDArray[Any], NDArray[Any]] | NotEstimable:
        """Give n and y of a measure; NotEstimable where its table is not kept, the sides are one, or no match is."""
        measure = MEASURES[name]
        if self.boards and measure.unit != "deal":
            return NotEstimable("no_data")
        if measure.needs_legs and self.single_legs:
            return NotEstimable("same_strategy", len(self.ids), len(self.ids))
        if not self.has(name):
            return NotEstimable("not_kept")
        return self.arrays(measure.sql)
