"""Pass-A, promotion and match flow: every kind of figure is what plain SQL over the rows of the run gives."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sim import figures, report, run, run_file, sheets
from sim.request import new_request
from sim.sheets import Entry
from sim.stats import Estimate, LevelSolution, NotEstimable, State
from tests.support.small_run import quiet

POINTS = "if(side = 'x', x_half_points, 2 - x_half_points)"
TRIES = """
    select pair, leg, deal, declarer as side, a_attempt as result, declarer = 'x' and x_level_after < x_level_before
           or declarer = 'y' and y_level_after < y_level_before as fell, x_half_points,
           row_number() over (partition by pair, leg, declarer order by deal) as number
    from d join (select pair, leg, x_half_points from m) using (pair, leg) where a_attempt <> 'none'"""
# key -> (n, k, scale): SQL of rows (pair, value) to add up; scale 2 where k counts half points
RATES: dict[str, tuple[str, str, int]] = {
    "a_reached x 1": ("select pair, 1 from m", f"select pair, 1 from ({TRIES}) where side = 'x' and number = 1", 1),
    "a_reached y 3": ("select pair, 1 from m", f"select pair, 1 from ({TRIES}) where side = 'y' and number = 3", 1),
    "a_try x 1 passed": (
        f"select pair, 1 from ({TRIES}) where side = 'x' and number = 1",
        f"select pair, 1 from ({TRIES}) where side = 'x' and number = 1 and result = 'passed'",
        1,
    ),
    "a_try y 2 partner_last": (
        f"select pair, 1 from ({TRIES}) where side = 'y' and number = 2",
        f"select pair, 1 from ({TRIES}) where side = 'y' and number = 2 and result = 'partner_last'",
        1,
    ),
    "a_tries y": ("select pair, 1 from m", f"select pair, 1 from ({TRIES}) where side = 'y'", 1),
    "a_cause x deal_lost": (
        f"select pair, 1 from ({TRIES}) where side = 'x' and result <> 'passed'",
        f"select pair, 1 from ({TRIES}) where side = 'x' and result = 'deal_lost'",
        1,
    ),
    "a_share y": ("select pair, 1 from d", f"select pair, 1 from ({TRIES}) where side = 'y'", 1),
    "a_reset x": (
        f"select pair, 1 from ({TRIES}) where side = 'x' and result <> 'passed'",
        f"select pair, 1 from ({TRIES}) where side = 'x' and fell",
        1,
    ),
    "a_resets y": ("select pair, 1 from m", f"select pair, 1 from ({TRIES}) where side = 'y' and fell", 1),
    "a_before x 1": (
        f"select pair, 1 from ({TRIES}) where side = 'x' and number = 1",
        f"select pair, {POINTS} from ({TRIES}) where side = 'x' and number = 1",
        2,
    ),
    "a_after y 1 deal_lost": (
        f"select pair, 1 from ({TRIES}) where side = 'y' and number = 1 and result = 'deal_lost'",
        f"select pair, {POINTS} from ({TRIES}) where side = 'y' and number = 1 and result = 'deal_lost'",
        2,
    ),
    "tie_share": (
        "select pair, 1 from d where tribute = 'double'",
        "select pair, 1 from d where tribute = 'double' and (substr(given_1, 2) = substr(given_2, 2))",
        1,
    ),
    "steps x all 3": (
        "select pair, 1 from d where winner = 'x'",
        "select pair, 1 from d where winner = 'x' and steps = 3",
        1,
    ),
    "steps y 2 2": (
        "select pair, 1 from d where winner = 'y' and level = 2",
        "select pair, 1 from d where winner = 'y' and level = 2 and steps = 2",
        1,
    ),
    "level_map 2 2": (
        "select pair, 1 from d where x_level_before = 2 and y_level_before = 2",
        "select pair, x_half_points from d join (select pair, leg, x_half_points from m) using (pair, leg) "
        "where x_level_before = 2 and y_level_before = 2",
        2,
    ),
    "again x": (
        "select pair, 1 from d where declarer = 'x'",
        "select pair, 1 from d where declarer = 'x' and winner = 'x'",
        1,
    ),
    "comeback y 5": (
        "select pair, 1 from m where exists (from d where d.pair = m.pair and d.leg = m.leg "
        "and x_level_before - y_level_before >= 5)",
        "select pair, 2 - x_half_points from m where exists (from d where d.pair = m.pair and d.leg = m.leg "
        "and x_level_before - y_level_before >= 5)",
        2,
    ),
    "first_leader_deal": (
        "select pair, 1 from d where deal = 1",
        "select pair, 1 from d where deal = 1 and (winner = 'x') = ((lead_seat % 2 = 0) = (leg = 1))",
        1,
    ),
    "first_leader": (
        "select pair, 1 from m",
        "select pair, if((first_lead_seat % 2 = 0) = (leg = 1), x_half_points, 2 - x_half_points) from m",
        2,
    ),
    "first_to_a y": (
        "select pair, 1 from m where first_at_a = 'y'",
        "select pair, 2 - x_half_points from m where first_at_a = 'y'",
        2,
    ),
    "both_at_a": (
        "select pair, 1 from m",
        "select pair, 1 from m where (select max(x_level_after) = 14 and max(y_level_after) = 14 from d "
        "where d.pair = m.pair and d.leg = m.leg)",
        1,
    ),
    "lead_changes": ("select pair, 1 from m", "select pair, lead_changes from m", 1),
    "deals_per_match": ("select pair, 1 from m", "select pair, 1 from d", 1),
    "deal_win": ("select pair, 1 from d", "select pair, 1 from d where winner = 'x'", 1),
    "long": ("select pair, 1 from m", "select pair, 1 from m where deals > 25", 1),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two near equals under three failures and back to 2."""
    at = tmp_path_factory.mktemp("runs") / "sheet"
    request = new_request("solid", "solid-early", pairs=150, seed=6, rules="sheet", block_pairs=60)
    run.play(run.start(request, at), run.LocalExecutor(2), quiet)
    return at


@pytest.fixture(scope="module")
def lines(folder: Path) -> dict[str, Entry]:
    made = report.build(folder, "en")
    return dict(sheets.by_key(made.match_ups[0].sheets))


@pytest.fixture(scope="module")
def tables(folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect()
    for name in ("deals", "matches"):
        connection.execute(f"create view {name[0]} as select * from '{folder}/{name}/*.parquet'")
    yield connection
    connection.close()


def ratio(tables: duckdb.DuckDBPyConnection, n: str, k: str, scale: int = 1) -> tuple[float, float, int, int]:
    """Give ratio, standard error, occasions and pairs, by the formula of docs/data.md."""
    sql = f"""
    with sums as (
        select pair, coalesce(sum(n), 0) as n, coalesce(sum(k), 0) as k
        from (select *, 0 as k from ({n}) as o(pair, n) union all by name select *, 0 as n from ({k}) as e(pair, k))
        group by pair),
    used as (select * from sums where n > 0)
    select sum(k) / sum(n), sqrt(count(*) / (count(*) - 1) * (sum(k * k) - 2 * sum(k) / sum(n) * sum(n * k)
           + (sum(k) / sum(n)) ** 2 * sum(n * n))) / sum(n), sum(n), count(*) from used
    """
    ((value, se, occasions, pairs),) = tables.execute(sql).fetchall()
    return value / scale, se / scale, int(occasions), pairs


@pytest.mark.parametrize("key", RATES)
def test_a_figure_is_that_of_the_rows(key: str, lines: dict[str, Entry], tables: duckdb.DuckDBPyConnection) -> None:
    value, se, n, pairs = ratio(tables, *RATES[key])
    figure = lines[key].figure
    assert (figure.events, figure.units) == (n, pairs)
    if pairs < 30:
        assert isinstance(figure, NotEstimable)
        return
    assert isinstance(figure, Estimate)
    assert (figure.value, figure.se) == pytest.approx((value, se))
    assert figure.lo <= figure.value <= figure.hi


def test_enough_figures_are_compared() -> None:
    assert len(RATES) >= 25


def difference(first: tuple[float, ...], second: tuple[float, ...]) -> float:
    return first[0] - second[0]


def test_snowball_is_the_difference_of_two_rates(lines: dict[str, Entry], tables: duckdb.DuckDBPyConnection) -> None:
    for kind, condition in (("all", "true"), ("double", "tribute = 'double'"), ("refused", "tribute like '%refused'")):
        won, lost = (
            ratio(
                tables,
                f"select pair, 1 from d where declarer = '{side}' and {condition}",
                f"select pair, 1 from d where declarer = '{side}' and winner = 'x' and {condition}",
            )
            for side in "xy"
        )
        figure = lines[f"snowball {kind}"].figure
        assert isinstance(figure, Estimate)
        assert figure.value == pytest.approx(difference(won, lost))
        assert figure.events == won[2] + lost[2]
        assert abs(won[1] - lost[1]) <= figure.se <= won[1] + lost[1]


def test_what_falling_back_costs_is_frequency_times_change(
    lines: dict[str, Entry], tables: duckdb.DuckDBPyConnection
) -> None:
    """Before: every third try of a side. After: those that failed too, since every failure counts in this rule set."""
    rows = tables.execute(f"select side, number, result, fell, {POINTS} as points from ({TRIES})").fetchall()
    (matches,) = tables.execute("select count(*) from m").fetchall()[0]
    for side in "xy":
        own = [row for row in rows if row[0] == side]
        third, fell = [row[4] for row in own if row[1] % 3 == 0], [row[4] for row in own if row[3]]
        assert sorted(fell) == sorted(row[4] for row in own if row[1] % 3 == 0 and row[2] != "passed")
        change = sum(fell) / len(fell) / 2 - sum(third) / len(third) / 2
        figure, cost = lines[f"a_reset_change {side}"].figure, lines[f"a_reset_cost {side}"].figure
        for found, expected in ((figure, change), (cost, change * len(fell) / matches)):
            assert found.events > 0
            if isinstance(found, Estimate):
                assert found.value == pytest.approx(expected)


def test_levels_beyond_a_are_wins_without_a_try(tmp_path: Path) -> None:
    at = tmp_path / "plus"
    request = new_request("solid", "greedy", pairs=40, seed=2, rules="zhuozhou-general", block_pairs=40)
    run.play(run.start(request, at), run.LocalExecutor(1), quiet)
    made = dict(sheets.by_key(report.build(at, "en").match_ups[0].sheets))
    with duckdb.connect() as tables:
        ((beyond, matches),) = tables.execute(
            f"""
            select count(*) filter (a_attempt = 'none' and winner = 'x'), count(*)
            from (select pair, leg, deals as deal from '{at}/matches/*.parquet' where end_reason = 'passed_a')
                 join '{at}/deals/*.parquet' using (pair, leg, deal)"""
        ).fetchall()
    figure = made["a_plus x"].figure
    assert isinstance(figure, Estimate)
    assert figure.value * figure.events == pytest.approx(beyond)
    assert 0 < beyond < matches
    with duckdb.connect() as tables:
        ((short,),) = tables.execute(
            f"""
            select count(*) from '{at}/deals/*.parquet'
            where winner = 'x' and x_level_before = 13 and x_level_after = 13 and finish_order is not null"""
        ).fetchall()
    stayed = made["a_short x"].figure
    assert isinstance(stayed, Estimate)
    assert stayed.value * stayed.events == pytest.approx(short)
    gain = made["a_plus_gain x"].figure
    first = made["a_before x 1"].figure
    if isinstance(gain, Estimate) and isinstance(first, Estimate):
        assert gain.value == pytest.approx(figure.value * (1 - first.value))


def test_decisiveness_follows_the_model_deal_by_deal(tmp_path: Path) -> None:
    at = tmp_path / "model"
    request = new_request("solid", "greedy", pairs=40, seed=3, block_pairs=40)
    run.play(run.start(request, at), run.LocalExecutor(1), quiet)
    made = dict(sheets.by_key(report.build(at, "en").match_ups[0].sheets))
    model = figures.level_model(figures.headline(at))
    assert isinstance(model, LevelSolution)
    with duckdb.connect() as tables:
        rows = tables.execute(
            f"""select pair, leg, deal, x_level_before, y_level_before, declarer, x_half_points
            from '{at}/deals/*.parquet' join (select pair, leg, x_half_points from '{at}/matches/*.parquet')
            using (pair, leg) order by pair, leg, deal"""
        ).fetchall()
    matches: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for pair, leg, _, x, y, declarer, points in rows:
        value = model.by_state[State(x, y, {"x": 0, "y": 1, None: None}[declarer], 0, 0)]
        matches.setdefault((pair, leg), []).append((value, value if points == 2 else 1 - value))
    away = [abs(value - 0.5) for deals in matches.values() for value, _ in deals]
    after = sum(_after(deals) for deals in matches.values())
    for key, expected in (("decisiveness", sum(away) / len(rows)), ("dead_time", after / len(rows))):
        figure = made[key].figure
        assert isinstance(figure, Estimate)
        assert figure.value == pytest.approx(expected)
    assert 0 < after < len(rows)


def _after(deals: list[tuple[float, float]]) -> int:
    """Count the deals from which on the winner's chance stays at 0.9 or above."""
    count = 0
    for _, own in reversed(deals):
        if own < 0.9:
            break
        count += 1
    return count


def test_the_model_of_the_level_map_stands_beside_it(tmp_path: Path) -> None:
    """Without deals who declared is not known; the model then speaks where that makes no difference."""
    request: dict[str, Any] = {"pairs": 40, "seed": 3, "block_pairs": 40}
    found = {}
    for detail in ("deals", "pairs"):
        at = tmp_path / detail
        run.play(
            run.start(new_request("solid", "solid-early", detail=detail, **request), at), run.LocalExecutor(1), quiet
        )
        (made,) = report.build(at, "en").match_ups
        found[detail] = {(cell.x, cell.y): (cell.figure, cell.model) for cell in made.levels}
    assert found["deals"].keys() == found["pairs"].keys()
    for levels, (figure, model) in found["pairs"].items():
        assert figure == found["deals"][levels][0]
        assert (model is None) == (14 in levels) or model == pytest.approx(found["deals"][levels][1])
    start = found["deals"][2, 2]
    solved = figures.level_model(figures.headline(tmp_path / "deals"))
    assert isinstance(solved, LevelSolution)
    assert start[1] == pytest.approx(solved.win)
    assert run_file.load(tmp_path / "pairs").request.detail == "pairs"
