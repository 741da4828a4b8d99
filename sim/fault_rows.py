"""Faults of strategies as rows of the table `faults`, and back as inputs of a replay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from engine.rules import Rules
from engine.strategy_faults import Decision, KnownFault, pack, state_of
from sim import run_file, store
from sim.errors import SimError
from sim.places import Place, Where, as_place
from sim.run_file import Run

_KEPT = ("pair", "leg", "deal", "decision", "seat", "side", "asked", "reason", "forfeits")


def fault_columns(raw: Mapping[str, NDArray[Any]], rules: Rules) -> dict[str, NDArray[Any] | list[str]]:
    """Give the columns of the table `faults` from those of the loop (_core.FAULT_COLUMNS)."""
    rows = range(len(raw["pair"]))
    states = [state_of({name: int(column[k]) for name, column in raw.items()}, rules) for k in rows]
    return {**{name: raw[name].astype(np.int64) for name in _KEPT}, "state": states}


@dataclass(frozen=True, slots=True)
class FaultCount:
    """Count the faulty deals of a side for one reason; `forfeits` are legs it lost by them, `first` the first of them.

    first: (pair, leg, deal).
    """

    side: str
    reason: str
    deals: int
    forfeits: int
    first: tuple[int, int, int]


def count_faults(folder: Where, match_up: int = 0) -> list[FaultCount]:
    """Count the faults kept of a match-up, by side and reason. `SimError` for a table that cannot be read."""
    found: dict[tuple[str, str], list[tuple[tuple[int, int, int], int]]] = {}
    for record in store.records(folder):
        if record.block.match_up != match_up:
            continue
        name = record.name_of("faults")
        if name is None or not record.files[name].rows:
            continue
        for row in _rows(as_place(folder), name, ["pair", "leg", "deal", "side", "reason", "forfeits"]):
            key = row["pair"], row["leg"], row["deal"]
            found.setdefault((row["side"], row["reason"]), []).append((key, row["forfeits"]))
    return [
        FaultCount(side, reason, len(rows), sum(forfeits for _, forfeits in rows), min(key for key, _ in rows))
        for (side, reason), rows in sorted(found.items())
    ]


def known_faults(run: Run, pair: int) -> tuple[KnownFault, ...]:
    """Read the faults that a run keeps of one pair; none where it keeps none or has not played the block."""
    block = run_file.block_of(run.request, run.request.block_with(pair), run.match_up)
    here, name = as_place(run.folder), store.data_name(run, block, "faults")
    if name is None:
        return ()
    rows = _rows(here, name, filters=[("pair", "=", pair)])
    try:
        found = tuple(
            KnownFault(
                Decision(row["pair"], row["leg"], row["deal"], row["decision"]),
                row["reason"],
                row["seat"],
                row["asked"] == "told",
            )
            for row in rows
        )
        pack(found)
    except (ValueError, LookupError) as error:
        raise SimError("file_unreadable", path=here.at(name), reason=error) from None
    return found


def _rows(here: Place, name: str, columns: list[str] | None = None, filters: Any = None) -> list[dict[str, Any]]:
    try:
        (path,) = here.local_files([name])
        return pq.read_table(path, columns=columns, filters=filters, use_threads=False).to_pylist()
    except (OSError, ValueError) as error:  # ArrowInvalid is a ValueError
        raise SimError("file_unreadable", path=here.at(name), reason=error) from None
