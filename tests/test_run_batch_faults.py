"""A strategy that answers in batches and does not come back, or answers what is no answer, fails at its own tables."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from sim import run, store
from sim.errors import SimError
from sim.replay import replay
from sim.request import RunRequest, new_request
from tests.support.small_run import quiet

SOURCE = """
import os, sys, time
import numpy as np
from strategies.api import BatchStrategy, Strategy

class Good(BatchStrategy):
    '''Plays the first of the list.'''
    deterministic = True
    def play(self, batch):
        bad = (batch.deal == 2) & (batch.n > 25)
        return self.act(batch) if bad.any() else np.zeros(batch.size, int)
    def act(self, batch):
        return np.zeros(batch.size, int)

class Sleeps(Good):
    def act(self, batch):
        time.sleep(600)

class Exits(Good):
    def act(self, batch):
        os._exit(3)

class Leaves(Good):
    def act(self, batch):
        sys.exit("bye")

class Negative(Good):
    def act(self, batch):
        return np.full(batch.size, -1)

class Huge(Good):
    def act(self, batch):
        return np.full(batch.size, 2**64 - 1, np.uint64)

class Objects(Good):
    def act(self, batch):
        return np.zeros(batch.size, object)

class Short(Good):
    def act(self, batch):
        raise MemoryError

class Init(Good):
    def __init__(self):
        raise RuntimeError("cannot be made")

class Quits(Strategy):
    deterministic = True
    def play(self, view):
        if view.deal == 2:
            sys.exit()
        return 0
"""

CASES = {
    "Sleeps": "time",
    "Exits": "died",
    "Leaves": "died",
    "Negative": "answer",
    "Huge": "answer",
    "Objects": "answer",
    "Short": "memory",
}


@pytest.fixture(scope="module")
def author(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("author") / "many.py"
    path.write_text(SOURCE)
    return path


def request_of(x: str, y: str, pairs: int = 2) -> RunRequest:
    return new_request(x, y, pairs=pairs, seed=8, block_pairs=pairs, decision_seconds=1)


def rows_of(folder: Path, table: str) -> list[dict[str, Any]]:
    return [row for path in store.committed_files(folder, table) for row in pq.read_table(path).to_pylist()]


@pytest.mark.parametrize(("name", "reason"), CASES.items())
def test_a_batch_that_fails_costs_the_deals_at_whose_tables_it_fails(
    author: Path, tmp_path: Path, name: str, reason: str
) -> None:
    request = request_of(f"{author}:{name}", f"{author}:Good")
    run.play(run.start(request, tmp_path), run.LocalExecutor(1), quiet)
    faults = rows_of(tmp_path, "faults")
    assert faults
    assert {(row["side"], row["reason"], row["deal"]) for row in faults} == {("x", reason, 2)}
    found = replay(tmp_path, faults[0]["pair"], faults[0]["leg"], 2)
    assert found.differences == ()


def test_one_that_ends_the_process_beside_a_batch_is_the_one_that_is_named(author: Path, tmp_path: Path) -> None:
    run.play(run.start(request_of(f"{author}:Quits", f"{author}:Good"), tmp_path), run.LocalExecutor(1), quiet)
    assert {(row["side"], row["reason"]) for row in rows_of(tmp_path, "faults")} == {("x", "died")}


def test_one_that_cannot_be_made_is_one_line_with_the_authors_traceback(author: Path, tmp_path: Path) -> None:
    with pytest.raises(SimError, match="cannot be made") as caught:
        run.play(run.start(request_of(f"{author}:Init", "random"), tmp_path), run.LocalExecutor(1), quiet)
    assert "many.py" in str(caught.value.__cause__)
