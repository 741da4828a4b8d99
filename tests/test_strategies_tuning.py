"""Tuning finds better values from paired boards, is the same twice, goes on from its log, refuses what cannot be."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine.errors import ToldError
from strategies import tuning
from strategies.registry import Parameter
from strategies.tuning import Request, settings_of, tune

BEST = {"a": 70, "b": -30}
"""Where the made-up strategy `hill` is strongest."""


def strength(text: str) -> float:
    values = {"a": 20, "b": 10} | settings_of(text)
    return -sum(abs(values[name] - best) / 20 for name, best in BEST.items())


def fake_load(text: str) -> Any:
    if not text.startswith(("hill", "flat")):
        raise ValueError(f"there is no strategy called {text!r}: write hill")
    parameters = (Parameter("a", 20, 0, 100, "", ""), Parameter("b", 10, -50, 50, "", ""))
    known = parameters if text.startswith("hill") else ()
    return SimpleNamespace(name=text, deterministic=True, hash=text, parameters=known)


def fake_play(x: Any, y: Any, rules: Any, seed: int, pairs: range, **_: Any) -> Any:
    """Net levels by the difference of strength, under luck that is the same for all versions of a pair."""
    luck = [np.random.default_rng([seed, pair]).normal(0, 1) for pair in pairs]
    net = np.round(np.array(luck) + strength(x.name) - strength(y.name))
    return SimpleNamespace(pairs={"x_steps": net, "y_steps": np.zeros(len(pairs))})


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "load", fake_load)
    monkeypatch.setattr(tuning, "play_pairs", fake_play)
    monkeypatch.setattr(tuning, "_CONTEXTS", 1)


STEPS = Request("hill", ("self",), pairs=40)
SPSA = Request("hill", ("self",), method="spsa", pairs=40, gain=0.3)


@pytest.mark.parametrize("against", [("self",), ("flat",), ("flat", "hill?a=50")])
@pytest.mark.parametrize("method", ["steps", "spsa"])
def test_tuning_comes_near_the_best_values(tmp_path: Path, method: str, against: tuple[str, ...]) -> None:
    request = Request("hill", against, method=method, pairs=40, gain=0.3)
    found = settings_of(tune(request, 60, tmp_path / "log"))
    assert abs(found["a"] - BEST["a"]) <= 10
    assert abs(found["b"] - BEST["b"]) <= 10


@pytest.mark.parametrize("request_", [STEPS, SPSA])
def test_a_run_that_was_cut_off_goes_on_to_the_same_log(tmp_path: Path, request_: Request) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    result = tune(request_, 8, whole, check=20)
    tune(request_, 8, tmp_path / "again", check=20, threads=3)
    assert (tmp_path / "again").read_bytes() == whole.read_bytes()
    tune(request_, 3, cut)
    cut.write_bytes(cut.read_bytes() + b'{"round": 3, "par')
    assert tune(request_, 8, cut, check=20) == result
    assert cut.read_bytes() == whole.read_bytes()


def test_only_the_named_parameters_move_and_the_written_ones_are_where_it_starts(tmp_path: Path) -> None:
    found = settings_of(tune(Request("hill?a=33&b=5", ("self",), ("b",), pairs=40), 20, tmp_path / "log"))
    assert found["a"] == 33
    assert found["b"] < 0


def test_a_value_never_leaves_its_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BEST, "a", 1000)
    log = tmp_path / "log"
    assert settings_of(tune(STEPS, 30, log))["a"] == 100
    tried = [t["value"] for line in map(json.loads, log.read_text().splitlines()) for t in line.get("tries", [])]
    assert max(tried) == 100


def test_the_check_plays_boards_that_no_round_has_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[range] = []

    def noting(x: Any, y: Any, rules: Any, seed: int, pairs: range, **_: Any) -> Any:
        seen.append(pairs)
        return fake_play(x, y, rules, seed, pairs)

    monkeypatch.setattr(tuning, "play_pairs", noting)
    log = tmp_path / "log"
    tune(STEPS, 4, log)
    played = {pair for pairs in seen for pair in pairs}
    seen.clear()
    tune(STEPS, 4, log, check=25)
    assert played.isdisjoint(pair for pairs in seen for pair in pairs)
    check = json.loads(log.read_text().splitlines()[-1])
    assert check["n"] == 25
    assert check["start"]["gain"] == check["start"]["score"]


REFUSED = [
    (Request("flat"), "flat"),
    (Request("mountain"), "mountain"),
    (Request("hill", parameters=("c",)), "'c'"),
    (Request("hill", ("vale",)), "vale"),
    (Request("hill", method="luck"), "'luck'"),
    (Request("hill", score="fun"), "'fun'"),
    (Request("hill", pairs=3), "3"),
]


@pytest.mark.parametrize(("request_", "value"), REFUSED, ids=[value for _, value in REFUSED])
def test_what_cannot_be_tuned_is_refused_in_a_line_that_names_it(tmp_path: Path, request_: Request, value: str) -> None:
    with pytest.raises(ToldError) as caught:
        tune(request_, 1, tmp_path / "log")
    assert value in caught.value.en
    assert value in caught.value.zh


def test_the_log_of_another_request_is_not_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = str(tmp_path / "log")
    arguments = ["hill", "--rounds", "1", "--pairs", "8", "--log", log]
    assert tuning.main(arguments) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("hill?a=")
    assert tuning.main([*arguments, "--seed", "2"]) == 2
    assert log in capsys.readouterr().err
