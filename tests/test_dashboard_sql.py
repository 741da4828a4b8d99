"""Figures of the page recomputed from deals/ in plain SQL, without any code of ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest

from dashboard import queries
from dashboard.wording import View, labelled, score_rows, to_table
from sim import figures
from sim.counts import EVERYTHING
from sim.reading import snapshot
from sim.stats import Estimate
from tests.support.runs import make_run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "even", "random", "random", 200)


@pytest.fixture(scope="module")
def page(run: Path) -> dict[str, pd.DataFrame]:
    """Tables as the page shows them, by figure; the first column is the label."""
    view = View(queries.read_page(snapshot(run), figures.headline(run), EVERYTHING), EVERYTHING, "en")
    shown = {
        name: to_table(view, labelled(view, name, frame))
        for name, frame in view.page.frames.items()
        if "value" in frame
    }
    shown["score"] = to_table(view, score_rows(view))
    shown["lengths"] = view.page.frames["lengths"]
    return shown


def ask(sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        return connection.execute(sql).fetchall()


QUERIES = {
    ("score", "Score of random (X)"): """
        select avg(if(declarer = 'x', 1, 0)), count(*) from deals where a_attempt = 'passed'""",
    ("score", "Deals won by random (X)"): """
        select avg(if(winner = 'x', 1, 0)), count(*) from deals""",
    ("refusals", "Single tribute refused"): """
        select avg(if(tribute = 'single_refused', 1, 0)), count(*) from deals where tribute like 'single%'""",
    ("refusals", "Double tribute refused"): """
        select avg(if(tribute = 'double_refused', 1, 0)), count(*) from deals where tribute like 'double%'""",
    ("kinds", "double"): """
        select avg(if(tribute = 'double', 1, 0)), count(*) from deals where deal > 1""",
    ("next_wins", "single"): """
        select avg(if(winner = declarer, 1, 0)), count(*) from deals where tribute = 'single'""",
    ("next_wins", "double"): """
        select avg(if(winner = declarer, 1, 0)), count(*) from deals where tribute = 'double'""",
    ("given", "big joker"): """
        select avg(if(card = 'HR', 1, 0)), count(*)
        from (select given_1 as card from deals union all select given_2 from deals) where card is not null""",
    ("returned", "10"): """
        select avg(if(card like '_T' and level <> 10, 1, 0)), count(*)
        from (select returned_1 as card, level from deals union all select returned_2, level from deals)
        where card is not null""",
    ("exchanges", "big joker → 4"): """
        select avg(won), count(*) from (
            select if(winner = declarer, 1, 0) as won, given_1 as given, returned_1 as returned, level from deals
            union all select if(winner = declarer, 1, 0), given_2, returned_2, level from deals)
        where given = 'HR' and returned like '_4' and level <> 4""",
    ("tries", "random (X) · passed"): """
        select avg(if(a_attempt = 'passed', 1, 0)), count(*) from deals where level = 14 and declarer = 'x'""",
    ("tries", "random (Y) · won, but partner too low"): """
        select avg(if(winner = 'y' and steps = 1, 1, 0)), count(*) from deals where level = 14 and declarer = 'y'""",
    ("tries_by_number", "first try"): """
        select avg(if(a_attempt = 'passed', 1, 0)), count(*)
        from (select *, if(declarer = 'x', x_a_fails, y_a_fails) + if(a_attempt = 'passed', 1, 0) as number from deals)
        where a_attempt <> 'none' and number = 1""",
    ("steps", "random (X) · 3 levels: 1st + 2nd"): """
        select avg(if(end_reason = 'double_down', 1, 0)), count(*) from deals where winner = 'x'""",
    ("steps", "random (Y) · 1 level: 1st + last"): """
        select avg(if(regexp_matches(finish_order, '0..2|2..0|1..3|3..1'), 1, 0)), count(*)
        from deals where winner = 'y'""",
    ("level_map", "random (X) A · random (Y) A"): """
        with won as (select pair, leg, if(declarer = 'x', 1, 0) as by_x from deals where a_attempt = 'passed')
        select avg(by_x), count(*) from deals join won using (pair, leg)
        where x_level_before = 14 and y_level_before = 14""",
}


@pytest.mark.parametrize(("figure", "label"), QUERIES, ids=lambda part: str(part))
def test_a_figure_of_the_page_is_what_plain_sql_over_deals_gives(
    run: Path, page: dict[str, pd.DataFrame], figure: str, label: str
) -> None:
    sql = QUERIES[figure, label].replace("from deals", f"from '{run}/deals/*.parquet'")
    (answer,) = ask(sql)
    row = page[figure].set_index("category").loc[label]
    events = row["pairs"] * 2 if (figure, label) == ("score", "Score of random (X)") else row["n"]
    assert row["value"] == pytest.approx(answer[0], rel=1e-12)
    assert events == answer[1]


def test_the_standard_error_of_a_rate_is_that_of_its_pairs(run: Path) -> None:
    """Linearised over pairs in SQL; the interval is Wilson's at the effective number of deals."""
    sql = f"""
        with p as (select pair, count(*) as n, count(*) filter (tribute = 'double_refused') as y
                   from '{run}/deals/*.parquet' where tribute like 'double%' group by pair),
             t as (select count(*) as c, sum(y) / sum(n) as r, sum(n) as total from p)
        select any_value(r), any_value(c) / (any_value(c) - 1) * sum((y - r * n) ** 2) / any_value(total) ** 2
        from p, t"""
    ((rate, variance),) = ask(sql)
    shown = figures.headline(run).tribute.refusal["double"]
    assert isinstance(shown, Estimate)
    assert shown.se == pytest.approx(variance**0.5, rel=1e-9)
    z, size = 1.959963984540054, rate * (1 - rate) / variance
    centre = (rate + z * z / (2 * size)) / (1 + z * z / size)
    half = z / (1 + z * z / size) * (rate * (1 - rate) / size + z * z / (4 * size * size)) ** 0.5
    assert (shown.lo, shown.hi) == pytest.approx((centre - half, centre + half), rel=1e-9)


def test_deals_per_match_and_their_distribution(run: Path, page: dict[str, pd.DataFrame]) -> None:
    sql = f"""
        select deals, count(*) from (select max(deal) as deals from '{run}/deals/*.parquet' group by pair, leg)
        group by all order by all"""
    assert page["lengths"].to_records(index=False).tolist() == ask(sql)
    mean = figures.headline(run).length.deals
    assert isinstance(mean, Estimate)
    lengths = page["lengths"]
    assert mean.value == pytest.approx((lengths["deals"] * lengths["matches"]).sum() / lengths["matches"].sum())
