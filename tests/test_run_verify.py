"""`verify` finds what is wrong with a run, says nothing where nothing is, and changes no byte."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cluster.cli import main
from sim import exclusions, repeat, run, run_file, store, verify
from sim.places import LocalPlace, Place
from sim.request import Stopping, new_request
from sim.run import LocalExecutor
from tests.support.run_places import KINDS, contents, copied, empty_place
from tests.support.small_run import REQUEST, quiet

RECORD = "blocks/000-000004.json"


def silent(stage: str, done: int, total: int) -> None:
    """Report nothing."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    run.play(run.start(REQUEST, folder), LocalExecutor(1), quiet)
    return folder


@pytest.fixture(params=KINDS)
def folder(request: pytest.FixtureRequest, played: Path, tmp_path: Path) -> Place:
    return copied(played, empty_place(request, request.param, tmp_path / "run"))


LOCAL = pytest.mark.parametrize("folder", ["local"], indirect=True)
"""For what does not depend on the kind of place."""


def tables_of(folder: Place, record: store.BlockRecord) -> dict[str, pa.Table]:
    paths = zip(record.files, folder.local_files(list(record.files)), strict=True)
    return {name.partition("/")[0]: pq.read_table(path) for name, path in paths}


def recommit(folder: Place, stem: str, change: Callable[[dict[str, list[object]]], None]) -> None:
    """Put other pairs into a block and commit them, as a worker that miscounts would."""
    record = store.read_record(folder, stem)
    tables = tables_of(folder, record)
    columns = tables["pairs"].to_pydict()
    change(columns)
    tables["pairs"] = pa.Table.from_pydict(columns, schema=tables["pairs"].schema)
    store.write_block(folder, record.block, tables, matches=record.matches, deals=record.deals, seconds=1)


def change_json(folder: Place, name: str, **changes: object) -> None:
    folder.publish(name, json.dumps(json.loads(folder.read(name)) | changes).encode())


def test_a_good_run_is_verified_and_left_as_it_is(folder: Place, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(folder)
    assert main(["verify", str(folder), "--sample", "2", "--seed", "5", "--lang", "en"]) == 0
    said = capsys.readouterr().out
    assert "9 blocks that count, 0 kept apart; hashes of 45 files" in said
    assert "2 blocks played again: 000-00000" in said
    assert said.endswith("nothing is wrong\n")
    assert contents(folder) == before


def other_byte(folder: Place) -> None:
    data = bytearray(folder.read("deals/000-000004.parquet"))
    data[len(data) // 2] ^= 1
    folder.publish("deals/000-000004.parquet", bytes(data))


def cut_short(folder: Place) -> None:
    folder.publish("matches/000-000004.parquet", folder.read("matches/000-000004.parquet")[:-5])


def other_rows_in_the_record(folder: Place) -> None:
    record = json.loads(folder.read(RECORD))
    record["files"]["pairs/000-000004.parquet"]["rows"] = 11
    change_json(folder, RECORD, **record)


def another_table(folder: Place) -> None:
    record = store.read_record(folder, "000-000004")
    tables = tables_of(folder, record)
    tables["matches"] = tables["matches"].drop_columns("seconds")
    store.write_block(folder, record.block, tables, matches=record.matches, deals=record.deals, seconds=1)


def half(name: str) -> Callable[[Place], object]:
    return lambda folder: folder.publish(name, folder.read(name)[:100])


def moved_by_hand(folder: Place) -> None:
    store.set_apart(folder, store.read_record(folder, "000-000004"), store.EXCLUDED)


def damaged_apart(folder: Place) -> None:
    exclusions.exclude(folder, ["4"], "odd")
    (folder / "excluded").publish("deals/000-000004.parquet", b"")


DAMAGES: dict[str, tuple[Callable[[Place], object], str, str]] = {
    "byte": (other_byte, "found_hash", "deals/000-000004.parquet"),
    "size": (cut_short, "found_size", "matches/000-000004.parquet"),
    "gone": (lambda f: f.remove("pairs/000-000004.parquet"), "found_absent", "pairs/000-000004.parquet"),
    "rows": (other_rows_in_the_record, "found_rows", "pairs/000-000004.parquet"),
    "columns": (another_table, "found_columns", "matches/000-000004.parquet"),
    "record": (half("blocks/000-000004.json"), "block_damaged", "blocks/000-000004.json"),
    "run": (half("run.json"), "run_damaged", "run.json"),
    "no record": (lambda f: f.remove(RECORD), "found_loose", "pairs/000-000004.parquet"),
    "log": (lambda f: f.publish("exclusions/000001.json", b"{"), "log_damaged", "exclusions/000001.json"),
    "unlogged": (moved_by_hand, "found_unlogged", "excluded/blocks/000-000004.json"),
    "apart": (damaged_apart, "found_size", "excluded/deals/000-000004.parquet"),
}


CASES = [("local", what) for what in DAMAGES] + [("s3", what) for what in ("byte", "gone", "no record", "apart")]


@pytest.mark.parametrize(("folder", "what"), CASES, indirect=["folder"])
def test_damage_is_told_in_a_line_that_names_the_file(
    folder: Place, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    damage, code, place = DAMAGES[what]
    damage(folder)
    assert main(["verify", str(folder), "--sample", "0", "--json", "--lang", "en"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert {each["code"] for each in found["findings"]} == {code}
    assert place in found["findings"][0]["text"]
    assert main(["verify", str(folder), "--sample", "0", "--lang", "zh"]) == 1
    assert f"发现 {len(found['findings'])} 个问题" in capsys.readouterr().out


def test_an_unfinished_file_is_found(played: Path, tmp_path: Path) -> None:
    folder = copied(played, LocalPlace(tmp_path))
    (tmp_path / "deals/.000-000004.1-0123abcd.tmp").touch()
    found = verify.verify(folder, silent, sample=0)
    assert [each.code for each in found.findings] == ["found_temporary"]
    assert "deals/.000-000004.1-0123abcd.tmp" in str(found.findings[0])


@LOCAL
def test_a_broken_law_names_block_law_and_row(folder: Place, capsys: pytest.CaptureFixture[str]) -> None:
    def change(columns: dict[str, list[object]]) -> None:
        columns["single_refused"][3] = 99

    recommit(folder, "000-000004", change)
    assert main(["verify", str(folder), "--sample", "0", "--lang", "en"]) == 1
    said = capsys.readouterr().out
    assert "pairs/000-000004.parquet breaks the law pair_counts (the counts of a pair fit" in said
    assert "first at pair 43" in said
    assert f"guandan exclude {folder} 000-000004 --reason" in said


def test_a_block_that_obeys_every_law_and_was_not_played_so_is_found_by_playing_it_again(folder: Place) -> None:
    """It was played from another seed: only playing it again can tell."""
    record = store.read_record(folder, "000-000004")
    strange = new_request("greedy", "random", pairs=90, seed=8, block_pairs=10)
    played = run.block_tables(strange, run.resolve(strange), range(40, 50), run_file.load(folder).id)
    assert played is not None
    store.write_block(
        folder, record.block, played.tables, matches=played.matches, deals=played.deals, seconds=1, looks=played.looks
    )
    assert verify.verify(folder, silent, sample=0).good
    found = verify.verify(folder, silent, sample=9, workers=2)
    assert [(each.code, each.values["block"]) for each in found.findings] == [("found_differs", "000-000004")]
    assert "pairs/000-000004.parquet: row" in str(found.findings[0])


@LOCAL
def test_another_version_of_the_writer_is_judged_by_schema_and_values(folder: Place) -> None:
    sink = pa.BufferOutputStream()
    pq.write_table(tables_of(folder, store.read_record(folder, "000-000004"))["deals"], sink, compression="none")
    data = sink.getvalue().to_pybytes()
    folder.publish("deals/000-000004.parquet", data)
    record = json.loads(folder.read(RECORD))
    record["files"]["deals/000-000004.parquet"] |= {
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    for writer, difference, encoded in (
        ("pyarrow 1.0.0", "", True),
        (record["writer"], "deals/000-000004.parquet: equal rows, other bytes", False),
    ):
        change_json(folder, RECORD, **record | {"writer": writer})
        outcome = repeat.repeat_here(run_file.load(folder), store.read_record(folder, "000-000004"))
        assert (outcome.difference, outcome.encoded) == (difference, encoded)


@LOCAL
def test_other_code_is_said_and_proves_nothing(folder: Place) -> None:
    content = json.loads(folder.read("run.json"))
    content["hashes"]["engine"] = "0" * 16
    content["shared"]["seed"] = 8  # as if other code had played the run
    change_json(folder, "run.json", **content)
    found = verify.verify(folder, silent, sample=1)
    assert found.good
    assert [note.code for note in found.notes] == ["note_code", "note_code_differs"]


@LOCAL
def test_an_observed_run_is_compared_by_its_scores_and_never_failed(folder: Place) -> None:
    change_json(folder, "run.json", observed=True)
    found = verify.verify(folder, silent, sample=1)
    assert found.good
    (note,) = found.notes
    assert note.code == "note_observed"
    assert note.values["stored"] == note.values["found"]


@LOCAL
def test_a_block_that_cannot_be_played_again_is_a_finding(folder: Place) -> None:
    folder.publish("run.json", folder.read("run.json").replace(b'"greedy"', b'"gone"'))
    found = verify.verify(folder, silent, sample=1)
    assert "found_unplayed" in {each.code for each in found.findings}
    assert "gone" in str(found.findings[-1])


def test_the_sample_depends_on_the_seed_and_grows_with_the_run() -> None:
    stems = [f"000-{number:06d}" for number in range(1000)]
    drawn = repeat.choose(stems, 1)
    assert len(drawn) == 10
    assert drawn == repeat.choose(stems[::-1], 1) == sorted(drawn)
    assert drawn != repeat.choose(stems, 2)
    assert set(drawn) & set(stems[:900]) <= set(repeat.choose(stems[:900], 1, 10))
    assert len(repeat.choose(stems[:20], 1)) == 3
    assert repeat.choose(stems, 1, 0) == []
    assert repeat.choose(stems[:2], 1, 5) == stems[:2]


def test_looks_that_are_not_those_of_the_pairs_are_found(tmp_path: Path) -> None:
    test = Stopping(elo0=0, elo1=60, look_pairs=5)
    request = new_request("greedy", "random", pairs=40, seed=7, block_pairs=10, detail="pairs", test=test)
    run.play(run.start(request, tmp_path), LocalExecutor(1), quiet)
    assert verify.verify(tmp_path, silent, sample=1).good
    looks = store.read_record(tmp_path, "000-000000").looks
    change_json(LocalPlace(tmp_path), "blocks/000-000000.json", looks=[looks[0][::-1], *looks[1:]])
    assert [each.code for each in verify.verify(tmp_path, silent, sample=0).findings] == ["found_looks"]


def test_a_run_that_is_not_finished_or_excludes_blocks_is_good_and_says_so(folder: Place) -> None:
    exclusions.exclude(folder, ["2"], "odd")
    with store.writing(folder):
        folder.remove(RECORD)  # whose files may be there already
        folder.publish("notes.txt", b"")
        found = verify.verify(folder, silent, sample=0)
    assert found.good
    assert {note.code for note in found.notes} == {"note_played", "note_partial", "note_excluded", "note_strangers"}
    assert (found.blocks, found.apart) == (7, 1)


@pytest.mark.parametrize("words", [["verify", "{}/none"], ["verify", "{}", "--sample", "x"], ["verify"]])
@LOCAL
def test_misuse_has_exit_code_2(folder: Place, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert main([word.format(folder) for word in words]) == 2
    assert capsys.readouterr().err.count("\n") == 1
