"""A strategy in Python that numba compiles: what lowest.py plays, at the speed of C. It needs `pip install numba`."""

# mypy: ignore-errors

from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.extending import intrinsic

from strategies.api import of_functions

_POINTERS = "api parameters random plays starts options hand left gone steps shown rules"
VIEW = np.dtype(
    [
        *((name, np.uintp) for name in _POINTERS.split()),
        *((name, np.uint32) for name in ("n", "n_steps", "to_beat")),
        ("holder", np.int8),
        *((name, np.uint8) for name in ("seat", "level", "first_ends")),
        ("levels", np.uint8, 2),
        ("declarer", np.int8),
        ("a_fails", np.uint8, 2),
        ("order", np.uint8, 4),
        ("deal", np.uint16),
        ("deals_left", np.uint16),
        ("seconds_left", np.int32),
    ],
    align=True,
)
"""gd_view of guandan_strategy.h, pointers as addresses."""

SMALLEST_BOMB = 8 << 28
NEAR = 5


@intrinsic
def pointer(typing: Any, address: Any) -> Any:
    """Make a pointer of an address."""

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

    return types.voidptr(address), write


@numba.cfunc(types.uint32(types.voidptr))
def play(address: Any) -> Any:
    """Answer with an index into view.plays."""
    view = numba.carray(address, 1, VIEW)[0]
    first = 1 if view.to_beat else 0
    if first and view.holder == view.seat ^ 2:
        return 0
    left = numba.carray(pointer(view.left), 4, np.uint8)
    fewest = 28
    for seat in range(4):
        if (seat ^ view.seat) & 1 and 0 < left[seat] < fewest:
            fewest = left[seat]
    plays = numba.carray(pointer(view.plays), view.n, np.uint32)
    return 0 if plays[first] >= SMALLEST_BOMB and fewest > NEAR else first


@numba.cfunc(types.uint32(types.voidptr))
def first_card(address: Any) -> Any:
    """Pay or return the first card of the options."""
    return 0


lowest = of_functions(
    "lowest",
    play,
    first_card,
    first_card,
    zh="出最小的，对手快走完才用炸弹",
    en="lays the lowest, bombs an opponent who is close to going out",
    deterministic=True,
)
