"""What the end of a deal is worth in the match, for lists of contexts: the level-state model of docs/decisions/0009."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from engine import _core
from engine.context import Context
from engine.rules import Rules

VALUE_SCALE: Final = 1_000_000
"""Values are counted in millionths of a match."""


def result_values(contexts: Sequence[Context], rules: Rules) -> np.ndarray[Any, Any]:
    """Give the chance of seats 0 and 2 to win the match after each result of one deal from each context.

    [n, 6] int32, millionths: a seat of 0 and 2 first with its partner second, third, last, then the same for 1 and 3;
    the others have the rest of a million. The match is thought to go on without a limit, between equal sides.
    """
    if not contexts:
        return np.zeros((0, 6), np.int32)
    records = b"".join(context.core() for context in contexts)
    return np.array(_core.result_values(rules.core(), records), np.int32)
