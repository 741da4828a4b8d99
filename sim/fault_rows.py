"""Faults of strategies as rows of the table `faults`, and back as inputs of a replay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from engine.rules import Rules
from engine.strategy_faults import Decision, KnownFault, state_of
from sim import store
from sim.errors import SimError
from sim.store import Run

_KEPT = ("pair", "leg", "deal", "decision", "seat", "side", "asked", "reason", "forfeits")


def fault_columns(raw: Mapping[str, NDArray[Any]], rules: Rules) -> dict[str, NDArray[Any] | list[str]]:
    """Give the columns of the table `faults` from those of the loop (_core.FAULT_COLUMNS)."""
    rows = range(len(raw["pair"]))
    states = [state_of({name: int(column[k]) for name, column in raw.items()}, rules) for k in rows]
    return {**{name: raw[name].astype(np.int64) for name in _KEPT}, "state": states}


def known_faults(run: Run, pair: int) -> tuple[KnownFault, ...]:
    """Read the faults that a run keeps of one pair; none where it keeps none or has not played the block."""
    block = store.block_of(run.request, pair // run.request.block_pairs)
    path = run.folder / "faults" / f"{block.stem}.parquet"
    if "faults" not in run.request.tables or block.stem not in store.committed_stems(run.folder):
        return ()
    try:
        rows = pq.read_table(path, filters=[("pair", "=", pair)], use_threads=False).to_pylist()
    except (OSError, ValueError) as error:  # ArrowInvalid is a ValueError
        raise SimError("file_unreadable", path=path, reason=error) from None
    return tuple(
        KnownFault(Decision(row["pair"], row["leg"], row["deal"], row["decision"]), row["reason"]) for row in rows
    )
