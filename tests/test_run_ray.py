"""A run on Ray: the same bytes as in threads, and a block whose worker dies is played again."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster import ray_executor
from cluster.ray_executor import RayExecutor
from sim import run, run_file, store
from sim.errors import SimError
from sim.run import BlockTask, LocalExecutor, Progress, play_block
from sim.store import BlockRecord
from tests.support.small_run import REQUEST, data_of, quiet


@pytest.fixture(scope="session")
def executor() -> Iterator[RayExecutor]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_ADDRESS", "127.0.0.1:1")  # has no say without --address
        with RayExecutor(2) as started:
            yield started


def test_data_are_the_same_bytes_on_ray_and_in_threads(tmp_path: Path, executor: RayExecutor) -> None:
    for name, player in (("local", LocalExecutor(1)), ("ray", executor)):
        run.play(run.start(REQUEST, tmp_path / name), player, quiet)
    assert len(data_of(tmp_path / "ray")) == 45
    assert data_of(tmp_path / "ray") == data_of(tmp_path / "local")


def test_block_of_a_lost_worker_is_played_again(
    tmp_path: Path, executor: RayExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = str(tmp_path / "died")

    def die_once(task: BlockTask) -> BlockRecord | SimError:
        if task.block.number == 4 and not os.path.exists(marker):
            open(marker, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        record = play_block(task)
        assert record is not None
        return record

    monkeypatch.setattr(ray_executor, "_work", die_once)
    lost: list[int] = []
    with RayExecutor(2, lost=lost.append) as again:  # the same Ray: this process has one
        end = run.play(run.start(REQUEST, tmp_path / "run"), again, quiet)
    assert lost == [4]
    assert end.blocks_done == 9
    assert len(store.committed_stems(tmp_path / "run")) == 9


def test_block_that_kills_every_worker_ends_the_run(
    tmp_path: Path, executor: RayExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(task: BlockTask) -> BlockRecord | SimError:
        os._exit(3)

    monkeypatch.setattr(ray_executor, "_work", die)
    monkeypatch.setattr(ray_executor, "_MOST_DEATHS", 2)
    with pytest.raises(SimError) as error:
        run.play(run.start(REQUEST, tmp_path), executor, quiet)
    assert error.value.code == "block_lost"


def test_block_that_is_late_is_played_a_second_time_and_the_first_answer_counts(
    tmp_path: Path, executor: RayExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, ended = str(tmp_path / "began"), str(tmp_path / "ended")

    def hang_once(task: BlockTask) -> BlockRecord | SimError:
        if task.block.number == 4 and not os.path.exists(began):
            open(began, "w").close()
            while not os.path.exists(ended):
                time.sleep(0.02)
        record = play_block(task)
        assert record is not None
        return record

    monkeypatch.setattr(ray_executor, "_work", hang_once)
    monkeypatch.setattr(ray_executor, "_LATE_SECONDS", 0.5)
    late: list[int] = []
    with RayExecutor(2, late=late.append) as again:
        end = run.play(run.start(REQUEST, tmp_path / "run"), again, quiet)
    assert late == [4]
    assert end.blocks_done == 9
    open(ended, "w").close()
    run.play(run.start(REQUEST, tmp_path / "local"), LocalExecutor(1), quiet)
    assert data_of(tmp_path / "run") == data_of(tmp_path / "local")


def test_both_copies_may_answer_and_the_block_counts_once(
    tmp_path: Path, executor: RayExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(task: BlockTask) -> BlockRecord | SimError:
        if task.block.number in (7, 8):
            time.sleep(1.5)
        record = play_block(task)
        assert record is not None
        return record

    monkeypatch.setattr(ray_executor, "_work", slow)
    monkeypatch.setattr(ray_executor, "_LATE_SECONDS", 0.1)
    monkeypatch.setattr(ray_executor, "_LOOK_SECONDS", 0.1)
    monkeypatch.setattr(ray_executor, "_LATE_TIMES", 0.0)
    late: list[int] = []
    with RayExecutor(3, late=late.append) as again:  # it believes in a worker more than there is
        reports: list[Progress] = []
        end = run.play(run.start(REQUEST, tmp_path), again, reports.append)
    assert 7 in late
    assert [state.blocks_done for state in reports] == list(range(10))
    assert end.matches_done == end.matches


def test_a_block_is_late_by_the_median_and_never_before_a_block_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 1000.0)
    first, second = run_file.block_of(REQUEST, 3), run_file.block_of(REQUEST, 4)
    opened = {first: 1000.0 - 61, second: 1000.0 - 59}
    assert ray_executor._late(opened, set(), []) is None
    assert ray_executor._late(opened, set(), [1.0, 2.0, 400.0]) == first
    assert ray_executor._late(opened, {first}, [1.0]) is None
    assert ray_executor._late(opened, set(), [16.0]) is None  # 4 x 16 s


def test_what_a_worker_says_reaches_the_caller(tmp_path: Path, executor: RayExecutor) -> None:
    session = run.start(REQUEST, tmp_path)
    task = BlockTask(tmp_path, session.run.id, REQUEST, {**session.run.hashes, "x": "0"}, run_file.block_of(REQUEST, 0))
    with pytest.raises(SimError) as error:
        list(executor.execute([task]))
    assert error.value.code == "code_differs"


def test_folders_of_killed_drivers_are_swept(tmp_path: Path) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    names = {f"gd-ray-{gone.pid}-x": False, f"gd-ray-{os.getpid()}-x": True, "gd-ray-x": True, "gd-other": True}
    for name in names:
        (tmp_path / name / "session").mkdir(parents=True)
    mine = ray_executor._own_folder(str(tmp_path))
    assert Path(mine).name.startswith(f"gd-ray-{os.getpid()}-")
    assert {name: (tmp_path / name).exists() for name in names} == names


def test_deleted_working_folder_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    ray_executor.stand_somewhere()
    assert os.getcwd() == "/"
    monkeypatch.undo()


def test_run_goes_on_after_a_stop(tmp_path: Path, executor: RayExecutor) -> None:
    def stop(state: Progress) -> None:
        if state.blocks_done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.play(run.start(REQUEST, tmp_path), executor, stop)
    assert len(store.committed_stems(tmp_path)) >= 2
    assert run.play(run.start(REQUEST, tmp_path), executor, quiet).blocks_done == 9
