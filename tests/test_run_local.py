"""A run in threads: the same bytes in any order, going on after a stop, and a replay that agrees with the rows."""

import dataclasses
import json
import random
from collections.abc import Generator, Iterable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from sim import run, run_file, store
from sim.errors import SimError
from sim.replay import replay
from sim.request import DETAILS, Detail, RunRequest, new_request
from sim.run import BlockTask, LocalExecutor, Progress, play_block
from sim.store import BlockRecord
from tests.support.small_run import REQUEST, data_of, quiet


@dataclasses.dataclass
class ShuffledExecutor:
    """Play the tasks in a shuffled order and stop after some of them."""

    order: int
    most: int = 10**6
    workers: int = 1

    def execute(self, tasks: Iterable[BlockTask]) -> Generator[BlockRecord]:
        waiting = list(tasks)
        random.Random(self.order).shuffle(waiting)
        for task in waiting[: self.most]:
            record = play_block(task)
            assert record is not None
            yield record


def play(folder: Path, executor: run.Executor, request: RunRequest = REQUEST) -> Progress:
    return run.play(run.start(request, folder), executor, quiet)


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reference")
    play(folder, LocalExecutor(1))
    return folder


def test_data_are_the_same_bytes_for_any_number_of_threads_and_any_order(tmp_path: Path, reference: Path) -> None:
    play(tmp_path / "two", LocalExecutor(2))
    play(tmp_path / "shuffled", ShuffledExecutor(1))
    expected = data_of(reference)
    assert len(expected) == 45
    assert data_of(tmp_path / "two") == expected
    assert data_of(tmp_path / "shuffled") == expected


def test_another_seed_gives_other_rows(tmp_path: Path, reference: Path) -> None:
    play(tmp_path, LocalExecutor(1), dataclasses.replace(REQUEST, seed=8))
    mine, other = (pq.read_table(folder / "deals/000-000000.parquet") for folder in (tmp_path, reference))
    assert not mine.drop_columns("run").equals(other.drop_columns("run"))


def test_run_goes_on_where_it_stopped(tmp_path: Path, reference: Path) -> None:
    play(tmp_path, ShuffledExecutor(order=2, most=4))
    session = run.start(REQUEST, tmp_path)
    assert session.resumed
    assert len(session.missing) == 5
    end = run.play(session, LocalExecutor(2), quiet)
    assert (end.blocks_done, end.matches_done, end.matches_now) == (9, 180, 100)
    assert data_of(tmp_path) == data_of(reference)
    assert run.start(REQUEST, tmp_path).complete


def test_stop_keeps_finished_blocks(tmp_path: Path, reference: Path) -> None:
    def stop_after_three(state: Progress) -> None:
        if state.blocks_done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.play(run.start(REQUEST, tmp_path), LocalExecutor(2), stop_after_three)
    kept = store.committed_stems(tmp_path)
    assert 3 <= len(kept) <= 5
    play(tmp_path, LocalExecutor(1))
    assert data_of(tmp_path) == data_of(reference)


def test_stopped_block_writes_nothing(tmp_path: Path) -> None:
    session = run.start(REQUEST, tmp_path)
    block = run_file.block_of(REQUEST, 0)
    task = BlockTask(tmp_path, session.run.id, REQUEST, dict(session.run.hashes), block)
    assert play_block(task, bytearray(b"\1")) is None
    assert data_of(tmp_path) == {}


def test_damaged_block_is_played_again(tmp_path: Path, reference: Path) -> None:
    play(tmp_path, LocalExecutor(1))
    (tmp_path / "deals/000-000004.parquet").write_bytes(b"half")
    session = run.start(REQUEST, tmp_path)
    assert session.damaged == ("000-000004",)
    run.play(session, LocalExecutor(1), quiet)
    assert data_of(tmp_path) == data_of(reference)


@pytest.mark.parametrize(
    ("field", "value"), [("pairs", 91), ("seed", 8), ("detail", "pairs"), ("block_pairs", 20), ("y", "greedy")]
)
def test_other_request_in_the_same_folder_is_refused(reference: Path, field: str, value: object) -> None:
    other = RunRequest.from_dict(REQUEST.as_dict() | {field: value})
    with pytest.raises(SimError, match=f"its {field} is") as error:
        run.start(other, reference)
    assert error.value.code == "run_differs"


@pytest.mark.parametrize("name", ["x", "rules", "engine", "schema"])
def test_other_code_in_the_same_run_is_refused(tmp_path: Path, name: str) -> None:
    task = _task_of_other_code(tmp_path, name)
    for act in (lambda: run.start(REQUEST, tmp_path), lambda: play_block(task)):
        with pytest.raises(SimError) as error:
            act()
        assert error.value.code == "code_differs"
    assert data_of(tmp_path) == {}


def _task_of_other_code(folder: Path, name: str) -> BlockTask:
    session = run.start(REQUEST, folder)
    path = folder / run_file.RUN_FILE
    fields = json.loads(path.read_text())
    fields["hashes"] = run_file.code_of(REQUEST, {**session.run.hashes, name: "0" * 16})
    path.write_text(json.dumps(fields))
    hashes = {**session.run.hashes, name: "0" * 16}
    return BlockTask(folder, session.run.id, REQUEST, hashes, run_file.block_of(REQUEST, 0))


def test_failure_in_a_thread_reaches_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **more: object) -> None:
        raise SimError("disk_full", path="x", reason="full")

    monkeypatch.setattr(store, "write_block", fail)
    with pytest.raises(SimError, match="full"):
        play(tmp_path, LocalExecutor(2))


@pytest.mark.parametrize(("detail", "folders"), [("pairs", 1), ("matches", 2), ("deals", 3)])
def test_detail_decides_which_tables_are_written(tmp_path: Path, detail: Detail, folders: int) -> None:
    play(tmp_path, LocalExecutor(1), new_request("random", "greedy", pairs=3, seed=1, detail=detail))
    written = [name for name in DETAILS if (tmp_path / name).is_dir()]
    assert written == list(DETAILS[:folders])
    assert all(len(store.committed_files(tmp_path, name)) == (name in written) for name in DETAILS)


def test_rows_say_by_themselves_what_they_are_of(reference: Path) -> None:
    for name in DETAILS:
        row = pq.read_table(reference / name / "000-000002.parquet").to_pylist()[0]
        assert (row["rules"], row["x"], row["y"], row["pair"]) == ("national", "greedy", "random", 20)
        assert row["run"] == run_file.load(reference).id


def test_equal_deterministic_strategies_play_one_leg(tmp_path: Path) -> None:
    request = new_request("greedy", "greedy", pairs=4, seed=1)
    end = play(tmp_path, LocalExecutor(1), request)
    assert end.matches_done == end.matches == 4
    with pytest.raises(SimError) as error:
        replay(tmp_path, 0, 2, 1)
    assert error.value.code == "leg_single"


def test_replay_agrees_with_every_stored_row_of_some_matches(reference: Path) -> None:
    rows = pq.read_table(reference / "deals/000-000003.parquet").to_pylist()
    for row in rows[:40]:
        found = replay(reference, row["pair"], row["leg"], row["deal"])
        assert found.stored == found.row == row
        assert found.differences == ()
        plays = [event for event in found.events if event[0] == "play"]
        assert len(plays) == row["plays"]


def test_replay_without_stored_deals_has_nothing_to_compare(tmp_path: Path) -> None:
    play(tmp_path, LocalExecutor(1), new_request("greedy", "random", pairs=3, seed=1, detail="pairs"))
    assert replay(tmp_path, 2, 1, 1).stored is None


@pytest.mark.parametrize(
    ("pair", "leg", "deal", "code"),
    [(90, 1, 1, "pair_range"), (-1, 1, 1, "pair_range"), (0, 3, 1, "leg_range"), (0, 1, 999, "deal_range")],
)
def test_replay_of_what_does_not_exist_is_refused(reference: Path, pair: int, leg: int, deal: int, code: str) -> None:
    with pytest.raises(SimError) as error:
        replay(reference, pair, leg, deal)
    assert error.value.code == code


def test_run_file_says_what_made_the_run(reference: Path) -> None:
    made = run_file.load(reference)
    assert {"python", "numpy", "pyarrow", "ray", "guandan-sim"} <= set(made.versions)
    assert {"x", "y", "rules", "engine", "schema"} == set(made.hashes)
    assert made.commit is None or len(made.commit.rstrip("+")) == 40
    assert made.request == REQUEST


def test_progress_gives_rate_and_time_left() -> None:
    state = Progress(blocks=10, blocks_done=4, matches=1_000, matches_done=400, matches_now=200, seconds_now=2.0)
    assert state.rate == 100.0
    assert state.seconds_left == 6.0
    assert Progress(10, 0, 1_000, 0, 0, 0.5).seconds_left is None
