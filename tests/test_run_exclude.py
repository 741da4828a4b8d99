"""Blocks taken out of a run: kept, logged, counted in no figure, not played again, and put back without a trace but the
log."""

import json
from functools import partial
from pathlib import Path

import pytest

from cluster.cli import main
from sim import exclusions, figures, run, status, store, tidy, verify
from sim.errors import SimError
from sim.objects import ObjectPlace
from sim.places import LOCK, LocalPlace, Place
from sim.request import Stopping, new_request
from sim.run import LocalExecutor
from tests.support.run_places import KINDS, contents, copied, data_of, empty_place
from tests.support.small_run import REQUEST, quiet


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


def silent(stage: str, done: int, total: int) -> None:
    """Report nothing."""


def test_an_excluded_block_counts_nowhere_and_comes_back_as_it_was(folder: Place) -> None:
    before, all_pairs = data_of(folder), figures.headline(folder).pairs
    assert exclusions.exclude(folder, ["3", "0-5"], "a host with bad memory") == ["000-000003", "000-000005"]
    assert figures.headline(folder).pairs == all_pairs - 20
    assert set(before) - set(data_of(folder)) == {
        f"{table}/000-00000{k}.parquet" for table in REQUEST.tables for k in (3, 5)
    }
    assert exclusions.include(folder, ["000-000005", "3"]) == ["000-000003", "000-000005"]
    assert data_of(folder) == before
    assert [(entry.act, entry.blocks, entry.reason) for entry in exclusions.read_log(folder)] == [
        ("exclude", ("000-000003", "000-000005"), "a host with bad memory"),
        ("include", ("000-000003", "000-000005"), ""),
    ]
    assert all(entry.who and entry.when.endswith("+00:00") for entry in exclusions.read_log(folder))


def test_resume_plays_what_is_missing_but_not_what_is_excluded(folder: Place) -> None:
    exclusions.exclude(folder, ["3"], "odd")
    folder.remove("blocks/000-000007.json")
    session = run.resume(folder)
    assert [block.number for block in session.missing] == [7]
    end = run.play(session, LocalExecutor(1), quiet)
    assert (end.blocks_done, end.blocks, end.pairs_done) == (8, 8, (80,))
    assert run.resume(folder).complete
    assert "000-000003" not in store.committed_stems(folder)


@LOCAL
def test_status_and_the_headline_say_both_totals(folder: Place, capsys: pytest.CaptureFixture[str]) -> None:
    exclusions.exclude(folder, ["3", "4"], "odd")
    state = status.status_of(folder)
    assert (state.blocks_done, state.blocks, state.excluded, state.complete) == (7, 7, 2, True)
    assert (state.match_ups[0].pairs_done, state.match_ups[0].pairs_excluded) == (70, 20)
    for words in (["status", str(folder)], ["resume", str(folder), "--on", "local"]):
        assert main([*words, "--lang", "en"]) == 0
        line = "2 blocks excluded (20 pairs), in no number above; played in all: 9 blocks, 90 pairs"
        assert line in capsys.readouterr().out
    assert main(["status", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["blocks_excluded"] == 2


def test_a_verdict_passes_over_an_excluded_block(tmp_path: Path) -> None:
    test = Stopping(elo0=0, elo1=60, look_pairs=5)
    request = new_request("solid", "greedy", pairs=400, seed=7, block_pairs=10, detail="pairs", test=test)
    run.play(run.start(request, tmp_path), LocalExecutor(1), quiet)
    last = status.status_of(tmp_path).match_ups[0].judgement
    assert last is not None
    assert last.decided
    exclusions.exclude(tmp_path, ["1"], "odd")
    run.play(run.resume(tmp_path), LocalExecutor(1), quiet)
    state = status.status_of(tmp_path)
    now = state.match_ups[0].judgement
    assert now is not None
    assert now.decided
    assert now.block is not None
    assert now.block == (last.block or 0) + 1  # one block more, in the place of the one that is out
    assert state.complete
    assert "000-000001" not in store.committed_stems(tmp_path)


class Cut:
    """Let some moves happen and cut the next short: in a folder before it, of an object between copy and removal."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, here: Place, moves: int) -> None:
        kind, name = (LocalPlace, "move") if isinstance(here, LocalPlace) else (ObjectPlace, "remove")
        act, left = getattr(kind, name), [moves]

        def dying(place: Place, file: str, *to: str) -> None:
            if file != LOCK and not left[0]:
                raise KeyboardInterrupt
            left[0] -= file != LOCK
            act(place, file, *to)

        monkeypatch.setattr(kind, name, dying)
        self.undo = partial(monkeypatch.setattr, kind, name, act)


@pytest.mark.parametrize("act", ["exclude", "include"])
@pytest.mark.parametrize(
    ("folder", "moves"), [*(("local", moves) for moves in (0, 1, 2, 5)), ("s3", 0), ("s3", 2)], indirect=["folder"]
)
def test_an_act_cut_short_is_ended_by_tidy(
    folder: Place, monkeypatch: pytest.MonkeyPatch, act: str, moves: int
) -> None:
    before = data_of(folder)
    if act == "include":
        exclusions.exclude(folder, ["3"], "odd")
    cut = Cut(monkeypatch, folder, moves)
    go = partial(exclusions.exclude, reason="odd") if act == "exclude" else exclusions.include
    with pytest.raises(KeyboardInterrupt):
        go(folder, ["3"])
    cut.undo()
    assert {each.code for each in verify.verify(folder, silent, sample=0).findings} == {"found_half_moved"}
    assert tidy.tidy(folder, dry_run=True).moved == ["000-000003"]
    done = tidy.tidy(folder)
    assert (done.moved, done.loose) == (["000-000003"], [])
    assert tidy.tidy(folder).nothing
    assert verify.verify(folder, silent, sample=0).good
    if act == "exclude":
        assert run.resume(folder).complete
        exclusions.include(folder, ["3"])
    assert data_of(folder) == before


def test_an_include_cut_short_is_ended_even_if_the_block_was_played_again(
    folder: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = data_of(folder)
    exclusions.exclude(folder, ["3"], "odd")
    cut = Cut(monkeypatch, folder, 1)
    with pytest.raises(KeyboardInterrupt):
        exclusions.include(folder, ["3"])
    cut.undo()
    run.play(run.resume(folder), LocalExecutor(1), quiet)
    assert tidy.tidy(folder).moved == ["000-000003"]
    assert tidy.tidy(folder).nothing
    assert verify.verify(folder, silent, sample=0).good
    assert data_of(folder) == before


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["exclude", "{}", "3", "--reason", " "], "--reason"),
        (["exclude", "{}", "3"], "--reason"),
        (["exclude", "{}", "99", "--reason", "x"], "no committed block 99"),
        (["exclude", "{}", "1-3", "--reason", "x"], "no committed block 1-3"),
        (["exclude", "{}", "three", "--reason", "x"], "three names no block"),
        (["exclude", "{}", "3", "5", "--reason", "x"], "excluded already (odd)"),
        (["include", "{}", "3"], "not excluded; the excluded blocks of {} are: 000-000005"),
        (["include", "{none}", "3"], "none"),
    ],
)
@LOCAL
def test_a_mistake_is_told_in_one_line_and_nothing_is_done(
    folder: Place, capsys: pytest.CaptureFixture[str], words: list[str], named: str
) -> None:
    exclusions.exclude(folder, ["5"], "odd")
    before = data_of(folder)
    assert main(["--lang", "en", *(word.format(folder, none=folder / "none") for word in words)]) == 2
    said = capsys.readouterr().err
    assert named.format(folder) in said
    assert said.count("\n") == 1
    assert data_of(folder) == before
    assert len(exclusions.read_log(folder)) == 1


def test_a_run_of_several_match_ups_wants_the_match_up_in_the_name(tmp_path: Path) -> None:
    requests = [new_request(x, "random", pairs=4, seed=1, block_pairs=2, detail="pairs") for x in ("greedy", "solid")]
    run.play(run.start(requests, tmp_path), LocalExecutor(1), quiet)
    with pytest.raises(SimError, match="1 names no block"):
        exclusions.exclude(tmp_path, ["1"], "odd")
    assert exclusions.exclude(tmp_path, ["1-1"], "odd") == ["001-000001"]
    assert [each.pairs_excluded for each in status.status_of(tmp_path).match_ups] == [0, 2]


ENTRY = {"act": "exclude", "blocks": ["000-000003"], "reason": "", "who": "", "when": ""}


@pytest.mark.parametrize(
    "content",
    ["{", "[]", "\xff", *(json.dumps(ENTRY | each) for each in ({"act": "drop"}, {"blocks": "3"}, {"more": 1}))],
)
@LOCAL
def test_a_damaged_log_is_named_and_nothing_is_counted_by_guess(folder: Place, content: str) -> None:
    folder.publish("exclusions/000001.json", content.encode("latin-1"))
    with pytest.raises(SimError, match=r"exclusions/000001\.json is damaged or missing"):
        run.resume(folder)


def test_an_entry_that_is_lost_is_missed(folder: Place) -> None:
    for block in ("3", "4"):
        exclusions.exclude(folder, [block], "odd")
    folder.remove("exclusions/000001.json")
    with pytest.raises(SimError, match=r"exclusions/000001\.json is damaged or missing"):
        run.resume(folder)


def test_the_log_only_grows_even_if_the_lock_was_lost(folder: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    exclusions.exclude(folder, ["3"], "odd")
    before = contents(folder)
    monkeypatch.setattr(exclusions, "read_log", lambda folder: [])  # as if the entry had come this instant
    with pytest.raises(SimError) as error:
        exclusions.exclude(folder, ["4"], "odd")
    assert error.value.code == "run_busy"
    assert contents(folder) == before


def test_a_removed_run_takes_its_log_and_what_lies_apart_with_it(folder: Place) -> None:
    exclusions.exclude(folder, ["3"], "odd")
    with store.writing(folder):
        assert store.remove(folder) == []
    assert contents(folder) == {}
