"""Whatever a strategy in Python does, the run finishes, the row names the fault, and no other match is touched."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from sim import run, store
from sim.errors import SimError
from sim.request import RunRequest, new_request
from tests.support.small_run import quiet

PAIRS, SEED = 4, 8

SOURCE = """
import os, sys, time
from strategies.api import Strategy

class Good(Strategy):
    '''Plays the first of the list.'''
    deterministic = True
    def play(self, view):
        return 0

def failing(what):
    class Bad(Good):
        name = what
        def play(self, view):
            if view.deal == 2 and view.n > 20 and view.seat in (0, 1):
                return getattr(self, what)()
            return 0
        def raises(self):
            raise RuntimeError("a fault of the author's own")
        def far_index(self):
            return 10**6
        def negative(self):
            return -1
        def text(self):
            return "first"
        def nothing(self):
            return None
        def not_a_number(self):
            return float("nan")
        def huge(self):
            return 10**40
        def a_list(self):
            return [0]
        def sleeps(self):
            time.sleep(600)
        def spins(self):
            while True:
                pass
        def exits(self):
            os._exit(3)
        def leaves(self):
            sys.exit("bye")
        def allocates(self):
            kept = []
            while True:
                kept.append(bytearray(2**24))
        def recurses(self):
            return self.recurses()
    Bad.__qualname__ = Bad.__name__ = what
    return Bad

for word in ("raises far_index negative text nothing not_a_number huge a_list sleeps spins exits leaves allocates "
             "recurses").split():
    globals()[word] = failing(word)
"""

REASONS = {
    "raises": "raised",
    "far_index": "answer",
    "negative": "answer",
    "text": "answer",
    "nothing": "answer",
    "not_a_number": "answer",
    "huge": "answer",
    "a_list": "answer",
    "sleeps": "time",
    "spins": "time",
    "exits": "died",
    "leaves": "died",
    "allocates": "memory",
    "recurses": "raised",
}


@pytest.fixture(scope="module")
def author(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("author") / "mine.py"
    path.write_text(SOURCE)
    return path


def request_of(author: Path, name: str, on_fault: str = "judge") -> RunRequest:
    return new_request(
        f"{author}:{name}",
        "greedy",
        pairs=PAIRS,
        seed=SEED,
        block_pairs=PAIRS,
        on_fault="stop" if on_fault == "stop" else "judge",
        decision_seconds=1,
        memory_mb=256,
    )


def rows_of(folder: Path, table: str) -> list[dict[str, object]]:
    return [row for path in store.committed_files(folder, table) for row in pq.read_table(path).to_pylist()]


def played(folder: Path, request: RunRequest) -> Path:
    run.play(run.start(request, folder), run.LocalExecutor(1), quiet)
    return folder


@pytest.fixture(scope="module")
def clean(author: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    return rows_of(played(tmp_path_factory.mktemp("clean") / "run", request_of(author, "Good")), "deals")


def without_names(row: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in row.items() if name not in ("run", "x", "y")}


@pytest.mark.heavy
@pytest.mark.parametrize(("name", "reason"), REASONS.items())
def test_the_run_finishes_and_names_the_fault(
    author: Path, clean: list[dict[str, object]], tmp_path: Path, name: str, reason: str
) -> None:
    folder = played(tmp_path / "run", request_of(author, name))
    faults = rows_of(folder, "faults")
    assert faults
    assert {row["reason"] for row in faults} == {reason}
    assert {row["deal"] for row in faults} == {2}
    faulty = {(row["pair"], row["leg"]) for row in faults}
    deals = rows_of(folder, "deals")
    assert {(row["pair"], row["leg"]) for row in deals} == {(pair, leg) for pair in range(PAIRS) for leg in (1, 2)}

    def untouched(rows: list[dict[str, object]]) -> list[dict[str, object]]:
        return [without_names(row) for row in rows if (row["pair"], row["leg"]) not in faulty]

    assert untouched(deals) == untouched(clean) != []


def test_told_to_stop_the_run_ends_with_the_authors_traceback(author: Path, tmp_path: Path) -> None:
    with pytest.raises(SimError) as caught:
        played(tmp_path / "run", request_of(author, "raises", "stop"))
    assert caught.value.code == "strategy_fault"
    assert "a fault of the author's own" in str(caught.value.__cause__)


def test_the_same_faults_twice_give_the_same_bytes(author: Path, tmp_path: Path) -> None:
    request = request_of(author, "exits")
    one, two = (played(tmp_path / name, request) for name in ("one", "two"))
    for table in request.tables:
        (a,), (b,) = store.committed_files(one, table), store.committed_files(two, table)
        assert a.read_bytes() == b.read_bytes(), table
