"""A run goes on where a strategy fails, keeps a row of each fault and can be replayed; or it stops there if told to."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from engine.notation import read_state
from sim import figures, reading, run, store
from sim.errors import SimError
from sim.replay import replay
from sim.request import RunRequest, new_request
from strategies.registry import load
from tests.support.failing import NO_ANSWER, failing
from tests.support.native import PythonStrategy
from tests.support.small_run import data_of, quiet

REQUEST = new_request("failing", "greedy", pairs=40, seed=3, block_pairs=20)
FAILING = failing("view.deal == 3 and view.n_steps > 25", NO_ANSWER)


@pytest.fixture(autouse=True)
def _known_by_name(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a run find the failing strategy under its name."""
    strategies: dict[str, object] = {"failing": FAILING, "greedy": load("greedy")}
    monkeypatch.setattr(run, "_strategy", lambda name: strategies[name])
    yield
    FAILING.raise_errors()


def play(folder: Path, request: RunRequest = REQUEST, workers: int = 1) -> Path:
    run.play(run.start(request, folder), run.LocalExecutor(workers), quiet)
    return folder


def faults_of(folder: Path) -> list[dict[str, object]]:
    return [row for path in store.committed_files(folder, "faults") for row in pq.read_table(path).to_pylist()]


def test_every_fault_is_a_row_with_reason_place_and_position(tmp_path: Path) -> None:
    rows = faults_of(play(tmp_path / "run"))
    assert len(rows) > 5
    for row in rows:
        assert (row["x"], row["side"], row["reason"], row["asked"], row["deal"]) == (
            "failing",
            "x",
            "raised",
            "play",
            3,
        )
        assert read_state(str(row["state"])).turn == row["seat"]


def test_the_bytes_do_not_depend_on_the_number_of_threads(tmp_path: Path) -> None:
    one, two = play(tmp_path / "one"), play(tmp_path / "two", workers=2)
    assert data_of(one) == data_of(two)
    assert faults_of(one) == faults_of(two)


def test_a_judged_deal_is_replayed_as_it_was_played_and_judged(tmp_path: Path) -> None:
    folder = play(tmp_path / "run")
    row = faults_of(folder)[0]
    pair, leg = int(str(row["pair"])), int(str(row["leg"]))
    for deal in (2, 3):
        found = replay(folder, pair, leg, deal)
        assert found.stored is not None
        assert found.differences == ()
        assert any(name == "fault" for name, *_ in found.events) == (deal == 3)
    assert found.row["end_reason"] == "judged"
    assert found.record().at().turn == row["seat"], "the record ends where the strategy was asked"


def test_judged_deals_are_left_out_of_figures_over_deals_as_over_pairs(tmp_path: Path) -> None:
    folder = play(tmp_path / "run")
    with reading.open_tables(reading.snapshot(folder)) as tables:
        ((won, fair, every),) = tables.rows(
            "select (select sum(x_steps_1 + x_steps_2 + x_steps_3 + y_steps_1 + y_steps_2 + y_steps_3) from pairs), "
            "(select count(*) from fair_deals), (select count(*) from deals)"
        )
    assert won == fair == every - len(faults_of(folder))
    assert figures.headline(folder).deals == every


def test_a_run_that_stops_at_faults_names_the_strategy_the_place_and_the_position(tmp_path: Path) -> None:
    request = new_request("failing", "greedy", pairs=40, seed=3, block_pairs=20, on_fault="stop")
    with pytest.raises(SimError) as caught:
        play(tmp_path / "run", request)
    assert caught.value.code == "strategy_fault"
    values = caught.value.values
    assert (values["name"], values["deal"], values["reason"]) == (FAILING.name, 3, "raised")
    assert read_state(str(values["state"])).turn == values["seat"]
    assert not (tmp_path / "run" / "faults").exists()


def test_a_strategy_that_never_fails_leaves_an_empty_table(tmp_path: Path) -> None:
    clean = new_request("greedy", "greedy", pairs=20, seed=3, block_pairs=20)
    assert faults_of(play(tmp_path / "run", clean)) == []
    assert isinstance(FAILING, PythonStrategy)
