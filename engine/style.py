"""How a side plays (行牌风格): counts of choices for profiles of style, filled by the bulk loop beside its rows.

Every rate is a number of events out of a number of occasions: leads that are pairs out of all leads, passes on a
partner's card out of the times it could have been answered without a bomb. Of the pairs played only sums are kept,
exact integers that add up over calls and blocks: what a rate clustered by pair needs, and the difference of the sides'
rates on the same deals (sim.stats). sim.style_words says what each rate and occasion is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from engine import _core

ROLES: Final = ("all", "no_tribute", "payer", "receiver", "behind", "even", "ahead", "own_a")
"""Which hands are counted: all; by the seat's part in tribute; by its side's standing (own A: it plays its own A)."""

OCCASIONS: Final[tuple[str, ...]] = _core.STYLE_OCCASIONS
"""What rates are counted out of."""

RATES: Final[Mapping[str, str]] = MappingProxyType(dict(_core.STYLE_RATES))
"""Rates in stored order: name of the event -> name of its occasion."""

_OCCASION_SUMS: Final = ("x_pairs", "x_n", "x_nn", "y_pairs", "y_n", "y_nn", "nn")
_RATE_SUMS: Final = ("x_y", "x_yy", "x_ny", "y_y", "y_yy", "y_ny", "ny", "yn", "yy")

SUMS: Final = (
    *("x_pairs", "x_n", "x_y", "x_nn", "x_yy", "x_ny"),
    *("y_pairs", "y_n", "y_y", "y_nn", "y_yy", "y_ny"),
    *("nn", "ny", "yn", "yy"),
)
"""Sums over pairs of a role and rate. By side: pairs with an occasion, occasions n, events y, n n, y y, n y. Then
across the sides: x's n times y's n, x's n times y's events, x's events times y's n, x's events times y's."""


def _zeros() -> np.ndarray[Any, np.dtype[np.int64]]:
    size = len(ROLES) * (len(OCCASIONS) * len(_OCCASION_SUMS) + len(RATES) * len(_RATE_SUMS))
    return np.zeros(size, dtype=np.int64)


@dataclass(frozen=True)
class Style:
    """Sums of some pairs, added to by the loop.

    sums: one-dimensional int64, gd_style.h: gd_style_sums. `table` is how to read it.
    """

    sums: np.ndarray[Any, np.dtype[np.int64]] = field(default_factory=_zeros)

    def __add__(self, other: Style) -> Style:
        return Style(self.sums + other.sums)

    def table(self) -> dict[str, np.ndarray[Any, Any]]:
        """Give columns of equal length, a row a role and rate in the order of `ROLES` and `RATES`.

        role, rate: indices into those, int16; then one int64 column for each of `SUMS`.
        """
        roles, rates = len(ROLES), len(RATES)
        split = roles * len(OCCASIONS) * len(_OCCASION_SUMS)
        of_occasion = self.sums[:split].reshape(roles, len(_OCCASION_SUMS), len(OCCASIONS))
        of_rate = self.sums[split:].reshape(roles, len(_RATE_SUMS), rates)
        occasion = [OCCASIONS.index(name) for name in RATES.values()]
        columns = {name: of_occasion[:, k, occasion].ravel() for k, name in enumerate(_OCCASION_SUMS)}
        columns |= {name: of_rate[:, k].ravel() for k, name in enumerate(_RATE_SUMS)}
        return {
            "role": np.repeat(np.arange(roles, dtype=np.int16), rates),
            "rate": np.tile(np.arange(rates, dtype=np.int16), roles),
            **{name: columns[name] for name in SUMS},
        }
