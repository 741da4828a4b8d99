"""Of an observed run a block played twice may differ: the first commit stands, whole, whoever plays at once."""

import hashlib
import multiprocessing
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from sim import reading, run, run_file, schema, store, tidy, verify
from sim.errors import SimError
from sim.places import Place, place
from sim.request import new_request
from sim.run import LocalExecutor
from sim.run_file import Block
from sim.store import BlockRecord
from tests.support.failing import failing
from tests.support.run_places import KINDS, contents, empty_place
from tests.support.small_run import quiet

REQUEST = replace(new_request("failing", "greedy", pairs=12, seed=3, block_pairs=4, detail="matches"), on_fault="judge")
OBSERVED = replace(failing("False"), observed=True)


@pytest.fixture(params=KINDS)
def here(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return empty_place(request, request.param, tmp_path / "run")


@pytest.fixture(autouse=True)
def _known_by_name(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    found = run._strategy
    monkeypatch.setattr(run, "_strategy", lambda name: OBSERVED if name == "failing" else found(name))
    yield
    OBSERVED.raise_errors()


def tables_of(writer: int, block: Block) -> dict[str, pa.Table]:
    """Make rows that tell who wrote them."""
    tables = {}
    for name in ("pairs", "matches"):
        raw = {c.name: np.zeros(block.pairs, np.int64) for c in schema.columns(name)}
        for constant in ("run", "rules", "x", "y"):
            del raw[constant]
        raw["pair"] = np.arange(block.first, block.first + block.pairs)
        raw["plays"] = np.full(block.pairs, writer)
        tables[name] = schema.to_arrow(name, raw, "r", "national", "failing", "greedy")
    return tables


def write(there: Place, writer: int, block: Block) -> BlockRecord:
    tables = tables_of(writer, block)
    return store.write_block(there, block, tables, matches=writer, deals=1, seconds=0, keep_first=True)


def write_all(there: str, writer: int, blocks: int) -> list[int]:
    return [write(place(there), writer, Block(0, k, 4 * k, 4)).matches for k in range(blocks)]


def check_whole(there: Place, blocks: int) -> list[int]:
    """See that every record names files with its own bytes, that no others are left; give who wrote each block."""
    found = [store.read_record(there, f"000-{k:06d}") for k in range(blocks)]
    for record in found:
        for name, file in record.files.items():
            assert hashlib.sha256(there.read(name)).hexdigest() == file.sha256
            assert file.sha256 == hashlib.sha256(_bytes(record, name)).hexdigest()
    named = {name for record in found for name in record.files}
    assert {f"{table}/{name}" for table in ("pairs", "matches") for name in there.names(table)} == named
    return [record.matches for record in found]


def _bytes(record: BlockRecord, name: str) -> memoryview:
    table = name.partition("/")[0]
    return store.parquet_bytes(table, tables_of(record.matches, record.block)[table])


def test_threads_that_write_the_same_block_at_once_all_get_the_first_record(here: Place) -> None:
    writers, blocks = 4, 5
    start = threading.Barrier(writers)
    got: dict[int, list[int]] = {}

    def work(writer: int) -> None:
        got[writer] = []
        for k in range(blocks):
            start.wait()
            got[writer].append(write(here, writer, Block(0, k, 4 * k, 4)).matches)

    threads = [threading.Thread(target=work, args=(writer,)) for writer in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    first = check_whole(here, blocks)
    assert got == dict.fromkeys(range(writers), first)


def test_processes_that_write_the_same_blocks_all_get_the_first_record(here: Place) -> None:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        got = list(pool.map(write_all, [here.text] * 2, (1, 2), (12, 12)))
    assert got == [check_whole(here, 12)] * 2


@pytest.mark.parametrize("files", [0, 1, 2])
def test_a_slow_writer_takes_the_record_of_the_fast_one(
    here: Place, monkeypatch: pytest.MonkeyPatch, files: int
) -> None:
    """The fast one comes after so many files of the slow one, which has not seen its record."""
    block, kind, left = Block(0, 0, 0, 4), type(here), [files]

    def slow(name: str) -> Callable[..., object]:
        act = getattr(kind, name)

        def publish(*given: object) -> object:
            left[0] -= 1
            if left[0] == -1:
                assert write(here, 2, block).matches == 2
            return act(*given)

        return publish

    for name in ("publish", "publish_first"):
        monkeypatch.setattr(kind, name, slow(name))
    assert write(here, 1, block).matches == 2
    assert check_whole(here, 1) == [2]


def test_a_commit_whose_answer_was_lost_keeps_its_files(here: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    first = type(here).publish_first
    monkeypatch.setattr(type(here), "publish_first", lambda *a: first(*a) and False)
    assert write(here, 1, Block(0, 0, 0, 4)).matches == 1
    assert check_whole(here, 1) == [1]


def test_an_observed_run_is_read_verified_tidied_and_mended_like_any_other(here: Place) -> None:
    run.play(run.start(REQUEST, here), LocalExecutor(2), quiet)
    made = run_file.load(here)
    assert made.observed
    before = contents(here)
    assert reading.snapshot(here).blocks == 3
    assert verify.verify(here, lambda *state: None, sample=0).good
    assert tidy.tidy(here).nothing
    killed = "pairs/000-000001-0123abcd.parquet"  # by an attempt that never came to its record
    here.publish(killed, b"x")
    assert [each.code for each in verify.verify(here, lambda *state: None, sample=0).findings] == ["found_loose"]
    record = store.read_record(here, "000-000002", made)
    here.remove(record.name_of("matches") or "")
    session = run.resume(here)
    assert session.damaged == ("000-000002",)
    run.play(session, LocalExecutor(1), quiet)
    assert verify.verify(here, lambda *state: None, sample=0).good
    after = contents(here)
    assert {name for name in before.keys() ^ after.keys() if "000-000002" not in name} == set()
    assert [name for name in after if name.startswith("matches/000-000002")] != [record.name_of("matches")]


def test_files_with_the_mark_of_an_attempt_are_refused_in_an_exact_run(here: Place) -> None:
    run.play(run.start(REQUEST, here), LocalExecutor(1), quiet)
    here.publish("run.json", here.read("run.json").replace(b'"observed": true', b'"observed": false'))
    with pytest.raises(SimError) as error:
        store.records(here)
    assert error.value.code == "block_damaged"
