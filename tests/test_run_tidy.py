"""`tidy` clears what a crash left and nothing else; `compact` writes an equal run with larger blocks."""

from dataclasses import replace
from pathlib import Path

import pytest

from cluster.cli import main
from sim import compact, exclusions, figures, run, run_file, store, tidy, verify
from sim.errors import SimError
from sim.experiment import Experiment, wider
from sim.places import Place, place
from sim.request import Stopping, new_request
from sim.run import LocalExecutor
from tests.support.run_places import KINDS, contents, copied, data_of, empty_place
from tests.support.small_run import quiet

ASKED = Experiment(
    strategies=("greedy", "random", "solid"), form="gauntlet", pairs=12, seed=5, block_pairs=2, style=True
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a run of two match-ups that was extended: blocks of two pairs, then of three."""
    folder = tmp_path_factory.mktemp("played")
    run.play(run.start(ASKED.requests(), folder), LocalExecutor(2), quiet)
    asked = [replace(each, block_pairs=3) for each in wider(run_file.load(folder).requests, pairs=20)]
    run.play(run.extend(folder, asked), LocalExecutor(2), quiet)
    return folder


@pytest.fixture(params=KINDS)
def folder(request: pytest.FixtureRequest, played: Path, tmp_path: Path) -> Place:
    return copied(played, empty_place(request, request.param, tmp_path / "run"))


LOCAL = pytest.mark.parametrize("folder", ["local"], indirect=True)
"""For what does not depend on the kind of place."""


@pytest.fixture
def out(request: pytest.FixtureRequest, folder: Place, tmp_path: Path) -> Place:
    """Give a place of the same kind for another run."""
    return empty_place(request, "local" if folder.local_path else "s3", tmp_path / "out")


def test_tidy_removes_what_nobody_committed_and_leaves_what_is_not_ours(
    folder: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    before = set(contents(folder))
    temporary = [".run.1-0123abcd.tmp", "deals/.000-000001.1-0123abcd.tmp"] if folder.local_path else []
    for name in temporary:
        (Path(folder.text) / name).touch()
    foreign = ["notes.txt", "deals/mine.parquet", "blocks/list.txt"]
    for name in foreign:
        folder.publish(name, b"")
    folder.remove("blocks/000-000001.json")
    loose = [f"{table}/000-000001.parquet" for table in ("pairs", "matches", "deals", "style", "faults", "cubes")]
    foreseen = tidy.tidy(folder, dry_run=True)
    assert set(contents(folder)) == (before | set(foreign)) - {"blocks/000-000001.json"}
    assert (foreseen.temporary, foreseen.loose) == (temporary, loose)
    assert sorted(foreseen.strangers) == sorted(foreign)
    assert main(["tidy", str(folder), "--lang", "en"]) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in (*temporary, *foreign, *loose))
    assert set(contents(folder)) == (before | set(foreign)) - {*loose, "blocks/000-000001.json"}
    assert store.half_written(folder) == []
    assert tidy.tidy(folder).nothing


def test_tidy_touches_nothing_that_is_being_written(folder: Place) -> None:
    with store.writing(folder):
        folder.publish("deals/000-000099.parquet", b"")
        with pytest.raises(SimError) as error:
            tidy.tidy(folder)
        assert error.value.code == "run_busy"
        assert folder.exists("deals/000-000099.parquet")


def test_tidy_ends_the_laying_apart_behind_a_verdict(tmp_path: Path) -> None:
    test = Stopping(elo0=0, elo1=60, look_pairs=5)
    request = new_request("solid", "greedy", pairs=400, seed=7, block_pairs=10, detail="pairs", test=test)
    sides = run.resolve(request)
    session = run.start(request, tmp_path)
    for number in range(12):  # as if nobody had looked at the verdict
        block = run_file.block_of(request, number)
        task = run.BlockTask(tmp_path, session.run.id, request, sides.hashes, block)
        run.play_block(task)
    found = verify.verify(tmp_path, lambda *state: None, sample=0)
    assert {each.code for each in found.findings} == {"found_behind"}
    record = store.read_record(tmp_path, "000-000011")  # and its move had begun
    place(tmp_path).move(store.record_name(record.block.stem), "surplus/blocks/000-000011.json")
    foreseen = tidy.tidy(tmp_path, dry_run=True)
    done = tidy.tidy(tmp_path)
    assert done == foreseen
    assert (done.moved, done.loose) == (["000-000011"], [])
    assert set(done.apart) == {each.values["block"] for each in found.findings} - {"000-000011"}
    assert run.resume(tmp_path).complete
    assert verify.verify(tmp_path, lambda *state: None, sample=0).good


def test_a_compacted_run_has_the_same_figures_and_plays_to_the_same_bytes(folder: Place, out: Place) -> None:
    before = data_of(folder)
    made = compact.compact(folder, out, block_pairs=7)
    assert (made.blocks_before, made.blocks) == (2 * (6 + 3), 2 * (2 + 2))
    assert data_of(folder) == before
    for match_up in range(2):
        old, new = (figures.headline(place, match_up) for place in (folder, out))
        assert figures.as_text(old, "en") == figures.as_text(new, "en")
        assert old == new
    found = verify.verify(out, lambda *state: None, sample=8, workers=1)
    assert (found.findings, found.notes, len(found.repeated)) == ([], [], 8)
    assert run.resume(out).complete


@LOCAL
def test_compact_takes_the_prefix_of_an_unfinished_run_only_if_asked(folder: Place, out: Place) -> None:
    folder.remove("blocks/000-000003.json")
    with pytest.raises(SimError, match="only 17 of 18 blocks"):
        compact.compact(folder, out)
    made = compact.compact(folder, out, block_pairs=4, partial=True)
    assert [request.cuts for request in made.run.requests] == [
        ((6, 4), (6, 2), (8, 3)),
        ((12, 4), (8, 3)),
    ]
    run.play(run.resume(out), LocalExecutor(1), quiet)
    run.play(run.resume(folder), LocalExecutor(1), quiet)
    assert figures.headline(out) == figures.headline(folder)


def test_a_test_that_has_its_verdict_keeps_it(tmp_path: Path) -> None:
    test = Stopping(elo0=0, elo1=60, look_pairs=5)
    request = new_request("solid", "greedy", pairs=400, seed=7, block_pairs=10, detail="pairs", test=test)
    run.play(run.start(request, tmp_path / "run"), LocalExecutor(1), quiet)
    compact.compact(tmp_path / "run", tmp_path / "out", block_pairs=30)
    old, new = (run.resume(tmp_path / name) for name in ("run", "out"))
    assert old.prefixes[0].judgement.verdict == new.prefixes[0].judgement.verdict
    assert new.complete
    assert len(store.committed_stems(tmp_path / "out")) < len(store.committed_stems(tmp_path / "run"))
    odd = replace(request, test=replace(test, look_pairs=4))
    run.play(run.start(odd, tmp_path / "odd"), LocalExecutor(1), quiet)
    with pytest.raises(SimError, match="looks every 4 pairs and a block has 10"):
        compact.compact(tmp_path / "odd", tmp_path / "none", block_pairs=30)


@LOCAL
def test_what_cannot_be_compacted_is_told_in_one_line(
    folder: Place, out: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(*words: str) -> str:
        assert main(["--lang", "en", "compact", str(folder), *words]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        return said

    assert "name another folder" in told("--out", str(folder))
    assert "no more than the 3 that there are" in told("--out", str(out), "--block-pairs", "3")
    out.publish("notes.txt", b"")
    assert "other files" in told("--out", str(out))
    assert main(["compact", str(folder), "--out", str(tmp_path / "made")]) == 0
    capsys.readouterr()
    assert "other files" in told("--out", str(tmp_path / "made"))
    exclusions.exclude(folder, ["0-2"], "odd")
    assert "000-000002" in told("--out", str(tmp_path / "none"))
    assert not (tmp_path / "none").exists()
