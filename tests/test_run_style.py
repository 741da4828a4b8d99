"""A run keeps how it was played: exact sums that add up over blocks, the same wherever the blocks are played."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from engine.bulk import play_pairs
from engine.rules import NATIONAL
from engine.style import RATES, ROLES, SUMS
from sim import reading, run, run_file, store
from sim.errors import SimError
from sim.request import RunRequest, new_request
from sim.style_words import describe
from strategies.registry import load
from tests.support import old_run_file
from tests.support.small_run import quiet

REQUEST = new_request("greedy", "random", pairs=60, seed=9, block_pairs=20, style=True, detail="pairs")


def play(folder: Path, workers: int = 1, request: RunRequest = REQUEST) -> Path:
    run.play(run.start(request, folder), run.LocalExecutor(workers), quiet)
    return folder


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("style"))


def test_sums_over_the_blocks_are_those_of_all_pairs(reference: Path) -> None:
    stored = pa.concat_tables(pq.read_table(path) for path in store.committed_files(reference, "style"))
    assert stored.num_rows == 3 * len(ROLES) * len(RATES)
    whole = play_pairs(load("greedy"), load("random"), NATIONAL, 9, range(60), style=True).style
    assert whole is not None
    expected = whole.table()
    for row in range(0, len(ROLES) * len(RATES), 7):
        role, rate = list(ROLES)[expected["role"][row]], list(RATES)[expected["rate"][row]]
        mine = stored.filter(pc.and_(pc.equal(stored["role"], role), pc.equal(stored["rate"], rate)))
        assert mine.num_rows == 3
        for name in SUMS:
            assert pc.sum(mine[name]).as_py() == expected[name][row], (role, rate, name)


def test_files_are_the_same_bytes_in_one_and_two_threads_and_after_a_resume(reference: Path, tmp_path: Path) -> None:
    def files(folder: Path) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in store.committed_files(folder, "style")}

    assert files(play(tmp_path / "two", 2)) == files(reference)
    again = play(tmp_path / "again")
    (again / "blocks/000-000001.json").unlink()
    (again / "style/000-000001.parquet").unlink()
    assert files(play(again)) == files(reference)


def test_tables_of_rows_do_not_depend_on_style(reference: Path, tmp_path: Path) -> None:
    plain = play(tmp_path, request=replace(REQUEST, style=False))
    assert not (plain / "style").exists()
    mine, theirs = (
        pa.concat_tables(pq.read_table(path) for path in store.committed_files(folder, "pairs")).drop(["run"])
        for folder in (plain, reference)
    )
    assert mine.equals(theirs)
    with reading.open_tables(reading.snapshot(plain)) as tables:
        assert tables.rows("select count(*) from style") == [(0,)]


def test_style_is_a_view_for_sql(reference: Path) -> None:
    with reading.open_tables(reading.snapshot(reference)) as tables:
        ((n, y),) = tables.rows(
            "select sum(x_n), sum(x_y) from style where role = 'all' and rate = 'passed_on_partner'"
        )
    assert 0 < y < n


def test_a_damaged_style_file_is_named(tmp_path: Path) -> None:
    folder = play(tmp_path)
    path = folder / "style/000-000000.parquet"
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(SimError, match="style/000-000000"):
        reading.snapshot(folder)


def test_a_run_file_of_the_format_before_style_is_read(reference: Path, tmp_path: Path) -> None:
    folder = play(tmp_path, request=replace(REQUEST, style=False))
    old_run_file.write(folder, 1, without=("style", "boards"))
    assert run_file.load(folder).request == replace(REQUEST, style=False)
    assert reading.snapshot(folder).blocks == 3


def test_every_rate_is_told_in_both_languages() -> None:
    said = [describe(rate) for rate in RATES]
    assert len({meaning.zh for meaning in said}) == len({meaning.en for meaning in said}) == len(RATES)
    assert np.all([meaning.zh and meaning.en for meaning in said])
