"""The run folder: a block is there whole or not at all, and whatever is damaged is said in one line."""

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sim import run_file, schema, store
from sim.errors import SimError
from sim.reading import snapshot
from sim.request import DETAILS, new_request
from sim.run_file import Block, Run
from sim.store import BlockRecord

BLOCK = Block(0, 1, 5, 5)


def make_run(folder: Path) -> Run:
    run = Run(
        folder=folder,
        id="greedy-random-1-00000000",
        requests=(new_request("greedy", "random", pairs=20, seed=1, block_pairs=5, on_fault="stop"),),
        legs=(2,),
        code={"strategy greedy": "1", "strategy random": "2"},
        versions={"python": "3"},
        host={"cpus": 1},
        created="2026-01-01T00:00:00+00:00",
        commit=None,
        observed=False,
    )
    store.make_folder(folder)
    store.create(run)
    return run


def local(run: Run) -> Path:
    assert isinstance(run.folder, Path)
    return run.folder


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
    assert run_file.load(local(run)) == run


def test_block_record_names_rows_sizes_and_digests(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    record = write(local(run))
    assert store.read_record(local(run), "000-000001") == record
    assert [file.rows for file in record.files.values()] == [5, 5, 5]
    assert store.is_whole(local(run), record)
    for name in DETAILS:
        (path,) = store.committed_files(local(run), name)
        assert pq.read_table(path).num_rows == 5


def test_equal_blocks_have_equal_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(local(make_run(tmp_path / name)))
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
    done = subprocess.run([sys.executable, "-c", program, str(local(run))], cwd=Path(__file__).parents[1])
    assert done.returncode == -9
    assert store.committed_stems(local(run)) == []
    assert store.committed_files(local(run), "deals") == []
    whole = [path for name in DETAILS for path in (local(run) / name).glob("*.parquet")]
    assert len(whole) == moves_before_death
    assert all(pq.read_table(path).num_rows == 5 for path in whole)
    with store.writing(local(run)):
        pass
    assert not list(local(run).rglob("*.tmp"))
    write(local(run))
    other = make_run(tmp_path / "other")
    write(local(other))
    for name in DETAILS:
        path = f"{name}/000-000001.parquet"
        assert (local(run) / path).read_bytes() == (local(other) / path).read_bytes()


@pytest.mark.parametrize(
    ("number", "code"),
    [(errno.ENOSPC, "disk_full"), (errno.EDQUOT, "disk_full"), (errno.EROFS, "read_only"), (errno.EIO, "file_failed")],
)
def test_failed_write_is_told_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, code: str
) -> None:
    run = make_run(tmp_path)
    write(local(run), Block(0, 0, 0, 5))
    before = files_of(local(run))

    def fail(handle: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(SimError) as error:
        write(local(run))
    assert error.value.code == code
    assert files_of(local(run)) == before


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
    (tmp_path / run_file.RUN_FILE).write_bytes(text.encode("latin-1"))
    with pytest.raises(SimError) as error:
        run_file.load(tmp_path)
    assert error.value.code == code
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", 5),
        ("id", "a\0b"),
        ("match_ups", "x"),
        ("match_ups", []),
        ("match_ups", [{"x": "greedy"}]),
        ("hashes", []),
        ("hashes", {"x": 1}),
        ("versions", 3),
        ("versions", {"python": None}),
        ("host", "here"),
        ("created", 2026),
        ("commit", 1),
        ("more", 1),
        ("shared", None),
        ("aims", None),
        ("aims", {"family": "x", "targets": []}),
        ("aims", {"family": "holm", "targets": [["steps_3", 1]]}),
        ("shared", {"x": "a"}),
    ],
)
def test_run_file_with_a_wrong_field_is_told(tmp_path: Path, field: str, value: object) -> None:
    make_run(tmp_path)
    path = tmp_path / run_file.RUN_FILE
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))
    with pytest.raises(SimError) as error:
        run_file.load(tmp_path)
    assert error.value.code == "run_damaged"
    assert f"({field}" in str(error.value)
    assert "Error" not in str(error.value)


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "\udcff", "[" * 99_999, '{"format": 1, "block": 3}'])
def test_damaged_block_record_is_told_with_its_path(tmp_path: Path, text: str) -> None:
    make_run(tmp_path)
    write(tmp_path)
    (tmp_path / "blocks/000-000001.json").write_text(text, errors="surrogateescape")
    with pytest.raises(SimError, match=r"blocks/000-000001\.json is damaged"):
        store.records(tmp_path)


WRONG: dict[str, list[object]] = {
    "matches": [-1, 1.5, True, "1", 10**30],
    "deals": [None],
    "seconds": ["1", -1, float("nan")],
    "writer": [None, "\ud800"],
    "run": [None, 5, "another-run-1-00000000"],
    "block": [{"match_up": 0, "number": 1, "first": 6, "pairs": 5}, {"match_up": 0}, []],
    "more": [1],
    "files": [
        {},
        [],
        {"pairs/000-000001.parquet": {"rows": 1, "bytes": 1, "sha256": "0" * 64}},
        {f"{name}/000-000001.parquet": {"rows": 1, "bytes": 1, "sha256": "0"} for name in DETAILS},
        {f"{name}/000-000001.parquet": {"rows": 1, "bytes": -1, "sha256": "0" * 64} for name in DETAILS},
        {f"{name}/\0.parquet": {"rows": 1, "bytes": 1, "sha256": "0" * 64} for name in DETAILS},
    ],
}


@pytest.mark.parametrize(("field", "value"), [(field, value) for field, values in WRONG.items() for value in values])
def test_block_record_with_a_wrong_field_is_told_without_python_names(
    tmp_path: Path, field: str, value: object
) -> None:
    make_run(tmp_path)
    write(tmp_path)
    path = tmp_path / "blocks/000-000001.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))
    for read in (store.records, snapshot):
        with pytest.raises(SimError, match=rf"is damaged \({field}") as error:
            read(tmp_path)
        assert error.value.code == "block_damaged"
        assert "Error" not in str(error.value)


def test_newer_block_record_is_not_advised_to_be_deleted(tmp_path: Path) -> None:
    make_run(tmp_path)
    write(tmp_path)
    (tmp_path / "blocks/000-000001.json").write_text('{"format": 9}')
    with pytest.raises(SimError, match="newer version") as error:
        store.records(tmp_path)
    assert "delete" not in str(error.value)


def test_only_names_of_blocks_count_as_records(tmp_path: Path) -> None:
    make_run(tmp_path)
    write(tmp_path)
    for name in ("zz.json", "000-000001 (1).json", "000-00000².json", ".000-000002.json"):
        (tmp_path / "blocks" / name).touch()
    assert [record.block.stem for record in store.records(tmp_path)] == ["000-000001"]


def test_missing_run_file_is_named_where_blocks_are(tmp_path: Path) -> None:
    write(local(make_run(tmp_path)))
    (tmp_path / run_file.RUN_FILE).unlink()
    with pytest.raises(SimError, match=r"its run\.json is missing; restore"):
        make_run(tmp_path)


@pytest.mark.parametrize("name", [store.BLOCKS, *DETAILS])
def test_folders_that_were_deleted_are_made_again(tmp_path: Path, name: str) -> None:
    make_run(tmp_path)
    shutil.rmtree(tmp_path / name)
    assert store.is_whole(tmp_path, write(tmp_path))


def test_write_into_a_run_that_is_gone_promises_no_finished_blocks(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    shutil.rmtree(local(run))
    with pytest.raises(SimError) as error:
        write(local(run))
    assert error.value.code == "run_gone"
    make_run(local(run))
    (local(run) / "deals").rmdir()
    (local(run) / "deals").touch()
    with pytest.raises(SimError, match="move it out of the way"):
        write(local(run))


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
    names = [".draft.tmp", "diary.txt"]
    for name in names:
        (tmp_path / name).touch()
    with pytest.raises(SimError) as error:
        make_run(tmp_path)
    assert error.value.code == "folder_used"
    store.sweep(tmp_path)
    assert sorted(os.listdir(tmp_path)) == names


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


def test_remove_leaves_and_names_foreign_files_in_the_folders_of_tables(tmp_path: Path) -> None:
    make_run(tmp_path)
    write(tmp_path)
    for name in ("notes.txt", "mine.parquet", "000-000001.json", "000-000001.parquet.bak"):
        (tmp_path / "deals" / name).write_text("mine")
    (tmp_path / "deals/.000-000001.1-0123abcd.tmp").touch()
    kept = store.remove(tmp_path)
    assert kept == sorted(files_of(tmp_path)) == sorted(f"deals/{path.name}" for path in (tmp_path / "deals").iterdir())
    assert len(kept) == 4


@pytest.mark.parametrize("obstacle", ["link", "read-only"])
def test_remove_looks_before_it_deletes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, obstacle: str) -> None:
    folder = local(make_run(tmp_path / "run"))
    write(folder)
    if obstacle == "link":
        (folder / "deals").rename(tmp_path / "far")
        (folder / "deals").symlink_to(tmp_path / "far")
    else:  # tests may run as root, to whom nothing is read-only
        monkeypatch.setattr(os, "access", lambda path, mode: path != folder / "deals")
    before = files_of(tmp_path)
    with pytest.raises(SimError, match="nothing was deleted"):
        store.remove(folder)
    assert files_of(tmp_path) == before


def test_removal_cut_short_leaves_a_run_that_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = make_run(tmp_path)
    write(tmp_path)
    unlink = Path.unlink

    def fail(path: Path, missing_ok: bool = False) -> None:
        if path.parent.name == "matches":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", fail)
    with pytest.raises(SimError, match="played again"):
        store.remove(tmp_path)
    assert run_file.load(tmp_path) == run
    assert store.records(tmp_path) == []


@pytest.mark.parametrize("act", [run_file.load, store.find_runs, store.committed_stems, snapshot])
def test_folder_that_may_not_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: Callable[[Path], object]
) -> None:
    write(local(make_run(tmp_path)))

    def refuse(*args: object, **more: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    for owner, name in ((os, "stat"), (os, "listdir"), (os, "scandir"), (Path, "stat"), (Path, "read_bytes")):
        monkeypatch.setattr(owner, name, refuse)
    with pytest.raises(SimError) as error:
        act(tmp_path)
    assert error.value.code == "file_unreadable"


def test_runs_are_found_in_a_folder_and_in_itself(tmp_path: Path) -> None:
    make_run(tmp_path / "b")
    make_run(tmp_path / "a")
    (tmp_path / "other").mkdir()
    assert [path.name for path in store.find_runs(tmp_path)] == ["a", "b"]
    assert store.find_runs(tmp_path / "a") == [tmp_path / "a"]
