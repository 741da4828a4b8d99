"""Announcing one's last cards (报牌): which plays bind a seat to it, by rule set."""

from itertools import pairwise

import pytest

from engine.report import must_report
from engine.rules import Rules
from engine.ruleset import load_rules, preset_names

LEFT = [27, 12, 10, 8, 7, 6, 5, 4, 2, 1, 0]


@pytest.mark.parametrize(
    ("report", "announced"),
    [
        ("ten", [10, 8, 7, 6, 5, 4, 2, 1]),
        ("ten_once", [10]),
        ("six", [6, 5, 4, 2, 1]),
        ("ten_seven_four_one", [10, 7, 4, 1]),
    ],
)
def test_a_seat_announces_at_the_numbers_of_its_rules(report: str, announced: list[int]) -> None:
    rules = Rules(report=report)
    assert [after for before, after in pairwise(LEFT) if must_report(before, after, rules)] == announced


@pytest.mark.parametrize("report", ["ten_once", "ten_seven_four_one"])
def test_a_number_that_is_jumped_over_is_reached(report: str) -> None:
    assert must_report(15, 9, Rules(report=report))
    assert not must_report(9, 8, Rules(report=report))


@pytest.mark.parametrize("name", preset_names())
def test_nobody_announces_a_pass_or_that_it_is_out_or_many_cards(name: str) -> None:
    rules = load_rules(name).rules
    assert not any(must_report(left, left, rules) or must_report(left, 0, rules) for left in range(28))
    assert not any(must_report(27, left, rules) for left in range(11, 28))


@pytest.mark.parametrize(("before", "after"), [(5, 6), (29, 20), (3, -1)])
def test_numbers_that_no_hand_goes_through_are_refused(before: int, after: int) -> None:
    with pytest.raises(ValueError, match=f"from {before} to {after}"):
        must_report(before, after)
