"""Runs of boards: where their contexts come from, that they are repeatable to the byte, and their figures."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from streamlit.testing.v1 import AppTest

from dashboard import launch
from engine import _core
from engine.bulk import FINISH_ORDERS
from engine.cards import LEVELS
from engine.context import Context
from engine.rules import Rules
from engine.ruleset import load_rules
from sim import figures, run, run_file, stats, store
from sim.boards import DRAWN, contexts_of_match, find_boards
from sim.errors import SimError
from sim.exclusions import exclude
from sim.replay import replay
from sim.request import Detail, RunRequest, new_request
from tests.support import old_run_file
from tests.support.cases import extra_cases
from tests.support.small_run import data_of, quiet

LINES = ("A/K 0213 1/0 - tribute", "2/2 - 0/0 2 none", "5/J 3021 0/0 - tribute")


def make(
    folder: Path,
    *,
    boards: tuple[str, ...] | None = None,
    pairs: int = 60,
    x: str = "greedy",
    y: str = "random",
    rules: str = "national",
    detail: Detail = "deals",
    workers: int = 1,
) -> Path:
    request = new_request(x, y, pairs=pairs, seed=4, rules=rules, detail=detail, block_pairs=20, boards=boards)
    run.play(run.start(request, folder), run.LocalExecutor(workers), quiet)
    return folder


def read(folder: Path, table: str) -> list[dict[str, Any]]:
    rows = [row for path in store.committed_files(folder, table) for row in pq.read_table(path).to_pylist()]
    return sorted(rows, key=lambda row: (row["pair"], row.get("leg"), row.get("deal")))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Matches of equal players under rules that drop a side from A."""
    return make(tmp_path_factory.mktemp("recorded"), x="random", pairs=80, rules="zhuozhou-event")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("boards"), x="random", boards=find_boards("uniform", 300, 4), pairs=300)


# ---- where they come from -------------------------------------------------------------------------------------------


def test_uniform_boards_are_one_a_pair_up_to_a_limit() -> None:
    assert find_boards("uniform", 30, 4) == find_boards("uniform", 40, 4)[:30]
    assert len(find_boards("uniform", 10**6, 4)) == DRAWN
    assert find_boards("uniform", 30, 4) != find_boards("uniform", 30, 5)


def test_a_file_holds_a_context_a_line_with_comments(tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(f"# 打A\n{LINES[0]}  # one\n\n  {LINES[1].replace(' ', '   ')}\n")
    assert find_boards(str(path), 30, 4) == LINES[:2]


def test_a_context_stands_for_itself() -> None:
    assert find_boards("A/K  0213 1/0 -  tribute", 30, 4) == LINES[:1]


def test_a_run_of_boards_stands_for_its_boards(tmp_path: Path) -> None:
    assert find_boards(str(make(tmp_path, boards=LINES)), 2, 99) == LINES


def refused(spec: str | Path) -> SimError:
    with pytest.raises(SimError) as error:
        find_boards(str(spec), 30, 4)
    for line in (error.value.text("zh"), error.value.text("en")):
        assert "\n" not in line
    return error.value


@pytest.mark.parametrize("spec", ["uniforn", "nowhere.txt", "A/K", "x" * 5000, "A/K 0213 1/1 - tribute", "a b"])
def test_what_is_none_of_the_four_ways_is_told_with_all_four(spec: str) -> None:
    text = str(refused(spec))
    for way in ("uniform", "the folder of a run", "a file with a context a line", "one context"):
        assert way in text


def test_a_wrong_line_of_a_file_is_named_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(f"# A\n{LINES[0]}\nA/K 0213 3/3 - tribute\n")
    assert f"{path}:3: fails 3/3: a side at K has none, write 0" in str(refused(path))
    for empty in (b"", b"# nothing\n"):
        path.write_bytes(empty)
        assert "there are 0 boards; give 1 to 10000" in str(refused(path))
    path.write_text(f"{LINES[0]}\n" * 10_001)
    assert "there are 10001 boards" in str(refused(path))
    path.write_bytes(b"\xff\xfe")
    assert refused(path).code == "file_unreadable"


def test_only_a_finished_run_with_deals_can_be_sampled(tmp_path: Path, recorded: Path) -> None:
    assert refused(tmp_path).code == "run_missing"
    assert refused(make(tmp_path / "pairs", detail="matches")).code == "boards_no_deals"
    started = new_request("greedy", "random", pairs=60, seed=4)
    run.start(started, tmp_path / "started")
    assert refused(tmp_path / "started").code == "boards_unfinished"


def test_a_run_with_excluded_blocks_is_not_sampled_and_says_so(tmp_path: Path) -> None:
    request = new_request("greedy", "random", pairs=4, seed=4, block_pairs=2)
    run.play(run.start(request, tmp_path), run.LocalExecutor(1), lambda state: None)
    exclude(tmp_path, ["1"], "odd")
    assert "1 blocks of" in (told := str(refused(tmp_path)))
    assert "are excluded" in told


# ---- sampled from a run ---------------------------------------------------------------------------------------------


def matches_of(folder: Path) -> dict[tuple[int, int], list[dict[str, Any]]]:
    matches: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for row in read(folder, "deals"):
        matches.setdefault((row["pair"], row["leg"]), []).append(row)
    return matches


def rebuilt(deals: Sequence[dict[str, Any]], leg: int, rules: Rules) -> list[Context]:
    levels = ("x_level_before", "y_level_before", "x_level_after", "y_level_after")
    names = (*levels, "declarer", "winner", "a_attempt", "finish_order")
    rows: list[Any] = [tuple(row[name] for name in names) for row in deals]
    return contexts_of_match(rows, leg, rules)


def walked(deals: Sequence[dict[str, Any]], rules: Rules) -> list[Context]:
    """Give the context before each deal by letting `promote` walk from one to the next."""
    levels, declarer, fails, contexts, order = (0, 0), -1, (0, 0), [], None
    for number, row in enumerate(deals):
        lead = row["lead_seat"] if rules.first_lead == "rotation" else None
        contexts.append(Context((LEVELS[levels[0]], LEVELS[levels[1]]), order, fails, lead))
        order = tuple(int(c) for c in row["finish_order"] if c.isdigit())
        levels, declarer, fails, *_ = _core.promote(rules.core(), levels, declarer, fails, number, bytes(order))
    return contexts


@pytest.mark.parametrize(
    "switches",
    [
        {},
        {"a_fail_limit": 1},
        {"a_fail_limit": 3},
        {"a_fail_limit": 2, "a_fail_counts": "own_last", "a_drop_level": "K"},
        {"a_fail_limit": 3, "a_plus": True},
        {"first_lead": "rotation", "tribute": False},
    ],
    ids=str,
)
def test_the_context_before_each_deal_is_what_promotion_makes_of_the_deals_before(
    tmp_path: Path, switches: dict[str, Any]
) -> None:
    path = tmp_path / "mine.toml"
    text = "\n".join(f"{name} = {json.dumps(value)}" for name, value in switches.items())
    path.write_text(f'base = "national"\n[rules]\n{text}\n')
    folder = make(tmp_path / "run", x="random", pairs=40, rules=str(path))
    rules, seen = load_rules(str(path)).rules, 0
    assert rules == dataclasses.replace(load_rules("national").rules, **switches)
    for (_, leg), deals in matches_of(folder).items():
        assert rebuilt(deals, leg, rules) == walked(deals, rules)
        seen += sum(any(context.fails) for context in rebuilt(deals, leg, rules))
    assert (seen > 0) == (switches.get("a_fail_limit", 0) > 1)


def test_a_sample_has_the_frequencies_of_the_run(recorded: Path) -> None:
    rules = load_rules("zhuozhou-event").rules
    population = Counter(
        str(context) for (_, leg), deals in matches_of(recorded).items() for context in rebuilt(deals, leg, rules)
    )
    sample = Counter(find_boards(str(recorded), 5000, 4))
    assert sample.total() == 5000
    assert sample.keys() <= population.keys()
    common = [line for line, count in population.items() if count * 5000 / population.total() >= 20]
    assert len(common) > 10
    for line in common:
        share = population[line] / population.total()
        assert abs(sample[line] / 5000 - share) < 4.5 * (share * (1 - share) / 5000) ** 0.5, line
    firsts = sum(count for line, count in sample.items() if Context.parse(line).order is None)
    share = len(matches_of(recorded)) / population.total()
    assert abs(firsts / 5000 - share) < 4 * (share * (1 - share) / 5000) ** 0.5


def test_a_tie_break_deal_is_no_context(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('base = "national"\n[rules]\nlimit_deals = 2\ntie_break = true\n')
    folder = make(tmp_path / "run", x="random", pairs=80, rules=str(path))
    matches = matches_of(folder)
    assert sum(len(deals) for deals in matches.values()) > 2.15 * len(matches)
    sample = find_boards(str(folder), 5000, 4)
    firsts = sum(Context.parse(line).order is None for line in sample)
    assert abs(firsts / 5000 - 1 / 2) < 4 * 0.5 / 5000**0.5


def test_a_sample_is_a_function_of_the_run_and_the_seed(recorded: Path) -> None:
    assert find_boards(str(recorded), 200, 4) == find_boards(str(recorded), 300, 4)[:200]
    assert find_boards(str(recorded), 200, 4) != find_boards(str(recorded), 200, 5)


# ---- the run --------------------------------------------------------------------------------------------------------


def test_data_of_boards_are_the_same_bytes_for_one_and_two_threads(tmp_path: Path, recorded: Path) -> None:
    boards = find_boards(str(recorded), 60, 4)
    one, two = (make(tmp_path / str(workers), boards=boards, workers=workers) for workers in (1, 2))
    assert data_of(one) == data_of(two)
    assert len(data_of(one)) == 15


def test_boards_are_part_of_the_request_and_of_its_name(tmp_path: Path) -> None:
    folder = make(tmp_path / "one", boards=LINES)
    request = run_file.load(folder).request
    assert request.boards == LINES
    assert RunRequest.from_dict(json.loads(json.dumps(request.as_dict()))) == request
    names = {
        run_file.load(make(tmp_path / name, boards=b)).id for name, b in (("a", LINES), ("b", LINES[:2]), ("c", None))
    }
    assert len(names) == 3
    assert run.start(request, folder).complete
    with pytest.raises(SimError, match="its boards is"):
        run.start(dataclasses.replace(request, boards=LINES[:2]), folder)


@pytest.mark.parametrize(
    ("boards", "message"),
    [
        ([], "there are 0 boards"),
        ("A/K 0213 1/0 - tribute", "boards has a value of the wrong type"),
        ([5], "boards has a value of the wrong type"),
        ([LINES[0], "A/K  0213 1/0 - tribute"], "must be written A/K 0213 1/0 - tribute"),
        ([LINES[0], "A/K 0213 1/2 - tribute"], "boards 2: fails 1/2"),
    ],
)
def test_a_request_with_wrong_boards_is_refused_and_so_is_its_file(
    tmp_path: Path, boards: object, message: str
) -> None:
    fields = new_request("greedy", "random", pairs=10, seed=1).as_dict() | {"boards": boards}
    with pytest.raises(SimError, match=message):
        RunRequest.from_dict(fields)
    folder = make(tmp_path)
    stored = json.loads((folder / "run.json").read_text())
    stored["shared"]["boards"] = boards
    (folder / "run.json").write_text(json.dumps(stored))
    with pytest.raises(SimError, match=r"run\.json is damaged \(match_ups\.0\.boards: "):
        run_file.load(folder)


def test_a_run_file_of_the_format_before_boards_is_read(tmp_path: Path) -> None:
    folder = make(tmp_path)
    old_run_file.write(folder, 1, without=("boards", "on_fault"))
    assert run_file.load(folder).request.boards is None
    assert run_file.load(folder).request.on_fault == "stop"


def test_a_board_is_a_match_of_one_deal_from_its_context(played: Path) -> None:
    boards = run_file.load(played).request.boards
    assert boards is not None
    matches, deals = read(played, "matches"), read(played, "deals")
    assert {match["deals"] for match in matches} == {1}
    assert {match["end_reason"] for match in matches} == {"board", "passed_a"}
    for deal in deals:
        context = Context.parse(boards[deal["pair"] % len(boards)])
        levels = tuple(LEVELS.index(level) + 2 for level in context.levels)
        assert (deal["x_level_before"], deal["y_level_before"]) == (levels if deal["leg"] == 1 else levels[::-1])


@pytest.mark.parametrize("leg", [1, 2])
def test_a_board_replayed_is_its_stored_row(tmp_path: Path, leg: int) -> None:
    folder = make(tmp_path, boards=LINES, pairs=20)
    for pair in (0, 1, 5, 19):
        again = replay(folder, pair, leg, 1)
        assert again.stored is not None
        assert again.differences == ()
        assert again.stored["finish_order"] in FINISH_ORDERS
    with pytest.raises(SimError, match="has the deals 1 to 1"):
        replay(folder, 0, leg, 2)


# ---- figures --------------------------------------------------------------------------------------------------------


def test_the_score_of_boards_is_the_mean_of_signed_levels_of_both_legs(played: Path) -> None:
    legs: dict[int, list[int]] = {}
    for match in read(played, "matches"):
        legs.setdefault(match["pair"], []).append(match["x_steps"] - match["y_steps"])
    found = figures.headline(played).score.boards
    assert found is not None
    assert isinstance(found.score, stats.Estimate)
    assert isinstance(found.seat, stats.Estimate)
    assert found.score.value == pytest.approx(sum(map(sum, legs.values())) / 600)
    assert found.seat.value == pytest.approx(sum(one - two for one, two in legs.values()) / 600)
    assert (found.pairs, found.score.units) == (300, 300)
    assert isinstance(found.rho, float)
    assert isinstance(found.gain, float)
    assert found.gain == pytest.approx(1 / (1 + found.rho))


def test_pairs_alone_give_the_score_of_boards_and_no_correlation(tmp_path: Path, played: Path) -> None:
    boards = run_file.load(played).request.boards
    alone = figures.headline(make(tmp_path, x="random", boards=boards, pairs=300, detail="pairs")).score.boards
    whole = figures.headline(played).score.boards
    assert alone is not None
    assert whole is not None
    assert alone.score == whole.score
    assert alone.rho == stats.NotEstimable("no_data", 300, 300)


def test_one_deterministic_strategy_on_both_sides_has_no_score(tmp_path: Path) -> None:
    found = figures.headline(make(tmp_path, y="greedy", boards=LINES)).score.boards
    assert found is not None
    assert found.score == stats.NotEstimable("same_strategy", 60, 60)


def test_the_report_of_boards_says_boards_and_nothing_of_matches(played: Path) -> None:
    for language, there, gone in (
        ("en", ("600 boards", "Net levels per deal", "leg correlation"), ("match", "safety cap", "Length")),
        ("zh", ("600 副定局", "每副净升级"), ("轮副数", "安全上限", "长度")),
    ):
        text = figures.as_text(figures.headline(played), language)  # type: ignore[arg-type]
        assert [word for word in there if word not in text] == []
        assert [word for word in gone if word in text] == []


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("kind", ["deals", "pairs", "same"])
def test_the_page_shows_a_run_of_boards(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, played: Path, kind: str, language: str
) -> None:
    folder = {
        "deals": lambda: played,
        "pairs": lambda: make(tmp_path, boards=LINES, detail="pairs"),
        "same": lambda: make(tmp_path, y="greedy", boards=LINES),
    }[kind]()
    monkeypatch.setenv(launch.DIRECTORY_VARIABLE, str(folder))
    monkeypatch.setenv(launch.LANGUAGE_VARIABLE, language)
    page = AppTest.from_file(str(Path(launch.__file__).with_name("app.py")), default_timeout=60).run()
    assert not page.exception
    assert not page.error
    headline = figures.headline(folder)
    assert page.code[-1].value.rstrip() == figures.as_text(headline, language).rstrip()  # type: ignore[arg-type]
    texts = "\n".join(str(part.value) for part in (*page.caption, *page.subheader))
    assert f"--boards {folder}" in texts
    assert not {"Length", "长度"} & {part.value for part in page.subheader}
    boards = headline.score.boards
    assert boards is not None
    if isinstance(boards.score, stats.Estimate):
        assert f"**{boards.score.value:.2f}**" in texts


def case(kind: str, name: str) -> dict[str, Any]:
    return next(case for case in extra_cases("stats", "*.jsonl") if (case["kind"], case.get("id")) == (kind, name))


def test_signed_steps_of_twelve_boards_are_evaluated_as_computed_by_hand() -> None:
    given = case("variance_components", "vc-12")
    found = stats.duplicate_steps(Counter(zip(given["input"]["leg1"], given["input"]["leg2"], strict=True)))
    assert isinstance(found.score, stats.Estimate)
    assert isinstance(found.seat, stats.Estimate)
    expected = given["expected"]
    assert found.score.value == pytest.approx(expected["skill"])
    assert found.score.se == pytest.approx(expected["skill_se"])
    assert found.seat.value == pytest.approx(expected["seat"])
    assert found.seat.se == pytest.approx(expected["seat_se"])
    # the case takes the variances of the legs as equal, we do not: nearly the same
    assert found.rho == pytest.approx(expected["rho"], abs=0.005)


def test_published_scores_of_256_boards_give_the_published_interval() -> None:
    given = case("hand_pairs_hist", "guandan-real-3")
    histogram = zip(given["input"]["twice_pair_score"], given["input"]["counts"], strict=True)
    found = stats.duplicate_steps({(twice // 2, twice - twice // 2): count for twice, count in histogram})
    assert isinstance(found.score, stats.Estimate)
    expected = given["expected"]
    assert (found.score.value, found.score.se) == pytest.approx((expected["mean"], expected["se"]), abs=1e-6)
    assert [found.score.lo, found.score.hi] == pytest.approx(expected["ci95_t"], abs=1e-6)


def test_degenerate_boards_are_not_estimable() -> None:
    assert stats.duplicate_steps({}).score == stats.NotEstimable("no_data")
    assert stats.duplicate_steps({(3, -1): 1}).score == stats.NotEstimable("one_unit", 1, 1)
    alike = stats.duplicate_steps({(3, 3): 50})
    assert alike.score == alike.rho == stats.NotEstimable("no_variation", 50, 50)
    with pytest.raises(ValueError, match="not negative"):
        stats.duplicate_steps({(3, 3): -1})
