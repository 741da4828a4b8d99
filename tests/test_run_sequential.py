"""A run that stops when its test is decided: the verdict of the contiguous prefix, whatever the order of arrival."""

import dataclasses
import json
import random
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

from cluster.cli import main
from sim import run, run_file
from sim.errors import SimError
from sim.experiment import Experiment
from sim.looks import Prefix, count_looks, sequential_test
from sim.places import LocalPlace
from sim.reading import snapshot
from sim.request import RunRequest, Stopping, new_request
from sim.run import BlockTask, LocalExecutor, block_tables, play_block, resolve
from sim.status import status_of
from sim.store import BlockRecord
from tests.support.small_run import data_of, quiet

TEST = Stopping(elo0=0, elo1=40, look_pairs=10)
REQUEST = new_request("solid", "solid-eager", pairs=1_200, seed=11, block_pairs=30, detail="matches", test=TEST)


@dataclasses.dataclass
class WindowExecutor:
    """Keep `window` blocks in flight and finish them in an order drawn from `order`, as a farm would."""

    order: int
    window: int
    workers: int = 1

    def execute(self, tasks: Iterable[BlockTask]) -> Generator[BlockRecord]:
        feed, draw = iter(tasks), random.Random(self.order)
        flying: list[BlockTask] = []
        while True:
            while len(flying) < self.window and (task := next(feed, None)) is not None:
                flying.append(task)
            if not flying:
                return
            record = play_block(flying.pop(draw.randrange(len(flying))))
            assert record is not None
            yield record


@pytest.fixture(scope="module")
def in_order(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("in_order")
    run.play(run.start(REQUEST, folder), WindowExecutor(0, 1), quiet)
    return folder


def test_the_test_ends_the_match_up_before_its_last_pair(in_order: Path) -> None:
    state = status_of(in_order)
    (match_up,) = state.match_ups
    assert match_up.judgement is not None
    assert match_up.judgement.verdict.state == "rejected"  # solid-eager is the better player
    assert 16 <= match_up.judgement.verdict.pairs <= match_up.pairs_done < 600
    assert state.complete
    assert match_up.judgement.block == state.blocks_done - 1


@pytest.mark.parametrize(("order", "window"), [(1, 4), (2, 16), (3, 40)])
def test_the_verdict_and_what_counts_do_not_depend_on_the_order_of_arrival(
    in_order: Path, tmp_path: Path, order: int, window: int
) -> None:
    run.play(run.start(REQUEST, tmp_path), WindowExecutor(order, window), quiet)
    assert data_of(tmp_path) == data_of(in_order)
    assert status_of(tmp_path).match_ups[0].judgement == status_of(in_order).match_ups[0].judgement
    surplus = list((tmp_path / "surplus/blocks").glob("*.json"))
    assert surplus or window < 4
    assert len(list((tmp_path / "surplus/pairs").glob("*.parquet"))) == len(surplus)
    assert snapshot(tmp_path).blocks == snapshot(in_order).blocks
    assert run.resume(tmp_path).complete


@pytest.mark.parametrize("moves", [0, 1, 3])
def test_a_driver_killed_while_it_lays_blocks_apart_leaves_none_that_counts(
    in_order: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: int
) -> None:
    left = iter(range(moves))
    move = LocalPlace.move

    def killed(place: LocalPlace, name: str, target: str) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt
        move(place, name, target)

    session = run.start(REQUEST, tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(LocalPlace, "move", killed)
        with pytest.raises(KeyboardInterrupt):
            run.play(session, WindowExecutor(3, 40), quiet)
    assert main(["resume", str(tmp_path), "--on", "local"]) == 0
    assert data_of(tmp_path) == data_of(in_order)
    for table in ("pairs", "matches", "cubes"):
        assert {path.name for path in (tmp_path / table).iterdir()} == {
            path.name for path in (in_order / table).iterdir()
        }


def test_a_stopped_run_comes_to_the_same_verdict(in_order: Path, tmp_path: Path) -> None:
    def enough(state: run.Progress) -> None:
        if state.blocks_done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.play(run.start(REQUEST, tmp_path), WindowExecutor(5, 8), enough)
    run.play(run.resume(tmp_path), LocalExecutor(2), quiet)
    assert data_of(tmp_path) == data_of(in_order)


def test_one_match_up_may_end_while_others_go_on(tmp_path: Path) -> None:
    asked = Experiment(
        strategies=("random", "greedy", "solid"), pairs=300, block_pairs=20, detail="pairs", seed=3, test=TEST
    )
    run.play(run.start(asked.requests(), tmp_path), WindowExecutor(1, 5), quiet)
    state = status_of(tmp_path)
    assert [each.judgement.verdict.state for each in state.match_ups if each.judgement] == ["rejected"] * 3
    assert all(each.pairs_done <= 40 for each in state.match_ups)


def test_looks_of_a_block_are_its_pairs_by_cell() -> None:
    played = block_tables(REQUEST, resolve(REQUEST), range(30), "r")
    assert played is not None
    cells = played.tables["pairs"].column("cell").to_pylist()
    names = ("LL", "LD", "MID", "WD", "WW")
    assert played.looks == tuple(tuple(cells[k : k + 10].count(name) for name in names) for k in (0, 10, 20))
    assert count_looks(dataclasses.replace(REQUEST, test=None), {}) == ()


def test_boards_are_tested_by_their_net_steps() -> None:
    asked = Experiment(strategies=("solid", "random"), pairs=40, boards="uniform", block_pairs=40, test=TEST)
    (request,) = asked.requests()
    played = block_tables(request, resolve(request), range(40), "r")
    assert played is not None
    pairs = played.tables["pairs"]
    net = (pairs["x_steps"].to_numpy().astype(int) - pairs["y_steps"].to_numpy()).tolist()
    assert played.looks[0] == tuple(net[:10].count(steps) for steps in range(-6, 7))
    prefix = Prefix(request)
    prefix.add(0, played.looks)
    assert prefix.judgement.verdict.state == "accepted"


def test_a_prefix_waits_for_the_block_that_is_missing() -> None:
    won = ((0, 0, 0, 0, 30),)
    lost = ((30, 0, 0, 0, 0),)
    prefix = Prefix(REQUEST)
    for number in (3, 1, 2):
        prefix.add(number, won)
        assert prefix.judgement.verdict.pairs == 0
    prefix.add(0, lost)
    assert prefix.judgement.block == 0
    assert prefix.judgement.verdict.state == "rejected"
    assert prefix.judgement.verdict == sequential_test(REQUEST).verdict(lost)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"elo0": 5, "elo1": 5}, "test_wrong"),
        ({"elo0": 0, "elo1": 1e300}, "test_wrong"),
        ({"elo0": 0, "elo1": 5, "alpha": 0}, "test_wrong"),
        ({"elo0": 0, "elo1": 5, "alpha": 0.6, "beta": 0.5}, "test_wrong"),
        ({"elo0": 0, "elo1": float("nan")}, "not_text"),
        ({"elo0": "0", "elo1": 5}, "not_text"),
        ({"elo0": 0, "elo1": 5, "look_pairs": 0}, "look_range"),
    ],
)
def test_values_that_make_no_test_are_refused(given: dict[str, object], code: str) -> None:
    with pytest.raises(SimError) as error:
        Stopping(**given)  # type: ignore[arg-type]
    assert error.value.code == code


def test_a_strategy_is_not_tested_against_itself(tmp_path: Path) -> None:
    with pytest.raises(SimError, match="against itself leaves nothing to test"):
        run.start(dataclasses.replace(REQUEST, y="solid"), tmp_path)


def test_the_request_of_a_test_survives_its_dictionary() -> None:
    assert RunRequest.from_dict(json.loads(json.dumps(REQUEST.as_dict()))) == REQUEST


def test_the_command_line_takes_a_test(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "solid", "greedy", "--pairs", "400", "--block-pairs", "20", "--test", "0,30", "--detail", "pairs"]
    assert main([*words, "--out", str(tmp_path), "--on", "local", "--lang", "en"]) == 0
    capsys.readouterr()
    assert main(["status", str(tmp_path), "--lang", "en"]) == 0
    assert "passed after" in capsys.readouterr().out
    assert main(["run", "solid", "greedy", "--pairs", "4", "--test", "0", "--out", str(tmp_path / "x")]) == 2
    assert run_file.load(tmp_path).request.test == Stopping(elo0=0.0, elo1=30.0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"looks": []},
        {"looks": [[1, 2, 3]]},
        {"looks": [[0, 0, 0, 0, 10]] * 4},
        {"looks": [[0, 0, 0, 0, 2**62], [10], [10]]},
        {"matches": 59},
    ],
)
def test_a_record_that_does_not_count_its_pairs_is_damaged(
    tmp_path: Path, wrong: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    request = dataclasses.replace(REQUEST, pairs=30)
    run.play(run.start(request, tmp_path), LocalExecutor(1), quiet)
    record = tmp_path / "blocks/000-000000.json"
    record.write_text(json.dumps({**json.loads(record.read_text()), **wrong}))
    assert main(["status", str(tmp_path), "--lang", "en"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"000-000000.json is damaged ({next(iter(wrong))}: " in line
