"""The run folder: a block is there whole or not at all, and whatever is damaged is said in one line."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sim import schema, store
from sim.errors import SimError
from sim.request import DETAILS, new_request
from sim.store import Block, BlockRecord, Run

BLOCK = Block(0, 1, 5, 5)


def make_run(folder: Path) -> Run:
    run = Run(
        folder=folder,
        id="greedy-random-1-00000000",
        request=new_request("greedy", "random", pairs=20, seed=1, block_pairs=5),
        matches=40,
        hashes={"x": "1", "y": "2"},
        versions={"python": "3"},
        host={"cpus": 1},
        created="2026-01-01T00:00:00+00:00",
        commit=None,
    )
    store.make_folder(folder)
    store.create(run)
    return run


def make_tables(block: Block) -> dict[str, pa.Table]:
    tables: dict[str, pa.Table] = {}
    for name in DETAILS:
        raw = {c.name: np.zeros(block.pairs, np.int64) for c in schema.columns(name)}
        for constant in ("run", "rules", "x", "y"):
            del raw[constant]
        raw["pair"] = np.arange(block.first, block.first + block.pairs)
        tables[name] = schema.to_arrow(name, raw, "r", "national", "greedy", "random")
    return tables


def write(folder: Path, block: Block = BLOCK) -> BlockRecord:
    return store.write_block(folder, block, make_tables(block), matches=10, deals=5, seconds=0.5)


def files_of(folder: Path) -> dict[str, bytes]:
    names = (p for p in folder.rglob("*") if p.is_file())
    return {str(p.relative_to(folder)): p.read_bytes() for p in names if p.name != ".lock"}


def test_run_is_read_back_as_written(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    assert store.load(run.folder) == run


def test_block_record_names_rows_sizes_and_digests(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    record = write(run.folder)
    assert store.read_record(run.folder, "000-000001") == record
    assert [file.rows for file in record.files.values()] == [5, 5, 5]
    assert store.is_whole(run.folder, record)
    for name in DETAILS:
        (path,) = store.committed_files(run.folder, name)
        assert pq.read_table(path).num_rows == 5


def test_equal_blocks_have_equal_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(make_run(tmp_path / name).folder)
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b")


@pytest.mark.parametrize("moves_before_death", [0, 1, 2, 3])
def test_killed_between_two_files_leaves_no_block_and_no_half_file(tmp_path: Path, moves_before_death: int) -> None:
    run = make_run(tmp_path)
    program = f"""
import os, signal, sys
from pathlib import Path
from sim import store
from tests.test_store import write
count, move = 0, os.replace
def replace(a, b):
    global count
    if count == {moves_before_death}:
        os.kill(os.getpid(), signal.SIGKILL)
    count += 1
    move(a, b)
os.replace = replace
write(Path(sys.argv[1]))
"""
    done = subprocess.run([sys.executable, "-c", program, str(run.folder)], cwd=Path(__file__).parents[1])
    assert done.returncode == -9
    assert store.committed_stems(run.folder) == []
    assert store.committed_files(run.folder, "deals") == []
    whole = [path for name in DETAILS for path in (run.folder / name).glob("*.parquet")]
    assert len(whole) == moves_before_death
    assert all(pq.read_table(path).num_rows == 5 for path in whole)
    with store.writing(run.folder):
        pass
    assert not list(run.folder.rglob("*.tmp"))
    write(run.folder)
    other = make_run(tmp_path / "other")
    write(other.folder)
    for name in DETAILS:
        path = f"{name}/000-000001.parquet"
        assert (run.folder / path).read_bytes() == (other.folder / path).read_bytes()


@pytest.mark.parametrize(
    ("number", "code"),
    [(errno.ENOSPC, "disk_full"), (errno.EDQUOT, "disk_full"), (errno.EROFS, "read_only"), (errno.EIO, "file_failed")],
)
def test_failed_write_is_told_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, code: str
) -> None:
    run = make_run(tmp_path)
    write(run.folder, Block(0, 0, 0, 5))
    before = files_of(run.folder)

    def fail(handle: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(SimError) as error:
        write(run.folder)
    assert error.value.code == code
    assert files_of(run.folder) == before


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "run_damaged"),
        ("{", "run_damaged"),
        ("[]", "run_damaged"),
        ("null", "run_damaged"),
        ('{"format": 1}', "run_damaged"),
        ('{"format": "1"}', "run_damaged"),
        ('{"format": 99, "anything": 1}', "run_newer"),
        ("[" * 100_000, "run_damaged"),
        ("\xff", "run_damaged"),
    ],
)
def test_damaged_run_file_is_told(tmp_path: Path, text: str, code: str) -> None:
    make_run(tmp_path)
    (tmp_path / store.RUN_FILE).write_bytes(text.encode("latin-1"))
    with pytest.raises(SimError) as error:
        store.load(tmp_path)
    assert error.value.code == code
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("field", "value"), [("id", 5), ("matches", "x"), ("hashes", []), ("request", {"x": "a"})])
def test_run_file_with_a_wrong_field_is_told(tmp_path: Path, field: str, value: object) -> None:
    make_run(tmp_path)
    path = tmp_path / store.RUN_FILE
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))
    with pytest.raises(SimError) as error:
        store.load(tmp_path)
    assert error.value.code == "run_damaged"


@pytest.mark.parametrize("text", ["", "{}", '{"format": 1, "block": 3}', '{"format": 9}'])
def test_damaged_block_record_is_told_with_its_path(tmp_path: Path, text: str) -> None:
    make_run(tmp_path)
    write(tmp_path)
    (tmp_path / "blocks/000-000001.json").write_text(text)
    with pytest.raises(SimError, match=r"blocks/000-000001\.json is damaged"):
        store.records(tmp_path)


def test_committed_files_leave_out_what_is_not_committed(tmp_path: Path) -> None:
    make_run(tmp_path)
    write(tmp_path)
    write(tmp_path, Block(0, 2, 10, 5))
    (tmp_path / "blocks/000-000001.json").unlink()
    assert [path.name for path in store.committed_files(tmp_path, "pairs")] == ["000-000002.parquet"]


def test_committed_file_that_is_gone_is_told(tmp_path: Path) -> None:
    make_run(tmp_path)
    write(tmp_path)
    (tmp_path / "deals/000-000001.parquet").unlink()
    with pytest.raises(SimError) as error:
        store.committed_files(tmp_path, "deals")
    assert error.value.code == "block_damaged"


def test_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").touch()
    with pytest.raises(SimError) as error:
        make_run(tmp_path)
    assert error.value.code == "folder_used"


@pytest.mark.parametrize("address", ["s3://bucket/run", "gs://bucket/run"])
def test_address_of_another_machine_is_refused(address: str) -> None:
    with pytest.raises(SimError) as error:
        store.make_folder(Path(address))
    assert error.value.code == "folder_remote"


def test_file_in_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file/run"):
        with pytest.raises(SimError) as error:
            store.make_folder(path)
        assert error.value.code == "folder_is_file"


def test_second_writer_is_refused(tmp_path: Path) -> None:
    make_run(tmp_path)
    with store.writing(tmp_path):
        with pytest.raises(SimError, match=str(os.getpid())) as error, store.writing(tmp_path):
            pass
        assert error.value.code == "run_busy"
    with store.writing(tmp_path):
        pass


def test_remove_takes_only_what_belongs_to_the_run(tmp_path: Path) -> None:
    make_run(tmp_path)
    write(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    store.remove(tmp_path)
    assert files_of(tmp_path) == {"notes.txt": b"mine"}


def test_runs_are_found_in_a_folder_and_in_itself(tmp_path: Path) -> None:
    make_run(tmp_path / "b")
    make_run(tmp_path / "a")
    (tmp_path / "other").mkdir()
    assert [path.name for path in store.find_runs(tmp_path)] == ["a", "b"]
    assert store.find_runs(tmp_path / "a") == [tmp_path / "a"]
