"""An experiment: who meets whom, on the same pair ids; blocks that an extension leaves alone; a file that says it."""

import dataclasses
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cluster.cli import main
from engine.bulk import Team, play_pairs
from engine.rules import NATIONAL
from sim import figures, pilot, run, run_file
from sim.errors import SimError
from sim.experiment import Experiment, make, meetings, read_file, wider
from sim.replay import replay
from sim.request import RunRequest, Stopping, new_request
from sim.run import LocalExecutor
from sim.targets import Aims, Target
from strategies import registry
from tests.support.small_run import data_of, quiet

THREE = Experiment(
    strategies=("greedy", "random", "solid"), rules=("national", "sheet"), pairs=8, seed=5, block_pairs=3
)


def play(folder: Path, requests: tuple[RunRequest, ...], workers: int = 1) -> Path:
    run.play(run.start(requests, folder), LocalExecutor(workers), quiet)
    return folder


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("league"), THREE.requests())


@pytest.mark.parametrize(
    ("strategies", "form", "expected"),
    [
        ("ab", None, ["ab"]),
        ("ab", "duel", ["ab"]),
        ("abc", None, ["ab", "ac", "bc"]),
        ("abc", "league", ["ab", "ac", "bc"]),
        ("abcd", "gauntlet", ["ab", "ac", "ad"]),
    ],
)
def test_the_form_says_who_meets_whom(strategies: str, form: str | None, expected: list[str]) -> None:
    assert meetings(tuple(strategies), form) == [tuple(each) for each in expected]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("strategies", "expected"),
    [
        (("a+b", "c"), [("a+b", "c"), ("b+a", "c")]),
        (("a+b", "c+d"), [("a+b", "c+d"), ("b+a", "d+c")]),
        (("a+a", "c"), [("a+a", "c")]),
    ],
)
def test_a_team_of_two_strategies_is_played_in_both_orders(
    strategies: tuple[str, str], expected: list[tuple[str, str]]
) -> None:
    assert meetings(strategies, None) == expected


def test_both_orders_and_both_legs_are_the_four_seatings_of_the_same_deals(tmp_path: Path) -> None:
    folder = play(tmp_path, Experiment(strategies=("greedy+random", "solid"), pairs=4, block_pairs=4).requests())
    greedy, random, solid = map(registry.load, ("greedy", "random", "solid"))
    for number, team in enumerate((Team(greedy, random), Team(random, greedy))):
        expected = play_pairs(team, solid, NATIONAL, 1, range(4)).deals
        rows = pq.read_table(folder / f"deals/{number:03d}-000000.parquet")
        assert rows.column("plays").to_pylist() == expected["plays"].tolist()


def test_all_match_ups_and_rule_sets_play_the_same_pair_ids(league: Path) -> None:
    made = run_file.load(league)
    assert [(each.rules, each.x, each.y) for each in made.requests] == [
        (rules, x, y)
        for rules in ("national", "sheet")
        for x, y in (("greedy", "random"), ("greedy", "solid"), ("random", "solid"))
    ]
    for number, request in enumerate(made.requests):
        files = sorted((league / "pairs").glob(f"{number:03d}-*.parquet"))
        rows = pq.read_table(files)
        assert rows.column("pair").to_pylist() == list(range(8))
        assert set(rows.column("x").to_pylist()) == {request.x}
        assert set(rows.column("rules").to_pylist()) == {request.rules}


def test_a_match_up_in_a_league_has_the_rows_it_has_alone(league: Path, tmp_path: Path) -> None:
    alone = play(tmp_path, (new_request("greedy", "solid", pairs=8, seed=5, rules="sheet", block_pairs=3),))
    for table in ("pairs", "matches", "deals"):
        mine = pq.read_table(sorted((league / table).glob("004-*.parquet"))).drop_columns("run")
        assert mine.equals(pq.read_table(alone / table).drop_columns("run"))


def test_figures_and_replay_are_of_the_match_up_asked_for(league: Path) -> None:
    head = figures.headline(league, 4)
    assert (head.x, head.y, head.rules, head.pairs) == ("greedy", "solid", "sheet", 8)
    found = replay(league, 7, 2, 1, 4)
    assert found.stored is not None
    assert found.differences == ()
    with pytest.raises(SimError, match="no match-up 6; this run has the match-ups 0 to 5"):
        figures.headline(league, 6)


def test_the_same_bytes_from_any_number_of_threads(league: Path, tmp_path: Path) -> None:
    assert data_of(play(tmp_path, THREE.requests(), workers=3)) == data_of(league)


def test_more_pairs_leave_the_blocks_that_there_are(league: Path, tmp_path: Path) -> None:
    folder = play(tmp_path, THREE.requests())
    before = data_of(folder)
    session = run.extend(folder, wider(run_file.load(folder).requests, pairs=20))
    assert min(block.first for block in session.missing) == 8
    run.play(session, LocalExecutor(2), quiet)
    after = data_of(folder)
    assert before.items() <= after.items()
    assert pq.read_table(sorted((folder / "pairs").glob("002-*"))).column("pair").to_pylist() == list(range(20))
    longer = play(tmp_path / "longer", tuple(dataclasses.replace(each, pairs=20) for each in THREE.requests()))
    assert pq.read_table(folder / "pairs").drop_columns("run").num_rows == 120
    mine, other = (
        pq.read_table(sorted((place / "deals").glob("005-*"))).drop_columns("run") for place in (folder, longer)
    )
    assert mine.equals(other)
    assert run.resume(folder).complete


def test_further_strategies_and_rule_sets_meet_all_that_are_there(tmp_path: Path) -> None:
    folder = play(tmp_path, Experiment(strategies=("greedy", "random"), pairs=4, block_pairs=4).requests())
    before = data_of(folder)
    asked = wider(run_file.load(folder).requests, strategies=("solid",), rules=("sheet",))
    assert [(each.rules, each.x, each.y) for each in asked] == [
        ("national", "greedy", "random"),
        ("national", "greedy", "solid"),
        ("national", "random", "solid"),
        ("sheet", "greedy", "random"),
        ("sheet", "greedy", "solid"),
        ("sheet", "random", "solid"),
    ]
    run.play(run.extend(folder, asked), LocalExecutor(1), quiet)
    assert before.items() <= data_of(folder).items()
    assert wider(asked, strategies=("solid",), rules=("sheet",)) == asked


def test_a_gauntlet_is_extended_as_a_gauntlet() -> None:
    asked = Experiment(strategies=("greedy", "random", "solid"), form="gauntlet", pairs=4).requests()
    wide = wider(asked, strategies=("expert",))
    assert [(each.x, each.y) for each in wide[2:]] == [("greedy", "expert")]


def test_what_was_played_cannot_be_changed(tmp_path: Path) -> None:
    requests = Experiment(strategies=("greedy", "random"), pairs=4, block_pairs=4).requests()
    folder = play(tmp_path, requests)
    for change in ({"seed": 9}, {"block_pairs": 2}, {"pairs": 3}, {"y": "solid"}):
        with pytest.raises(SimError, match="cannot be changed"):
            run.extend(folder, [dataclasses.replace(requests[0], **change)])
    with pytest.raises(SimError, match="has 4 pairs already"):
        wider(requests, pairs=3)


def test_an_extension_laid_out_before_another_leaves_out_none_of_its_match_ups(tmp_path: Path) -> None:
    folder = play(tmp_path, Experiment(strategies=("greedy", "random"), pairs=4, block_pairs=4).requests())
    before = run_file.load(folder).requests
    late = wider(before, pairs=8)
    run.play(run.extend(folder, wider(before, strategies=("solid",))), LocalExecutor(1), quiet)
    with pytest.raises(SimError, match="greedy against solid"):
        run.extend(folder, late)
    assert len(run_file.load(folder).requests) == 3
    assert run.resume(folder).complete


def test_the_same_extension_again_goes_on_with_it(tmp_path: Path) -> None:
    folder = play(tmp_path / "run", Experiment(strategies=("greedy", "random"), pairs=4, block_pairs=4).requests())
    run.extend(folder, wider(run_file.load(folder).requests, pairs=12))  # killed before its first block
    words = ["extend", str(folder), "--pairs", "12", "--on", "local"]
    assert main(words) == 0
    assert run.resume(folder).complete
    assert main(words) == 2


def test_blocks_of_several_stretches_cover_the_pairs_exactly() -> None:
    request = dataclasses.replace(
        new_request("greedy", "random", pairs=107, seed=1, block_pairs=50), earlier=((10, 4), (5, 100))
    )
    ranges = [request.range_of(number) for number in range(request.blocks)]
    assert [len(each) for each in ranges] == [4, 4, 2, 5, 50, 42]
    assert [pair for each in ranges for pair in each] == list(range(107))
    assert [request.block_with(pair) for pair in (0, 3, 4, 9, 10, 15, 64, 65, 106)] == [0, 0, 1, 2, 3, 4, 4, 5, 5]
    for wrong in (-1, 6):
        with pytest.raises(IndexError):
            request.range_of(wrong)
    with pytest.raises(IndexError):
        request.block_with(107)


def test_a_file_says_the_same_as_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.toml").write_text('base = "national"\n[rules]\nlimit_deals = 3\n')
    file = tmp_path / "study.toml"
    file.write_text(
        'strategies = ["greedy", "random", "solid"]\nrules = ["national", "mine.toml"]\nform = "gauntlet"\npairs = 6\n'
        'seed = 5\ndetail = "matches"\nblock_pairs = 3\n'
    )
    assert (
        make(read_file(file)).requests()
        == Experiment(
            strategies=("greedy", "random", "solid"),
            rules=("national", str(tmp_path / "mine.toml")),
            form="gauntlet",
            pairs=6,
            seed=5,
            detail="matches",
            block_pairs=3,
        ).requests()
    )
    assert main(["run", str(file), "--pairs", "4", "--out", str(tmp_path / "run"), "--on", "local"]) == 0
    made = run_file.load(tmp_path / "run")
    assert {(each.pairs, each.detail, each.seed) for each in made.requests} == {(4, "matches", 5)}  # options win
    assert "mine" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("pairs = \n", "line 1"),
        ('strategy = ["a"]\n', "strategies"),
        ('strategies = "greedy"\n', "strategies"),
        ('strategies = ["greedy", 5]\n', "strategies"),
        ("pairs = true\n", "pairs"),
        ("pairs = 1.5\n", "pairs"),
        ("style = 1\n", "style"),
        ("rules = []\n", "rules"),
        ("targets = 5\n", "targets"),
        ("[[targets]]\nmetric = 'steps_3'\nlow = 0.3\n", "metric low high"),
        ("[test]\nelo = 5\n", "test.elo"),
        ("pairs = " + "9" * 5000 + "\n", "digits"),
        ("style = 0x" + "f" * 5000 + "\n", "0xfff"),
        ("style = " + "[" * 5000 + "\n", "[[["),
    ],
)
def test_a_wrong_file_is_told_with_its_key(tmp_path: Path, text: str, named: str) -> None:
    file = tmp_path / "study.toml"
    file.write_text(text)
    with pytest.raises(SimError, match=r"study\.toml") as error:
        read_file(file)
    assert named in str(error.value)


@pytest.mark.parametrize("digits", ["1" + "0" * 400, "0x" + "f" * 5000])
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("seed = {}\n", "seed_range"),
        ("[test]\nelo0 = 0\nelo1 = {}\n", "not_text"),
        ("[[targets]]\nmetric = 'steps_3'\nlow = 0\nhigh = {}\n", "target_band"),
    ],
)
def test_a_number_beyond_all_bounds_is_told_in_a_line(tmp_path: Path, text: str, code: str, digits: str) -> None:
    file = tmp_path / "study.toml"
    file.write_text("strategies = ['greedy', 'random']\npairs = 4\n" + text.format(digits))
    with pytest.raises(SimError) as error:
        make(read_file(file)).requests()
    assert error.value.code == code
    assert 0 < len(str(error.value)) < 1_000


def test_what_is_set_beforehand_is_stored_and_cannot_change(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    text = 'strategies = ["greedy", "random"]\npairs = 2\nblock_pairs = 2\nfamily = "bh"\n'
    file.write_text(text + "[[targets]]\nmetric = 'steps_3'\nlow = 0.3\nhigh = 0.5\n[test]\nelo0 = 0\nelo1 = 9\n")
    asked = make(read_file(file))
    run.start(asked.requests(), tmp_path / "run", asked.aims)
    made = run_file.load(tmp_path / "run")
    assert made.aims == Aims((Target("steps_3", 0.3, 0.5),), "bh")
    assert made.request.test == Stopping(elo0=0, elo1=9)
    with pytest.raises(SimError, match="its aims is"):
        run.start(asked.requests(), tmp_path / "run")


@pytest.mark.parametrize(
    ("metric", "low", "high", "code"),
    [
        ("step_3", 0, 1, "target_metric"),
        ("steps_3", 1, 0, "target_band"),
        ("steps_3", "0", 1, "target_band"),
        ("steps_3", float("nan"), 1, "target_band"),
    ],
)
def test_a_target_that_is_none_is_refused(metric: str, low: float, high: float, code: str) -> None:
    with pytest.raises(SimError) as error:
        Target(metric, low, high)
    assert error.value.code == code


def test_two_bands_for_one_figure_are_refused() -> None:
    with pytest.raises(SimError, match="two bands for steps_3"):
        Aims((Target("steps_3", 0.1, 0.2), Target("steps_3", 0.3, 0.4)))


def test_the_blocks_of_a_run_are_kept_when_the_same_command_comes_again(tmp_path: Path) -> None:
    words = ["run", "greedy", "random", "--pairs", "300", "--out", str(tmp_path), "--on", "local"]
    assert main(words) == 0
    size = run_file.load(tmp_path).request.block_pairs
    before = data_of(tmp_path)
    assert main(words) == 0
    assert run_file.load(tmp_path).request.block_pairs == size
    assert data_of(tmp_path) == before


@pytest.mark.parametrize(
    ("rate", "pairs", "size"),
    [(0.1, 1_000, 2), (0.001, 1_000, 1), (1.0, 10**6, 20), (5_000.0, 10**6, 50_000), (5_000.0, 500, 20), (9.9, 7, 1)],
)
def test_a_block_is_half_a_minute_of_work_or_a_twentieth_of_the_run(rate: float, pairs: int, size: int) -> None:
    flown = pilot.Pilot(pairs=1_000, matches=2_000, deals=0, seconds=1_000 / rate, bytes={})
    assert pilot.block_pairs_for(new_request("greedy", "random", pairs=pairs, seed=1), flown) == size


def test_plan_says_what_a_run_would_take(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "greedy", "random", "solid", "--pairs", "1000", "--json", "--workers", "4"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(each["x"], each["y"]) for each in found["match_ups"]] == [
        ("greedy", "random"),
        ("greedy", "solid"),
        ("random", "solid"),
    ]
    assert found["seconds"] == pytest.approx(found["processor_seconds"] / 4)
    assert found["processor_seconds"] == pytest.approx(sum(each["processor_seconds"] for each in found["match_ups"]))
    assert found["bytes"] > 10_000
    assert all(each["pilot_pairs"] <= 1_000 for each in found["match_ups"])


def test_status_counts_what_is_committed(league: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status", str(league), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["blocks_done"], found["blocks"], found["complete"], found["played_by"]) == (18, 18, True, None)
    assert [each["pairs_done"] for each in found["match_ups"]] == [8] * 6
    assert found["matches_done"] == found["matches"] == 96
