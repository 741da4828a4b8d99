"""A run of 200 blocks under kill -9 of its workers and of the process that drives it: the same bytes in the end."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from sim import store
from tests.support.small_run import data_of, heed_ctrl_c

GUANDAN = str(Path(sys.executable).with_name("guandan"))
WORDS = ("greedy", "solid", "--pairs", "2000", "--seed", "5", "--block-pairs", "10", "--style")
BLOCKS = 200
SECONDS = 300


_PLAY = (b"ray::_work", b"ray::IDLE")  # and not ray::DashboardAgent and the like, without which Ray ends itself


def begin(folder: Path, on: str, workers: int) -> subprocess.Popen[bytes]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAY_AUTH")}
    words = [GUANDAN, "run", *WORDS, "--out", str(folder), "--on", on, "--workers", str(workers)]
    with (folder.parent / "said.txt").open("ab") as said:
        return subprocess.Popen(
            words,
            stdout=subprocess.DEVNULL,
            stderr=said,
            start_new_session=True,
            preexec_fn=heed_ctrl_c,
            env={**kept, "HOME": str(folder.parent)},
        )


def processes() -> Iterator[tuple[int, int, bytes]]:
    """Give process, parent and command line of all that runs here."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError, IndexError):
                parent = (entry / "stat").read_bytes().rpartition(b")")[2].split()[1]
                yield int(entry.name), int(parent), (entry / "cmdline").read_bytes()


def workers_of(driver: int) -> list[int]:
    """Find the processes that play blocks for a driver: its own, and those that Ray began for it."""
    found = list(processes())
    family, before = {driver}, 0
    while len(family) != before:
        before = len(family)
        family |= {process for process, parent, _ in found if parent in family}
    return sorted(process for process, _, words in found if process in family and words.startswith(_PLAY))


def play_under_fire(folder: Path, on: str, workers: int, seed: int, of_workers: int, of_drivers: int) -> None:
    """Play the run to its end while so many workers and drivers are killed at random moments; resume after each."""
    draw = random.Random(seed)
    shots = ["worker"] * of_workers + ["driver"] * of_drivers
    draw.shuffle(shots)
    end = time.monotonic() + SECONDS
    driver = begin(folder, on, workers)
    while time.monotonic() < end:
        code = driver.poll()
        if code == 0:
            return
        if code is not None:
            assert code == -signal.SIGKILL, f"the driver ended with {code}: {(folder.parent / 'said.txt').read_text()}"
            driver = begin(folder, on, workers)
            continue
        if not shots:
            driver.wait(timeout=SECONDS)
            continue
        before = len(store.committed_stems(folder))
        while driver.poll() is None and len(store.committed_stems(folder)) < before + draw.randint(1, 5):
            time.sleep(0.01)
        time.sleep(draw.random() * 0.1)
        victims = [driver.pid] if shots[-1] == "driver" else workers_of(driver.pid)
        if victims:
            shots.pop()
            with suppress(ProcessLookupError):
                os.kill(draw.choice(victims), signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                driver.wait(timeout=0.1)
    driver.kill()
    pytest.fail(f"{len(store.committed_stems(folder))} of {BLOCKS} blocks after {SECONDS} s")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    assert begin(folder, "local", 2).wait(timeout=SECONDS) == 0
    found = data_of(folder)
    assert len(found) == BLOCKS * 6  # pairs, matches, deals, style, faults, cubes
    return found


@pytest.mark.heavy
@pytest.mark.timeout(SECONDS)
@pytest.mark.parametrize(("on", "of_workers", "of_drivers"), [("local", 0, 6), ("ray", 5, 1)])
def test_the_same_bytes_after_kills(
    undisturbed: dict[str, bytes], tmp_path: Path, on: str, of_workers: int, of_drivers: int
) -> None:
    play_under_fire(tmp_path / "run", on, 2, 1, of_workers, of_drivers)
    assert data_of(tmp_path / "run") == undisturbed
    assert not list((tmp_path / "run").rglob("*.tmp"))


@pytest.mark.soak
@pytest.mark.parametrize(
    ("on", "workers", "of_workers", "of_drivers"),
    [("local", 1, 0, 0), ("local", 4, 0, 30), ("ray", 1, 10, 3), ("ray", 2, 30, 5), ("ray", 4, 20, 2)],
)
def test_the_same_bytes_after_a_hundred_kills(
    undisturbed: dict[str, bytes], tmp_path: Path, on: str, workers: int, of_workers: int, of_drivers: int
) -> None:
    play_under_fire(tmp_path / "run", on, workers, workers, of_workers, of_drivers)
    assert data_of(tmp_path / "run") == undisturbed
