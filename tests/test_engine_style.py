"""Counts of style: what the loop counts is what a plain count of the recorded deals finds, and their sums are exact."""

import numpy as np
import pytest

from engine.bulk import play_pairs
from engine.match import Match
from engine.plays import Kind
from engine.rules import NATIONAL
from engine.ruleset import load_rules
from engine.style import OCCASIONS, RATES, ROLES, SUMS, Style
from strategies.registry import load
from tests.slow.style import pair_sums

pytestmark = pytest.mark.heavy


def slow_table(x: str, y: str, rules: str, pairs: range) -> dict[str, list[int]]:
    """Work out every column of `Style.table` from the records of the matches."""
    played = load_rules(rules).rules
    total = np.zeros((len(SUMS), len(ROLES) * len(RATES)), dtype=np.int64)
    for pair in pairs:
        legs = [list(Match(played, 3, pair, leg, load(x), load(y)).deals()) for leg in (1, 2)]
        found = pair_sums(legs, played)
        xn, xy, yn, yy = (np.array(column, dtype=np.int64) for column in zip(*found.values(), strict=True))
        of_x = (xn > 0, xn, xy, xn * xn, xy * xy, xn * xy)
        of_y = (yn > 0, yn, yy, yn * yn, yy * yy, yn * yy)
        total += np.array([*of_x, *of_y, xn * yn, xn * yy, xy * yn, xy * yy])
    return {name: row.tolist() for name, row in zip(SUMS, total, strict=True)}


@pytest.mark.parametrize(
    ("x", "y", "rules", "pairs"),
    [
        ("greedy", "random", "national", 4),
        ("random", "random", "sheet", 2),
        ("random", "greedy", "zhuozhou-general", 3),
        ("random", "greedy", "ogd", 2),
    ],
)
def test_counts_are_those_of_a_plain_count_of_the_records(x: str, y: str, rules: str, pairs: int) -> None:
    style = play_pairs(load(x), load(y), load_rules(rules).rules, 3, range(pairs), style=True, detail="pairs").style
    assert style is not None
    fast, slow = style.table(), slow_table(x, y, rules, range(pairs))
    names = [(role, rate) for role in ROLES for rate in RATES]
    for column in SUMS:
        wrong = [
            (column, *name, int(a), b) for name, a, b in zip(names, fast[column], slow[column], strict=True) if a != b
        ]
        assert not wrong, wrong[:10]


def test_every_rate_and_occasion_occurs_in_some_match() -> None:
    style = Style()
    for x, y, rules in (
        ("random", "random", "national"),
        ("greedy", "greedy", "national"),
        ("greedy", "random", "sheet"),
    ):
        one = play_pairs(load(x), load(y), load_rules(rules).rules, 4, range(400), style=True, detail="pairs").style
        assert one is not None
        style += one
    table = style.table()
    events = (table["x_y"] + table["y_y"]).reshape(len(ROLES), len(RATES))
    assert [rate for rate, n in zip(RATES, events[0], strict=True) if n == 0] == []
    assert [role for role, n in zip(ROLES, events.sum(axis=1), strict=True) if n == 0] == []
    assert set(RATES.values()) == set(OCCASIONS)


def test_sums_of_parts_are_the_sums_of_the_whole_and_rows_do_not_change() -> None:
    x, y = load("greedy"), load("random")
    whole = play_pairs(x, y, NATIONAL, 5, range(40), style=True)
    parts = [play_pairs(x, y, NATIONAL, 5, part, style=True).style for part in (range(13), range(13, 40))]
    assert whole.style is not None
    first, second = parts
    assert first is not None
    assert second is not None
    assert ((first + second).sums == whole.style.sums).all()
    plain = play_pairs(x, y, NATIONAL, 5, range(40))
    assert plain.style is None
    for name, column in plain.deals.items():
        assert (column == whole.deals[name]).all(), name


def test_kinds_of_an_occasion_add_up_to_it() -> None:
    style = play_pairs(load("greedy"), load("random"), NATIONAL, 6, range(50), style=True).style
    assert style is not None
    table, rates = style.table(), list(RATES)
    kinds = [kind.name.lower() for kind in Kind if kind != Kind.PASS]
    for verb in ("led", "answered", "wild_in"):
        rows = [rates.index(name) for kind in kinds if (name := f"{verb}_{kind}") in RATES]
        for side in "xy":
            assert sum(table[f"{side}_y"][rows]) == table[f"{side}_n"][rows[0]] > 0, (verb, side)
