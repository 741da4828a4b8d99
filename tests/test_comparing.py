"""`guandan compare` and `guandan scorecard`: differences pair by pair, as numpy has them, and refusals in one line."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import NormalDist

import duckdb
import numpy as np
import pytest

from cluster.cli import main
from sim import comparing, figures, run, run_file, scorecard
from sim.boards import find_boards
from sim.errors import Language
from sim.experiment import Experiment
from sim.measures import MEASURES
from sim.request import new_request
from sim.scorecard import Card, Line, place_of
from sim.stats import Estimate, NotEstimable, simultaneous_level
from sim.targets import METRICS, Target
from tests.support.small_run import quiet

BANDS = (("deals_per_match", 5.0, 50.0), ("a_passed", 0.99, 1.0), ("score", 0.0, 0.0125), ("steps_3", 0.0, 0.1))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of three under two rule sets, with bands."""
    at = tmp_path_factory.mktemp("runs") / "league"
    asked = Experiment(
        strategies=("greedy", "random", "solid"),
        pairs=60,
        rules=("national", "sheet"),
        block_pairs=30,
        targets=tuple(Target(*band) for band in BANDS),
    )
    run.play(run.start(asked.requests(), at, asked.aims), run.LocalExecutor(2), quiet)
    return at


@pytest.fixture(scope="module")
def even(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Players who win in turn, under two rule sets."""
    at = tmp_path_factory.mktemp("runs") / "even"
    asked = Experiment(strategies=("random", "random"), pairs=60, rules=("national", "sheet"), block_pairs=60)
    run.play(run.start(asked.requests(), at, asked.aims), run.LocalExecutor(2), quiet)
    return at


def per_pair(folder: Path, number: int, value: str) -> np.ndarray:
    """Give n and y of each pair, [pairs, 2], in plain SQL."""
    with duckdb.connect() as tables:
        rows = tables.execute(f"select {value} from '{folder}/pairs/{number:03}-*.parquet' order by pair").fetchall()
    return np.array(rows, float)


# measure -> n and y of pairs, whether it turns round when y is spoken of, scale
COUNTED = {
    "score": ("legs, x_half_points_1 + x_half_points_2", 2),
    "deal_win": ("deals, x_deals_won", 1),
    "signed_steps": ("deals, x_steps - y_steps", 1),
    "deals_per_match": ("legs, deals", 1),
    "a_passed": ("x_a_attempts + y_a_attempts, x_a_passed + y_a_passed", 1),
    "seat": ("1, x_half_points_1 - x_half_points_2", 4),
    "refusal_double": ("double_due, double_refused", 1),
    "next_win_single": ("single_due - single_refused, single_paid_won", 1),
    "steps_2": ("deals, x_steps_2 + y_steps_2", 1),
}


def difference(one: np.ndarray, two: np.ndarray, scale: int, level: float) -> tuple[float, float, float]:
    """Give first minus second with its interval, by the shares of the pairs."""
    ratios = [each[:, 1].sum() / each[:, 0].sum() for each in (one, two)]
    shares = [(each[:, 1] - r * each[:, 0]) / each[:, 0].sum() for each, r in zip((one, two), ratios, strict=True)]
    c = int(((one[:, 0] > 0) | (two[:, 0] > 0)).sum())
    se = np.sqrt(c / (c - 1) * ((shares[0] - shares[1]) ** 2).sum()) / scale
    value, z = (ratios[0] - ratios[1]) / scale, NormalDist().inv_cdf(0.5 + level / 2)
    return value, value - z * se, value + z * se


def ends(figure: figures.Figure) -> tuple[float, float, float]:
    assert isinstance(figure, Estimate)
    return figure.value, figure.lo, figure.hi


@pytest.mark.parametrize("name", COUNTED)
def test_rule_sets_differ_pair_by_pair(even: Path, name: str) -> None:
    """The same strategies under two rule sets; all measures that come from pairs/ count as one family."""
    found = comparing.compare(comparing.places([f"{even}:0", f"{even}:1"]), METRICS)
    (line,) = [each for each in found[0].differences if each.measure == name]
    value, scale = COUNTED[name]
    expected = difference(per_pair(even, 0, value), per_pair(even, 1, value), scale, simultaneous_level(len(METRICS)))
    assert ends(line.difference) == pytest.approx(expected)


def test_two_against_the_same_opponent_are_turned_to_face_it(folder: Path) -> None:
    """Greedy v random beside random v solid: what greedy and solid score against random."""
    (found,) = comparing.compare(comparing.places([str(folder), "0", "2"]), ("score", "deal_win", "signed_steps"))
    assert (found.first, found.second) == ("greedy v random · national", "solid v random · national")
    heads = [figures.headline(folder, number) for number in (0, 2)]
    won = found.differences[1]
    values = [head.score.deal_win for head in heads]
    assert ends(won.first)[0] == pytest.approx(ends(values[0])[0])
    assert ends(won.second)[0] == pytest.approx(1 - ends(values[1])[0])
    steps = found.differences[2]
    assert ends(steps.second)[0] == pytest.approx(-ends(heads[1].score.signed_steps)[0])


def test_a_measure_has_the_interval_that_it_has_alone(folder: Path) -> None:
    (found,) = comparing.compare(comparing.places([f"{folder}:1", "4"]), METRICS)
    values = {line.measure: line.first for line in found.differences}
    head = figures.headline(folder, 1)
    assert values["score"] == head.score.match
    assert values["deal_win"] == head.score.deal_win
    assert values["signed_steps"] == head.score.signed_steps
    assert values["deals_per_match"] == head.length.deals
    assert values["refusal_double"] == head.tribute.refusal["double"]
    assert values["next_win_single"] == head.tribute.next_win["single"]


def test_every_target_has_its_measure() -> None:
    assert set(METRICS) <= set(MEASURES)
    assert all(MEASURES[name].table == "pairs" for name in METRICS)


def test_common_pairs_of_two_runs_are_those_of_both(folder: Path, tmp_path: Path) -> None:
    request = new_request("greedy", "solid", pairs=45, seed=1, block_pairs=45, rules="zhuozhou-general")
    run.play(run.start(request, tmp_path / "other"), run.LocalExecutor(1), quiet)
    (found,) = comparing.compare(comparing.places([str(tmp_path / "other"), f"{folder}:1"]), ("deals_per_match",))
    assert found.pairs == 45
    expected = difference(
        per_pair(tmp_path / "other", 0, "legs, deals"), per_pair(folder, 1, "legs, deals")[:45], 1, 0.95
    )
    assert ends(found.differences[0].difference) == pytest.approx(expected)


def test_boards_are_compared_by_what_deals_have(tmp_path: Path) -> None:
    boards = find_boards("uniform", 40, 1)
    for name in ("greedy", "solid"):
        request = new_request(name, "random", pairs=40, seed=1, block_pairs=40, boards=boards)
        run.play(run.start(request, tmp_path / name), run.LocalExecutor(1), quiet)
    places = comparing.places([str(tmp_path / "greedy"), str(tmp_path / "solid")])
    (found,) = comparing.compare(places, ("score", "deals_per_match", "deal_win", "signed_steps"))
    shown = [isinstance(line.first, Estimate) for line in found.differences]
    assert shown == [False, False, True, True]


def refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Give the one line with which both languages refuse."""
    lines = []
    for language in ("zh", "en"):
        assert main([*words, "--lang", language]) == 2
        lines.append(capsys.readouterr().err)
        assert lines[-1].count("\n") == 1
    assert lines[0] != lines[1]
    return lines[1]


def test_what_cannot_be_compared_is_refused_in_one_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, request in {
        "seed": new_request("greedy", "solid", pairs=30, seed=2),
        "strangers": new_request("greedy", "greedy", pairs=30, seed=1),
        "nothing": new_request("greedy", "solid", pairs=30, seed=1),
    }.items():
        session = run.start(request, tmp_path / name)
        if name != "nothing":
            run.play(session, run.LocalExecutor(1), quiet)
    for others, said in {
        (f"{folder}:1",): "two match-ups or more",
        (f"{folder}:1", "1"): "with itself",
        (f"{folder}:1", str(folder)): "several match-ups",
        (f"{folder}:1", "9"): "9",
        (f"{folder}:1", str(tmp_path / "seed")): "other deals",
        (f"{folder}:2", str(tmp_path / "strangers")): "no strategy in common",
        (f"{folder}:1", str(tmp_path / "nothing")): "no pair",
        (f"{folder}:1", "4", "--measure", "luck"): "luck",
        (f"{folder}:1", str(tmp_path / "nowhere")): "nowhere",
    }.items():
        assert said in refused(["compare", *others], capsys), others
    assert "one rule set" in refused(["scorecard", str(tmp_path / "seed")], capsys)
    assert "no rule set ogd" in refused(["scorecard", str(folder), "--reference", "ogd"], capsys)


def lines_of(card: Card) -> dict[str, Line]:
    return {line.metric: line for line in card.lines}


def test_a_scorecard_has_variant_less_reference_and_the_bands_of_the_run(folder: Path) -> None:
    found = scorecard.cards(run_file.load(folder))
    assert [card.numbers for card in found] == [(0, 3), (1, 4), (2, 5)]
    level = simultaneous_level(2 * len(scorecard.METRICS) * 3)
    card = found[1]
    lines = lines_of(card)
    for name in ("deals_per_match", "signed_steps", "a_passed"):
        value, scale = COUNTED[name]
        expected = difference(per_pair(folder, 4, value), per_pair(folder, 1, value), scale, level)
        assert ends(lines[name].difference) == pytest.approx(expected)
    assert ends(lines["score"].reference) == ends(figures.headline(folder, 1).score.match)
    wide, plain = ends(lines["deals_per_match"].variant), ends(figures.headline(folder, 4).length.deals)
    assert wide[0] == plain[0]
    assert wide[2] - wide[1] > 1.5 * (plain[2] - plain[1])
    assert {name for name, line in lines.items() if line.band} == {name for name, *_ in BANDS}
    assert lines["deals_per_match"].place == "inside"
    assert lines["a_passed"].place == "outside"
    assert lines["score"].place == "straddles"
    turned = lines_of(scorecard.cards(run_file.load(folder), "sheet")[1])
    assert ends(turned["a_passed"].difference)[0] == pytest.approx(-ends(lines["a_passed"].difference)[0])


@pytest.mark.parametrize(
    ("low", "high", "place"),
    [
        (0.3, 0.7, "inside"),
        (0.4, 0.6, "inside"),
        (0.61, 0.7, "outside"),
        (0.0, 0.39, "outside"),
        (0.5, 0.9, "straddles"),
        (0.45, 0.55, "straddles"),
    ],
)
def test_an_interval_lies_inside_outside_or_across_an_edge(low: float, high: float, place: str) -> None:
    value = Estimate(0.5, 0.4, 0.6, 0.05, 100, 100)
    assert place_of(value, Target("score", low, high)) == place
    assert place_of(NotEstimable("too_few"), Target("score", low, high)) == "open"


def test_equal_strategies_have_a_card_of_their_own(tmp_path: Path) -> None:
    asked = Experiment(
        strategies=("greedy", "random", "greedy"),
        form="gauntlet",
        pairs=40,
        rules=("national", "sheet"),
        block_pairs=40,
    )
    run.play(run.start(asked.requests(), tmp_path / "run", asked.aims), run.LocalExecutor(1), quiet)
    first, second = scorecard.cards(run_file.load(tmp_path / "run"))
    assert (first.equal, second.equal) == (True, False)  # without skill first
    lines = lines_of(first)
    assert isinstance(lines["score"].difference, NotEstimable)
    assert lines["score"].difference.reason == "same_strategy"
    assert isinstance(lines["deals_per_match"].difference, Estimate)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_text_and_json_have_the_same_lines(
    folder: Path, language: Language, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scorecard", str(folder), "--lang", language]) == 0
    text = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert main(["scorecard", str(folder), "--lang", language, "--json"]) == 0
    values = json.loads(capsys.readouterr().out)
    for card, exact in zip(scorecard.cards(run_file.load(folder)), values, strict=True):
        for cells in scorecard.rows(card, language):
            assert " ".join(" ".join(cells).split()) in text
        shown = {line["metric"]: line for line in exact["lines"]}
        for name, line in lines_of(card).items():
            if isinstance(line.difference, Estimate):
                assert shown[name]["difference"]["value"] == line.difference.value
            assert shown[name]["place"] == line.place
    assert main(["compare", f"{folder}:1", "4", "--measure", "all", "--lang", language]) == 0
    assert "nan" not in capsys.readouterr().out
