"""Who draws first at a table of people, and what faults cost there."""

import math

import pytest

from engine.drawing import PLACES, Drawing, drawing_after_fault, first_drawer, later_drawing
from engine.faults import start_levels_when_late, verdict_on_fouls, verdict_on_silence
from engine.rules import Rules

EAST, NORTH, WEST, SOUTH = range(4)


def test_the_first_drawer_is_counted_from_south_in_the_order_of_play() -> None:
    drawers = [first_drawer("S" + rank) for rank in "A23456789TJQK"]
    assert drawers == [SOUTH, EAST, NORTH, WEST] * 3 + [SOUTH]
    assert PLACES == ("East", "North", "West", "South")


@pytest.mark.parametrize("card", ["H2", "SB", "HR"])
def test_a_joker_or_the_heart_two_is_cut_again(card: str) -> None:
    assert first_drawer(card) is None


def test_after_a_deal_the_seat_before_the_first_shuffles_the_first_cuts_the_last_draws() -> None:
    assert later_drawing([EAST, SOUTH, WEST, NORTH]) == Drawing(shuffles=SOUTH, cuts=EAST, draws_first=NORTH)


@pytest.mark.parametrize("order", [[NORTH, SOUTH, EAST, WEST], [NORTH, SOUTH]])
def test_after_a_double_down_the_seat_after_the_first_draws(order: list[int]) -> None:
    assert later_drawing(order) == Drawing(shuffles=EAST, cuts=NORTH, draws_first=WEST)


def test_after_a_fault_the_offender_shuffles_and_the_seat_before_it_leads() -> None:
    assert drawing_after_fault(EAST) == Drawing(shuffles=EAST, cuts=NORTH, draws_first=WEST, leads=SOUTH)


@pytest.mark.parametrize("order", [[], [0], [0, 1], [0, 1, 2], [0, 1, 2, 2], [0, 2, 1, 4]])
def test_an_order_that_is_none_is_refused(order: list[int]) -> None:
    with pytest.raises(ValueError, match="the four seats"):
        later_drawing(order)


@pytest.mark.parametrize(("minutes", "start"), [(0, "2"), (0.5, "3"), (5, "3"), (5.1, "4"), (10, "4")])
def test_the_others_start_higher_where_a_side_comes_late(minutes: float, start: str) -> None:
    levels = start_levels_when_late(minutes, late=0)
    assert levels == ("2", start)
    assert levels is not None
    assert Rules(start_levels=levels).start_levels == levels
    assert start_levels_when_late(minutes, late=1) == (start, "2")


def test_beyond_ten_minutes_the_match_is_forfeit() -> None:
    assert start_levels_when_late(10.01, late=0) is None
    assert start_levels_when_late(math.inf, late=0) is None


@pytest.mark.parametrize(("minutes", "late"), [(-1, 0), (math.nan, 0), (3, 2)])
def test_a_lateness_that_makes_no_sense_is_refused(minutes: float, late: int) -> None:
    with pytest.raises(ValueError, match=r"write 0 or more|sides are 0 and 1"):
        start_levels_when_late(minutes, late)


def test_three_fouls_of_a_side_lose_the_deal() -> None:
    assert [verdict_on_fouls(fouls) for fouls in range(5)] == [None, None, None, "double_down", "double_down"]


@pytest.mark.parametrize(
    ("out", "verdict"),
    [([2, 0], "last"), ([2, 1, 0], "last"), ([0], "double_down"), ([0, 2], "double_down"), ([1, 0], "double_down")],
)
def test_a_seat_out_unannounced_is_last_where_its_partner_was_out_before(out: list[int], verdict: str) -> None:
    assert verdict_on_silence(out, 0) == verdict


def test_a_seat_that_is_not_out_is_not_judged_by_its_place() -> None:
    with pytest.raises(ValueError, match="seat 1 is not out yet"):
        verdict_on_silence([0, 2], 1)
