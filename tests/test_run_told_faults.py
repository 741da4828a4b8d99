"""A seat that fails as it is made, or told of an event, has made the fault: not who decided last, and not the run."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from sim import run, store
from sim.replay import replay
from sim.request import new_request
from tests.support.small_run import quiet

PAIRS, SEED = 2, 8

SOURCE = """
import os, time
from strategies.api import Strategy

class Good(Strategy):
    '''Plays the first of the list and keeps track of the hand, as one does that is told of what happens.'''
    deterministic = True
    def play(self, view):
        return 0

class Init(Good):
    made = 0
    def __init__(self):
        Init.made += 1
        if Init.made == 7:
            raise RuntimeError("made")

class Exits(Good):
    def __init__(self):
        os._exit(3)

def failing(where, how):
    class Bad(Good):
        deal = told = 0
        def fails(self, *ignored):
            how()
    def observe(self, event):
        self.told += 1
        if self.deal == 2 and self.told == 6:
            how()
    def begin_deal(self, info):
        self.deal, self.told = info.deal, 0
        if where == "begin_deal" and self.deal == 2:
            how()
    def end_deal(self, info):
        if where == "end_deal" and info.deal == 2:
            how()
    def begin_match(self, info):
        if where == "begin_match" and info.seat == 3:
            how()
    Bad.begin_deal, Bad.end_deal, Bad.begin_match = begin_deal, end_deal, begin_match
    if where == "observe":
        Bad.observe = observe
    return Bad

def raises():
    raise RuntimeError("told")

def exits():
    os._exit(3)

def sleeps():
    time.sleep(600)

for where in ("begin_match", "begin_deal", "observe", "end_deal"):
    for how in (raises, exits, sleeps):
        made = failing(where, how)
        made.__qualname__ = made.__name__ = f"{where}_{how.__name__}"
        globals()[made.__name__] = made
"""

CASES = {
    "Init": "raised",
    "Exits": "died",
    "begin_match_raises": "raised",
    "begin_deal_raises": "raised",
    "observe_raises": "raised",
    "end_deal_raises": "raised",
    "begin_match_exits": "died",
    "observe_exits": "died",
    "end_deal_exits": "died",
    "observe_sleeps": "time",
}


@pytest.fixture(scope="module")
def author(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("author") / "told.py"
    path.write_text(SOURCE)
    return path


def rows_of(folder: Path, table: str) -> list[dict[str, Any]]:
    return [row for path in store.committed_files(folder, table) for row in pq.read_table(path).to_pylist()]


@pytest.mark.parametrize(("name", "reason"), CASES.items())
def test_who_fails_outside_its_turn_is_named_and_the_deal_can_be_shown(
    author: Path, tmp_path: Path, name: str, reason: str
) -> None:
    request = new_request(
        f"{author}:{name}", "greedy", pairs=PAIRS, seed=SEED, block_pairs=PAIRS, decision_seconds=1, memory_mb=256
    )
    run.play(run.start(request, tmp_path / "run"), run.LocalExecutor(1), quiet)
    faults = rows_of(tmp_path / "run", "faults")
    told = [row for row in faults if row["asked"] == "told"]
    assert told, "the run finished, and the fault is a row"
    assert {row["side"] for row in faults} == {"x"}, "never the side that only made the play"
    assert {row["reason"] for row in told} == {reason}
    if name in ("Init", "Exits"):
        return  # a replay makes other objects than the run did
    deals = {(row["pair"], row["leg"], row["deal"]) for row in rows_of(tmp_path / "run", "deals")}
    for row in told:
        key = (row["pair"], row["leg"], row["deal"])
        if key not in deals:  # told of the end of the match
            continue
        found = replay(tmp_path / "run", *key)
        assert found.differences == ()
        assert ("fault", row["seat"], reason) in found.events
