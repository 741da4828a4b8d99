"""What a strategy does to its process, or begins beside it, stays there: pipes, forks, what is left at the end."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from sim import run, store
from sim.errors import SimError
from sim.request import new_request
from tests.support.small_run import quiet

SOURCE = """
import os, sys, time
from strategies.api import Strategy

class Good(Strategy):
    '''Plays the first of the list.'''
    deterministic = True
    def play(self, view):
        return 0

class Bad(Good):
    def play(self, view):
        if view.deal == 2 and view.seat == 0:
            self.act()
        return 0

class Prints(Bad):
    def act(self):
        os.write(1, b"x" * 100_000)
        print("y" * 100_000)

class Reads(Bad):
    def act(self):
        sys.stdin.read()
        if os.read(0, 1):
            os._exit(9)

class Closes(Bad):
    def act(self):
        os.closerange(0, 3)

class Leaves(Bad):
    def act(self):
        if os.fork():
            os._exit(3)
        time.sleep(600)

class Twice(Bad):
    forked = False
    def act(self):
        if not Twice.forked:
            Twice.forked = True
            os.fork()

class ShutsAll(Bad):
    def act(self):
        os.closerange(3, 256)

class Sleeps(Good):
    def play(self, view):
        with open(os.environ["PID_FILE"], "w") as file:
            file.write(str(os.getpid()))
        time.sleep(600)
"""

CASES = {"Prints": set(), "Reads": set(), "Closes": set(), "Twice": set(), "Leaves": {"died"}}


@pytest.fixture(scope="module")
def author(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("author") / "wild.py"
    path.write_text(SOURCE)
    return path


def rows_of(folder: Path, table: str) -> list[dict[str, Any]]:
    return [row for path in store.committed_files(folder, table) for row in pq.read_table(path).to_pylist()]


@pytest.mark.parametrize(("name", "reasons"), CASES.items())
def test_pipes_and_forks_of_a_strategy_cost_its_own_deals_at_most(
    author: Path, tmp_path: Path, name: str, reasons: set[str]
) -> None:
    request = new_request(f"{author}:{name}", "greedy", pairs=65, seed=8, block_pairs=65, detail="pairs")
    if reasons:
        request = new_request(f"{author}:{name}", "greedy", pairs=1, seed=8, block_pairs=1, detail="pairs")
    began = time.monotonic()
    run.play(run.start(request, tmp_path / "run"), run.LocalExecutor(1), quiet)
    assert time.monotonic() - began < 30, "it was seen to have ended, not waited for"
    assert [row["pair"] for row in rows_of(tmp_path / "run", "pairs")] == list(range(request.pairs))
    assert {row["reason"] for row in rows_of(tmp_path / "run", "faults")} == reasons


def test_one_that_closes_the_pipe_it_does_not_see_ends_the_run_with_a_line(author: Path, tmp_path: Path) -> None:
    request = new_request(f"{author}:ShutsAll", "greedy", pairs=1, seed=8, block_pairs=1, detail="pairs")
    with pytest.raises(SimError) as caught:
        run.play(run.start(request, tmp_path / "run"), run.LocalExecutor(1), quiet)
    assert caught.value.code == "worker_lost"


def test_the_process_ends_with_a_parent_that_is_killed(author: Path, tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    command = [str(Path(sys.executable).with_name("guandan")), "run", f"{author}:Sleeps", "random"]
    parent = subprocess.Popen(
        [*command, "--pairs", "1", "--out", str(tmp_path / "run"), "--on", "local"],
        env={**os.environ, "PID_FILE": str(noted)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _wait(lambda: noted.exists() and noted.read_text() != "")
    child = int(noted.read_text())
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    _wait(lambda: not _runs(child))


def _wait(done: Any) -> None:
    until = time.monotonic() + 20
    while not done():
        assert time.monotonic() < until
        time.sleep(0.05)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False
