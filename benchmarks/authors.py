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


def _rate(side: Side, pairs: int, tables: int = 1024) -> tuple[float, float]:
    """Decisions a second of processor time of this thread, the best of three; and decisions."""
    best, decisions = 0.0, 0.0
    for _ in range(3):
        began = time.thread_time()
        rows = play_pairs(side, side, NATIONAL, 1, range(pairs), detail="pairs", tables=tables).pairs
        took = time.thread_time() - began
        decisions = float(rows["plays"].sum() + rows["passes"].sum())
        best = max(best, decisions / took)
    return best, decisions


def _asked(kind: Any, pairs: int, tables: int = 1024) -> int:
    """How often it is asked in these pairs: elsewhere there is one legal play, mostly to pass."""
    asked = 0

    class Counting(kind):  # type: ignore[misc]  # whichever class is counted
        def play(self, shown: Any) -> Any:
            nonlocal asked
            asked += getattr(shown, "size", 1)
            return super().play(shown)

    play_pairs(wrap(Counting), wrap(Counting), NATIONAL, 1, range(pairs), detail="pairs", tables=tables)
    return asked


def measure_authors() -> Table:
    """Play matches of each strategy against itself."""
    out = Table("millions a second and core, all seats alike", "decisions", "of them asked for")
    for name in ("greedy", "random"):
        out.add_row(f"native, {name}", f"{_rate(load(name), 400)[0] / 1e6:.1f}", "")

    def add(text: str, kind: Any, pairs: int, tables: int = 1024) -> None:
        rate, decisions = _rate(wrap(kind), pairs, tables)
        asked = rate * _asked(kind, pairs, tables) / decisions
        out.add_row(text, f"{rate / 1e6:.1f}", f"{asked / 1e6:.1f}")

    add("Python class that reads nothing", _First, 150)
    add("Python class that reads a few fields", _Fields, 150)
    add("Python class, random", _Drawing, 150)
    for tables in (64, 256, 1024, 4096):
        add(f"batches of {tables} tables, first", _FirstRows, 4 * tables, tables)
        add(f"batches of {tables} tables, NumPy random", _DrawingRows, 4 * tables, tables)
    return out
