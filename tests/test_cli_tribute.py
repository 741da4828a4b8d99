"""`guandan tribute`: a study of what tribute is worth, played, gone on with, printed in two languages and as JSON."""

import json
import re
from pathlib import Path

import pytest

from cluster.cli import main
from sim import run_file, store
from sim.run import start
from sim.tribute_arms import ARMS, arms

ASKED = ("tribute", "solid", "--pairs", "150", "--seed", "4", "--on", "local", "--policies", "solid-smallest")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study that was played by the command."""
    made = tmp_path_factory.mktemp("study")
    assert main([*ASKED, "--out", str(made)]) == 0
    return made


def test_a_study_is_a_run_for_each_way_of_playing(folder: Path) -> None:
    assert [path.name for path in store.find_runs(folder)] == ["exchange", "payer-leads", "policy-1", "winner-leads"]
    for arm in ARMS:
        assert run_file.load(folder / arm).request.pairs == 150


def test_a_study_asked_for_as_a_run_names_the_runs_in_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status", str(folder), "--lang", "en"]) == 2
    told = capsys.readouterr().err
    assert "exchange payer-leads policy-1 winner-leads" in told
    assert main(["status", str(folder / "exchange"), "--lang", "en"]) == 0
    assert "150 of 150 deals" in capsys.readouterr().out


def test_the_same_command_plays_nothing_again_and_prints_the_same(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*ASKED, "--out", str(folder)]) == 0
    told = capsys.readouterr()
    assert told.err.count("nothing to play") == 4
    assert "deals/s" not in told.err
    assert re.search(r"^all +\d+ +\d+ +[+-]\d\.\d\d \[", told.out, re.MULTILINE)
    assert "counterfactual" in told.out
    assert re.search(r"^solid-smallest +\d+ +\d+ +[+-]\d\.\d{3} \[", told.out, re.MULTILINE)


def test_a_study_that_was_stopped_between_two_arms_goes_on(folder: Path, tmp_path: Path) -> None:
    asked = arms("solid", "solid", pairs=150, seed=4, policies=("solid-smallest",))
    start(run_file.load(folder / "exchange").request, tmp_path / "exchange")  # begun, and nothing played
    assert main([*ASKED, "--out", str(tmp_path)]) == 0
    for arm, request in asked.items():
        assert run_file.load(tmp_path / arm).request.boards == request.boards
        assert len(store.committed_stems(tmp_path / arm)) == run_file.load(tmp_path / arm).request.blocks


def test_json_holds_every_figure_and_says_what_it_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*ASKED, "--out", str(folder), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["effect"] == "counterfactual"
    whole = next(group for group in found["groups"] if group["name"] == "all")
    card, lead, both = (whole["levels"][name]["value"] for name in ("card", "lead", "both"))
    assert card + lead == pytest.approx(both)
    assert found["paid"] + found["refused"] == found["deals"] == 150
    assert found["policies"][0]["name"] == "solid-smallest"


def test_the_figures_are_printed_in_chinese(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*ASKED, "--out", str(folder), "--lang", "zh"]) == 0
    text = capsys.readouterr().out
    assert all(word in text for word in ("进贡的价值", "反事实", "牌值", "先手值", "合计", "抗贡", "还贡法"))


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--rules", "zhuozhou-event"), "zhuozhou-event"),
        (("--contexts", "2/2 - 0/0 - tribute"), "2/2 - 0/0 - tribute"),
        (("--pairs", "10001"), "10000"),
        (("--policies", "nobody"), "nobody"),
        (("--seed", "5"), "seed"),
    ],
)
def test_a_mistake_is_one_line_that_names_it(
    folder: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], named: str
) -> None:
    assert main([*ASKED, *words, "--out", str(folder)]) == 2
    line = capsys.readouterr().err.splitlines()[-1]
    assert named in line
