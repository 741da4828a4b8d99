"""What the ways of writing a strategy cost: native, a Python class, batches with NumPy; every seat played by it."""

import time
from typing import Any

import numpy as np
from rich.table import Table

from engine.batch import Batch, TributeBatch
from engine.bulk import Side, play_pairs
from engine.rules import NATIONAL
from engine.view import View
from strategies.api import BatchStrategy, Strategy, wrap
from strategies.registry import load


class _First(Strategy):
    """Reads nothing."""

    deterministic = True

    def play(self, view: View) -> int:
        return 0


class _Fields(Strategy):
    """Reads a few fields: lets the partner's play stand, else the last of the list."""

    deterministic = True

    def play(self, view: View) -> int:
        if view.to_beat and view.holder == view.seat ^ 2:
            return 0
        return view.n - 1


class _Drawing(Strategy):
    """Uniform over shapes, by its own numbers."""

    def play(self, view: View) -> int:
        return view.random_below(view.n)


class _FirstRows(BatchStrategy):
    """The first of each list."""

    deterministic = True

    def play(self, batch: Batch) -> Any:
        return np.zeros(batch.size, np.int64)


class _DrawingRows(BatchStrategy):
    """Uniform over shapes, with NumPy on a number of each row's own stream."""

    def play(self, batch: Batch) -> Any:
        return (batch.random() >> np.uint64(32)) * batch.n >> np.uint64(32)

    def tribute(self, batch: TributeBatch) -> Any:
        return np.zeros(batch.size, np.int64)

    return_tribute = tribute


def _rate(side: Side, pairs: int, tables: int = 1024) -> float:
    """Decisions a second of processor time of this thread, forced ones included; best of three."""
    best = 0.0
    for _ in range(3):
        began = time.thread_time()
        rows = play_pairs(side, side, NATIONAL, 1, range(pairs), detail="pairs", tables=tables).pairs
        took = time.thread_time() - began
        best = max(best, float(rows["plays"].sum() + rows["passes"].sum()) / took)
    return best


def measure_authors() -> Table:
    """Play matches of each strategy against itself. A decision is a play or pass; most passes are forced."""
    out = Table("decisions a second and core, all seats alike", "measured")
    for name in ("greedy", "random"):
        out.add_row(f"native, {name}", f"{_rate(load(name), 400) / 1e6:.1f} M")
    for text, one in (
        ("Python class that reads nothing", _First),
        ("Python class that reads a few fields", _Fields),
        ("Python class, random", _Drawing),
    ):
        out.add_row(text, f"{_rate(wrap(one), 150) / 1e6:.1f} M")
    for tables in (64, 256, 1024, 4096):
        out.add_row(f"batches of {tables} tables, first", f"{_rate(wrap(_FirstRows), 4 * tables, tables) / 1e6:.1f} M")
        drawn = _rate(wrap(_DrawingRows), 4 * tables, tables)
        out.add_row(f"batches of {tables} tables, NumPy random", f"{drawn / 1e6:.1f} M")
    return out
